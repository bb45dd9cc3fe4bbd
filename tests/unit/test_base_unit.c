// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "base/unit.h"

static void bytes_are_binary(void **state)
{
	static const struct {
		const char *text;
		uint64_t bytes;
	} cases[] = {
		{ "0", 0 },
		{ "4096", 4096 },
		{ "64K", 64 * KIB },
		{ "64k", 64 * KIB },
		{ "64KiB", 64 * KIB },
		{ "64KB", 64 * KIB },
		{ "1.5G", 3 * GIB / 2 },
		{ "64T", 64 * TIB },
		{ "7E", 7 * (1ULL << 60) },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		uint64_t bytes = 1;

		assert_int_equal(bytes_parse(cases[i].text, &bytes, NULL), 0);
		assert_int_equal(bytes, cases[i].bytes);
	}
}

static void bytes_refuse_what_is_no_size(void **state)
{
	static const char *const wrong[] = { "", "-1", "1X", "K", "0x10", "inf", "nan", "1 M",
		"1Mx" };
	struct error err;
	uint64_t bytes = 7;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(bytes_parse(wrong[i], &bytes, &err), -EINVAL);
	assert_int_equal(bytes_parse("8E", &bytes, &err), -ERANGE);
	assert_int_equal(bytes, 7);
}

static void durations_have_units(void **state)
{
	static const struct {
		const char *text;
		int64_t ns;
	} cases[] = {
		{ "3", 3 * NS_PER_S },
		{ "2.5", 2500 * NS_PER_MS },
		{ "250us", 250 * NS_PER_US },
		{ "10m", 600 * NS_PER_S },
		{ "1h", 3600 * NS_PER_S },
		{ "10ms", 10 * NS_PER_MS },
	};
	int64_t ns;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(duration_parse(cases[i].text, &ns, NULL), 0);
		assert_int_equal(ns, cases[i].ns);
	}
	assert_int_equal(duration_parse("3 s", &ns, NULL), -EINVAL);
	assert_int_equal(duration_parse("-3s", &ns, NULL), -EINVAL);
	assert_int_equal(duration_parse("1e300h", &ns, NULL), -ERANGE);
}

static void spelling_reads_back(void **state)
{
	static const uint64_t sizes[] = { 0, 1, 1023, 1024, 1536, MIB, 3 * GIB / 2, 64 * TIB,
		INT64_MAX };
	static const int64_t times[] = { 0, 1, 999, 1000, 1500 * NS_PER_MS, NS_PER_S,
		86400 * NS_PER_S };
	char buf[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(sizes); i++) {
		uint64_t bytes;

		assert_int_equal(
			bytes_parse(bytes_spell(sizes[i], buf, sizeof(buf)), &bytes, NULL), 0);
		assert_int_equal(bytes, sizes[i]);
	}
	for (size_t i = 0; i < ARRAY_SIZE(times); i++) {
		int64_t ns;

		assert_int_equal(
			duration_parse(duration_spell(times[i], buf, sizeof(buf)), &ns, NULL), 0);
		assert_int_equal(ns, times[i]);
	}
}

static void shares_are_exact_to_64_tib(void **state)
{
	struct size size;

	(void)state;
	assert_int_equal(size_parse("110%", &size, NULL), 0);
	assert_int_equal(size_of(&size, 64 * TIB), 64 * TIB / 10 * 11 + 64 * TIB % 10 * 11 / 10);
	assert_int_equal(size_of(&size, INT64_MAX), INT64_MAX);
	assert_int_equal(size_parse("12.5%", &size, NULL), 0);
	assert_int_equal(size_of(&size, 1000), 125);
	assert_int_equal(size_parse("0%", &size, NULL), -ERANGE);
}

static void rendering_has_three_digits(void **state)
{
	char buf[32];

	(void)state;
	assert_string_equal(bytes_render(0, buf, sizeof(buf)), "0 B");
	assert_string_equal(bytes_render(999, buf, sizeof(buf)), "999 B");
	assert_string_equal(bytes_render(1000, buf, sizeof(buf)), "0.98 KiB");
	assert_string_equal(bytes_render(512 * MIB, buf, sizeof(buf)), "512 MiB");
	assert_string_equal(bytes_render(3 * GIB / 2, buf, sizeof(buf)), "1.50 GiB");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(bytes_are_binary),
		cmocka_unit_test(bytes_refuse_what_is_no_size),
		cmocka_unit_test(durations_have_units),
		cmocka_unit_test(spelling_reads_back),
		cmocka_unit_test(shares_are_exact_to_64_tib),
		cmocka_unit_test(rendering_has_three_digits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
