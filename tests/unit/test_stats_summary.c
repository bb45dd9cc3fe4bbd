// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <math.h>

#include "stats/rank.h"
#include "stats/sample.h"
#include "stats/summary.h"

static void quantiles_are_those_of_r(void **state)
{
	static const double values[] = { 7, 1, 4, 2 };
	struct summary summary;

	(void)state;
	assert_int_equal(summary_make(values, 4, &summary), 0);
	assert_int_equal(summary.n, 4);
	assert_float_equal(summary.min, 1, 0);
	assert_float_equal(summary.low, 1.75, 1e-12);
	assert_float_equal(summary.median, 3, 1e-12);
	assert_float_equal(summary.high, 4.75, 1e-12);
	assert_float_equal(summary.max, 7, 0);
	assert_float_equal(summary.mean, 3.5, 1e-12);
}

static void one_number_is_its_own_summary(void **state)
{
	static const double value = 3;
	struct summary summary;

	(void)state;
	assert_int_equal(summary_make(&value, 1, &summary), 0);
	assert_float_equal(summary.low, 3, 0);
	assert_float_equal(summary.median, 3, 0);
	assert_float_equal(summary.high, 3, 0);
}

static void absent_numbers_are_counted_and_left_out(void **state)
{
	static const double values[] = { NAN, 5, NAN };
	struct summary summary = { .n = 99 };

	(void)state;
	assert_int_equal(summary_make(values, 3, &summary), 0);
	assert_int_equal(summary.n, 1);
	assert_int_equal(summary.absent, 2);
	assert_float_equal(summary.mean, 5, 0);
	summary.n = 99;
	assert_int_equal(summary_make(values, 1, &summary), -EDOM);
	assert_int_equal(summary_make(NULL, 0, &summary), -EDOM);
	assert_int_equal(summary.n, 99);
}

static void an_unfinished_trial_makes_only_what_depends_on_it_infinite(void **state)
{
	static const double values[] = { 1, 2, 3, INFINITY, 4 };
	struct summary summary;

	(void)state;
	assert_int_equal(summary_make(values, 5, &summary), 0);
	assert_int_equal(summary.infinite, 1);
	assert_float_equal(summary.median, 3, 0);
	assert_float_equal(summary.high, 4, 0);
	assert_true(isinf(summary.max));
	assert_true(isinf(summary.mean));
	assert_int_equal(summary_make(values + 2, 3, &summary), 0);
	assert_float_equal(summary.median, 4, 0);
	assert_true(isinf(summary.high));
	assert_false(isnan(summary.high));
}

static void tied_numbers_share_their_ranks(void **state)
{
	static const double values[] = { 5, 1, 5, INFINITY, 5 + 1e-12, INFINITY, -INFINITY };
	static const uint32_t expected[] = { 8, 4, 8, 13, 8, 13, 2 };
	uint32_t ranks[7];

	(void)state;
	assert_int_equal(rank_values(values, 7, RANK_TIE, ranks), 0);
	for (size_t i = 0; i < 7; i++)
		assert_int_equal(ranks[i], expected[i]);
}

static void logarithms_keep_zero_and_infinity_and_drop_what_is_absent(void **state)
{
	struct sample samples[] = { { 0, 1, false }, { NAN, 2, false }, { M_E, 3, true },
		{ INFINITY, 4, true } };
	struct sample negative = { -1, 0, false };
	size_t n;

	(void)state;
	assert_int_equal(samples_log(samples, 4, samples, &n), 0);
	assert_int_equal(n, 3);
	assert_true(samples[0].value < 0 && isinf(samples[0].value));
	assert_float_equal(samples[1].value, 1, 1e-12);
	assert_int_equal(samples[1].block, 3);
	assert_true(samples[2].value > 0 && isinf(samples[2].value));
	assert_int_equal(samples_log(&negative, 1, &negative, &n), -EDOM);
	assert_int_equal(n, 3);
}

static void pairs_are_blocks_with_one_of_each(void **state)
{
	static const struct sample samples[] = { { 5, 0, true }, { 3, 1, false }, { 4, 0, false },
		{ 1, 2, true }, { INFINITY, 1, true }, { 2, 3, false }, { 2, 3, false },
		{ 9, 3, true }, { INFINITY, 4, true }, { INFINITY, 4, false } };
	double differences[5];
	size_t n;

	(void)state;
	assert_int_equal(samples_pair(samples, 10, differences, &n), 0);
	assert_int_equal(n, 3);
	assert_float_equal(differences[0], 1, 0);
	assert_true(isinf(differences[1]));
	assert_float_equal(differences[2], 0, 0);
	assert_int_equal(samples_pair(samples + 3, 1, differences, &n), -EDOM);
}

static void ratios_are_per_cent_to_people(void **state)
{
	(void)state;
	assert_float_equal(ratio_percent(log(1.25)), 25, 1e-9);
	assert_float_equal(ratio_percent(-INFINITY), -100, 0);
	assert_true(isinf(ratio_percent(INFINITY)));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(quantiles_are_those_of_r),
		cmocka_unit_test(one_number_is_its_own_summary),
		cmocka_unit_test(absent_numbers_are_counted_and_left_out),
		cmocka_unit_test(an_unfinished_trial_makes_only_what_depends_on_it_infinite),
		cmocka_unit_test(tied_numbers_share_their_ranks),
		cmocka_unit_test(logarithms_keep_zero_and_infinity_and_drop_what_is_absent),
		cmocka_unit_test(pairs_are_blocks_with_one_of_each),
		cmocka_unit_test(ratios_are_per_cent_to_people),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
