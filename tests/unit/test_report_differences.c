// SPDX-License-Identifier: GPL-2.0-or-later
/* What two arms ran on, and which of it a variant set. */
#include "test_report.h"

#include "report/differences.h"

/* Two runs of one store, compared by their first variants. */
struct pair {
	struct made_run *run;
	struct results results[2];
	struct arm arms[2];
	struct model *model;
	size_t told;
};

static void pair_tell(struct pair *pair, const struct made *a, const struct made *b)
{
	struct differences differences;
	int64_t first;

	pair->run = made_run_open("one", a->variant);
	first = pair->run->run;
	made_trial(pair->run, a);
	made_run_next(pair->run, b->variant, NULL);
	made_trial(pair->run, b);
	assert_int_equal(results_open(pair->run->store, first, &pair->results[0], NULL), 0);
	assert_int_equal(
		results_open(pair->run->store, pair->run->run, &pair->results[1], NULL), 0);
	pair->arms[0] = (struct arm) { &pair->results[0], a->variant };
	pair->arms[1] = (struct arm) { &pair->results[1], b->variant };
	assert_int_equal(model_new(&pair->model, NULL), 0);
	assert_int_equal(
		differences_read(&pair->results[0].arena, pair->arms, 2, &differences, NULL), 0);
	pair->told = differences_tell(&differences, pair->model);
	differences_tell_config(&differences, pair->model);
	assert_int_equal(model_finish(pair->model, NULL), 0);
	differences_done(&differences);
}

static void pair_done(struct pair *pair)
{
	model_free(pair->model);
	results_done(&pair->results[0]);
	results_done(&pair->results[1]);
	made_run_close(pair->run);
}

static const struct made plain = { .scenario = "burn", .lead = "burn", .variant = "a" };

static void runs_on_the_same_have_nothing_to_tell(void **state)
{
	struct pair pair;

	(void)state;
	pair_tell(&pair, &plain, &plain);
	assert_int_equal(pair.told, 0);
	assert_null(pair.model->first);
	pair_done(&pair);
}

static void what_a_variant_sets_is_apart_from_what_none_does(void **state)
{
	struct made b = { .scenario = "burn",
		.lead = "burn",
		.variant = "b",
		.assignments = "vm.swappiness=10",
		.swappiness = "10",
		.kernel = "6.19.0" };
	struct pair pair;

	(void)state;
	pair_tell(&pair, &plain, &b);
	assert_int_equal(pair.told, 2);
	assert_string_equal(pair.model->first->caption, "DIFFERS, AND NO VARIANT SETS IT");
	assert_cell(pair.model, 0, 0, "key", "kernel.release");
	assert_cell(pair.model, 0, 0, "variant.1:a", "6.18.0");
	assert_cell(pair.model, 0, 0, "variant.2:b", "6.19.0");
	assert_true(made_row(pair.model->first, 0)->bad);
	assert_string_equal(made_table(pair.model, 1)->caption, "differs, as the variants set it");
	assert_cell(pair.model, 1, 0, "key", "vm.swappiness");
	pair_done(&pair);
}

/* Both are "burn", and yet not the same work. */
static void a_scenario_of_the_same_name_may_be_another(void **state)
{
	struct made b = plain;
	struct pair pair;

	(void)state;
	b.lead = "burn:rounds=2000";
	b.warm = true;
	pair_tell(&pair, &plain, &b);
	assert_cell(pair.model, 0, 0, "key", "scenario.burn.cache");
	assert_cell(pair.model, 0, 1, "key", "scenario.burn.lead");
	assert_cell(pair.model, 0, 1, "variant.2:a", "burn:rounds=2000");
	assert_null(made_table(pair.model, 0)->next);
	pair_done(&pair);
	b.warm = false;
	b.assignments = "vm.swappiness=60,lead.rounds=2000";
	pair_tell(&pair, &plain, &b);
	assert_string_equal(pair.model->first->caption, "differs, as the variants set it");
	assert_cell(pair.model, 0, 0, "key", "scenario.burn.lead");
	pair_done(&pair);
}

static void kernels_differ_by_options(void **state)
{
	struct made a = plain, b = plain;
	struct pair pair;

	(void)state;
	a.config = "CONFIG_PREEMPT=y\nCONFIG_HZ=250\nCONFIG_ONLY_A=m\nCONFIG_SAME=y";
	b.config = "CONFIG_HZ=1000\nCONFIG_SAME=y\nCONFIG_PREEMPT=y";
	b.assignments = "kernel=6.19";
	pair_tell(&pair, &a, &b);
	assert_string_equal(pair.model->first->caption, "differs, as the variants set it");
	assert_cell(pair.model, 0, 0, "key", "kernel.config");
	assert_string_equal(made_table(pair.model, 1)->caption, "kernel configuration");
	assert_cell(pair.model, 1, 0, "key", "CONFIG_HZ");
	assert_cell(pair.model, 1, 0, "variant.1:a", "250");
	assert_cell(pair.model, 1, 0, "variant.2:a", "1000");
	assert_cell(pair.model, 1, 1, "key", "CONFIG_ONLY_A");
	assert_cell(pair.model, 1, 1, "variant.2:a", "n");
	assert_null(made_table(pair.model, 1)->first->next->next);
	pair_done(&pair);
}

static void options_beyond_what_can_be_read_are_counted(void **state)
{
	struct made a = plain, b = plain;
	char *config = calloc(100, 32);
	struct pair pair;

	(void)state;
	for (int i = 0; i < 100; i++)
		sprintf(config + strlen(config), "CONFIG_%d=y\n", i);
	a.config = config;
	b.config = "CONFIG_0=y\nCONFIG_1=m";
	pair_tell(&pair, &a, &b);
	assert_true(lines_contain(&made_table(pair.model, 1)->notes, "and 39 more options"));
	pair_done(&pair);
	free(config);
}

static void what_sets_a_key_is_known_by_whole_components(void **state)
{
	(void)state;
	assert_true(assignments_set("vm.swappiness=10", "vm.swappiness"));
	assert_true(assignments_set("thp=never,zswap=lzo", "zswap.enabled"));
	assert_true(assignments_set("iosched=none", "disk.vda.iosched"));
	assert_false(assignments_set("zswap=lzo", "zswapped"));
	assert_false(assignments_set("", "vm.swappiness"));
	assert_true(assignments_set("load.size=64M", "scenario.burn+io.loads"));
	assert_false(assignments_set("load.size=64M", "scenario.burn+io.lead"));
	assert_false(assignments_set("vm.swappiness=10", "scenario.burn.lead"));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(runs_on_the_same_have_nothing_to_tell),
		cmocka_unit_test(what_a_variant_sets_is_apart_from_what_none_does),
		cmocka_unit_test(a_scenario_of_the_same_name_may_be_another),
		cmocka_unit_test(kernels_differ_by_options),
		cmocka_unit_test(options_beyond_what_can_be_read_are_counted),
		cmocka_unit_test(what_sets_a_key_is_known_by_whole_components),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
