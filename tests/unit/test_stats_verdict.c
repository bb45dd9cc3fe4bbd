// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <math.h>
#include <stdbool.h>

#include "stats/adjust.h"
#include "stats/compare.h"
#include "stats/fisher.h"
#include "stats/noise.h"
#include "stats/stopping.h"
#include "stats/verdict.h"

static void the_levels_of_all_looks_add_up(void **state)
{
	(void)state;
	assert_float_equal(stopping_level(3, 8), 0.0093, 1e-12);
	assert_float_equal(stopping_level(5, 8), 0.0157, 1e-12);
	assert_float_equal(stopping_level(8, 8), 0.0250, 1e-12);
	assert_float_equal(stopping_level(3, 3), 0.05, 1e-12);
	assert_float_equal(stopping_level(8, 20), 0, 0);
	assert_float_equal(stopping_level(9, 8), 0, 0);
	for (unsigned last = 1; last < 30; last++) {
		double sum = 0;

		for (unsigned blocks = 0; blocks < 40; blocks++)
			sum += stopping_level(blocks, last);
		assert_float_equal(sum, STOPPING_ALPHA, 1e-12);
		assert_true(stopping_level(last, last) > 0);
	}
}

/* Three blocks of 2 + 2 that are wholly separated have p = 2 / 216, which must be enough. */
static void the_first_look_can_be_passed(void **state)
{
	(void)state;
	assert_true(2 / 216.0 <= stopping_level(3, STOPPING_BLOCKS));
}

static void looks_at_pairs_add_up_and_can_be_passed(void **state)
{
	(void)state;
	assert_float_equal(stopping_pairs_level(5, 8), 0, 0);
	assert_float_equal(stopping_pairs_level(6, 8), 1 / 32.0, 0);
	assert_float_equal(stopping_pairs_level(8, 8), 0.01875, 1e-12);
	assert_float_equal(stopping_pairs_level(6, 6), 0.05, 0);
	for (unsigned last = 1; last < 30; last++) {
		double sum = 0;

		for (unsigned pairs = 0; pairs < 40; pairs++)
			sum += stopping_pairs_level(pairs, last);
		assert_float_equal(sum, STOPPING_ALPHA, 1e-12);
	}
}

static struct evidence slower(void)
{
	return (struct evidence) {
		.p = 0.002,
		.level = 0.0093,
		.estimate = log(1.10),
		.interval90 = { log(1.07), log(1.13) },
		.delta = 5,
		.floor = 0.02,
	};
}

static void a_clear_difference_is_named_by_its_direction(void **state)
{
	struct evidence evidence = slower();

	(void)state;
	assert_int_equal(verdict_reach(&evidence), VERDICT_SLOWER);
	evidence.more_is_better = true;
	assert_int_equal(verdict_reach(&evidence), VERDICT_FASTER);
	evidence.estimate = -evidence.estimate;
	assert_int_equal(verdict_reach(&evidence), VERDICT_SLOWER);
	evidence.more_is_better = false;
	assert_int_equal(verdict_reach(&evidence), VERDICT_FASTER);
	assert_string_equal(verdict_name(VERDICT_FASTER), "FASTER");
	assert_string_equal(verdict_name(VERDICT_INCONCLUSIVE), "INCONCLUSIVE");
}

static void what_is_not_sure_or_not_far_is_inconclusive(void **state)
{
	struct evidence evidence = slower();

	(void)state;
	evidence.p = 0.01;
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
	evidence = slower();
	evidence.delta = 11;
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
	evidence = slower();
	evidence.floor = 0.2;
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
	evidence = slower();
	evidence.level = 0;
	evidence.p = 0;
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
}

static void same_needs_the_whole_interval_within_delta(void **state)
{
	struct evidence evidence = slower();

	(void)state;
	evidence.p = 0.5;
	evidence.estimate = 0.01;
	evidence.interval90 = (struct interval) { log(0.951), log(1.049) };
	assert_int_equal(verdict_reach(&evidence), VERDICT_SAME);
	evidence.interval90.high = log(1.051);
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
	evidence.floor = 0.5;
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
	evidence.interval90 = (struct interval) { log(0.949), 0 };
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
}

