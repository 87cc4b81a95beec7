// SPDX-License-Identifier: GPL-2.0
/*
 * kmemtrace-top: show live kernel memory while it is traced.
 */
#include "config.h"

#include <err.h>
#include <errno.h>
#include <limits.h>
#include <locale.h>
#include <poll.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/exit.h"
#include "common/options.h"
#include "common/terminal.h"
#include "common/text.h"
#include "html/page.h"
#include "kmemtrace.h"
#include "report/format.h"
#include "report/reading.h"
#include "top/collector.h"
#include "top/files.h"
#include "top/json.h"
#include "top/model.h"
#include "top/picture.h"
#include "top/screen.h"

/* The signal that ends the program; 0: none. In file scope, where the handler finds it. */
static atomic_int caught;

/* Columns of a picture that is printed, unless $COLUMNS says otherwise; rows have all names. */
#define BATCH_WIDTH	132
/* Most lines and columns. */
#define MAX_SIZE	100000

/* Bytes to read at a time, and bytes after which records are taken before the second is over. */
#define CHUNK		(64 * 1024)
#define MAX_FED		(4 << 20)
/* Bytes of a line of kallsyms, about. */
#define SYMBOL_BYTES	32

static struct source_files opt_sources;
static unsigned int opt_space;
static const struct group_key *opt_group;
static const char *opt_sort;
static unsigned long opt_batch;
static bool opt_own;

/**
 * struct app - the program
 * @trace: the trace
 * @top: the model
 * @pic: the picture; its settings stay, its lines are made anew
 * @collector: kmemtraced, if @has_collector
 * @has_collector: this program started it
 * @stream: the stream; -1: it has ended
 * @messages: messages of kmemtraced; -1: there are none
 * @fed: bytes since the last update of @trace
 * @next: when the next second begins
 * @begun: when the picture of the last second was begun; 0: @next is known
 * @is_frozen: the model stays as it is
 * @is_typing: keys go to the filter
 * @is_over: the user ends the program
 * @message: for the last line
 * @error: why the program must end, as -errno
 */
struct app {
	struct kmemtrace_trace *trace;
	struct top top;
	struct picture pic;
	struct collector collector;
	bool has_collector;
	int stream, messages;
	size_t fed;
	uint64_t next, begun;
	bool is_frozen, is_typing, is_over;
	char message[TOP_MAX_TEXT];
	int error;
};

/* Keep a message, which is printable, for the last line. */
static void say_on_screen(void *arg, const char *text)
{
	struct app *app = arg;

	snprintf(app->message, sizeof(app->message), "%s", text);
}

/* ---- the trace ---- */

static bool has_sources(void)
{
	return opt_sources.vmlinux || opt_sources.nr_modules;
}

/* The debug information is needed once call sites have names. */
static int open_source(struct app *app)
{
	if (app->top.source || !has_sources() || !kmemtrace_get_summary(app->trace)->symbols)
		return 0;
	/* Messages go to the standard error. */
	screen_pause();
	opt_sources.is_needed = opt_group->needs_source;
	return source_open_files(&app->top.source, &opt_sources, app->trace);
}

/* Refuse what the options want to group by, if the trace, whose records arrive, doesn't have it. */
static int check_group(struct app *app)
{
	char *wrong;

	if (app->top.head.state != TOP_EMPTY)
		return 0;
	wrong = group_lack(opt_group, app->trace);
	if (!wrong)
		return 0;
	say_on_screen(app, wrong);
	free(wrong);
	return -ENODATA;
}

/*
 * Read what has arrived; every second, let the model take it over. A stream that comes faster than
 * it was recorded has seconds of its own.
 */
static int update(struct app *app, bool is_second)
{
	int ret = kmemtrace_update(app->trace);

	app->fed = 0;
	if (ret <= 0 || (!is_second && !top_is_second(&app->top, app->trace)))
		return ret < 0 ? ret : 0;
	ret = check_group(app);
	if (!ret)
		ret = open_source(app);
	if (ret || app->is_frozen)
		return ret;
	/* It may need the debug information, or another allocator. */
	app->top.group = opt_group;
	return top_take(&app->top, app->trace);
}

/* Another choice of the user needs the rows anew. */
static void arrange_screen(struct app *app)
{
	if (app->top.head.state != TOP_EMPTY)
		app->error = top_arrange(&app->top, app->trace);
}

static int end_stream(struct app *app)
{
	app->stream = -1;
	app->is_frozen = false;
	kmemtrace_feed_end(app->trace);
	return update(app, true);
}

