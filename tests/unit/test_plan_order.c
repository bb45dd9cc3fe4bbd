// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <stdio.h>

#include "plan/plan.h"

#define SCENARIOS 4
#define VARIANTS 3
#define RUNS 5

static struct scenario scenarios[SCENARIOS];
static struct variant variants[VARIANTS];

static struct config config_of(uint64_t seed)
{
	return (struct config) {
		.scenarios = scenarios,
		.n_scenarios = SCENARIOS,
		.variants = variants,
		.n_variants = VARIANTS,
		.runs = RUNS,
		.seed = seed,
	};
}

static struct plan *made(const struct config *config)
{
	struct plan *plan = NULL;

	assert_int_equal(plan_make(config, &plan, NULL), 0);
	return plan;
}

/* Place of the trial's scenario and variant in the configuration. */
static size_t which(const struct trial *trial)
{
	return (size_t)(trial->scenario - scenarios) * VARIANTS +
	       (size_t)(trial->variant - variants);
}

/* Two of the reference, one of each other: four trials of each scenario in a block. */
#define PER_SCENARIO (VARIANTS + 1)

static void each_block_holds_the_reference_twice_and_the_others_once(void **state)
{
	(void)state;
	for (uint64_t seed = 0; seed < 50; seed++) {
		struct config config = config_of(seed);
		struct plan *plan CLEANUP(plan_cleanup) = made(&config);
		unsigned seen[RUNS + 1][SCENARIOS * VARIANTS] = { 0 };

		assert_int_equal(plan->n, SCENARIOS + RUNS * SCENARIOS * PER_SCENARIO);
		assert_int_equal(plan->blocks, RUNS);
		for (size_t i = 0; i < plan->n; i++) {
			assert_int_equal(plan->trials[i].position, i);
			seen[plan->trials[i].block][which(&plan->trials[i])]++;
		}
		for (size_t i = 0; i < SCENARIOS * VARIANTS; i++) {
			assert_int_equal(seen[0][i], i % VARIANTS == 0);
			for (unsigned block = 1; block <= RUNS; block++)
				assert_int_equal(seen[block][i], i % VARIANTS == 0 ? 2 : 1);
		}
	}
}

/* What is compared lies close together in time. */
static void trials_of_one_scenario_are_neighbours(void **state)
{
	struct config config = config_of(11);
	struct plan *plan CLEANUP(plan_cleanup) = made(&config);

	(void)state;
	for (size_t i = SCENARIOS; i < plan->n; i++) {
		if ((i - SCENARIOS) % PER_SCENARIO)
			assert_ptr_equal(plan->trials[i].scenario, plan->trials[i - 1].scenario);
	}
}

static void two_variants_come_twice_each(void **state)
{
	struct config config = config_of(3);
	unsigned orders[16] = { 0 }, n = 0;

	(void)state;
	config.n_variants = 2;
	config.n_scenarios = 1;
	config.runs = 1;
	for (config.seed = 0; config.seed < 600; config.seed++) {
		struct plan *plan CLEANUP(plan_cleanup) = made(&config);
		unsigned order = 0;

		assert_int_equal(plan->n, 5);
		for (size_t i = 1; i < 5; i++)
			order = order * 2 + (plan->trials[i].variant != variants);
		assert_int_equal(__builtin_popcount(order), 2);
		orders[order]++;
	}
	/* All six orders, each about 100 times of 600: five sigma is 46. */
	for (size_t i = 0; i < ARRAY_SIZE(orders); i++) {
		n += orders[i] != 0;
		assert_true(!orders[i] || (orders[i] > 54 && orders[i] < 146));
	}
	assert_int_equal(n, 6);
}

static void one_variant_needs_no_warm_up(void **state)
{
	struct config config = config_of(5);
	struct plan *plan CLEANUP(plan_cleanup) = NULL;

	(void)state;
	config.n_variants = 1;
	plan = made(&config);
	assert_int_equal(plan->n, RUNS * SCENARIOS);
	for (size_t i = 0; i < plan->n; i++)
		assert_int_equal(plan->trials[i].block, 1 + i / SCENARIOS);
}

/* A repeat gives the same bytes: no warm-up, nothing twice, and no order to be drawn. */
static void in_an_exact_box_a_block_is_each_variant_once_on_one_seed(void **state)
{
	struct config config = config_of(5), other = config_of(6);
	struct plan *plan CLEANUP(plan_cleanup) = NULL;
	struct plan *another CLEANUP(plan_cleanup) = NULL;
	struct plan *noisy CLEANUP(plan_cleanup) = made(&config);

	(void)state;
	assert_false(noisy->paired);
	config.box.exact = other.box.exact = true;
	plan = made(&config);
	another = made(&other);
	assert_true(plan->paired);
	assert_int_equal(plan->n, RUNS * SCENARIOS * VARIANTS);
	for (size_t i = 0; i < plan->n; i++) {
		const struct trial *trial = &plan->trials[i];

		assert_int_equal(trial->block, 1 + i / (SCENARIOS * VARIANTS));
		assert_int_equal(which(trial), i % (SCENARIOS * VARIANTS));
		assert_int_equal(trial->position, i);
		if (i)
			assert_int_equal(
				trial[-1].seed == trial->seed, trial[-1].block == trial->block);
		assert_int_not_equal(trial->seed, another->trials[i].seed);
	}
}