static void a_real_difference_that_nobody_cares_about_is_same(void **state)
{
	struct evidence evidence = slower();

	(void)state;
	evidence.estimate = 0.02;
	evidence.interval90 = (struct interval) { 0.01, 0.03 };
	assert_int_equal(verdict_reach(&evidence), VERDICT_SAME);
}

static void no_bound_is_a_verdict_only_with_a_p(void **state)
{
	struct evidence evidence = slower();

	(void)state;
	evidence.estimate = INFINITY;
	evidence.interval90 = (struct interval) { 0.3, INFINITY };
	assert_int_equal(verdict_reach(&evidence), VERDICT_SLOWER);
	evidence.p = 0.3;
	assert_int_equal(verdict_reach(&evidence), VERDICT_INCONCLUSIVE);
	assert_true(verdict_trials(&evidence, 0.05, 16) >= 17);
}

/* 2 (2.802 * 0.05 / ln 1.05)^2 pi / 3 = 17.3 */
static void the_number_of_trials_follows_from_the_noise(void **state)
{
	struct evidence evidence = slower();

	(void)state;
	evidence.estimate = 0.02;
	assert_int_equal(verdict_trials(&evidence, 0.05, 6), 18);
	assert_in_range(verdict_trials(&evidence, 0.10, 6), 69, 70);
	assert_int_equal(verdict_trials(&evidence, 0, 4), 6);
	assert_int_equal(verdict_trials(&evidence, 0, 16), 17);
	/* Done already: the estimate is 0.029 from delta. */
	assert_in_range(verdict_trials(&evidence, 0.05, 20), 49, 51);
	evidence.estimate = log1p(0.05) + 1e-9;
	assert_int_equal(verdict_trials(&evidence, 0.05, 20), 0);
	assert_int_equal(verdict_trials(&evidence, -1, 20), 0);
}

static void holm_and_benjamini_hochberg_adjust_by_hand(void **state)
{
	static const double p[] = { 0.04, 0.01, 0.03, 0.5 };
	static const double holm[] = { 0.09, 0.04, 0.09, 0.5 };
	static const double discovery[] = { 0.16 / 3, 0.04, 0.16 / 3, 0.5 };
	static const double large[] = { 0.9, 0.8 };
	double adjusted[4];

	(void)state;
	assert_int_equal(adjust_holm(p, 4, adjusted), 0);
	for (size_t i = 0; i < 4; i++)
		assert_float_equal(adjusted[i], holm[i], 1e-12);
	assert_int_equal(adjust_false_discovery(p, 4, adjusted), 0);
	for (size_t i = 0; i < 4; i++)
		assert_float_equal(adjusted[i], discovery[i], 1e-12);
	assert_int_equal(adjust_holm(large, 2, adjusted), 0);
	assert_float_equal(adjusted[0], 1, 0);
	assert_float_equal(adjusted[1], 1, 0);
	assert_int_equal(adjust_holm(NULL, 0, adjusted), 0);
}

static void failures_need_trials(void **state)
{
	double p = 7;

	(void)state;
	assert_int_equal(fisher_test(0, 0, 1, 5, &p), -EDOM);
	assert_int_equal(fisher_test(6, 5, 1, 5, &p), -EDOM);
	assert_float_equal(p, 7, 0);
}

/* A A in a block differ by 1, -1, 3: the median of sizes is 1; B is not looked at. */
static void noise_is_how_much_a_differs_from_itself(void **state)
{
	static const struct sample samples[] = { { 1, 0, false }, { 90, 0, true }, { 2, 0, false },
		{ 5, 1, false }, { 4, 1, false }, { 80, 1, true }, { 1, 2, true }, { 6, 2, false },
		{ 9, 2, false }, { 7, 3, false }, { INFINITY, 3, false } };
	struct noise noise;

	(void)state;
	assert_int_equal(noise_measure(samples, 11, &noise), 0);
	assert_int_equal(noise.pairs, 3);
	assert_float_equal(noise.sigma, 1.4826 / sqrt(2), 1e-12);
	assert_float_equal(noise.order, 1, 1e-12);
	assert_true(noise.order_p > 0.2);
	assert_float_equal(noise_floor(noise.sigma, 8, 8), 1.96 * noise.sigma / 2, 1e-12);
	assert_true(isinf(noise_floor(noise.sigma, 0, 8)));
	assert_int_equal(noise_measure(samples + 9, 2, &noise), -EDOM);
}

