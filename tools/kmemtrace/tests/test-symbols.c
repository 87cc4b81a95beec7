// SPDX-License-Identifier: GPL-2.0
/*
 * Names for addresses, from kallsyms and modules files.
 */
#include "test.h"

#include "read/spool.h"
#include "read/symbols.h"
#include "test-files.h"

static const char kallsyms[] =
	"0000000000000000 A fixed_percpu_data\n"
	"ffffffff81000000 T _stext\n"
	"ffffffff81000000 T _text\n"
	"ffffffff81001000 T first\n"
	"ffffffff81001100 t second\n"
	"ffffffff81001100 T second_alias\n"
	"ffffffff81002000 D data\n"
	"ffffffffc0001000 t init_it\t[one]\n"
	"ffffffffc0001040 t last_of_one\t[one]\n"
	"ffffffffc0009000 d data_of_two\t[two]\n";

static const char modules[] =
	"one 0xffffffffc0001000 4096\n"
	"gone 0xffffffffc0004000 8192\n"
	"two 0xffffffffc0009000 4096\n";

static void write_file(const char *dir, const char *name, const char *text)
{
	char path[64];
	FILE *f;

	snprintf(path, sizeof(path), "%s/%s", dir, name);
	if (!text) {
		unlink(path);
		return;
	}
	f = fopen(path, "w");
	assert_non_null(f);
	assert_true(fputs(text, f) >= 0);
	assert_int_equal(fclose(f), 0);
}

/* Load symbols from files with these texts; NULL: there is no such file. */
static void load(struct symbols *s, const char *syms, const char *mods)
{
	char dir[] = "/tmp/kmemtrace-test-XXXXXX";
	struct files *files;

	*s = (struct symbols) { .nr = 0 };
	assert_non_null(mkdtemp(dir));
	write_file(dir, "kallsyms", syms);
	write_file(dir, "modules", mods);
	assert_int_equal(files_open(&files, &test_ctx, dir, dir), 0);
	assert_int_equal(symbols_load(s, &test_ctx, files), 0);
	files_put(files);
	write_file(dir, "kallsyms", NULL);
	write_file(dir, "modules", NULL);
	assert_int_equal(rmdir(dir), 0);
}

static void assert_name(const struct symbols *s, uint64_t addr,
			const char *name, uint64_t offset, const char *module)
{
	struct symbol_ref ref;

	symbols_find(s, addr, &ref);
	if (name) {
		assert_non_null(ref.name);
		assert_string_equal(ref.name, name);
		assert_int_equal(ref.offset, offset);
	} else {
		assert_null(ref.name);
	}
	if (module) {
		assert_non_null(ref.module);
		assert_string_equal(ref.module, module);
	} else {
		assert_null(ref.module);
	}
}

static void test_find(void **state)
{
	struct symbols s;
	uint64_t addr;

	(void)state;
	load(&s, kallsyms, modules);
	assert_false(s.hidden);
	assert_name(&s, 0xffffffff81001010, "first", 0x10, NULL);
	/* A call at a function's end returns to the next function's start. */
	assert_name(&s, 0xffffffff81001100, "first", 0x100, NULL);
	assert_name(&s, 0xffffffff81001101, "second", 1, NULL);
	assert_name(&s, 0xffffffffc0001050, "last_of_one", 0x10, "one");
	/* Addresses that are not code, before all symbols, or 0. */
	assert_name(&s, 0xffffffff81002010, NULL, 0, NULL);
	assert_name(&s, 0xffffffff80000000, NULL, 0, NULL);
	assert_name(&s, 0, NULL, 0, NULL);
	assert_true(symbols_address(&s, "_stext", &addr));
	assert_int_equal(addr, 0xffffffff81000000);
	assert_false(symbols_address(&s, "nonesuch", &addr));
	assert_false(symbols_address(&s, "init_it", &addr));
	symbols_free(&s);
}

/* Modules of some architectures have labels in the list, which are no functions. */
static void test_labels(void **state)
{
	struct symbols s;

	(void)state;
	load(&s, "ffffffffc0001000 t in_module\t[one]\n"
		 "ffffffffc0001010 t .LBE3255\t[one]\n"
		 "ffffffffc0001014 t L0\t[one]\n"
		 "ffffffffc0001018 t $x\t[one]\n", modules);
	assert_name(&s, 0xffffffffc0001020, "in_module", 0x20, "one");
	symbols_free(&s);
}

