// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <math.h>
#include <stdbool.h>

#include "stats/decide.h"
#include "stats/stopping.h"

#define BLOCKS 3
#define VALUES (4 * BLOCKS)

/* Two of A and two of B in each block; blocks are far apart, as on a machine that drifts. */
static struct question question_of(struct sample *values, double ratio)
{
	static const double spread[] = { 1, 1.001 };
	struct question question = { .values = values };

	for (unsigned block = 0; block < BLOCKS; block++) {
		for (unsigned i = 0; i < 2; i++) {
			double a = 100 * (block + 1) * spread[i];

			values[question.n++] = (struct sample) { a, block + 1, false };
			values[question.n++] = (struct sample) { a * ratio, block + 1, true };
		}
	}
	return question;
}

/*
 * All of B above all of A in three blocks of 2 + 2: one arrangement in 6^3 on either side, p = 2 /
 * 216. That is just enough for the first of three looks.
 */
static void ten_per_cent_over_three_blocks_is_found_at_the_first_look(void **state)
{
	struct sample values[VALUES];
	struct question question = question_of(values, 1.1);

	(void)state;
	assert_int_equal(decide(&question, 1, stopping_level(3, 8), 5), 0);
	assert_true(question.answered);
	assert_float_equal(question.p, 2 / 216.0, 1e-12);
	assert_int_equal(question.verdict, VERDICT_SLOWER);
	assert_float_equal(question.comparison.estimate, log(1.1), 1e-9);
	assert_int_equal(question.trials, 0);
	question.more_is_better = true;
	assert_int_equal(decide(&question, 1, stopping_level(3, 8), 5), 0);
	assert_int_equal(question.verdict, VERDICT_FASTER);
}

static void what_hardly_differs_is_the_same(void **state)
{
	struct sample values[VALUES];
	struct question question = question_of(values, 1.0005);

	(void)state;
	assert_int_equal(decide(&question, 1, 0.05, 5), 0);
	assert_int_equal(question.verdict, VERDICT_SAME);
}

/* Three questions, each with p = .0093: the smallest is multiplied by three, and so are all. */
static void several_questions_are_adjusted_after_holm(void **state)
{
	struct sample values[3][VALUES];
	struct question questions[3];

	(void)state;
	for (size_t i = 0; i < 3; i++)
		questions[i] = question_of(values[i], 1.1);
	assert_int_equal(decide(questions, 3, stopping_level(3, 8), 5), 0);
	for (size_t i = 0; i < 3; i++) {
		assert_float_equal(questions[i].p, 6 / 216.0, 1e-12);
		assert_int_equal(questions[i].verdict, VERDICT_INCONCLUSIVE);
		/* More than the six that there are, or none would be left to run. */
		assert_true(questions[i].trials > 6);
	}
	assert_int_equal(decide(questions, 3, 0.05, 5), 0);
	for (size_t i = 0; i < 3; i++)
		assert_int_equal(questions[i].verdict, VERDICT_SLOWER);
}

