// SPDX-License-Identifier: GPL-2.0-or-later
/* The suites that ship with contend, and contest's own names. */
#include "test.h"

#include <stdio.h>

#include "base/unit.h"
#include "config/config.h"
#include "config/suite.h"
#include "setting/setting.h"

static struct config *parsed(const char *const words[], int n)
{
	char text[8][64];
	char *argv[9] = { NULL };
	struct config *config = NULL;
	struct error err = { "" };

	for (int i = 0; i < n; i++) {
		snprintf(text[i], sizeof(text[i]), "%s", words[i]);
		argv[i] = text[i];
	}
	if (config_parse_run(n, argv, &config, &err) < 0)
		fail_msg("%s", err.text);
	return config;
}

#define PARSED(...) \
	parsed((const char *const[]) { "run", ##__VA_ARGS__ }, \
		(int)ARRAY_SIZE(((const char *const[]) { "run", ##__VA_ARGS__ })))

static const struct scenario *find(const struct config *config, const char *name)
{
	size_t i = 0;

	while (i < config->n_scenarios && strcmp(config->scenarios[i].name, name))
		i++;
	if (i == config->n_scenarios)
		fail_msg("no scenario %s", name);
	return &config->scenarios[i];
}

static void every_suite_is_a_valid_plan_with_a_summary(void **state)
{
	(void)state;
	assert_true(suite_count > 0);
	for (size_t i = 0; i < suite_count; i++) {
		struct config *quick CLEANUP(config_cleanup) = PARSED(suite_registry[i].name);
		struct config *full CLEANUP(config_cleanup) =
			PARSED(suite_registry[i].name, "--full");
		char summary[128];

		assert_true(quick->n_scenarios > 0);
		assert_true(full->full);
		assert_true(strlen(suite_summary(&suite_registry[i], summary, sizeof(summary))));
		assert_ptr_equal(suite_find(suite_registry[i].name), &suite_registry[i]);
	}
	assert_null(suite_find("nothing"));
}

static void contest_is_what_runs_when_nothing_is_named(void **state)
{
	struct config *config CLEANUP(config_cleanup) = PARSED();

	(void)state;
	assert_string_equal(config->title, "contest");
	assert_int_equal(config->runs, 3);
	assert_false(config->full);
	assert_string_equal(config->scenarios[0].name, "noload");
	assert_int_equal(find(config, "noload")->n_loads, 0);
	assert_string_equal(find(config, "tarx")->loads[0].workload->name, "tarx");
	assert_true(find(config, "solo+io")->solo);
}

static void cacherun_is_warm_and_the_others_cold(void **state)
{
	struct config *config CLEANUP(config_cleanup) = PARSED("contest");

	(void)state;
	for (size_t i = 0; i < config->n_scenarios; i++)
		assert_int_equal(config->scenarios[i].cold,
			strcmp(config->scenarios[i].name, "cacherun") != 0);
}

static void cacherun_compiles_what_lead_says(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		PARSED("contest", "--lead", "compile:tree=/usr/src/linux,target=mm/");

	(void)state;
	assert_string_equal(
		find(config, "cacherun")->lead.spelled, "cacherun:tree=/usr/src/linux,target=mm/");
	assert_false(find(config, "cacherun")->cold);
	assert_string_equal(
		find(config, "io")->lead.spelled, "compile:tree=/usr/src/linux,target=mm/");
	assert_string_equal(find(config, "solo+io")->lead.workload->name, "null");
}

static void contests_own_names_are_accepted(void **state)
{
	static const char *const names[][2] = {
		{ "process_load", "process" },
		{ "io_load", "io" },
		{ "io_other", "io-other" },
		{ "mem_load", "mem" },
		{ "ctar_load", "tarc" },
		{ "tarc_load", "tarc" },
		{ "xtar_load", "tarx" },
		{ "tarx_load", "tarx" },
		{ "read_load", "read" },
		{ "list_load", "lslr" },
		{ "dbench_load", "dbench" },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(names); i++) {
		struct config *config CLEANUP(config_cleanup) = PARSED(names[i][0]);

		assert_string_equal(config->scenarios[0].name, names[i][0]);
		assert_string_equal(config->scenarios[0].lead.workload->name, "compile");
		assert_string_equal(config->scenarios[0].loads[0].workload->name, names[i][1]);
	}
}

static void a_load_alone_is_beside_a_compile(void **state)
{
	struct config *config CLEANUP(config_cleanup) = PARSED("io", "noload", "cacherun");

	(void)state;
	assert_string_equal(config->scenarios[0].lead.spelled, "compile");
	assert_string_equal(config->scenarios[0].loads[0].role, "io");
	assert_int_equal(find(config, "noload")->n_loads, 0);
	assert_false(find(config, "cacherun")->cold);
}

static void full_asks_for_leads_of_full_size(void **state)
{
	struct config *full CLEANUP(config_cleanup) = PARSED("noload", "--full");
	struct config *own CLEANUP(config_cleanup) = PARSED("compile:full=no", "--full");

	(void)state;
	assert_string_equal(full->scenarios[0].lead.spelled, "compile:full=yes");
	assert_string_equal(own->scenarios[0].lead.spelled, "compile");
}

static void memory_is_two_leads_alone_and_with_music(void **state)
{
	static const char *const leads[] = { "memfill", "mmap" };
	struct config *config CLEANUP(config_cleanup) = PARSED("memory");
	char name[64];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(leads); i++) {
		const struct scenario *alone = find(config, leads[i]), *beside;

		snprintf(name, sizeof(name), "%s+audio", leads[i]);
		beside = find(config, name);
		assert_int_equal(alone->n_loads, 0);
		assert_string_equal(alone->lead.workload->name, leads[i]);
		assert_string_equal(beside->lead.spelled, alone->lead.spelled);
		assert_string_equal(beside->loads[0].workload->name, "audio");
	}
}

static void swap_asks_the_old_questions_of_a_base_that_is_the_same_everywhere(void **state)
{
	struct config *config CLEANUP(config_cleanup) = PARSED("swap");

	(void)state;
	assert_int_equal(config->n_scenarios, 2);
	assert_int_equal(config->n_variants, 10);
	assert_string_equal(config->variants[config->reference].name, "base");
	assert_true(config->budget_ns > 0 && config->budget_ns < 15 * 60 * NS_PER_S);
	for (size_t i = 0; i < config->n_variants; i++) {
		const struct variant *variant = &config->variants[i];

		assert_int_equal(variant->n, 4);
		for (size_t j = 0; j < variant->n; j++) {
			const struct assignment *each = &variant->assignments[j];

			assert_int_equal(setting_check(NULL, each->key, each->value, NULL), 0);
		}
	}
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_suite_is_a_valid_plan_with_a_summary),
		cmocka_unit_test(contest_is_what_runs_when_nothing_is_named),
		cmocka_unit_test(cacherun_is_warm_and_the_others_cold),
		cmocka_unit_test(cacherun_compiles_what_lead_says),
		cmocka_unit_test(contests_own_names_are_accepted),
		cmocka_unit_test(a_load_alone_is_beside_a_compile),
		cmocka_unit_test(full_asks_for_leads_of_full_size),
		cmocka_unit_test(memory_is_two_leads_alone_and_with_music),
		cmocka_unit_test(swap_asks_the_old_questions_of_a_base_that_is_the_same_everywhere),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