/* Return the bytes after which the trace is updated: an update looks at each symbol. */
static size_t most_fed(const struct app *app)
{
	const struct kmemtrace_summary *summary = kmemtrace_get_summary(app->trace);
	const size_t bytes = summary ? SYMBOL_BYTES * summary->symbols : 0;

	return bytes > MAX_FED ? bytes : MAX_FED;
}

static int read_stream(struct app *app)
{
	char bytes[CHUNK];
	ssize_t n = read(app->stream, bytes, sizeof(bytes));
	int ret;

	if (n < 0 && (errno == EINTR || errno == EAGAIN))
		return 0;
	if (n <= 0)
		return end_stream(app);
	ret = kmemtrace_feed(app->trace, bytes, n);
	app->fed += n;
	return ret || app->fed < most_fed(app) ? ret : update(app, false);
}

/* Show the last line that kmemtraced has written. */
static void read_messages(struct app *app)
{
	char text[TOP_MAX_TEXT], *line;
	ssize_t n = read(app->messages, text, sizeof(text) - 1);

	if (n <= 0) {
		app->messages = -1;
		return;
	}
	text[n] = '\0';
	while (n && text[n - 1] == '\n')
		text[--n] = '\0';
	line = strrchr(text, '\n');
	/* Names in it are escaped already. */
	text_all_visible(app->message, sizeof(app->message), line ? line + 1 : text);
}

/* ---- keys ---- */

static void press_quit(struct app *app)
{
	app->is_over = true;
}

static void press_group(struct app *app)
{
	opt_group = top_next_group(&app->top, app->trace);
	app->top.group = opt_group;
	arrange_screen(app);
}

static void press_sort(struct app *app)
{
	app->top.sort = picture_next_sort(app->top.sort);
	arrange_screen(app);
}

static void press_allocator(struct app *app)
{
	app->top.space = (app->top.space + 1) % KMEMTRACE_NR_SPACES;
	app->top.group = opt_group;
	app->pic.first = 0;
	arrange_screen(app);
}

static void press_filter(struct app *app)
{
	app->is_typing = true;
}

static void press_mark(struct app *app)
{
	top_mark(&app->top);
	arrange_screen(app);
}

static void press_freeze(struct app *app)
{
	app->is_frozen = !app->is_frozen && app->stream >= 0;
	if (app->stream < 0)
		say_on_screen(app, "the stream has ended: nothing changes any more");
}

static void press_clear(struct app *app)
{
	*app->top.filter = '\0';
	app->pic.first = 0;
	arrange_screen(app);
}

static void press_json(struct app *app)
{
	top_write(TOP_JSON, &app->top, app->trace, app->message, sizeof(app->message));
}

static void press_html(struct app *app)
{
	top_write(TOP_HTML, &app->top, app->trace, app->message, sizeof(app->message));
}

static void press_help(struct app *app)
{
	app->pic.shows_help = !app->pic.shows_help;
}

static void press_up(struct app *app)
{
	app->pic.first -= !!app->pic.first;
}

static void press_down(struct app *app)
{
	app->pic.first++;
}

static void press_page_up(struct app *app)
{
	size_t page = app->pic.nr_shown;

	app->pic.first -= app->pic.first < page ? app->pic.first : page;
}

static void press_page_down(struct app *app)
{
	app->pic.first += app->pic.nr_shown;
}

static void press_home(struct app *app)
{
	app->pic.first = 0;
}

static void press_end(struct app *app)
{
	app->pic.first = top_nr_rows(&app->top);
}

/* The picture corrects the first row. One without a word is in the help of another key. */
static const struct key {
	int code;
	struct key_help help;
	void (*press)(struct app *app);
} keys[] = {
	{ 'q', { "q", "quit", "end the program" }, press_quit },
	{ '?', { "?", "help", "show this help, or the rows again" }, press_help },
	{ 'g', { "g", "group", "group by call site, function, cache, module, task, process, cgroup; with -k by file, directory" }, press_group },
	{ 's', { "s", "sort", "sort by the next column; its heading has a *" }, press_sort },
	{ 'a', { "a", "allocator", "show the next allocator; its totals have a *" }, press_allocator },
	{ '/', { "/", "filter", "show rows whose names have a text; Enter ends it, Esc clears it" }, press_filter },
	{ 'm', { "m", "mark", "count changes from now on" }, press_mark },
	{ 'f', { "f", "freeze", "stop the picture, or let it go on" }, press_freeze },
	{ 'w', { "w", "page", "write the page of kmemtrace-report --html to kmemtrace-top-N.html" }, press_html },
	{ 'j', { "j", "JSON", "write all rows to kmemtrace-top-N.json" }, press_json },
	{ SCREEN_ESCAPE, { "Esc", NULL, NULL }, press_clear },
	{ SCREEN_UP, { "Up", NULL, NULL }, press_up },
	{ SCREEN_DOWN, { "Down", NULL, NULL }, press_down },
	{ SCREEN_PAGE_UP, { "PgUp", NULL, NULL }, press_page_up },
	{ SCREEN_PAGE_DOWN, { "PgDn", NULL, NULL }, press_page_down },
	{ SCREEN_HOME, { "Home", NULL, NULL }, press_home },
	{ SCREEN_END, { "End", NULL, NULL }, press_end },
};

