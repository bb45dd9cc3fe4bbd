// SPDX-License-Identifier: GPL-2.0-or-later
/* Cases that can be worked out by hand; test_stats_reference.c has those that cannot. */
#include "test.h"

#include <math.h>
#include <stdbool.h>

#include "base/random.h"
#include "stats/aligned.h"
#include "stats/hodges.h"
#include "stats/mannwhitney.h"
#include "stats/signflip.h"

#define MOST 64

/* Blocks of n_a and n_b in which every B is above every A of all blocks. */
static size_t separate(unsigned blocks, size_t n_a, size_t n_b, struct sample *samples)
{
	size_t n = 0;

	for (unsigned block = 0; block < blocks; block++)
		for (size_t i = 0; i < n_a + n_b; i++, n++)
			samples[n] = (struct sample) {
				.value = 0.001 * (double)n + (i < n_a ? 0 : 1),
				.block = block,
				.b = i >= n_a,
			};
	return n;
}

static double p_of(const struct sample *samples, size_t n)
{
	struct significance significance;

	assert_int_equal(aligned_test(samples, n, 0, &significance), 0);
	assert_true(significance.exact);
	return significance.p;
}

/* Two of 6^n or 3^n arrangements are as extreme as that. */
static void the_smallest_p_is_that_of_one_arrangement_on_either_side(void **state)
{
	struct sample samples[MOST];

	(void)state;
	assert_float_equal(p_of(samples, separate(2, 2, 2, samples)), 2 / 36.0, 1e-12);
	assert_float_equal(p_of(samples, separate(3, 2, 2, samples)), 2 / 216.0, 1e-12);
	assert_float_equal(p_of(samples, separate(4, 2, 2, samples)), 2 / 1296.0, 1e-12);
	assert_float_equal(p_of(samples, separate(2, 2, 1, samples)), 2 / 9.0, 1e-12);
	assert_float_equal(p_of(samples, separate(5, 2, 1, samples)), 2 / 243.0, 1e-12);
}

/*
 * Residuals of A -.5 .5 and -.5 .5, of B -1.5 1.5 and -1.5 1.5: ranks of A 3.5 5.5 3.5 5.5, T is
 * 18 of 36: the middle.
 */
static void a_symmetric_case_has_p_1(void **state)
{
	static const struct sample samples[] = { { 2, 0, false }, { 3, 0, false }, { 1, 0, true },
		{ 4, 0, true }, { 12, 1, false }, { 13, 1, false }, { 11, 1, true },
		{ 14, 1, true } };

	(void)state;
	assert_float_equal(p_of(samples, 8), 1, 1e-12);
}

static void the_level_of_a_block_does_not_matter(void **state)
{
	struct sample samples[MOST];
	size_t n = separate(3, 2, 2, samples);
	double estimate;

	(void)state;
	for (size_t i = 0; i < n; i++)
		samples[i].value += 100.0 * samples[i].block * samples[i].block;
	assert_float_equal(p_of(samples, n), 2 / 216.0, 1e-12);
	assert_int_equal(hodges_estimate(samples, n, &estimate), 0);
	assert_float_equal(estimate, 1.002, 1e-9);
}

static void a_swap_of_variants_turns_the_answer_round(void **state)
{
	struct random random = { 4 };
	struct sample samples[16];
	struct interval interval, turned;
	double p, estimate, back;

	(void)state;
	for (size_t i = 0; i < 16; i++)
		samples[i] = (struct sample) { .value = (double)random_below(&random, 50),
			.block = (unsigned)i / 4,
			.b = i % 4 == 1 || i % 4 == 2 };
	p = p_of(samples, 16);
	assert_int_equal(hodges_estimate(samples, 16, &estimate), 0);
	assert_int_equal(hodges_interval(samples, 16, 0.95, &interval), 0);
	for (size_t i = 0; i < 16; i++)
		samples[i].b = !samples[i].b;
	assert_float_equal(p_of(samples, 16), p, 1e-12);
	assert_int_equal(hodges_estimate(samples, 16, &back), 0);
	assert_int_equal(hodges_interval(samples, 16, 0.95, &turned), 0);
	assert_float_equal(back, -estimate, 1e-12);
	assert_float_equal(turned.low, -interval.high, 1e-12);
	assert_float_equal(turned.high, -interval.low, 1e-12);
}

