// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <math.h>

#include "report/number.h"

static void assert_rendered(enum number_style style, double number, const char *expected)
{
	char buf[400];

	assert_string_equal(number_render(style, number, buf, sizeof(buf)), expected);
}

static void times_are_read_as_contest_printed_them(void **state)
{
	(void)state;
	assert_rendered(STYLE_SECONDS, 67.7, "67.7");
	assert_rendered(STYLE_SECONDS, 4000, "4000.0");
	assert_rendered(STYLE_SECONDS, 9.994, "9.99");
	assert_rendered(STYLE_SECONDS, 9.996, "10.0");
	assert_rendered(STYLE_SECONDS, 0, "0.00");
}

static void amounts_have_three_significant_digits(void **state)
{
	(void)state;
	assert_rendered(STYLE_AMOUNT, 146.2, "146");
	assert_rendered(STYLE_AMOUNT, 33, "33.0");
	assert_rendered(STYLE_AMOUNT, 99.96, "100");
	assert_rendered(STYLE_AMOUNT, 1.234, "1.23");
	assert_rendered(STYLE_AMOUNT, 9.996, "10.0");
	assert_rendered(STYLE_AMOUNT, 0.01234, "0.0123");
	assert_rendered(STYLE_AMOUNT, 0.000012, "1.20e-05");
	assert_rendered(STYLE_AMOUNT, 123456, "123456");
	assert_rendered(STYLE_AMOUNT, 0, "0");
}

static void percents_and_ratios_are_short(void **state)
{
	(void)state;
	assert_rendered(STYLE_PERCENT, 187.4, "187");
	assert_rendered(STYLE_PERCENT, 0.44, "0.4");
	assert_rendered(STYLE_PERCENT, 9.96, "10");
	assert_rendered(STYLE_PERCENT, 0, "0");
	assert_rendered(STYLE_SHARE, 42.2, "42%");
	assert_rendered(STYLE_RATIO, 7.3336, "7.33");
}

static void a_wait_below_100_ms_is_no_freeze(void **state)
{
	(void)state;
	assert_rendered(STYLE_FREEZE, 0.0999, "–");
	assert_rendered(STYLE_FREEZE, 0.35, "0.35 s");
	assert_rendered(STYLE_FREEZE, 17.04, "17.0 s");
}

static void durations_have_three_significant_digits_and_a_unit(void **state)
{
	(void)state;
	assert_rendered(STYLE_DURATION, 0, "0 ns");
	assert_rendered(STYLE_DURATION, 42, "42 ns");
	assert_rendered(STYLE_DURATION, 999.6, "1.00 µs");
	assert_rendered(STYLE_DURATION, 12345, "12.3 µs");
	assert_rendered(STYLE_DURATION, 1234567, "1.23 ms");
	assert_rendered(STYLE_DURATION, 1900000000, "1.90 s");
	assert_rendered(STYLE_DURATION, 3.6e12, "3600.0 s");
	assert_rendered(STYLE_DURATION, NAN, "n/a");
}

static void what_is_no_number_is_absent(void **state)
{
	(void)state;
	assert_rendered(STYLE_RATIO, NAN, "n/a");
	assert_rendered(STYLE_COUNT, INFINITY, "n/a");
	assert_rendered(STYLE_FREEZE, NAN, "n/a");
}

static void no_digits_are_invented_for_huge_numbers(void **state)
{
	(void)state;
	assert_rendered(STYLE_COUNT, 1e300, "1e+300");
	assert_rendered(STYLE_AMOUNT, -1.5e18, "-1.5e+18");
	assert_rendered(STYLE_COUNT, 9007199254740991.0, "9007199254740991");
}

static void zero_has_no_sign(void **state)
{
	(void)state;
	assert_rendered(STYLE_COUNT, -0.2, "0");
	assert_rendered(STYLE_SECONDS, -0.001, "0.00");
}

static void the_median_passes_over_what_is_absent(void **state)
{
	double odd[] = { 3, NAN, 1, 2 }, even[] = { 4, 1, 2, 3 }, none[] = { NAN };

	(void)state;
	assert_true(number_median(odd, 4) == 2);
	assert_true(number_median(even, 4) == 2.5);
	assert_true(isnan(number_median(none, 1)));
	assert_true(isnan(number_median(none, 0)));
}

static void assert_span(double min, double max, const char *expected)
{
	const double values[] = { max, NAN, min };
	struct span span = span_of(values, 3);
	char text[80];

	assert_int_equal(span.n, 2);
	assert_string_equal(span_spell(&span, text, sizeof(text)), expected);
}

static void a_span_has_digits_that_tell_its_ends_apart(void **state)
{
	struct span none = span_of(NULL, 0);
	char text[80];

	(void)state;
	assert_span(4.64562, 4.65711, "4.646–4.657");
	assert_span(12124, 12125, "12124–12125");
	assert_span(12125, 12125, "12125");
	assert_span(1234567, 2345678, "1234567–2345678");
	assert_span(0, 0, "0");
	assert_span(0, 7, "0–7");
	assert_span(98.25, 101, "98.2–101.0");
	assert_span(0.990196, 1.009804, "0.990–1.010");
	assert_span(0.200162042, 0.200162043, "0.200162");
	assert_span(0.200162042, 0.200164836, "0.200162–0.200165");
	assert_span(3.5, 17.2, "3.5–17.2");
	assert_string_equal(span_spell(&none, text, sizeof(text)), NUMBER_ABSENT);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(times_are_read_as_contest_printed_them),
		cmocka_unit_test(amounts_have_three_significant_digits),
		cmocka_unit_test(percents_and_ratios_are_short),
		cmocka_unit_test(a_wait_below_100_ms_is_no_freeze),
		cmocka_unit_test(durations_have_three_significant_digits_and_a_unit),
		cmocka_unit_test(what_is_no_number_is_absent),
		cmocka_unit_test(no_digits_are_invented_for_huge_numbers),
		cmocka_unit_test(zero_has_no_sign),
		cmocka_unit_test(the_median_passes_over_what_is_absent),
		cmocka_unit_test(a_span_has_digits_that_tell_its_ends_apart),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