#define NR_KEYS	(sizeof(keys) / sizeof(*keys))

/* Return where the last character of a text of UTF-8 begins. */
static size_t last_character(const char *text)
{
	size_t i = strlen(text) - 1;

	while (i && (text[i] & 0xc0) == 0x80)
		i--;
	return i;
}

/* Let a key change the filter. */
static void type(struct app *app, int key)
{
	char *filter = app->top.filter;
	size_t len = strlen(filter);

	if (key == SCREEN_ENTER || key == SCREEN_ESCAPE)
		app->is_typing = false;
	if (key == SCREEN_ESCAPE)
		*filter = '\0';
	else if (key == SCREEN_BACKSPACE && len)
		filter[last_character(filter)] = '\0';
	else if (key >= ' ' && key <= 0xff && len + 1 < sizeof(app->top.filter))
		stpcpy(filter + len, (char[2]) { (char)key, '\0' });
	app->pic.first = 0;
	arrange_screen(app);
}

static void press(struct app *app, int key)
{
	size_t i;

	if (key == SCREEN_RESIZED)
		return;
	if (app->is_typing) {
		type(app, key);
		return;
	}
	*app->message = '\0';
	for (i = 0; i < NR_KEYS; i++)
		if (keys[i].code == key)
			keys[i].press(app);
}

/* ---- the picture ---- */

static int draw(struct app *app, bool is_repainted)
{
	static struct key_help helps[NR_KEYS + 1];
	char filter[TOP_MAX_TEXT + 16];
	size_t i;
	int ret;

	for (i = 0; i < NR_KEYS; i++)
		helps[i] = keys[i].help;
	snprintf(filter, sizeof(filter), "filter: %s_", app->top.filter);
	picture_free(&app->pic);
	screen_get_size(&app->pic.width, &app->pic.height);
	app->pic.keys = helps;
	app->pic.is_frozen = app->is_frozen;
	app->pic.message = app->is_typing ? filter : app->message;
	ret = picture_make(&app->pic, &app->top);
	if (!ret)
		screen_show(&app->pic, is_repainted);
	return ret;
}

/* ---- the loop ---- */

static void keep_signal(int number)
{
	caught = number;
}

/* Let signals end the program as a key does, so that kmemtraced is stopped. */
static void catch_signals(void)
{
	static const int numbers[] = { SIGHUP, SIGINT, SIGPIPE, SIGTERM };
	const struct sigaction action = { .sa_handler = keep_signal };
	struct sigaction old;
	size_t i;

	for (i = 0; i < sizeof(numbers) / sizeof(*numbers); i++)
		if (!sigaction(numbers[i], NULL, &old) && old.sa_handler != SIG_IGN)
			sigaction(numbers[i], &action, NULL);
}

/* Take all keys that were pressed. Return whether there were any. */
static bool take_keys(struct app *app)
{
	bool any = false;
	int key;

	while ((key = screen_key()) != SCREEN_NONE) {
		press(app, key);
		any = true;
	}
	return any;
}

/* The stream gets a second after a picture, or as long as that took. */
static void begin_second(struct app *app)
{
	const uint64_t now = now_ns(), taken = now - app->begun;

	app->next = now + (taken > NSEC_PER_SEC ? taken : NSEC_PER_SEC);
	app->begun = 0;
}

/*
 * Wait for the stream, for @key_file, or for the next second, and take what has come.
 * Return 1 if a second is over or the stream has ended, 0, or -errno.
 */