static void too_few_blocks_give_an_interval_without_ends(void **state)
{
	struct sample samples[MOST];
	struct interval interval;
	size_t n = separate(2, 2, 2, samples);

	(void)state;
	assert_int_equal(hodges_interval(samples, n, 0.95, &interval), 0);
	assert_true(isinf(interval.low) && interval.low < 0);
	assert_true(isinf(interval.high) && interval.high > 0);
	assert_int_equal(hodges_interval(samples, n, 0.90, &interval), 0);
	assert_true(isfinite(interval.low) && isfinite(interval.high));
}

static void without_both_variants_there_is_nothing_to_compare(void **state)
{
	static const struct sample apart[] = { { 1, 0, false }, { 2, 0, false }, { 3, 1, true } };
	struct significance significance = { .p = 7 };
	struct interval interval;
	double estimate = 7;

	(void)state;
	assert_int_equal(aligned_test(apart, 3, 0, &significance), -EDOM);
	assert_int_equal(aligned_test(NULL, 0, 0, &significance), -EDOM);
	assert_int_equal(hodges_estimate(apart, 3, &estimate), -EDOM);
	assert_int_equal(hodges_interval(apart, 3, 0.95, &interval), -EDOM);
	assert_int_equal(mannwhitney_test(apart, 2, 0, &significance), -EDOM);
	assert_int_equal(signflip_test(NULL, 0, 0, &significance), -EDOM);
	assert_int_equal(signflip_estimate(NULL, 0, &estimate), -EDOM);
	assert_float_equal(significance.p, 7, 0);
	assert_float_equal(estimate, 7, 0);
}

static void a_block_that_lacks_a_variant_changes_nothing(void **state)
{
	struct sample samples[MOST];
	size_t n = separate(3, 2, 2, samples);
	double p = p_of(samples, n);

	(void)state;
	samples[n++] = (struct sample) { 50, 9, true };
	samples[n++] = (struct sample) { -50, 8, false };
	assert_float_equal(p_of(samples, n), p, 1e-12);
}

/* What does not finish is longer than all that does, and no longer than its like. */
static void a_variant_that_never_finishes_is_slower_without_bound(void **state)
{
	struct sample samples[MOST];
	struct interval interval;
	double estimate;
	size_t n = separate(3, 2, 2, samples);

	(void)state;
	for (size_t i = 0; i < n; i++)
		samples[i].value = samples[i].b ? INFINITY : samples[i].value;
	assert_float_equal(p_of(samples, n), 2 / 216.0, 1e-12);
	assert_int_equal(hodges_estimate(samples, n, &estimate), 0);
	assert_true(isinf(estimate) && estimate > 0);
	assert_int_equal(hodges_interval(samples, n, 0.95, &interval), 0);
	assert_true(isinf(interval.low) && interval.low > 0);
	assert_true(isinf(interval.high) && interval.high > 0);
	for (size_t i = 0; i < n; i++)
		samples[i].value = INFINITY;
	assert_float_equal(p_of(samples, n), 1, 1e-12);
	assert_int_equal(hodges_estimate(samples, n, &estimate), 0);
	assert_float_equal(estimate, 0, 0);
}

static void a_count_that_is_always_zero_falls_by_100_percent(void **state)
{
	struct sample samples[MOST];
	struct interval interval;
	double estimate;
	size_t n = separate(3, 2, 2, samples);

	(void)state;
	for (size_t i = 0; i < n; i++)
		samples[i].value = samples[i].b ? 0 : 10 + samples[i].value;
	assert_int_equal(samples_log(samples, n, samples, &n), 0);
	assert_float_equal(p_of(samples, n), 2 / 216.0, 1e-12);
	assert_int_equal(hodges_estimate(samples, n, &estimate), 0);
	assert_float_equal(ratio_percent(estimate), -100, 0);
	assert_int_equal(hodges_interval(samples, n, 0.95, &interval), 0);
	assert_float_equal(ratio_percent(interval.high), -100, 0);
}