static void the_seed_of_a_trial_is_its_blocks(void **state)
{
	struct config config = config_of(7);
	struct plan *plan CLEANUP(plan_cleanup) = made(&config);

	(void)state;
	for (size_t i = 1; i < plan->n; i++) {
		const struct trial *a = &plan->trials[i - 1], *b = &plan->trials[i];

		assert_int_equal(a->seed == b->seed, a->block == b->block);
	}
}

static void the_same_seed_gives_the_same_order(void **state)
{
	struct config config = config_of(1234);
	struct plan *a CLEANUP(plan_cleanup) = made(&config);
	struct plan *b CLEANUP(plan_cleanup) = made(&config);

	(void)state;
	assert_memory_equal(a->trials, b->trials, a->n * sizeof(*a->trials));
}

static void a_longer_run_begins_like_a_shorter_one(void **state)
{
	struct config shorter = config_of(9), longer = config_of(9);
	struct plan *a CLEANUP(plan_cleanup) = NULL;
	struct plan *b CLEANUP(plan_cleanup) = NULL;

	(void)state;
	shorter.runs = 2;
	a = made(&shorter);
	b = made(&longer);
	assert_memory_equal(a->trials, b->trials, a->n * sizeof(*a->trials));
}

static void other_seeds_and_blocks_give_other_orders(void **state)
{
	unsigned same_seed = 0, same_block = 0;

	(void)state;
	for (uint64_t seed = 0; seed < 100; seed++) {
		struct config one = config_of(seed), next = config_of(seed + 1);
		struct plan *a CLEANUP(plan_cleanup) = made(&one);
		struct plan *b CLEANUP(plan_cleanup) = made(&next);
		bool seeds_differ = false, blocks_differ = false;

		for (size_t i = SCENARIOS; i < SCENARIOS + SCENARIOS * PER_SCENARIO; i++) {
			size_t first = which(&a->trials[i]);

			seeds_differ |= first != which(&b->trials[i]);
			blocks_differ |= first != which(&a->trials[i + SCENARIOS * PER_SCENARIO]);
		}
		same_seed += !seeds_differ;
		same_block += !blocks_differ;
	}
	assert_int_equal(same_seed, 0);
	assert_int_equal(same_block, 0);
}

/* Each of 4 scenarios in each of 4 places over 2400 blocks: 600 expected, deviation 21. */
static void every_place_is_as_likely_for_every_scenario(void **state)
{
	unsigned counts[SCENARIOS][SCENARIOS] = { 0 };

	(void)state;
	for (uint64_t seed = 0; seed < 480; seed++) {
		struct config config = config_of(seed);
		struct plan *plan CLEANUP(plan_cleanup) = NULL;

		config.n_variants = 1;
		plan = made(&config);
		for (size_t i = 0; i < plan->n; i++)
			counts[plan->trials[i].scenario - scenarios][i % SCENARIOS]++;
	}
	for (size_t i = 0; i < SCENARIOS; i++) {
		for (size_t k = 0; k < SCENARIOS; k++)
			assert_in_range(counts[i][k], 495, 705);
	}
}

static void a_plan_beyond_reason_is_refused(void **state)
{
	struct config config = config_of(1);
	struct plan *plan = NULL;
	struct error err;

	(void)state;
	config.n_scenarios = SIZE_MAX / 2;
	assert_int_equal(plan_make(&config, &plan, &err), -E2BIG);
	assert_null(plan);
	config.n_scenarios = 1001;
	config.n_variants = 1000;
	assert_int_equal(plan_make(&config, &plan, &err), -E2BIG);
}

static void a_trial_is_spelled_as_a_line(void **state)
{
	static struct part loads[2] = { { .spelled = "io:size=64M" }, { .spelled = "mem" } };
	static struct assignment assignments[2] = { { "vm.swappiness", "10" }, { "zswap", "on" } };
	const struct scenario scenario = { .name = "io",
		.lead = { .spelled = "compile" },
		.loads = loads,
		.n_loads = 2,
		.cold = true,
		.lead_in_ns = 2 * NS_PER_S };
	const struct variant variant = { .name = "tuned", .assignments = assignments, .n = 2 };
	const struct trial trial = {
		.scenario = &scenario, .variant = &variant, .position = 2, .block = 1
	};
	char buf[256];

	(void)state;
	assert_string_equal(trial_spell(&trial, buf, sizeof(buf)),
		"   3  block 1  io               tuned  compile | io:size=64M + mem, cold, "
		"lead-in 2s");
	assert_string_equal(
		assignments_spell(&variant, buf, sizeof(buf)), "vm.swappiness=10,zswap=on");
	assert_string_equal(loads_spell(&scenario, buf, 8), "io:size");
	assert_int_equal(strlen(trial_spell(&trial, buf, 20)), 19);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_block_holds_the_reference_twice_and_the_others_once),
		cmocka_unit_test(trials_of_one_scenario_are_neighbours),
		cmocka_unit_test(two_variants_come_twice_each),
		cmocka_unit_test(one_variant_needs_no_warm_up),
		cmocka_unit_test(in_an_exact_box_a_block_is_each_variant_once_on_one_seed),
		cmocka_unit_test(the_seed_of_a_trial_is_its_blocks),
		cmocka_unit_test(the_same_seed_gives_the_same_order),
		cmocka_unit_test(a_longer_run_begins_like_a_shorter_one),
		cmocka_unit_test(other_seeds_and_blocks_give_other_orders),
		cmocka_unit_test(every_place_is_as_likely_for_every_scenario),
		cmocka_unit_test(a_plan_beyond_reason_is_refused),
		cmocka_unit_test(a_trial_is_spelled_as_a_line),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
