// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <math.h>
#include <stdlib.h>

#include "runner/look.h"

#define BLOCKS 8

/* Scenarios, variants, and what each trial of the plan was worth. */
struct fixture {
	struct scenario scenarios[3]; /* the last is a load alone */
	struct variant variants[3];
	struct config config;
	struct plan *plan;
	double *values;
	size_t trials; /* that have run */
};

static int fixture_open(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	strcpy(fixture->scenarios[0].name, "one");
	strcpy(fixture->scenarios[1].name, "two");
	strcpy(fixture->scenarios[2].name, "solo+io");
	fixture->scenarios[2].solo = true;
	fixture->config = (struct config) {
		.scenarios = fixture->scenarios,
		.n_scenarios = 1,
		.variants = fixture->variants,
		.n_variants = 2,
		.runs = BLOCKS,
		.delta = 5,
		.seed = 7,
	};
	*state = fixture;
	return 0;
}

static int fixture_close(void **state)
{
	struct fixture *fixture = *state;

	plan_free(fixture->plan);
	free(fixture->values);
	free(fixture);
	return 0;
}

/* All values are those of blocks that have run: 1 % of noise between two trials of a variant. */
static void measure(struct fixture *fixture, unsigned blocks, const double ratios[])
{
	unsigned seen[3][3] = { 0 };

	if (!fixture->plan)
		assert_int_equal(plan_make(&fixture->config, &fixture->plan, NULL), 0);
	free(fixture->values);
	fixture->values = calloc(fixture->plan->n, sizeof(double));
	for (size_t i = 0; i < fixture->plan->n; i++) {
		const struct trial *trial = &fixture->plan->trials[i];
		size_t scenario = (size_t)(trial->scenario - fixture->scenarios);
		size_t variant = (size_t)(trial->variant - fixture->variants);
		unsigned odd = seen[scenario][variant]++ % 2;

		fixture->values[trial->position] =
			trial->block > blocks ? NAN : 10 * ratios[variant] * (odd ? 1.001 : 1);
		/* What is a warm-up would change everything, if it counted. */
		if (!trial->block)
			fixture->values[trial->position] = 1000;
	}
}

static enum look_answer look(struct fixture *fixture, unsigned block)
{
	enum look_answer answer = LOOK_GO_ON;

	assert_int_equal(look_take(fixture->plan, block, fixture->values, &answer, NULL), 0);
	return answer;
}

static bool decides(struct fixture *fixture, unsigned block)
{
	return look(fixture, block) == LOOK_DECIDED;
}

/* Trials of one scenario and variant in a block are 20 % apart; B of the first takes `times`. */
static void make_noisy(struct fixture *fixture, double times)
{
	unsigned seen[3][3] = { 0 };

	for (size_t i = 0; i < fixture->plan->n; i++) {
		const struct trial *trial = &fixture->plan->trials[i];
		size_t scenario = (size_t)(trial->scenario - fixture->scenarios);
		size_t variant = (size_t)(trial->variant - fixture->variants);

		if (seen[scenario][variant]++ % 2)
			fixture->values[trial->position] *= 1.2;
		if (scenario == 0 && variant == 1)
			fixture->values[trial->position] *= times;
	}
}

static const double slower[] = { 1, 1.1, 1.2 }, same[] = { 1, 1, 1 };

static void a_clear_difference_ends_the_run_at_the_first_look(void **state)
{
	struct fixture *fixture = *state;

	measure(fixture, 3, slower);
	assert_true(decides(fixture, 3));
}

static void no_difference_ends_it_too(void **state)
{
	struct fixture *fixture = *state;

	measure(fixture, 3, same);
	assert_true(decides(fixture, 3));
}

static void noise_that_hides_the_answer_ends_it_at_a_look(void **state)
{
	struct fixture *fixture = *state;

	measure(fixture, 3, same);
	make_noisy(fixture, 1);
	assert_int_equal(look(fixture, 2), LOOK_GO_ON);
	assert_int_equal(look(fixture, 3), LOOK_HOPELESS);
	/* Whoever says how many has them all. */
	fixture->config.runs_typed = true;
	assert_int_equal(look(fixture, 3), LOOK_GO_ON);
}

static void one_question_with_hope_keeps_a_run_going(void **state)
{
	struct fixture *fixture = *state;

	/* Three blocks cannot settle two questions: after Holm p is .0185 at least. */
	fixture->config.n_scenarios = 2;
	measure(fixture, 3, same);
	make_noisy(fixture, 1.5);
	assert_int_equal(look(fixture, 3), LOOK_GO_ON);
	measure(fixture, 3, same);
	make_noisy(fixture, 1);
	assert_int_equal(look(fixture, 3), LOOK_HOPELESS);
}