/* Any mixture of numbers, zeroes and infinities. */
static void nothing_ever_comes_out_as_nan(void **state)
{
	struct random random = { 21 };

	(void)state;
	for (unsigned round = 0; round < 300; round++) {
		struct sample samples[20];
		struct significance significance;
		struct interval interval;
		double estimate;
		size_t n = 4 + random_below(&random, 17);

		for (size_t i = 0; i < n; i++) {
			uint64_t kind = random_below(&random, 4);

			samples[i].value = kind == 0   ? INFINITY
					   : kind == 1 ? -INFINITY
						       : (double)random_below(&random, 5);
			samples[i].block = (unsigned)random_below(&random, 4);
			samples[i].b = random_below(&random, 2);
		}
		if (aligned_test(samples, n, 0, &significance) == -EDOM)
			continue;
		assert_true(significance.p > 0 && significance.p <= 1);
		assert_int_equal(hodges_estimate(samples, n, &estimate), 0);
		assert_false(isnan(estimate));
		assert_int_equal(hodges_interval(samples, n, 0.90, &interval), 0);
		assert_true(interval.low <= interval.high);
	}
}

static void sign_flips_take_infinite_and_equal_pairs(void **state)
{
	static const double differences[] = { INFINITY, 1, 2, 0, 3, 1.5, INFINITY };
	static const double equal[] = { 0, 0, 0 };
	struct significance significance;
	struct interval interval;
	double estimate;

	(void)state;
	/* Six signs, all up; the pair without a difference has none. */
	assert_int_equal(signflip_test(differences, 7, 0, &significance), 0);
	assert_float_equal(significance.p, 2 / 64.0, 1e-12);
	assert_int_equal(signflip_estimate(differences, 7, &estimate), 0);
	/* 13 of 28 averages are infinite; the 14th and 15th are 2.5 and 3. */
	assert_float_equal(estimate, 2.75, 1e-12);
	assert_int_equal(signflip_interval(differences, 7, 0.90, &interval), 0);
	assert_true(interval.low >= 0 && isinf(interval.high));
	assert_int_equal(signflip_test(equal, 3, 0, &significance), 0);
	assert_float_equal(significance.p, 1, 1e-12);
}

/* Where exactness ends, the approximation carries on within a hair of it. */
static void many_trials_are_approximated(void **state)
{
	static struct sample samples[400];
	static double differences[150];
	struct random random = { 8 };
	struct significance few, many, pairs;
	struct interval interval;

	(void)state;
	for (size_t i = 0; i < 400; i++)
		samples[i] = (struct sample) {
			.value = (double)random_below(&random, 1000) + (i % 2 ? 60 : 0),
			.block = (unsigned)i / 4,
			.b = i % 2,
		};
	assert_int_equal(mannwhitney_test(samples, 60, 0, &few), 0);
	assert_true(few.exact);
	assert_int_equal(mannwhitney_test(samples, 400, 0, &many), 0);
	assert_false(many.exact);
	assert_true(many.p > 0 && many.p < 0.2);
	assert_int_equal(mannwhitney_interval(samples, 400, 0.95, &interval), 0);
	assert_true(interval.low < 60 && 60 < interval.high);
	assert_int_equal(hodges_interval(samples, 400, 0.95, &interval), 0);
	assert_true(interval.low < 60 && 60 < interval.high);
	for (size_t i = 0; i < 150; i++)
		differences[i] = (double)random_below(&random, 1000) - 400;
	assert_int_equal(signflip_test(differences, 150, 0, &pairs), 0);
	assert_false(pairs.exact);
	assert_int_equal(signflip_interval(differences, 150, 0.95, &interval), 0);
	assert_true(interval.low < 100 && 100 < interval.high);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_smallest_p_is_that_of_one_arrangement_on_either_side),
		cmocka_unit_test(a_symmetric_case_has_p_1),
		cmocka_unit_test(the_level_of_a_block_does_not_matter),
		cmocka_unit_test(a_swap_of_variants_turns_the_answer_round),
		cmocka_unit_test(too_few_blocks_give_an_interval_without_ends),
		cmocka_unit_test(without_both_variants_there_is_nothing_to_compare),
		cmocka_unit_test(a_block_that_lacks_a_variant_changes_nothing),
		cmocka_unit_test(a_variant_that_never_finishes_is_slower_without_bound),
		cmocka_unit_test(a_count_that_is_always_zero_falls_by_100_percent),
		cmocka_unit_test(nothing_ever_comes_out_as_nan),
		cmocka_unit_test(sign_flips_take_infinite_and_equal_pairs),
		cmocka_unit_test(many_trials_are_approximated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
