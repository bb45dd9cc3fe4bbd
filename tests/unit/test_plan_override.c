// SPDX-License-Identifier: GPL-2.0-or-later
/* Options of workloads that differ from variant to variant. */
#include "test_config.h"

#include "plan/plan.h"

static void a_variant_may_have_options_of_the_lead(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run --lead burn:rounds=10,workers=1 --variant a "
		       "--variant b:vm.swappiness=10,lead.rounds=11");
	const struct variant *a = &config->variants[0], *b = &config->variants[1];
	char text[256];

	(void)state;
	assert_null(a->scenarios);
	assert_int_equal(b->n, 1);
	assert_string_equal(b->assignments[0].key, "vm.swappiness");
	assert_int_equal(b->n_options, 1);
	assert_string_equal(b->scenarios[0].lead.spelled, "burn:rounds=11,workers=1");
	assert_string_equal(b->scenarios[0].name, "burn");
	/* The scenario itself stays as it was written. */
	assert_string_equal(config->scenarios[0].lead.spelled, "burn:rounds=10,workers=1");
	assert_string_equal(
		assignments_spell(b, text, sizeof(text)), "vm.swappiness=10,lead.rounds=11");
}

static void options_of_loads_go_to_all_that_have_them(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run burn:rounds=10+io:size=1M+burn --vary load.size=2M,3M");
	const struct variant *variant = &config->variants[1];

	(void)state;
	assert_string_equal(variant->name, "load.size=3M");
	for (size_t i = 0; i < config->n_scenarios; i++) {
		const struct scenario *own = &variant->scenarios[i];

		assert_string_equal(own->name, config->scenarios[i].name);
		assert_int_equal(own->n_loads, config->scenarios[i].n_loads);
		for (size_t k = 0; k < own->n_loads; k++) {
			const struct part *load = &own->loads[k];

			assert_string_equal(load->role, config->scenarios[i].loads[k].role);
			if (!strncmp(load->spelled, "io", 2))
				assert_string_equal(load->spelled, "io:size=3M");
			else
				assert_string_equal(load->spelled, "burn");
		}
	}
}

/* The load alone is beside a clock, whose seconds are not the lead's. */
static void the_clock_of_a_load_alone_is_left_as_it_is(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run null:seconds=2+burn --solo-time 3s --variant a "
		       "--variant b:lead.seconds=1.5 --noload no");
	struct config *other CLEANUP(config_cleanup) =
		parsed("run burn:rounds=5+io:size=1M --solo-time 3s --variant a "
		       "--variant b:lead.workers=2");

	(void)state;
	assert_string_equal(config->variants[1].scenarios[0].lead.spelled, "null:seconds=1500ms");
	for (size_t i = 0; i < other->n_scenarios; i++) {
		const struct part *lead = &other->variants[1].scenarios[i].lead;

		if (other->scenarios[i].solo)
			assert_string_equal(lead->spelled, other->scenarios[i].lead.spelled);
		else
			assert_string_equal(lead->spelled, "burn:rounds=5,workers=2");
	}
}

static void the_plan_has_each_variants_own_scenario(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run --lead burn:rounds=10 --variant a --variant b:lead.rounds=11");
	struct plan *plan CLEANUP(plan_cleanup) = NULL;

	(void)state;
	assert_int_equal(plan_make(config, &plan, NULL), 0);
	for (size_t i = 0; i < plan->n; i++) {
		const struct trial *trial = &plan->trials[i];
		bool b = trial->variant == &config->variants[1];

		assert_string_equal(
			trial->scenario->lead.spelled, b ? "burn:rounds=11" : "burn:rounds=10");
		assert_true(trial_is_of(trial, &config->scenarios[0]));
	}
}

static void an_option_that_nothing_has_is_named_with_the_nearest(void **state)
{
	(void)state;
	assert_mistake("run --lead burn --vary lead.ruonds=1,2",
		"--vary: lead.ruonds: no lead has an option \"ruonds\"; did you mean \"rounds\"?");
	assert_mistake("run --lead burn --variant a --variant b:load.size=1M",
		"--variant: load.size: no load has an option \"size\"");
	assert_mistake("run --lead burn --vary lead.rounds=1,many",
		"--vary: lead.rounds: burn: rounds: \"many\" is not a whole number");
}

static void the_metric_that_decides_is_named_before_the_run(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run burn --primary trial/lead/progress+");
	struct config *usual CLEANUP(config_cleanup) = parsed("run burn");

	(void)state;
	assert_string_equal(config->primary.name, "progress");
	assert_true(config->primary.more_is_better);
	assert_true(primary_is_time(&usual->primary));
	assert_mistake("run burn --primary pswpin", "--primary: \"pswpin\" is no metric: time, or "
						    "SOURCE/ROLE/NAME, as in vmstat//pswpin "
						    "or trial/io/progress+ (more is better)");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_variant_may_have_options_of_the_lead),
		cmocka_unit_test(options_of_loads_go_to_all_that_have_them),
		cmocka_unit_test(the_clock_of_a_load_alone_is_left_as_it_is),
		cmocka_unit_test(the_plan_has_each_variants_own_scenario),
		cmocka_unit_test(an_option_that_nothing_has_is_named_with_the_nearest),
		cmocka_unit_test(the_metric_that_decides_is_named_before_the_run),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