static void there_is_no_look_between_looks(void **state)
{
	struct fixture *fixture = *state;

	measure(fixture, BLOCKS, slower);
	for (unsigned block = 0; block <= BLOCKS; block++)
		assert_int_equal(decides(fixture, block), block == 3 || block == 5 || block == 8);
}

/* What comes after the block is not looked at, even where it is known: as after a resume. */
static void a_look_sees_the_blocks_before_it_alone(void **state)
{
	struct fixture *fixture = *state;

	measure(fixture, 2, slower);
	assert_false(decides(fixture, 3));
	measure(fixture, BLOCKS, slower);
	for (size_t i = 0; i < fixture->plan->n; i++) {
		const struct trial *trial = &fixture->plan->trials[i];

		if (trial->block > 3)
			fixture->values[trial->position] = trial->block % 2 ? 1 : 100;
	}
	assert_true(decides(fixture, 3));
}

/* With two variants beside the reference Holm asks for more than three blocks can give. */
static void more_questions_take_more_blocks(void **state)
{
	struct fixture *fixture = *state;

	fixture->config.n_variants = 3;
	measure(fixture, 3, slower);
	assert_false(decides(fixture, 3));
	measure(fixture, 8, slower);
	assert_true(decides(fixture, 8));
}

static void every_scenario_must_be_decided_but_solo_ones(void **state)
{
	struct fixture *fixture = *state;

	fixture->config.n_scenarios = 3;
	measure(fixture, 5, slower);
	for (size_t i = 0; i < fixture->plan->n; i++) {
		if (fixture->plan->trials[i].scenario->solo)
			fixture->values[i] = NAN;
	}
	assert_true(decides(fixture, 5));
	/* The second scenario is noise. */
	for (size_t i = 0; i < fixture->plan->n; i++) {
		if (fixture->plan->trials[i].scenario == &fixture->scenarios[1])
			fixture->values[i] *= i % 2 ? 2 : 1;
	}
	assert_false(decides(fixture, 5));
}

static void timeouts_are_longer_than_everything(void **state)
{
	struct fixture *fixture = *state;

	measure(fixture, 3, slower);
	for (size_t i = 0; i < fixture->plan->n; i++) {
		if (fixture->plan->trials[i].variant == &fixture->variants[1])
			fixture->values[i] = INFINITY;
	}
	assert_true(decides(fixture, 3));
}

static void a_skipped_variant_is_not_waited_for(void **state)
{
	struct fixture *fixture = *state;

	fixture->config.n_variants = 3;
	fixture->config.runs = 5;
	measure(fixture, 5, slower);
	for (size_t i = 0; i < fixture->plan->n; i++) {
		if (fixture->plan->trials[i].variant == &fixture->variants[2])
			fixture->values[i] = NAN;
	}
	assert_true(decides(fixture, 5));
	/* When nothing can be compared, nothing is decided. */
	for (size_t i = 0; i < fixture->plan->n; i++)
		fixture->values[i] = NAN;
	assert_false(decides(fixture, 5));
}

/* Of pairs, six are the fewest of which p is small enough: 2^-5. */
static void pairs_over_seeds_are_looked_at_after_six(void **state)
{
	struct fixture *fixture = *state;

	fixture->config.box.exact = true;
	measure(fixture, BLOCKS, slower);
	for (unsigned block = 0; block <= BLOCKS; block++)
		assert_int_equal(decides(fixture, block), block == 6 || block == 8);
}

static void one_variant_is_never_decided(void **state)
{
	struct fixture *fixture = *state;

	fixture->config.n_variants = 1;
	measure(fixture, BLOCKS, slower);
	assert_false(decides(fixture, BLOCKS));
}

int main(void)
{
#define with_fixture(test) cmocka_unit_test_setup_teardown(test, fixture_open, fixture_close)
	static const struct CMUnitTest tests[] = {
		with_fixture(a_clear_difference_ends_the_run_at_the_first_look),
		with_fixture(no_difference_ends_it_too),
		with_fixture(noise_that_hides_the_answer_ends_it_at_a_look),
		with_fixture(one_question_with_hope_keeps_a_run_going),
		with_fixture(there_is_no_look_between_looks),
		with_fixture(a_look_sees_the_blocks_before_it_alone),
		with_fixture(more_questions_take_more_blocks),
		with_fixture(every_scenario_must_be_decided_but_solo_ones),
		with_fixture(timeouts_are_longer_than_everything),
		with_fixture(a_skipped_variant_is_not_waited_for),
		with_fixture(pairs_over_seeds_are_looked_at_after_six),
		with_fixture(one_variant_is_never_decided),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