static void a_machine_that_gets_slower_drifts(void **state)
{
	struct sample samples[16];
	struct kendall drift;

	(void)state;
	for (size_t i = 0; i < 16; i++)
		samples[i] = (struct sample) { .value = (double)i + (i % 4 < 2 ? 50 : 0),
			.b = i % 4 < 2 };
	assert_int_equal(noise_drift(samples, 16, &drift), 0);
	assert_true(drift.tau > 0.8);
	assert_true(drift.p < 0.001);
	assert_int_equal(noise_drift(samples, 1, &drift), -EDOM);
}

/* Times of A 100 and of B 120, a little apart from each other. */
static size_t make_times(struct sample *samples, bool by_pairs)
{
	for (size_t i = 0; i < 16; i++)
		samples[i] = (struct sample) {
			.value = (i % 2 ? 120 : 100) + 0.1 * (double)((i * 7) % 5),
			.block = (unsigned)(by_pairs ? i / 2 : i / 4),
			.b = i % 2,
		};
	return 16;
}

static void a_comparison_says_all_of_it(void **state)
{
	static const double smallest[] = { [DESIGN_BLOCKS] = 2 / 1296.0,
		[DESIGN_APART] = 2 / 12870.0,
		[DESIGN_PAIRS] = 2 / 256.0 };
	struct sample samples[18];
	struct comparison comparison;

	(void)state;
	for (enum design design = DESIGN_BLOCKS; design <= DESIGN_PAIRS; design++) {
		size_t n = make_times(samples, design == DESIGN_PAIRS);

		samples[n++] = (struct sample) { NAN, 0, true };
		assert_int_equal(compare_samples(samples, n, design, &comparison), 0);
		assert_int_equal(comparison.n_a, 8);
		assert_int_equal(comparison.n_b, 8);
		assert_true(comparison.exact);
		assert_float_equal(comparison.p, smallest[design], 1e-12);
		assert_float_equal(ratio_percent(comparison.estimate), 20, 0.5);
		assert_true(comparison.interval95.low <= comparison.interval90.low);
		assert_true(comparison.interval90.low <= comparison.estimate);
		assert_true(comparison.estimate <= comparison.interval90.high);
		assert_true(comparison.interval90.high <= comparison.interval95.high);
		assert_int_equal(comparison.noise.pairs, design == DESIGN_PAIRS ? 0 : 4);
		assert_int_equal(isinf(comparison.floor) != 0, design == DESIGN_PAIRS);
	}
}

static void what_cannot_be_compared_is_refused(void **state)
{
	static const struct sample negative[] = { { 1, 0, false }, { -1, 0, true } };
	struct comparison comparison;

	(void)state;
	assert_int_equal(compare_samples(negative, 2, DESIGN_BLOCKS, &comparison), -EDOM);
	assert_int_equal(compare_samples(negative, 1, DESIGN_APART, &comparison), -EDOM);
	assert_int_equal(compare_samples(NULL, 0, DESIGN_PAIRS, &comparison), -EDOM);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_levels_of_all_looks_add_up),
		cmocka_unit_test(the_first_look_can_be_passed),
		cmocka_unit_test(looks_at_pairs_add_up_and_can_be_passed),
		cmocka_unit_test(a_clear_difference_is_named_by_its_direction),
		cmocka_unit_test(what_is_not_sure_or_not_far_is_inconclusive),
		cmocka_unit_test(same_needs_the_whole_interval_within_delta),
		cmocka_unit_test(a_real_difference_that_nobody_cares_about_is_same),
		cmocka_unit_test(no_bound_is_a_verdict_only_with_a_p),
		cmocka_unit_test(the_number_of_trials_follows_from_the_noise),
		cmocka_unit_test(holm_and_benjamini_hochberg_adjust_by_hand),
		cmocka_unit_test(failures_need_trials),
		cmocka_unit_test(noise_is_how_much_a_differs_from_itself),
		cmocka_unit_test(a_machine_that_gets_slower_drifts),
		cmocka_unit_test(a_comparison_says_all_of_it),
		cmocka_unit_test(what_cannot_be_compared_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
