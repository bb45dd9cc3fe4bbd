// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <stdio.h>

#include "config/config.h"

static struct config *parsed(const char *text)
{
	struct config *config = NULL;
	struct error err = { "" };

	if (config_parse_text("night.ini", text, &config, &err) < 0)
		fail_msg("%s", err.text);
	return config;
}

static void assert_mistake(const char *text, const char *mistake)
{
	struct config *config = NULL;
	struct error err = { "" };

	assert_int_equal(config_parse_text("night.ini", text, &config, &err), -EINVAL);
	assert_null(config);
	assert_string_equal(err.text, mistake);
}

static const char whole[] = "; what a night is for\n"
			    "[suite]\n"
			    "title = nightly\n"
			    "summary = all of it\n"
			    "\n"
			    "[defaults]\n"
			    "runs = 4\n"
			    "seed = 11\n"
			    "lead-in = 1s\n"
			    "deadline = 5m\n"
			    "solo = no\n"
			    "noload = no\n"
			    "\n"
			    "[full]\n"
			    "runs = 9\n"
			    "[box]\n"
			    "kind = cgroup\n"
			    "  mem = 256M\n"
			    "swap = zram\n"
			    "[scenario quiet]\n"
			    "lead = burn:rounds=5 ; few\n"
			    "[scenario busy]\n"
			    "lead = burn\n"
			    "load = burn:workers=2\n"
			    "load = burn:rate=9\n"
			    "cold = no\n"
			    "deadline = 1m\n"
			    "[scenario numbered]\n"
			    "\tlead = null\n"
			    "\tload1 = burn\n"
			    "\tload2 = burn\n"
			    "[variant default]\n"
			    "[variant tuned]\n"
			    "vm.swappiness = 10\n"
			    "[vary]\n"
			    "zswap = off,on\n";

static void every_section_is_read(void **state)
{
	struct config *config CLEANUP(config_cleanup) = parsed(whole);

	(void)state;
	assert_string_equal(config->title, "nightly");
	assert_int_equal(config->runs, 4);
	assert_int_equal(config->seed, 11);
	assert_int_equal(config->n_scenarios, 3);
	assert_string_equal(config->scenarios[0].name, "quiet");
	assert_string_equal(config->scenarios[0].lead.spelled, "burn:rounds=5");
	assert_int_equal(config->scenarios[0].deadline_ns, 300 * NS_PER_S);
	assert_true(config->scenarios[0].cold);
	assert_int_equal(config->scenarios[1].n_loads, 2);
	assert_int_equal(config->scenarios[1].deadline_ns, 60 * NS_PER_S);
	assert_int_equal(config->scenarios[1].lead_in_ns, NS_PER_S);
	assert_false(config->scenarios[1].cold);
	assert_string_equal(config->scenarios[2].loads[1].role, "burn-2");
	assert_int_equal(config->n_variants, 4);
	assert_string_equal(config->variants[0].name, "default,zswap=off");
	assert_string_equal(config->variants[3].name, "tuned,zswap=on");
	assert_true(config->box.typed && config->box.kind == BOX_CGROUP);
	assert_int_equal(config->box.mem, 256 * MIB);
	assert_int_equal(config->box.swap_kind, BOX_SWAP_ZRAM);
}

static void full_lays_its_section_over_the_defaults(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("[defaults]\nruns = 2\nfull = yes\n[full]\nruns = 6\nlead-in = 9s\n"
		       "[scenario a]\nlead = null\n");

	(void)state;
	assert_int_equal(config->runs, 6);
	assert_int_equal(config->scenarios[0].lead_in_ns, 9 * NS_PER_S);
}

static void the_title_is_the_files_name_where_none_is_given(void **state)
{
	struct config *config CLEANUP(config_cleanup) = NULL;

	(void)state;
	assert_int_equal(config_parse_text("/home/me/night.ini", "[scenario a]\nlead = null\n",
				 &config, NULL),
		0);
	assert_string_equal(config->title, "night");
}

static void line_ends_and_marks_of_other_systems_are_read(void **state)
{
	struct config *config CLEANUP(config_cleanup) =
		parsed("\xef\xbb\xbf[scenario a]\r\nlead = null\r\n");

	(void)state;
	assert_string_equal(config->scenarios[0].lead.spelled, "null");
}

