// SPDX-License-Identifier: GPL-2.0
/*
 * Names for addresses, from kallsyms and modules files.
 */
#include "test.h"

#include "read/symbols.h"

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

static void load(struct symbols *s, const char *syms, const char *mods)
{
	char *a = test_file(syms, strlen(syms));
	char *b = test_file(mods, strlen(mods));

	assert_int_equal(symbols_load(s, a, b), 0);
	test_file_remove(a);
	test_file_remove(b);
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
	/* Not code, before all symbols, nothing. */
	assert_name(&s, 0xffffffff81002010, NULL, 0, NULL);
	assert_name(&s, 0xffffffff80000000, NULL, 0, NULL);
	assert_name(&s, 0, NULL, 0, NULL);
	assert_true(symbols_address(&s, "_stext", &addr));
	assert_int_equal(addr, 0xffffffff81000000);
	assert_false(symbols_address(&s, "nonesuch", &addr));
	assert_false(symbols_address(&s, "init_it", &addr));
	symbols_free(&s);
}

/* A module that left no symbols must not borrow those before it. */
static void test_unloaded(void **state)
{
	struct symbols s;

	(void)state;
	load(&s, kallsyms, modules);
	assert_name(&s, 0xffffffffc0004010, NULL, 0, "gone");
	symbols_free(&s);
	/* Even where nothing is known of modules, no function is that long. */
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
	assert_int_equal(symbols_load(&s, "/nonexistent", "/nonexistent"), 0);
	assert_int_equal(s.nr, 0);
	symbols_free(&s);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(test_find),
		cmocka_unit_test(test_unloaded),
		cmocka_unit_test(test_hidden),
		cmocka_unit_test(test_nonsense),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
