// SPDX-License-Identifier: GPL-2.0-or-later
/* The contest view over a store, with figures of the 2002 tables and others worked out by hand. */
#include "test_report.h"

static void put_noload(struct made_run *run, const char *variant, double time_s)
{
	struct made made = {
		.scenario = "noload",
		.variant = variant,
		.time_s = time_s,
		.cpu_s = 0.98 * time_s,
	};

	made_trial(run, &made);
}

static void put_load(
	struct made_run *run, const char *load, const char *variant, double time_s, double loads)
{
	char scenario[64];
	struct made made = {
		.scenario = scenario,
		.loads = load,
		.variant = variant,
		.time_s = time_s,
		.progress = (int64_t)(loads * 100000000),
	};

	snprintf(scenario, sizeof(scenario), "%s_load", load);
	made_trial(run, &made);
}

/* Tables: noload, process, io, mem; in each 2.4.18 (the reference) only at noload. */
static void the_ratios_of_2002_come_out(void **state)
{
	struct made_run *run = made_run_open("contest", "2.4.18");
	struct model *model;

	(void)state;
	put_load(run, "mem", "2.4.19-cc", 92.7, 146);
	put_load(run, "io", "2.5.38", 4000.0, 1);
	put_load(run, "io", "2.4.19", 492.6, 1);
	put_noload(run, "2.5.40", 72.5);
	put_noload(run, "2.5.9", 72.0);
	put_load(run, "process", "2.4.19", 106.5, 1);
	put_load(run, "mem", "2.4.19", 100.0, 33);
	put_noload(run, "2.4.19", 67.7);
	put_noload(run, "2.4.18", 67.17);
	model = made_model(run, "contest");
	assert_string_equal(model->first->caption, "noload: compile");
	assert_cell(model, 0, 0, "name", "2.4.18");
	assert_cell(model, 0, 0, "ratio", "1.00");
	assert_cell(model, 0, 1, "name", "2.4.19");
	assert_cell(model, 0, 1, "ratio", "1.01");
	/* By version, not by letter. */
	assert_cell(model, 0, 2, "name", "2.5.9");
	assert_cell(model, 0, 2, "ratio", "1.07");
	assert_cell(model, 0, 3, "name", "2.5.40");
	assert_cell(model, 0, 3, "ratio", "1.08");
	assert_cell(model, 1, 0, "time_s", "106.5");
	assert_cell(model, 1, 0, "ratio", "1.59");
	assert_cell(model, 2, 0, "ratio", "7.33");
	assert_cell(model, 2, 1, "time_s", "4000.0");
	assert_cell(model, 2, 1, "ratio", "59.55");
	assert_cell(model, 3, 0, "loads", "33.0");
	assert_cell(model, 3, 1, "loads", "146");
	assert_cell(model, 3, 1, "ratio", "1.38");
	assert_string_equal(model->first->columns[0].heading, "Kernel");
	model_free(model);
	made_run_close(run);
}

static void every_column_is_a_share_of_the_window(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made made = { .scenario = "compile+io",
		.loads = "io",
		.time_s = 50,
		.cpu_s = 67,
		.majors = 813,
		.progress = 1230000000,
		.load_cpu_s = 5,
		.freeze_s = 0.35 };
	struct model *model;

	(void)state;
	made_trial(run, &made);
	model = made_model(run, "contest");
	assert_string_equal(model->first->caption, "compile+io");
	/* One variant without a name: the kernel is what tells runs apart. */
	assert_cell(model, 0, 0, "name", "6.18.0");
	assert_string_equal(model->first->columns[0].heading, "Kernel");
	assert_cell(model, 0, 0, "runs", "[1]");
	assert_cell(model, 0, 0, "time_s", "50.0");
	assert_cell(model, 0, 0, "range", "n/a");
	assert_cell(model, 0, 0, "cpu_percent", "134");
	assert_cell(model, 0, 0, "loads", "12.3");
	assert_cell(model, 0, 0, "lcpu_percent", "10");
	assert_cell(model, 0, 0, "sys", "40/10");
	assert_cell(model, 0, 0, "major_faults", "813");
	assert_cell(model, 0, 0, "freeze_longest_s", "0.35 s");
	/* Neither was measured. */
	assert_cell(model, 0, 0, "ratio", "n/a");
	assert_cell(model, 0, 0, "load_rate_solo_percent", "n/a");
	assert_true(lines_contain(&model->legend, "no reference"));
	assert_true(lines_contain(&model->legend, "1 = 100 MB (100000000 bytes)"));
	model_free(model);
	made_run_close(run);
}

