// SPDX-License-Identifier: GPL-2.0-or-later
/* The command line of `contend run`. */
#include "test_config.h"

#include <unistd.h>

#include "base/file.h"

static void a_scenario_is_lead_plus_loads_with_options(void **state)
{
	struct config *config CLEANUP(config_cleanup) = parsed(
		"run --solo no --noload no burn:rounds=7+burn:workers=2+burn:workers=2,rate=5");
	const struct scenario *scenario = &config->scenarios[0];

	(void)state;
	assert_int_equal(config->n_scenarios, 1);
	assert_string_equal(scenario->name, "burn:rounds=7+burn:workers=2+burn:workers=2,rate=5");
	assert_string_equal(config->title, scenario->name);
	assert_string_equal(scenario->lead.role, "lead");
	assert_string_equal(scenario->lead.spelled, "burn:rounds=7");
	assert_int_equal(scenario->n_loads, 2);
	assert_string_equal(scenario->loads[0].role, "burn");
	assert_string_equal(scenario->loads[1].role, "burn-2");
	assert_string_equal(scenario->loads[1].spelled, "burn:workers=2,rate=5");
	assert_int_equal(scenario->loads[1].common.workers, 2);
	assert_true(scenario->cold);
	assert_int_equal(scenario->deadline_ns, 600 * NS_PER_S);
	assert_int_equal(scenario->lead_in_ns, 3 * NS_PER_S);
	assert_int_equal(scenario->interval_ns, 100 * NS_PER_MS);
	assert_int_equal(scenario->steal, 5);
}

static void a_lead_alone_is_a_scenario(void **state)
{
	struct config *config CLEANUP(config_cleanup) = parsed("run null burn:rounds=1");

	(void)state;
	assert_int_equal(config->n_scenarios, 2);
	assert_string_equal(config->scenarios[0].name, "null");
	assert_int_equal(config->scenarios[1].n_loads, 0);
	assert_string_equal(config->title, "null burn:rounds=1");
}

static void each_load_that_differs_is_measured_alone_once(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run --noload no --solo-time 2s --warm burn+burn null+burn "
		       "burn:rounds=1+burn+burn:workers=3");

	(void)state;
	assert_int_equal(config->n_scenarios, 5);
	for (size_t i = 0; i < 3; i++)
		assert_false(config->scenarios[i].solo);
	assert_string_equal(config->scenarios[3].name, "solo+burn");
	assert_string_equal(config->scenarios[4].name, "solo+burn:workers=3");
	assert_true(config->scenarios[4].solo);
	assert_false(config->scenarios[4].cold);
	assert_string_equal(config->scenarios[4].lead.spelled, "null:seconds=2s");
	assert_string_equal(config->scenarios[4].loads[0].spelled, "burn:workers=3");
	assert_string_equal(config->scenarios[4].loads[0].role, "burn");
}

static void each_lead_that_differs_is_measured_without_loads_once(void **state)
{
	struct config *config CLEANUP(config_cleanup) = parsed(
		"run --solo no burn:rounds=1+burn burn:rounds=1+burn:workers=2 burn null+burn "
		"burn:rounds=2+burn");
	struct config *named CLEANUP(config_cleanup) =
		parsed("run --solo no burn+burn --lead burn:rounds=3");

	(void)state;
	assert_int_equal(config->n_scenarios, 7);
	assert_string_equal(config->scenarios[5].name, "burn:rounds=1");
	assert_string_equal(config->scenarios[6].name, "burn:rounds=2");
	assert_int_equal(config->scenarios[6].n_loads, 0);
	assert_false(config->scenarios[6].solo);
	assert_string_equal(named->scenarios[1].lead.spelled, "burn:rounds=3");
}

static void a_solo_trial_outlives_a_short_deadline(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run burn+burn --deadline 1s --noload=no");

	(void)state;
	assert_int_equal(config->scenarios[0].deadline_ns, NS_PER_S);
	assert_true(config->scenarios[1].solo);
	assert_int_equal(config->scenarios[1].deadline_ns, 10 * NS_PER_S);
}

static void lead_and_load_make_a_scenario_of_ones_own(void **state)
{
	struct config *config CLEANUP(config_cleanup) = parsed(
		"run --lead burn:rounds=3 --load burn --load burn:rate=1 --solo no --noload no");

	(void)state;
	assert_int_equal(config->n_scenarios, 1);
	assert_string_equal(config->scenarios[0].name, "burn+burn+burn");
	assert_string_equal(config->scenarios[0].lead.spelled, "burn:rounds=3");
	assert_string_equal(config->scenarios[0].loads[1].role, "burn-2");
}

