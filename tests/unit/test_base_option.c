// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "base/option.h"

struct params {
	uint64_t count, bytes;
	struct size size;
	int64_t ns;
	double real;
	bool yes;
	int choice;
	char text[16];
};

static const char *const colours[] = { "red", "green", NULL };

static const struct option_row rows[] = {
	{ OPTION("count", OPTION_COUNT, struct params, count), .fallback = "4", .min = "1",
		.max = "10" },
	{ OPTION("bytes", OPTION_BYTES, struct params, bytes), .fallback = "64K" },
	{ OPTION("size", OPTION_SIZE, struct params, size), .fallback = "110%" },
	{ OPTION("time", OPTION_DURATION, struct params, ns), .fallback = "3s" },
	{ OPTION("real", OPTION_REAL, struct params, real), .fallback = "0" },
	{ OPTION("yes", OPTION_BOOL, struct params, yes), .fallback = "no" },
	{ OPTION("colour", OPTION_CHOICE, struct params, choice), .fallback = "red",
		.choices = colours },
	{ OPTION("text", OPTION_TEXT, struct params, text), .fallback = "" },
};

static const struct option_rows all = OPTION_ROWS(rows);

static void defaults_come_from_the_rows(void **state)
{
	struct params params;
	char buf[256];

	(void)state;
	memset(&params, 0xff, sizeof(params));
	option_defaults(all, &params);
	assert_int_equal(params.count, 4);
	assert_int_equal(params.bytes, 65536);
	assert_int_equal(params.size.permille, 1100);
	assert_int_equal(params.ns, 3 * NS_PER_S);
	assert_string_equal(option_spell_list(all, &params, buf, sizeof(buf)), "");
}

static void a_list_reads_back(void **state)
{
	const char *text =
		"count=7,size=1G,time=250ms,real=0.5,yes=yes,colour=green,text=a\\,b\\\\c";
	struct params params;
	char buf[256];

	(void)state;
	option_defaults(all, &params);
	assert_int_equal(option_set_list(all, &params, text, NULL), 0);
	assert_string_equal(params.text, "a,b\\c");
	assert_int_equal(params.size.bytes, GIB);
	assert_int_equal(params.choice, 1);
	assert_string_equal(option_spell_list(all, &params, buf, sizeof(buf)), text);
}

static void a_bare_name_means_yes(void **state)
{
	struct params params;
	struct error err;

	(void)state;
	option_defaults(all, &params);
	assert_int_equal(option_set_list(all, &params, "yes", NULL), 0);
	assert_true(params.yes);
	assert_int_equal(option_set_list(all, &params, "count", &err), -EINVAL);
	assert_string_equal(err.text, "option \"count\" needs a value: count=...");
}

static void mistakes_name_what_is_right(void **state)
{
	struct params params;
	struct error err;

	(void)state;
	option_defaults(all, &params);
	assert_int_equal(option_set_list(all, &params, "cuont=2", &err), -ENOENT);
	assert_string_equal(err.text, "no option \"cuont\"; did you mean \"count\"?");
	assert_int_equal(option_set_list(all, &params, "count=11", &err), -ERANGE);
	assert_string_equal(err.text, "count: 11 is out of range (1 to 10)");
	assert_int_equal(option_set_list(all, &params, "colour=blue", &err), -EINVAL);
	assert_string_equal(err.text, "colour: \"blue\" is not one of red, green");
	assert_int_equal(option_set_list(all, &params, "text=0123456789abcdef", &err), -ERANGE);
	assert_int_equal(params.count, 4);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults_come_from_the_rows),
		cmocka_unit_test(a_list_reads_back),
		cmocka_unit_test(a_bare_name_means_yes),
		cmocka_unit_test(mistakes_name_what_is_right),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