static int serve(struct app *app, int key_file)
{
	struct pollfd p[] = {
		{ .fd = app->stream, .events = POLLIN },
		{ .fd = key_file, .events = POLLIN },
		{ .fd = app->messages, .events = POLLIN },
	};
	bool was_open = app->stream >= 0;
	int ret = 0;

	if (app->begun)
		begin_second(app);
	/* A signal says that the size has changed. */
	if (poll(p, 3, ms_until(app->next)) < 0 && errno != EINTR)
		return -errno;
	if (p[1].revents & (POLLHUP | POLLERR | POLLNVAL)) {
		app->is_over = true;
		return 0;
	}
	if (p[0].revents)
		ret = read_stream(app);
	if (p[2].revents)
		read_messages(app);
	if (ret || (now_ns() < app->next && (!was_open || app->stream >= 0)))
		return ret;
	app->begun = now_ns();
	if (app->stream >= 0)
		ret = update(app, true);
	return ret ? ret : 1;
}

/* Show pictures on the terminal until the user ends that. Return 0 or -errno. */
static int run(struct app *app)
{
	int ret = draw(app, true), is_second;

	while (!ret && !app->is_over && !caught) {
		is_second = serve(app, screen_fd());
		if (is_second < 0)
			return is_second;
		if (take_keys(app) || is_second)
			ret = app->error ? app->error : draw(app, is_second);
	}
	return ret;
}

/* Return a size that the environment has, or another one. */
static size_t size_from(const char *variable, size_t otherwise)
{
	const char *value = getenv(variable);
	size_t size = value ? reading_number(value, MAX_SIZE) : 0;

	return size ? size : otherwise;
}

/* Print the picture, but for its empty lines. Return 0 or -errno. */
static int print_picture(struct app *app)
{
	static const struct key_help no_keys[1];
	struct picture *pic = &app->pic;
	size_t i;
	int ret;

	picture_free(pic);
	pic->width = size_from("COLUMNS", BATCH_WIDTH);
	pic->height = size_from("LINES", PICTURE_MIN_HEIGHT + top_nr_rows(&app->top));
	pic->keys = no_keys;
	pic->message = app->message;
	ret = picture_make(pic, &app->top);
	for (i = 0; !ret && i < pic->height; i++)
		if (*pic->lines[i].text)
			puts(pic->lines[i].text);
	*app->message = '\0';
	if (!ret && (putchar('\n') < 0 || fflush(stdout) || ferror(stdout)))
		ret = -EIO;
	return ret;
}

/* Print pictures, as many as the user wants or until the stream ends. Return 0 or -errno. */
static int run_batch(struct app *app)
{
	unsigned long left = opt_batch;
	int ret = 0;

	while (ret >= 0 && left && app->stream >= 0 && !caught) {
		ret = serve(app, -1);
		if (ret <= 0 || app->top.head.state == TOP_EMPTY)
			continue;
		ret = print_picture(app);
		left--;
	}
	return ret < 0 ? ret : 0;
}

/* ---- command line ---- */

static int set_top_vmlinux(const char *value)
{
	if (!source_take_modules(&opt_sources, value))
		opt_sources.vmlinux = value;
	return 0;
}

static int set_space(const char *value)
{
	for (opt_space = 0; opt_space < KMEMTRACE_NR_SPACES; opt_space++)
		if (!strcmp(top_spaces[opt_space], value))
			return 0;
	return -EINVAL;
}

static int set_top_group(const char *value)
{
	opt_group = top_find_group(value);
	return opt_group ? 0 : -EINVAL;
}

static int set_top_sort(const char *value)
{
	opt_sort = top_find_sort(value);
	return opt_sort ? 0 : -EINVAL;
}

static int set_top_own(const char *value)
{
	(void)value;
	opt_own = true;
	return 0;
}

static int set_top_schema(const char *value)
{
	(void)value;
	print_json(top_schema(), stdout);
	options_answered();
}

static int set_batch(const char *value)
{
	opt_batch = reading_number(value, LONG_MAX);
	return !opt_batch;
}

/* Texts with the names of groups and figures, see write_helps(). */
static char group_help[128], sort_help[512];

static const struct opt opts[] = {
	{ 'a', "allocator", "KEY", "show the rows of an allocator at first: slab, pages, percpu or vmalloc", set_space },
	{ 'b', "batch", "N", "print the first N pictures as text; no terminal is needed", set_batch },
	{ 'g', "group-by", "KEY", group_help, set_top_group },
	{ 's', "sort", "KEY", sort_help, set_top_sort },
	{ 0, "own", NULL, "count what kmemtrace itself allocated as well", set_top_own },
	{ 0, "json-schema", NULL, "print the schema of the files of the key j", set_top_schema },
	{ 'k', "vmlinux", "FILE", "read file and line of call sites from FILE's debug information: a vmlinux, a module, or a folder of modules", set_top_vmlinux },
	{ 0 }
};