static void lead_replaces_the_lead_of_named_scenarios(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run burn+burn burn --lead null:seconds=9 --solo=no");

	(void)state;
	assert_int_equal(config->n_scenarios, 2);
	assert_string_equal(config->scenarios[0].name, "burn+burn");
	assert_string_equal(config->scenarios[0].lead.spelled, "null:seconds=9s");
	assert_string_equal(config->scenarios[1].lead.spelled, "null:seconds=9s");
}

static void a_plus_inside_a_value_is_escaped(void **state)
{
	struct error err;

	(void)state;
	assert_mistake("run 'burn:rounds=a\\+b+burn'",
		"burn:rounds=a\\+b+burn: burn: rounds: \"a+b\" is not a whole number");
	assert_int_equal(parse("run burn++burn", NULL, &err), -EINVAL);
	assert_string_equal(err.text, "\"burn++burn\": a part is empty");
}

static void options_are_taken_as_typed(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run null --runs 5 --seed 42 --deadline 60s --lead-in 500ms --interval 10ms "
		       "--steal 40 "
		       "--budget 30m --cold=no --full --dry-run --store /a/b.db --scratch /c "
		       "--view trials --format csv");

	(void)state;
	assert_int_equal(config->runs, 5);
	assert_int_equal(config->seed, 42);
	assert_int_equal(config->scenarios[0].deadline_ns, 60 * NS_PER_S);
	assert_int_equal(config->scenarios[0].lead_in_ns, 500 * NS_PER_MS);
	assert_int_equal(config->scenarios[0].interval_ns, 10 * NS_PER_MS);
	assert_int_equal(config->scenarios[0].steal, 40);
	assert_false(config->scenarios[0].cold);
	assert_int_equal(config->budget_ns, 1800 * NS_PER_S);
	assert_true(config->full && config->dry_run);
	assert_string_equal(config->store, "/a/b.db");
	assert_string_equal(config->scratch, "/c");
	assert_string_equal(config->view, "trials");
	assert_int_equal(config->format, FORMAT_CSV);
}

static void the_last_of_opposite_options_wins(void **state)
{
	struct config *cold CLEANUP(config_cleanup) =
		parsed("run null --warm --cold --full --quick");
	struct config *warm CLEANUP(config_cleanup) = parsed("run null --cold --warm --blocks 7");

	(void)state;
	assert_true(cold->scenarios[0].cold);
	assert_false(cold->full);
	assert_false(warm->scenarios[0].cold);
	assert_int_equal(warm->runs, 7);
}

static void a_seed_is_drawn_where_none_is_given(void **state)
{
	struct config *a CLEANUP(config_cleanup) = parsed("run null");
	struct config *b CLEANUP(config_cleanup) = parsed("run null");
	struct config *zero CLEANUP(config_cleanup) = parsed("run null --seed 0");

	(void)state;
	/* Fails once in 2^32 for an honest generator. */
	assert_true(a->seed != b->seed);
	assert_int_equal(zero->seed, 0);
}

static void boxes_are_parsed(void **state)
{
	struct config *none CLEANUP(config_cleanup) = parsed("run null");
	struct config *host CLEANUP(config_cleanup) = parsed("run null --box host");
	struct config *cgroup CLEANUP(config_cleanup) =
		parsed("run null --box cgroup:mem=256M,swap=0,cpus=1");
	struct config *zram CLEANUP(config_cleanup) = parsed("run null --box cgroup:swap=zram");

	(void)state;
	assert_false(none->box.typed);
	assert_true(none->box.swap == UINT64_MAX);
	assert_true(host->box.typed && host->box.kind == BOX_HOST);
	assert_true(cgroup->box.typed && cgroup->box.kind == BOX_CGROUP);
	assert_int_equal(cgroup->box.mem, 256 * MIB);
	assert_int_equal(cgroup->box.swap, 0);
	assert_int_equal(cgroup->box.cpus, 1);
	assert_true(zram->box.swap == UINT64_MAX && zram->box.swap_kind == BOX_SWAP_ZRAM);
}

static void a_run_has_a_variant_without_settings(void **state)
{
	struct config *config CLEANUP(config_cleanup) = parsed("run null");

	(void)state;
	assert_int_equal(config->n_variants, 1);
	assert_string_equal(config->variants[0].name, "default");
	assert_int_equal(config->variants[0].n, 0);
	assert_int_equal(config->reference, 0);
}