static void time_is_the_median_and_its_range_stands_beside(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct model *model;

	(void)state;
	put_noload(run, NULL, 66);
	put_noload(run, NULL, 71);
	put_noload(run, NULL, 67.5);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "runs", "[3]");
	assert_cell(model, 0, 0, "time_s", "67.5");
	assert_cell(model, 0, 0, "range", "66.0–71.0");
	assert_cell(model, 0, 0, "ratio", "1.00");
	assert_cell(model, 0, 0, "loads", "n/a");
	model_free(model);
	made_run_close(run);
}

static void fairness_is_the_share_of_the_rate_alone(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made solo = { .scenario = "solo+io:size=64M",
		.lead = "null:seconds=5s",
		.loads = "io:size=64M",
		.solo = true,
		.time_s = 5,
		.progress = 500000000 };
	struct made beside = { .scenario = "compile+io",
		.loads = "io:size=64M",
		.time_s = 20,
		.progress = 800000000 };
	struct made two = { .scenario = "compile+io+mem",
		.loads = "io:size=64M + mem",
		.time_s = 20,
		.progress = 200000000 };
	struct model *model;

	(void)state;
	made_trial(run, &solo);
	made_trial(run, &two);
	made_trial(run, &beside);
	model = made_model(run, "contest");
	/* 40 MB/s beside the compile, 100 MB/s alone. The solo scenario has no table. */
	assert_string_equal(model->first->caption, "compile+io: compile + io:size=64M");
	assert_cell(model, 0, 0, "load_rate_solo_percent", "40%");
	assert_cell(model, 1, 0, "loads", "2.00 + n/a");
	assert_cell(model, 1, 0, "load_rate_solo_percent", "10% + n/a");
	assert_null(model->first->next->next);
	model_free(model);
	made_run_close(run);
}

static void failed_trials_are_counted_and_never_averaged(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made died = { .scenario = "compile+io",
		.loads = "io",
		.time_s = 3,
		.outcome = OUTCOME_LOAD_DIED,
		.text = "io exited with status 1",
		.freeze_s = 2 };
	struct made well = { .scenario = "compile+io", .loads = "io", .time_s = 50 };
	struct model *model;

	(void)state;
	made_trial(run, &died);
	made_trial(run, &well);
	made_trial(run, &died);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "runs", "[1/3]");
	assert_cell(model, 0, 0, "time_s", "50.0");
	assert_cell(model, 0, 0, "range", "n/a");
	assert_cell(model, 0, 0, "freeze_longest_s", "2.00 s");
	assert_true(model->first->first->bad);
	assert_string_equal(
		model->first->notes.first->text, "2 of 3: load-died (io exited with status 1)");
	assert_null(model->first->notes.first->next);
	model_free(model);
	made_run_close(run);
}

static void a_row_without_an_ok_trial_has_an_outcome_and_no_value(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made slow = {
		.scenario = "compile+io", .loads = "io", .time_s = 60, .outcome = OUTCOME_TIMEOUT
	};
	struct made skipped = { .scenario = "compile+io-other",
		.loads = "io-other",
		.outcome = OUTCOME_SKIPPED,
		.text = "no second disk",
		.bare = true };
	struct model *model;

	(void)state;
	made_trial(run, &slow);
	made_trial(run, &slow);
	made_trial(run, &skipped);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "time_s", "> 60 s");
	assert_int_equal(
		model->first->first->cells[made_column(model->first, "time_s")].kind, CELL_ABSENT);
	assert_cell(model, 0, 0, "runs", "[0/2]");
	assert_cell(model, 0, 0, "cpu_percent", "n/a");
	assert_cell(model, 0, 0, "loads", "n/a");
	assert_cell(model, 0, 0, "outcome", "timeout");
	assert_cell(model, 1, 0, "time_s", "skipped");
	assert_cell(model, 1, 0, "freeze_longest_s", "n/a");
	assert_string_equal(
		model->first->next->notes.first->text, "1 of 1: skipped (no second disk)");
	model_free(model);
	made_run_close(run);
}

static void a_trial_that_was_tried_again_counts_once(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made disturbed = {
		.scenario = "noload", .time_s = 90, .outcome = OUTCOME_VOID, .text = "steal 7 %"
	};
	struct made stopped = {
		.scenario = "noload", .outcome = OUTCOME_INTERRUPTED, .again = 1, .bare = true
	};
	struct made well = { .scenario = "noload", .time_s = 67.17, .again = 1 };
	struct model *model;

	(void)state;
	made_trial(run, &disturbed);
	made_trial(run, &stopped);
	made_trial(run, &well);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "runs", "[1]");
	assert_cell(model, 0, 0, "time_s", "67.2");
	assert_string_equal(
		model->first->notes.first->text, "1 of 1, tried again: void (steal 7 %)");
	assert_null(model->first->notes.first->next);
	model_free(model);
	made_run_close(run);
}

