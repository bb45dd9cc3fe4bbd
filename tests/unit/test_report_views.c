// SPDX-License-Identifier: GPL-2.0-or-later
/* The views trials and env, what all views share, and how loads are told apart. */
#include "test_report.h"

#include "report/figures.h"

static void every_view_is_found_and_builds_on_nothing(void **state)
{
	struct made_run *run = made_run_open("contest", "default");

	(void)state;
	assert_null(view_find("nosuch"));
	for (const struct view *const *view = view_registry; *view; view++) {
		struct model *model;

		assert_ptr_equal(view_find((*view)->name), *view);
		assert_true((*view)->summary[0]);
		model = made_model(run, (*view)->name);
		for (enum render_format format = RENDER_TABLE; format <= RENDER_MD; format++)
			free(made_render(model, format, 20, true));
		model_free(model);
	}
	made_run_close(run);
}

static void trials_lists_every_try_with_its_outcome(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made killed = { .scenario = "compile+mem",
		.loads = "mem",
		.time_s = 12,
		.outcome = OUTCOME_KILLED,
		.text = "mem by the OOM killer",
		.missing = 10,
		.progress = 50000000 };
	struct made again = { .scenario = "compile+mem",
		.loads = "mem",
		.time_s = 48,
		.cpu_s = 60,
		.majors = 7,
		.again = 1 };
	struct model *model;

	(void)state;
	made_trial(run, &killed);
	made_trial(run, &again);
	model = made_model(run, "trials");
	assert_cell(model, 0, 0, "outcome", "killed");
	assert_cell(model, 0, 0, "text", "mem by the OOM killer; tried again");
	assert_cell(model, 0, 0, "time_s", "12.0");
	assert_cell(model, 0, 0, "loads", "0.500");
	assert_cell(model, 0, 0, "missing_percent", "1.0");
	assert_true(model->first->first->bad);
	assert_cell(model, 0, 1, "position", "0");
	assert_cell(model, 0, 1, "try", "2");
	assert_cell(model, 0, 1, "outcome", "ok");
	assert_cell(model, 0, 1, "cpu_percent", "125");
	assert_cell(model, 0, 1, "major_faults", "7");
	assert_cell(model, 0, 1, "freeze_longest_s", "–");
	model_free(model);
	made_run_close(run);
}

static void what_a_variant_sets_is_intended(void **state)
{
	struct made_run *run = made_run_open("contest", "a");
	struct made a = { .scenario = "noload", .variant = "a", .swappiness = "60" };
	struct made b = { .scenario = "noload",
		.variant = "b",
		.swappiness = "10",
		.assignments = "zswap=lzo,vm.swappiness=10" };
	struct model *model;

	(void)state;
	made_trial(run, &b);
	made_trial(run, &a);
	model = made_model(run, "env");
	assert_string_equal(model->first->caption, "differs, as the variants set it");
	assert_cell(model, 0, 0, "key", "vm.swappiness");
	assert_cell(model, 0, 0, "variant.b", "10");
	assert_cell(model, 0, 0, "variant.a", "60");
	assert_false(model->first->first->bad);
	assert_cell(model, 1, 0, "key", "kernel.release");
	assert_cell(model, 1, 0, "value", "6.18.0");
	assert_null(model->first->next->next);
	model_free(model);
	made_run_close(run);
}

static void what_no_variant_sets_is_loud(void **state)
{
	struct made_run *run = made_run_open("contest", "a");
	struct made a = { .scenario = "noload", .variant = "a" };
	struct made b = { .scenario = "noload",
		.variant = "b",
		.kernel = "6.1.0",
		.assignments = "vm.swappiness=10",
		.swappiness = "10" };
	struct model *model;

	(void)state;
	made_trial(run, &a);
	made_trial(run, &b);
	/* The variant's own key, and yet not the same in all of its trials. */
	b.swappiness = "11";
	made_trial(run, &b);
	model = made_model(run, "env");
	assert_string_equal(model->first->caption, "DIFFERS, AND NO VARIANT SETS IT");
	assert_cell(model, 0, 0, "key", "kernel.release");
	assert_cell(model, 0, 0, "variant.a", "6.18.0");
	assert_cell(model, 0, 0, "variant.b", "6.1.0");
	assert_true(model->first->first->bad);
	assert_cell(model, 0, 1, "key", "vm.swappiness");
	assert_cell(model, 0, 1, "variant.b", "10 | 11");
	assert_null(model->first->next);
	model_free(model);
	made_run_close(run);
}

/* 3000 pages taken, 500 of them written after all, 1000 written at once: 2500 of 3500 saved. */
static void what_zswap_kept_from_the_device_is_a_share_of_all_that_went_out(void **state)
{
	struct made_run *run = made_run_open("memfill", "off");
	struct made off = { .scenario = "memfill",
		.lead = "memfill",
		.variant = "off",
		.time_s = 4,
		.numbers = { { "vmstat", "", "pswpout", "pages", 4000 },
			{ "vmstat", "", "zswpout", "events", 0 } } };
	struct made zswap = off;
	struct model *model;

	(void)state;
	zswap.variant = "zswap";
	zswap.assignments = "zswap=lzo";
	zswap.numbers[0].value = 1000;
	zswap.numbers[1].value = 3000;
	zswap.numbers[2] = (struct made_number) { "vmstat", "", "zswpwb", "events", 500 };
	made_trial(run, &off);
	made_trial(run, &zswap);
	model = made_model(run, "swap");
	assert_cell(model, 0, 0, "name", "off");
	assert_cell(model, 0, 0, "device_out_pages", "4000");
	assert_cell(model, 0, 0, "saved_percent", "0%");
	assert_cell(model, 0, 1, "zswap_out_pages", "3000");
	assert_cell(model, 0, 1, "saved_percent", "71%");
	assert_cell(model, 0, 1, "pool_mib", NUMBER_ABSENT);
	model_free(model);
	made_run_close(run);
}

static void loads_are_told_apart_as_config_names_them(void **state)
{
	struct arena arena = { 0 };
	size_t n;
	const struct load_name *names =
		loads_split(&arena, "io:size=64M + command:line=sleep 1 + 2 + io + io-other", &n);

	(void)state;
	/* "2" looks like a workload: no text tells, and the load is n/a rather than wrong. */
	assert_int_equal(n, 5);
	assert_string_equal(names[0].spelled, "io:size=64M");
	assert_string_equal(names[0].role, "io");
	assert_string_equal(names[3].role, "io-2");
	assert_string_equal(names[4].role, "io-other");
	names = loads_split(&arena, "command:line=a + /bin/b", &n);
	assert_int_equal(n, 1);
	assert_string_equal(names[0].role, "command");
	assert_null(loads_split(&arena, "", &n));
	assert_int_equal(n, 0);
	arena_done(&arena);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_view_is_found_and_builds_on_nothing),
		cmocka_unit_test(trials_lists_every_try_with_its_outcome),
		cmocka_unit_test(what_a_variant_sets_is_intended),
		cmocka_unit_test(what_no_variant_sets_is_loud),
		cmocka_unit_test(what_zswap_kept_from_the_device_is_a_share_of_all_that_went_out),
		cmocka_unit_test(loads_are_told_apart_as_config_names_them),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