static void variants_are_named_sets_of_settings(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run null --variant base --variant 'new:a.b=1,c=x\\,y' --reference new");

	(void)state;
	assert_int_equal(config->n_variants, 2);
	assert_string_equal(config->variants[0].name, "base");
	assert_int_equal(config->variants[0].n, 0);
	assert_int_equal(config->variants[1].n, 2);
	assert_string_equal(config->variants[1].assignments[1].key, "c");
	assert_string_equal(config->variants[1].assignments[1].value, "x,y");
	assert_int_equal(config->reference, 1);
}

static void what_varies_multiplies(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("run null --vary a=1,2 --vary b=x,y,z");
	struct config *both CLEANUP(config_cleanup) =
		parsed("run null --variant old --variant new:k=v --vary a=1,2");

	(void)state;
	assert_int_equal(config->n_variants, 6);
	assert_string_equal(config->variants[0].name, "a=1,b=x");
	assert_string_equal(config->variants[5].name, "a=2,b=z");
	assert_int_equal(config->variants[5].n, 2);
	assert_string_equal(config->variants[5].assignments[0].value, "2");
	assert_string_equal(config->variants[5].assignments[1].value, "z");
	assert_int_equal(both->n_variants, 4);
	assert_string_equal(both->variants[3].name, "new,a=2");
	assert_string_equal(both->variants[3].assignments[0].key, "k");
}

static void resume_takes_the_plan_from_the_run(void **state)
{
	static const char *const typed = "run burn+burn --seed 5 --view trials --store /old";
	struct config *resume CLEANUP(config_cleanup) =
		parsed("run --resume 12 --store /db --format json");
	struct config *again CLEANUP(config_cleanup) = NULL;
	struct error err;

	(void)state;
	assert_int_equal(resume->resume, 12);
	assert_int_equal(resume->n_scenarios, 0);
	assert_int_equal(config_resume(resume, typed, 99, &again, &err), 0);
	assert_int_equal(again->resume, 12);
	assert_int_equal(again->seed, 99);
	assert_string_equal(again->scenarios[0].name, "burn+burn");
	assert_string_equal(again->store, "/db");
	assert_string_equal(again->view, "trials");
	assert_int_equal(again->format, FORMAT_JSON);
	assert_mistake("run --resume 12 burn",
		"--resume goes on with a run as it was: \"burn\" cannot go with it");
	assert_mistake("run --resume 12 --seed 4",
		"--resume goes on with a run as it was: \"seed\" cannot go with it");
}

static void mistakes_name_what_is_right(void **state)
{
	(void)state;
	assert_mistake(
		"run brun", "no suite, scenario, lead or load \"brun\"; did you mean \"burn\"?");
	assert_mistake("run contst",
		"no suite, scenario, lead or load \"contst\"; did you mean \"contest\"?");
	assert_mistake("run null+brun", "null+brun: no load \"brun\"; did you mean \"burn\"?");
	assert_mistake("run burn+stream", "burn+stream: stream can only be a lead");
	assert_mistake("run burn:round=3",
		"burn:round=3: burn: no option \"round\"; did you mean \"rounds\"?");
	assert_mistake("run --lead nul", "--lead: no lead \"nul\"; did you mean \"null\"?");
	assert_mistake("run null --sed 1", "no option \"--sed\"; did you mean \"seed\"?");
	assert_mistake("run null -x", "no option \"-x\"");
	assert_mistake("run null --seed", "option \"--seed\" needs a value");
	assert_mistake("run null --deadline 0", "--deadline: 0 is out of range (1ms to 1000h)");
	assert_mistake("run null --runs 1001", "--runs: 1001 is out of range (0 to 1000)");
	assert_mistake(
		"run null --format xml", "--format: \"xml\" is not one of table, json, csv, md");
	assert_mistake("run null --box hots",
		"--box: no box \"hots\": host, cgroup or vm; did you mean \"host\"?");
	assert_mistake(
		"run null --box host:mem=1G", "--box: host: the box \"host\" has no options");
	assert_mistake("run null --box cgroup:memm=1G",
		"--box: cgroup: no option \"memm\"; did you mean \"mem\"?");
	assert_mistake(
		"run null --variant a:b", "--variant: variant \"a\": \"b\" is not key=value");
	assert_mistake(
		"run null --variant a --variant a", "--variant: variant \"a\" is there twice");
	assert_mistake("run null --vary a", "--vary: \"a\" is not KEY=VAL,VAL,...");
	assert_mistake("run null --vary a=1 --vary a=2", "--vary: \"a\" varies twice");
	assert_mistake("run null --vary a=1,1", "--vary: variant \"a=1\" is there twice");
	assert_mistake("run null --variant old --reference odl",
		"--reference: no variant \"odl\"; did you mean \"old\"?");
	assert_mistake("run null null", "scenario \"null\" is there twice");
	assert_mistake("run null --load burn", "--load makes a scenario of its own and goes with "
					       "no other; write lead+load instead");
}