static const struct program prog = {
	.name = "kmemtrace-top",
	.operands = "[-]",
	.purpose = "Show live kernel memory, once a second. With - the trace comes from the standard\n"
		   "input, as kmemtraced -o - writes it; otherwise kmemtrace-top starts kmemtraced,\n"
		   "as root. Press ? for the keys.",
	.opts = opts,
};

static const char *group_name_at(size_t i)
{
	return top_group(i) ? top_group(i)->name : NULL;
}

static void write_helps(void)
{
	write_names(group_help, sizeof(group_help), "group rows at first: ", group_name_at, "");
	write_names(sort_help, sizeof(sort_help), "sort rows at first: ", top_sort, "");
}

/* Return why options can't be combined, or NULL. */
static const char *top_complaint(void)
{
	if (opt_group->needs_source && !has_sources())
		return GROUP_NEEDS_VMLINUX;
	if (opt_group->is_of_slab && opt_space != KMEMTRACE_SPACE_SLAB)
		return "--group-by cache: only slab has caches";
	return NULL;
}

static int open_top_stream(struct app *app)
{
	int ret;

	app->stream = STDIN_FILENO;
	app->messages = -1;
	if (!app->has_collector)
		return 0;
	ret = collector_start(&app->collector);
	app->stream = app->collector.out;
	app->messages = app->collector.err;
	if (ret)
		warnx("kmemtraced: %s", strerror(-ret));
	return ret;
}

static int open_screen(void)
{
	int ret = screen_open();

	if (ret == -ENOTTY)
		warnx("there is no terminal for the picture and the keys");
	else if (ret)
		warnx("this terminal can't move its cursor; TERM=%s",
		      getenv("TERM") ? getenv("TERM") : "");
	return ret;
}

/* Show the trace. Return the exit status. */
static int show_top(struct app *app)
{
	int ret;

	catch_signals();
	if (!opt_batch && open_screen())
		return EXIT_UNUSABLE;
	atexit(screen_close);
	ret = open_top_stream(app);
	if (ret)
		return EXIT_UNUSABLE;
	app->next = now_ns() + NSEC_PER_SEC;
	ret = opt_batch ? run_batch(app) : run(app);
	screen_close();
	if (app->has_collector)
		collector_stop(&app->collector);
	if (caught)
		return EXIT_SIGNAL + caught;
	if (ret && *app->message)
		warnx("%s", app->message);
	else if (terminal_end())
		ret = -EIO;
	else if (ret == -ENOENT)
		warnx("%s: the stream contains no trace", app->has_collector ? "kmemtraced" : STDIN_NAME);
	else if (ret)
		warnx("%s", strerror(-ret));
	return ret ? EXIT_UNUSABLE : EXIT_SUCCESS;
}

int main(int argc, char **argv)
{
	struct app app = { .pic.message = "" };
	const struct kmemtrace_options options = {
		.size = sizeof(options), .name = STDIN_NAME, .say = say_on_screen, .arg = &app,
	};
	const char *wrong;
	int i, status;

	/* Names are of UTF-8. */
	setlocale(LC_CTYPE, "");
	top_open(&app.top);
	opt_group = app.top.group;
	opt_sort = app.top.sort;
	write_helps();
	i = options_parse(&prog, argc, argv);
	if (i < 0)
		return EXIT_UNUSABLE;
	wrong = top_complaint();
	if (wrong) {
		warnx("%s; try '%s --help'", wrong, prog.name);
		return EXIT_UNUSABLE;
	}
	if (i + 1 < argc || (i < argc && strcmp(argv[i], STDIN_OPERAND))) {
		warnx("'%s': %s reads no folder, only -: what kmemtraced -o - writes; try '%s --help'",
		      argv[i], prog.name, prog.name);
		return EXIT_UNUSABLE;
	}
	app.has_collector = i == argc;
	if (!app.has_collector && isatty(STDIN_FILENO)) {
		warnx("standard input is a terminal; - is for a pipe from kmemtraced -o -");
		return EXIT_UNUSABLE;
	}
	if (kmemtrace_open_live(&app.trace, &options) ||
	    kmemtrace_set_cells(app.trace, !opt_batch && !page_missing()) ||
	    kmemtrace_set_own(app.trace, opt_own))
		errx(EXIT_UNUSABLE, "out of memory");
	app.top.space = opt_space;
	app.top.sort = opt_sort;
	status = show_top(&app);
	picture_free(&app.pic);
	top_close(&app.top);
	source_close(app.top.source);
	kmemtrace_close(app.trace);
	return status;
}