/* Where modules overlap, the one that begins next before the address counts. */
static void test_overlap(void **state)
{
	struct symbols s;

	(void)state;
	load(&s, "", "mid 0x3000 4096\nbig 0x1000 16384\nlow 0x1000 4096\n"
	     "high 0x4800 4096\nlast 0xffffffffffffff00 4096\n");
	assert_name(&s, 0x1001, NULL, 0, "big");
	assert_name(&s, 0x1000, NULL, 0, NULL);
	assert_name(&s, 0x3000, NULL, 0, "big");
	assert_name(&s, 0x3001, NULL, 0, "mid");
	assert_name(&s, 0x4000, NULL, 0, "mid");
	assert_name(&s, 0x4001, NULL, 0, "big");
	assert_name(&s, 0x4800, NULL, 0, "big");
	assert_name(&s, 0x4801, NULL, 0, "high");
	assert_name(&s, 0x5001, NULL, 0, "high");
	assert_name(&s, 0x5801, NULL, 0, NULL);
	assert_name(&s, 0xffffffffffffff01, NULL, 0, "last");
	symbols_free(&s);
}

/* The data of the first module is not behind its code: there, the second one is. */
static void test_apart(void **state)
{
	struct symbols s;

	(void)state;
	load(&s, "ffffffffc0001000 t code_of_one\t[one]\n"
		 "ffffffffc0003000 t code_of_two\t[two]\n"
		 "ffffffffc0009000 d data_of_one\t[one]\n",
	     "one ffffffffc0001000 16384\ntwo ffffffffc0003000 4096\n");
	assert_name(&s, 0xffffffffc0001010, "code_of_one", 0x10, "one");
	assert_name(&s, 0xffffffffc0003010, "code_of_two", 0x10, "two");
	symbols_free(&s);
}

/* An address of a module without symbols must not get the name of a symbol before it. */
static void test_unloaded(void **state)
{
	struct symbols s;

	(void)state;
	load(&s, kallsyms, modules);
	assert_name(&s, 0xffffffffc0004010, NULL, 0, "gone");
	symbols_free(&s);
	/* Without a list of modules, the limit of a function's length applies. */
	load(&s, "ffffffffc0001000 t last\t[one]\n", "");
	assert_name(&s, 0xffffffffc0001050, "last", 0x50, "one");
	assert_name(&s, 0xffffffffc0201050, NULL, 0, NULL);
	symbols_free(&s);
}

static void test_hidden(void **state)
{
	struct symbols s;

	(void)state;
	load(&s, "0000000000000000 T _stext\n0000000000000000 T first\n", "");
	assert_true(s.hidden);
	assert_int_equal(s.nr, 0);
	assert_name(&s, 0xffffffff81001010, NULL, 0, NULL);
	symbols_free(&s);
}

static void test_nonsense(void **state)
{
	struct symbols s;

	(void)state;
	load(&s, "\n\nxyz\n12\n12 T\n [x]\n", "one\ntwo 0 0\nthree x y\n");
	assert_int_equal(s.nr, 0);
	assert_false(s.hidden);
	symbols_free(&s);
	load(&s, NULL, NULL);
	assert_int_equal(s.nr, 0);
	symbols_free(&s);
}

/* Bytes of a stream: lines that follow later, in order and not, and a line in two parts. */
static void test_arriving(void **state)
{
	static const char * const parts[] = {
		"kmemtrace-stream 1\nkallsyms 39\nffffffff81000000 T a\nffffffff81002000 T",
		"kallsyms 49\n c\nffffffff81001000 T b\nffffffffc0001000 t m\t[one",
		"modules 28\none 0xffffffffc0001000 4096\n", "end\n",
	};
	struct symbols s = { .nr = 0 };
	struct files *files;
	size_t i;

	(void)state;
	assert_int_equal(files_begin_stream(&files, &test_ctx, NULL, "stream", NULL), 0);
	for (i = 0; i < sizeof(parts) / sizeof(*parts); i++) {
		assert_int_equal(spool_put(files_stream(files), parts[i], strlen(parts[i])), 0);
		assert_int_equal(symbols_load(&s, &test_ctx, files), 0);
		assert_name(&s, 0xffffffff81000010, "a", 0x10, NULL);
		if (i)
			assert_name(&s, 0xffffffff81001010, "b", 0x10, NULL);
		if (i)
			assert_name(&s, 0xffffffff81002010, "c", 0x10, NULL);
		assert_int_equal(s.nr, i == 0 ? 1 : i < 3 ? 3 : 4);
	}
	assert_name(&s, 0xffffffffc0001010, "m", 0x10, "one");
	symbols_free(&s);
	files_put(files);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_labels),
		cmocka_unit_test(test_overlap),
		cmocka_unit_test(test_apart),
		cmocka_unit_test(test_unloaded),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_nonsense),
		cmocka_unit_test(test_arriving),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