/* Nobody said how many: three, and with something to compare as many as the looks may take. */
static void the_number_of_blocks_follows_from_the_variants(void **state)
{
	struct config *one CLEANUP(config_cleanup) = parsed("run null");
	struct config *two CLEANUP(config_cleanup) =
		parsed("run null --vary vm.page-cluster=0,3 --delta 2.5");

	(void)state;
	assert_int_equal(one->runs, CONFIG_RUNS);
	assert_true(one->delta == 5);
	assert_int_equal(two->runs, CONFIG_BLOCKS);
	assert_true(two->delta == 2.5);
}

/* The more is compared, the more seeds it takes until p can be small enough. */
static void the_number_of_seeds_follows_from_what_is_compared(void **state)
{
	struct config *one CLEANUP(config_cleanup) = parsed("run null --box vm:exact");
	struct config *three CLEANUP(config_cleanup) =
		parsed("run null --box vm:exact --vary vm.page-cluster=0,1,2");
	struct config *four CLEANUP(config_cleanup) =
		parsed("run null --box vm:exact --vary vm.page-cluster=0,1,2,3");
	struct config *given CLEANUP(config_cleanup) =
		parsed("run null --box vm:exact --vary vm.page-cluster=0,1,2,3 --runs 2");

	(void)state;
	assert_int_equal(one->runs, CONFIG_SEEDS);
	assert_int_equal(three->runs, CONFIG_PAIRS);
	assert_int_equal(four->runs, CONFIG_PAIRS + 1);
	assert_int_equal(given->runs, 2);
}

static void variants_have_a_limit(void **state)
{
	(void)state;
	assert_mistake("run null --vary a=0,1,2,3,4,5,6,7,8,9 --vary b=0,1,2,3,4,5,6,7,8,9 "
		       "--vary c=0,1,2,3,4,5,6,7,8,9 --vary d=1,2",
		"--vary: more than 1000 variants");
}

static void a_plan_file_that_is_missing_is_named(void **state)
{
	struct config *config = NULL;
	struct error err;

	(void)state;
	assert_int_equal(parse("run --plan /nonexistent/x.ini", &config, &err), -EINVAL);
	assert_non_null(strstr(err.text, "/nonexistent/x.ini"));
}

static void a_plan_file_is_read_beside_operands(void **state)
{
	char path[] = "/tmp/contend-plan-XXXXXX";
	char command[128];
	static const char text[] = "[variant old]\n[variant new]\nk = v\n";
	int fd = mkstemp(path);

	(void)state;
	assert_true(fd >= 0);
	close(fd);
	assert_int_equal(file_write(path, text, sizeof(text) - 1, NULL), 0);
	snprintf(command, sizeof(command), "run null --plan %s", path);
	struct config *config CLEANUP(config_cleanup) = parsed(command);

	unlink(path);
	assert_int_equal(config->n_scenarios, 1);
	assert_int_equal(config->n_variants, 2);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_scenario_is_lead_plus_loads_with_options),
		cmocka_unit_test(a_lead_alone_is_a_scenario),
		cmocka_unit_test(each_load_that_differs_is_measured_alone_once),
		cmocka_unit_test(each_lead_that_differs_is_measured_without_loads_once),
		cmocka_unit_test(a_solo_trial_outlives_a_short_deadline),
		cmocka_unit_test(lead_and_load_make_a_scenario_of_ones_own),
		cmocka_unit_test(lead_replaces_the_lead_of_named_scenarios),
		cmocka_unit_test(a_plus_inside_a_value_is_escaped),
		cmocka_unit_test(options_are_taken_as_typed),
		cmocka_unit_test(the_last_of_opposite_options_wins),
		cmocka_unit_test(a_seed_is_drawn_where_none_is_given),
		cmocka_unit_test(boxes_are_parsed),
		cmocka_unit_test(a_run_has_a_variant_without_settings),
		cmocka_unit_test(variants_are_named_sets_of_settings),
		cmocka_unit_test(what_varies_multiplies),
		cmocka_unit_test(resume_takes_the_plan_from_the_run),
		cmocka_unit_test(mistakes_name_what_is_right),
		cmocka_unit_test(the_number_of_blocks_follows_from_the_variants),
		cmocka_unit_test(the_number_of_seeds_follows_from_what_is_compared),
		cmocka_unit_test(variants_have_a_limit),
		cmocka_unit_test(a_plan_file_that_is_missing_is_named),
		cmocka_unit_test(a_plan_file_is_read_beside_operands),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
