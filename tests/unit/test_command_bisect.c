// SPDX-License-Identifier: GPL-2.0-or-later
/* The search of bisect over kernels that are only numbers, and what its comparisons say. */
#include "test.h"

#include <math.h>
#include <string.h>

#include "command/bisect_search.h"

#define MOST 64

/* Kernels as a text: '.' good, '#' bad, '?' cannot be told. */
struct fake {
	const char *kernels;
	unsigned measured;
};

static enum bisect_mark measure(struct fake *fake, size_t i)
{
	fake->measured++;
	switch (fake->kernels[i]) {
	case '.': return BISECT_GOOD;
	case '#': return BISECT_BAD;
	default: return BISECT_SKIPPED;
	}
}

/* Searches to the end; the bounds that are then left. */
static void search(struct fake *fake, size_t *ret_good, size_t *ret_bad)
{
	enum bisect_mark marks[MOST] = { BISECT_UNKNOWN };
	size_t n = strlen(fake->kernels), i;

	marks[0] = BISECT_GOOD;
	marks[n - 1] = BISECT_BAD;
	while ((i = bisect_next(marks, n)) < n) {
		assert_int_equal(marks[i], BISECT_UNKNOWN);
		marks[i] = measure(fake, i);
	}
	bisect_bounds(marks, n, ret_good, ret_bad);
}

static void a_step_is_found_wherever_it_is(void **state)
{
	(void)state;
	for (size_t n = 2; n < MOST; n++) {
		for (size_t step = 1; step < n; step++) {
			char kernels[MOST] = "";
			struct fake fake = { .kernels = kernels };
			size_t good, bad;

			memset(kernels, '.', n);
			memset(kernels + step, '#', n - step);
			search(&fake, &good, &bad);
			assert_int_equal(bad, step);
			assert_int_equal(good, step - 1);
			/* Each measurement halves what is left. */
			assert_true(fake.measured <= ceil(log2((double)n)));
		}
	}
}

static void two_neighbours_need_no_measurement(void **state)
{
	struct fake fake = { .kernels = ".#" };
	size_t good, bad;

	(void)state;
	search(&fake, &good, &bad);
	assert_int_equal(fake.measured, 0);
	assert_int_equal(good, 0);
	assert_int_equal(bad, 1);
}