static void mistakes_name_file_line_and_key(void **state)
{
	(void)state;
	assert_mistake(
		"[scenaro a]\n", "night.ini:1: no section [scenaro]; did you mean \"scenario\"?");
	assert_mistake("\n[scenario]\n", "night.ini:2: section [scenario NAME] needs a name");
	assert_mistake("[box a]\n", "night.ini:1: section [box] has no name of its own");
	assert_mistake("[scenario a\n", "night.ini:1: a section's name ends with ]");
	assert_mistake("[box]\n[vary]\n[box]\n",
		"night.ini:3: section [box] is there already, in night.ini:1");
	assert_mistake("[scenario a]\nlead = null\n[scenario  a]\nlead = null\n",
		"night.ini:3: scenario \"a\" is there twice");
	assert_mistake("lead = null\n", "night.ini:1: key \"lead\" before any section");
	assert_mistake("[scenario a]\nleed = null\n",
		"night.ini:2: no key \"leed\" in section [scenario]; did you mean \"lead\"?");
	assert_mistake("[suite]\ntitel = x\n",
		"night.ini:2: no key \"titel\" in section [suite]; did you mean \"title\"?");
	assert_mistake("[box]\nmemm = 1G\n",
		"night.ini:2: no key \"memm\" in section [box]; did you mean \"mem\"?");
	assert_mistake(
		"[defaults]\nstore = /x\n", "night.ini:2: no key \"store\" in section [defaults]");
	assert_mistake("[scenario a]\nlead = null\n\nlead = burn\n",
		"night.ini:4: key \"lead\" is there twice");
	assert_mistake(
		"[defaults]\nruns = many\n", "night.ini:2: runs: \"many\" is not a whole number");
	assert_mistake(
		"[full]\nruns = 1001\n", "night.ini:2: runs: 1001 is out of range (0 to 1000)");
	assert_mistake("[scenario a]\nlead = null\ndeadline = 0\n",
		"night.ini:3: deadline: 0 is out of range (1ms to 1000h)");
	assert_mistake("[scenario a]\nlead = nul\n",
		"night.ini:2: no lead \"nul\"; did you mean \"null\"?");
	assert_mistake("[scenario a]\nlead = null\nload = burn:x=1\n",
		"night.ini:3: burn: no option \"x\"");
	assert_mistake("[scenario a]\ncold = yes\n",
		"night.ini:1: scenario \"a\" has neither lead nor load");
	assert_mistake("[scenario a]\nlead = null\nnonsense\n",
		"night.ini:3: neither [section] nor key = value");
	assert_mistake("[variant a]\nk = 1\nk = 2\n", "night.ini:3: key \"k\" is there twice");
	assert_mistake("[vary]\nk =\n", "night.ini:2: \"k\" varies over nothing");
}

static void the_first_mistake_is_the_one_that_is_told(void **state)
{
	(void)state;
	assert_mistake("[defaults]\nnonsense\nruns = 0\n",
		"night.ini:2: neither [section] nor key = value");
}

static void a_line_that_would_be_cut_is_refused(void **state)
{
	char text[512] = "[suite]\nsummary = ";

	(void)state;
	memset(text + strlen(text), 'x', 300);
	assert_mistake(text, "night.ini:2: line of more than 198 characters");
}

static void a_file_without_scenarios_is_no_plan(void **state)
{
	struct config *config = NULL;
	struct error err;

	(void)state;
	assert_int_equal(config_parse_text("night.ini", "", &config, &err), -EINVAL);
	assert_string_equal(err.text, "night.ini: no scenario in it");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_section_is_read),
		cmocka_unit_test(full_lays_its_section_over_the_defaults),
		cmocka_unit_test(the_title_is_the_files_name_where_none_is_given),
		cmocka_unit_test(line_ends_and_marks_of_other_systems_are_read),
		cmocka_unit_test(mistakes_name_file_line_and_key),
		cmocka_unit_test(the_first_mistake_is_the_one_that_is_told),
		cmocka_unit_test(a_line_that_would_be_cut_is_refused),
		cmocka_unit_test(a_file_without_scenarios_is_no_plan),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