static void cacherun_is_compared_with_the_cold_compile(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made warm = {
		.scenario = "cacherun", .lead = "cacherun:files=9", .warm = true, .time_s = 30
	};
	struct made cold = { .scenario = "noload", .lead = "compile:files=9", .time_s = 60 };
	struct model *model;

	(void)state;
	made_trial(run, &warm);
	made_trial(run, &cold);
	model = made_model(run, "contest");
	assert_string_equal(model->first->caption, "noload: compile:files=9");
	assert_cell(model, 0, 0, "ratio", "1.00");
	assert_string_equal(model->first->next->caption, "cacherun: cacherun:files=9 (warm)");
	assert_cell(model, 1, 0, "ratio", "0.50");
	model_free(model);
	made_run_close(run);
}

static void settings_as_variants_are_named_and_explained(void **state)
{
	struct made_run *run = made_run_open("contest", "s60");
	struct made low = { .scenario = "noload",
		.variant = "s10",
		.assignments = "vm.swappiness=10",
		.time_s = 70 };
	struct made reference = { .scenario = "noload",
		.variant = "s60",
		.assignments = "vm.swappiness=60",
		.time_s = 60 };
	struct model *model;

	(void)state;
	made_trial(run, &low);
	made_trial(run, &reference);
	model = made_model(run, "contest");
	assert_string_equal(model->first->columns[0].heading, "Variant");
	assert_cell(model, 0, 0, "name", "s60");
	assert_cell(model, 0, 1, "name", "s10");
	assert_cell(model, 0, 1, "ratio", "1.17");
	assert_true(lines_contain(&model->legend, "vm.swappiness=10"));
	model_free(model);
	made_run_close(run);
}

static void a_window_of_no_length_divides_nothing(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made none = { .scenario = "noload" };
	struct made io = { .scenario = "compile+io", .loads = "io", .progress = 100000000 };
	struct model *model;
	char *text;

	(void)state;
	made_trial(run, &none);
	made_trial(run, &io);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "time_s", "0.00");
	assert_cell(model, 0, 0, "cpu_percent", "n/a");
	assert_cell(model, 0, 0, "ratio", "n/a");
	assert_cell(model, 1, 0, "loads", "1.00");
	text = made_render(model, RENDER_JSON, 0, false);
	assert_null(strstr(text, "nan"));
	free(text);
	model_free(model);
	made_run_close(run);
}

static void metrics_that_are_missing_are_absent(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made bare = { .scenario = "compile+io", .loads = "io", .bare = true };
	struct model *model;

	(void)state;
	made_trial(run, &bare);
	model = made_model(run, "contest");
	assert_cell(model, 0, 0, "runs", "[1]");
	assert_cell(model, 0, 0, "time_s", "n/a");
	assert_cell(model, 0, 0, "sys", "n/a");
	assert_cell(model, 0, 0, "loads", "n/a");
	model_free(model);
	made_run_close(run);
}

static void what_the_reader_must_know_is_said_once(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct made made = { .scenario = "noload", .time_s = 60, .missing = 100 };
	struct model *model;

	(void)state;
	assert_int_equal(store_run_note(run->store, run->run, "swap: made by contend", NULL), 0);
	made.degraded = "not cold: 12 pages are still in page cache";
	made_trial(run, &made);
	made.degraded = "not cold: 7 pages are still in page cache";
	made_trial(run, &made);
	made.degraded = "no SCHED_FIFO";
	made_trial(run, &made);
	model = made_model(run, "contest");
	assert_string_equal(model->notes.first->text, "swap: made by contend");
	assert_true(lines_contain(&model->notes,
		"in 2 of 3 trials: not cold: 12 pages are still in page cache (figures differ)"));
	assert_true(lines_contain(&model->notes, "in 1 of 3 trials: no SCHED_FIFO"));
	assert_true(lines_contain(&model->notes, "missing samples: 10 % (300 of 3000)"));
	model_free(model);
	made_run_close(run);
}

static void a_run_without_trials_says_so(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct model *model = made_model(run, "contest");

	(void)state;
	assert_null(model->first);
	assert_true(lines_contain(&model->notes, "no trial has ended yet"));
	assert_string_equal(model->title, "Run 1: contest");
	model_free(model);
	made_run_close(run);
}