static void what_cannot_be_told_is_passed_over(void **state)
{
	static const struct {
		const char *kernels;
		size_t good, bad;
	} cases[] = {
		{ "..?.##", 3, 4 }, /* beside the step: it is found all the same */
		{ ".?..#", 3, 4 },
		{ ".?#", 0, 2 }, /* at the step: one of these */
		{ "..??##", 1, 4 },
		{ ".????#", 0, 5 },
		{ "..#?#", 1, 2 },
		{ "...????????#", 2, 11 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		struct fake fake = { .kernels = cases[i].kernels };
		size_t good, bad;

		search(&fake, &good, &bad);
		assert_int_equal(good, cases[i].good);
		assert_int_equal(bad, cases[i].bad);
		assert_true(fake.measured <= strlen(fake.kernels) - 2);
	}
}

/* A metric that goes up and down: what is found is still a good one followed by a bad one. */
static void of_several_steps_one_is_found(void **state)
{
	struct fake fake = { .kernels = "..##..###..##" };
	size_t good, bad;

	(void)state;
	search(&fake, &good, &bad);
	assert_int_equal(bad, good + 1);
	assert_int_equal(fake.kernels[good], '.');
	assert_int_equal(fake.kernels[bad], '#');
}

static const struct bisect_rule six_pairs = { .pairs = true, .level = 0.05, .delta = 5 };
static const double base[] = { 10, 11, 12, 13, 14, 15 };

static enum verdict verdict_of(const double *other, size_t n, const struct bisect_rule *rule)
{
	struct bisect_answer answer = { 0 };

	assert_int_equal(bisect_judge(base, other, n, rule, &answer), 0);
	assert_false(isnan(answer.estimate));
	return answer.verdict;
}

static void all_seeds_together_tell(void **state)
{
	const double slower[] = { 11, 12.2, 13.1, 14.4, 15.3, 16.6 };
	const double faster[] = { 9, 9.8, 10.7, 11.8, 12.5, 13.6 };
	const double same[] = { 10.1, 10.9, 12.1, 13, 14.2, 14.9 };
	const double mixed[] = { 12, 10, 14, 12, 16, 14 };
	struct bisect_rule work = six_pairs;

	(void)state;
	work.more_is_better = true;
	assert_int_equal(verdict_of(slower, 6, &six_pairs), VERDICT_SLOWER);
	assert_int_equal(verdict_of(faster, 6, &six_pairs), VERDICT_FASTER);
	assert_int_equal(verdict_of(same, 6, &six_pairs), VERDICT_SAME);
	assert_int_equal(verdict_of(mixed, 6, &six_pairs), VERDICT_INCONCLUSIVE);
	assert_int_equal(verdict_of(slower, 6, &work), VERDICT_FASTER);
}

static void too_few_seeds_tell_nothing(void **state)
{
	const double slower[] = { 20, 22, 24, 26, 28, 30 };

	(void)state;
	for (size_t n = 0; n < 6; n++)
		assert_int_equal(verdict_of(slower, n, &six_pairs), VERDICT_INCONCLUSIVE);
	assert_int_equal(verdict_of(slower, 6, &six_pairs), VERDICT_SLOWER);
	assert_true(bisect_least_p(true, 5) > 0.05);
	assert_true(bisect_least_p(true, 6) <= 0.05);
}

static void a_higher_level_takes_fewer_seeds(void **state)
{
	const struct bisect_rule rule = { .pairs = true, .level = 0.25, .delta = 5 };
	const double slower[] = { 11, 12.2, 13.4 }, same[] = { 10.1, 11.2, 12 };

	(void)state;
	assert_true(bisect_least_p(true, 3) <= 0.25);
	assert_int_equal(verdict_of(slower, 3, &rule), VERDICT_SLOWER);
	assert_int_equal(verdict_of(same, 3, &rule), VERDICT_SAME);
}

static void the_same_numbers_are_the_same(void **state)
{
	(void)state;
	assert_int_equal(verdict_of(base, 6, &six_pairs), VERDICT_SAME);
}

static void what_did_not_end_is_slower_and_what_is_not_there_has_no_part(void **state)
{
	const double endless[] = { INFINITY, INFINITY, INFINITY, INFINITY, INFINITY, INFINITY };
	const double none[] = { NAN, NAN, NAN, NAN, NAN, NAN };
	const double few[] = { 20, NAN, 24, NAN, 28, 30 };
	struct bisect_answer answer;

	(void)state;
	assert_int_equal(verdict_of(endless, 6, &six_pairs), VERDICT_SLOWER);
	assert_int_equal(bisect_judge(base, none, 6, &six_pairs, &answer), 0);
	assert_int_equal(answer.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(answer.n, 0);
	assert_int_equal(bisect_judge(base, few, 6, &six_pairs, &answer), 0);
	assert_int_equal(answer.verdict, VERDICT_INCONCLUSIVE);
	assert_int_equal(answer.n, 4);
}

/* Real time: seeds pair nothing, and six of either are more than enough. */
static void without_pairs_the_two_are_compared_as_they_are(void **state)
{
	struct bisect_rule apart = six_pairs;
	const double slower[] = { 20, 22, 24, 26, 28, 30 };
	const double shuffled[] = { 15, 14, 13, 12, 11, 10 };

	(void)state;
	apart.pairs = false;
	assert_int_equal(verdict_of(slower, 6, &apart), VERDICT_SLOWER);
	assert_int_not_equal(verdict_of(shuffled, 6, &apart), VERDICT_SLOWER);
	assert_float_equal(bisect_least_p(false, 3), 0.1, 1e-12);
	assert_float_equal(bisect_least_p(false, 4), 2.0 / 70, 1e-12);
	assert_float_equal(bisect_least_p(true, 6), 0.03125, 1e-12);
}

static void the_way_that_was_asked_for_is_bad(void **state)
{
	static const struct {
		enum verdict verdict;
		enum bisect_mark either, slower, faster;
	} cases[] = {
		{ VERDICT_SAME, BISECT_GOOD, BISECT_GOOD, BISECT_GOOD },
		{ VERDICT_SLOWER, BISECT_BAD, BISECT_BAD, BISECT_GOOD },
		{ VERDICT_FASTER, BISECT_BAD, BISECT_GOOD, BISECT_BAD },
		{ VERDICT_INCONCLUSIVE, BISECT_SKIPPED, BISECT_SKIPPED, BISECT_SKIPPED },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(cases); i++) {
		assert_int_equal(bisect_mark_of(cases[i].verdict, BISECT_EITHER), cases[i].either);
		assert_int_equal(bisect_mark_of(cases[i].verdict, BISECT_SLOWER), cases[i].slower);
		assert_int_equal(bisect_mark_of(cases[i].verdict, BISECT_FASTER), cases[i].faster);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_step_is_found_wherever_it_is),
		cmocka_unit_test(two_neighbours_need_no_measurement),
		cmocka_unit_test(what_cannot_be_told_is_passed_over),
		cmocka_unit_test(of_several_steps_one_is_found),
		cmocka_unit_test(all_seeds_together_tell),
		cmocka_unit_test(too_few_seeds_tell_nothing),
		cmocka_unit_test(a_higher_level_takes_fewer_seeds),
		cmocka_unit_test(the_same_numbers_are_the_same),
		cmocka_unit_test(what_did_not_end_is_slower_and_what_is_not_there_has_no_part),
		cmocka_unit_test(without_pairs_the_two_are_compared_as_they_are),
		cmocka_unit_test(the_way_that_was_asked_for_is_bad),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
