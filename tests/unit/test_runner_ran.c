// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include "runner/ran.h"

#define TRIALS 6

/* Two scenarios in three blocks. */
struct fixture {
	struct scenario scenarios[2];
	struct trial trials[TRIALS];
	struct plan plan;
	struct ran ran[TRIALS];
};

static void fill(struct fixture *fixture)
{
	*fixture = (struct fixture) { .plan = { .trials = fixture->trials, .n = TRIALS } };
	strcpy(fixture->scenarios[0].name, "one");
	strcpy(fixture->scenarios[1].name, "two");
	for (unsigned i = 0; i < TRIALS; i++)
		fixture->trials[i] = (struct trial) {
			.scenario = &fixture->scenarios[i % 2],
			.block = 1 + i / 2,
			.position = i,
		};
}

static void has_run(struct fixture *fixture, size_t i, int64_t duration_ns)
{
	fixture->ran[i] = (struct ran) { .done = true, .duration_ns = duration_ns };
}

static void nothing_is_known_before_the_first_trial(void **state)
{
	struct fixture fixture;

	(void)state;
	fill(&fixture);
	assert_int_equal(ran_left_ns(fixture.ran, &fixture.plan, true, 0), -1);
}

static void what_is_left_is_expected_by_a_scenarios_own_trials(void **state)
{
	struct fixture fixture;

	(void)state;
	fill(&fixture);
	has_run(&fixture, 0, 10);
	/* All that is known of the other is what this one took. */
	assert_int_equal(ran_left_ns(fixture.ran, &fixture.plan, true, 0), 5 * 10);
	has_run(&fixture, 1, 100);
	assert_int_equal(ran_left_ns(fixture.ran, &fixture.plan, true, 0), 2 * 10 + 2 * 100);
	has_run(&fixture, 2, 30);
	assert_int_equal(ran_left_ns(fixture.ran, &fixture.plan, true, 0), 20 + 2 * 100);
	assert_int_equal(ran_left_ns(fixture.ran, &fixture.plan, false, 3), 20 + 100);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(nothing_is_known_before_the_first_trial),
		cmocka_unit_test(what_is_left_is_expected_by_a_scenarios_own_trials),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