static void a_run_that_is_not_there_is_an_error(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct model *model = NULL;
	struct error err = { "" };

	(void)state;
	assert_int_equal(
		view_build(view_find("contest"), run->store, 99, NULL, &model, &err), -ENOENT);
	assert_null(model);
	assert_true(err.text[0]);
	made_run_close(run);
}

/* The whole page. */
static void the_page_is_what_was_posted_and_more(void **state)
{
	struct made_run *run = made_run_open("contest", "2.4.18");
	struct made io = { .scenario = "io_load",
		.loads = "io",
		.variant = "2.4.19",
		.time_s = 492.6,
		.cpu_s = 73.89,
		.majors = 813,
		.progress = 1234000000,
		.load_cpu_s = 49.26,
		.freeze_s = 17 };
	struct model *model;
	char *text;

	(void)state;
	put_noload(run, "2.4.18", 67.17);
	put_noload(run, "2.4.19", 67.7);
	made_trial(run, &io);
	io.variant = "2.5.38";
	io.outcome = OUTCOME_TIMEOUT;
	made_trial(run, &io);
	assert_int_equal(store_run_finish(run->store, run->run, RUN_FINISHED, NULL), 0);
	model = made_model(run, "contest");
	text = made_render(model, RENDER_TABLE, 0, false);
	assert_string_equal(text,
		"Run 1: contest\n"
		"2001-09-09 01:46 UTC · Linux 6.18.0 · cgroup: 512 MiB RAM, 1 GiB swap, 2 CPUs · "
		"4 trials, 3 ok · seed 18446744073709551615\n"
		"\n"
		"noload: compile\n"
		"Kernel [runs]   Time CPU% Loads LCPU% Ratio Majors  Sys% Freeze\n"
		"2.4.18    [1]   67.2   98   n/a   n/a  1.00      0 40/10      –\n"
		"2.4.19    [1]   67.7   98   n/a   n/a  1.01      0 40/10      –\n"
		"\n"
		"io_load: compile + io\n"
		"Kernel [runs]   Time CPU% Loads LCPU% Ratio Majors  Sys% Freeze\n"
		"2.4.19    [1]  492.6   15  12.3    10  7.33    813 40/10 17.0 s\n"
		"2.5.38  [0/1] > 60 s  n/a   n/a   n/a   n/a    n/a   n/a 17.0 s\n"
		"* 2.5.38: 1 of 1: timeout\n"
		"\n"
		"[runs]          trials that ended well, of how many; only these are in the row's "
		"figures, each a median unless said otherwise\n"
		"Time            the window: seconds from the lead's release to its end\n"
		"CPU%            user + system time of the lead's whole process tree / window; two "
		"busy CPUs are 200\n"
		"Loads           units of work that the load did in the window, unfinished passes "
		"included\n"
		"LCPU%           CPU time of the load's processes in the window / window\n"
		"Ratio           Time / Time of the reference variant with no load\n"
		"Majors          page faults of the lead that needed I/O\n"
		"Sys%            the whole system's user + system time / its iowait + steal, % of "
		"all CPUs\n"
		"Freeze          longest time by which a thread that wakes every 10 ms was late, "
		"in any trial, failed ones included; – below 0.1 s\n"
		"Ratio: compile  the reference is 67.2 s, under \"2.4.18\" without a load\n"
		"Loads: io       1 = 100 MB (100000000 bytes)\n");
	free(text);
	model_free(model);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_ratios_of_2002_come_out),
		cmocka_unit_test(every_column_is_a_share_of_the_window),
		cmocka_unit_test(time_is_the_median_and_its_range_stands_beside),
		cmocka_unit_test(fairness_is_the_share_of_the_rate_alone),
		cmocka_unit_test(failed_trials_are_counted_and_never_averaged),
		cmocka_unit_test(a_row_without_an_ok_trial_has_an_outcome_and_no_value),
		cmocka_unit_test(a_trial_that_was_tried_again_counts_once),
		cmocka_unit_test(cacherun_is_compared_with_the_cold_compile),
		cmocka_unit_test(settings_as_variants_are_named_and_explained),
		cmocka_unit_test(a_window_of_no_length_divides_nothing),
		cmocka_unit_test(metrics_that_are_missing_are_absent),
		cmocka_unit_test(what_the_reader_must_know_is_said_once),
		cmocka_unit_test(a_run_without_trials_says_so),
		cmocka_unit_test(a_run_that_is_not_there_is_an_error),
		cmocka_unit_test(the_page_is_what_was_posted_and_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