/* It has no p that could be adjusted, and costs the others nothing. */
static void a_question_without_an_answer_is_left_out(void **state)
{
	struct sample values[2][VALUES];
	struct question questions[2];

	(void)state;
	for (size_t i = 0; i < 2; i++)
		questions[i] = question_of(values[i], 1.1);
	for (size_t i = 0; i < VALUES; i++) {
		if (values[0][i].b)
			values[0][i].value = NAN;
	}
	assert_int_equal(decide(questions, 2, stopping_level(3, 8), 5), 0);
	assert_false(questions[0].answered);
	assert_int_equal(questions[0].verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(questions[0].comparison.noise.pairs, 0);
	assert_float_equal(questions[1].p, 2 / 216.0, 1e-12);
	assert_int_equal(questions[1].verdict, VERDICT_SLOWER);
}

#define MOST_SEEDS 8

/* One of A and one of B on each seed, as different as the seed has it. */
static struct question pairs_of(struct sample *values, unsigned seeds, const double *ratios)
{
	struct question question = { .values = values, .design = DESIGN_PAIRS };

	for (unsigned seed = 1; seed <= seeds; seed++) {
		values[question.n++] = (struct sample) { 100 + seed, seed, false };
		values[question.n++] =
			(struct sample) { (100 + seed) * ratios[seed - 1], seed, true };
	}
	return question;
}

/* All signs of six alike: p is 2 in 2^6. Five can show no difference, but that there is none. */
static void six_seeds_that_agree_are_a_verdict(void **state)
{
	static const double slower[] = { 1.06, 1.07, 1.08, 1.09, 1.1, 1.11, 1.12, 1.13 };
	static const double same[] = { 1, 1, 1, 1, 1, 1, 1, 1 };
	struct sample values[2 * MOST_SEEDS];
	struct question question;

	(void)state;
	question = pairs_of(values, 5, slower);
	assert_int_equal(decide(&question, 1, 0.05, 5), 0);
	assert_float_equal(question.p, 1 / 16.0, 1e-12);
	assert_int_equal(question.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(question.trials, 6);
	question = pairs_of(values, 6, slower);
	assert_int_equal(decide(&question, 1, stopping_pairs_level(6, 8), 5), 0);
	assert_float_equal(question.p, 1 / 32.0, 1e-12);
	assert_int_equal(question.verdict, VERDICT_SLOWER);
	assert_float_equal(question.comparison.least, log(1.06), 1e-9);
	assert_float_equal(question.comparison.most, log(1.11), 1e-9);
	question = pairs_of(values, 5, same);
	assert_int_equal(decide(&question, 1, 0.05, 5), 0);
	assert_int_equal(question.verdict, VERDICT_SAME);
	assert_float_equal(question.comparison.spread, 0, 0);
}

/* However far apart the two are, and however exactly. */
static void one_seed_is_no_verdict(void **state)
{
	static const double ratios[] = { 3, 1 };
	struct sample values[2 * MOST_SEEDS];

	(void)state;
	for (size_t i = 0; i < 2; i++) {
		struct question question = pairs_of(values, 1, &ratios[i]);

		assert_int_equal(decide(&question, 1, 0.05, 5), 0);
		assert_true(question.answered);
		assert_float_equal(question.p, 1, 0);
		assert_int_equal(question.verdict, VERDICT_INCONCLUSIVE);
		assert_true(isnan(question.comparison.spread));
	}
}

/* Pointed at are p = .0093 and 1: after Benjamini and Hochberg .0185 and 1. */
static void where_to_look_has_estimates_and_no_verdict(void **state)
{
	struct sample values[2][VALUES];
	struct question questions[2];

	(void)state;
	questions[0] = question_of(values[0], 1);
	questions[1] = question_of(values[1], 2);
	assert_int_equal(decide_where_to_look(questions, 2), 0);
	assert_float_equal(questions[0].p, 1, 1e-12);
	assert_float_equal(questions[1].p, 4 / 216.0, 1e-12);
	assert_float_equal(questions[1].comparison.estimate, log(2), 1e-9);
	assert_true(isinf(questions[1].comparison.interval95.high));
	assert_int_equal(questions[1].verdict, VERDICT_INCONCLUSIVE);
}

/* A number below zero has no logarithm: that is no answer, and no failure. */
static void a_negative_number_is_no_question(void **state)
{
	struct sample values[VALUES];
	struct question question = question_of(values, 1.1);

	(void)state;
	values[0].value = -1;
	assert_int_equal(decide(&question, 1, 0.05, 5), 0);
	assert_false(question.answered);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ten_per_cent_over_three_blocks_is_found_at_the_first_look),
		cmocka_unit_test(what_hardly_differs_is_the_same),
		cmocka_unit_test(several_questions_are_adjusted_after_holm),
		cmocka_unit_test(a_question_without_an_answer_is_left_out),
		cmocka_unit_test(six_seeds_that_agree_are_a_verdict),
		cmocka_unit_test(one_seed_is_no_verdict),
		cmocka_unit_test(where_to_look_has_estimates_and_no_verdict),
		cmocka_unit_test(a_negative_number_is_no_question),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
