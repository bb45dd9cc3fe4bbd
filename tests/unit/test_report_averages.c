// SPDX-License-Identifier: GPL-2.0-or-later
/* The averages view, with the figures of the posts of 2001 where they are printed. */
#include "test_report.h"

#define MOST 10

/* What one trial's lead did; times in ms. Absent: VALUE_ABSENT. */
struct work {
	const char *scenario, *lead, *variant;
	enum outcome_code outcome;
	int64_t box_swap, swap_before;
	bool counts_bytes;
	size_t n;
	int64_t ended; /* 0: n */
	int64_t bytes[MOST], user[MOST], system[MOST], elapsed[MOST], majors[MOST], minors[MOST],
		swap[MOST];
};

static void put_series(struct sink *sink, const char *name, const char *unit,
	const struct work *work, const int64_t *values, int64_t scale)
{
	const struct origin origin = { "iteration", "lead", 1 };
	const struct metric metric = { name, unit, METRIC_GAUGE };
	uint32_t id = sink_metric(sink, &metric, &origin);

	for (size_t i = 0; i < work->n; i++) {
		int64_t value = values[i] == VALUE_ABSENT ? VALUE_ABSENT : values[i] * scale;

		sink_sample(sink, (int64_t)(6 + i) * NS_PER_S, id, 1, &value);
	}
}

static void put(struct made_run *run, const struct work *work)
{
	const struct origin origin = { "iteration", "lead", 1 }, trial = { "trial", "", 1 };
	const struct outcome outcome = { work->outcome, "", 5 * NS_PER_S, 105 * NS_PER_S };
	struct trial_row row = {
		.run = run->run,
		.position = run->position++,
		.block = 1,
		.scenario = work->scenario ? work->scenario : "memfill",
		.lead = work->lead ? work->lead : "memfill",
		.loads = "",
		.variant = work->variant ? work->variant : "default",
		.assignments = "",
		.cold = true,
	};
	struct sink sink;

	assert_int_equal(sink_init(&sink, MIB, NULL), 0);
	sink_figure(&sink, 1, "swap_bytes", "bytes", &trial, work->box_swap);
	sink_figure(&sink, 1, "iterations", "iterations", &origin,
		work->ended ? work->ended : (int64_t)work->n);
	sink_figure(&sink, 1, "swap_before", "bytes", &origin, work->swap_before);
	if (work->counts_bytes)
		put_series(&sink, "bytes_allocated", "bytes", work, work->bytes, 1);
	put_series(&sink, "elapsed_ns", "ns", work, work->elapsed, NS_PER_MS);
	put_series(&sink, "user_ns", "ns", work, work->user, NS_PER_MS);
	put_series(&sink, "system_ns", "ns", work, work->system, NS_PER_MS);
	put_series(&sink, "major_faults", "events", work, work->majors, 1);
	put_series(&sink, "minor_faults", "events", work, work->minors, 1);
	put_series(&sink, "swap_bytes", "bytes", work, work->swap, 1);
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	made_store(run, &row, &sink);
	sink_done(&sink);
}

static double raw(const struct model *model, unsigned row, const char *key)
{
	const struct table *table = made_table(model, 0);
	const struct cell *cell = &made_row(table, row)->cells[made_column(table, key)];

	return cell->kind == CELL_NUMBER ? cell->number : NAN;
}

/* Ten numbers about the mean, evenly: their sum is ten times the mean. */
static void about(int64_t *values, int64_t mean, int64_t step)
{
	for (int i = 0; i < MOST; i++)
		values[i] = mean + (2 * i - 9) * step;
}

/* "10 x memfill, mean" of 2.4.15-pre6 in the posts. */
static struct work pre6(void)
{
	struct work work = {
		.variant = "2.4.15-pre6",
		.box_swap = 1 << 30,
		.counts_bytes = true,
		.n = MOST,
		.majors = { 103, 104, 104, 104, 104, 104, 104, 104, 104, 103 },
	};

	about(work.bytes, 1652241203, 0);
	about(work.user, 7621, 10);
	about(work.system, 6058, -20);
	about(work.elapsed, 30314, 100);
	about(work.minors, 404169, 100);
	return work;
}

static void the_means_are_those_of_the_posts(void **state)
{
	struct made_run *run = made_run_open("memory", "2.4.15-pre6");
	struct work work = pre6();
	struct model *model;

	(void)state;
	put(run, &work);
	model = made_model(run, "averages");
	assert_string_equal(
		made_table(model, 0)->caption, "memfill, averages for 10 iterations (in 1 trial)");
	assert_cell(model, 0, 0, "statistic", "mean");
	assert_cell(model, 0, 0, "allocated_bytes", "1652241203");
	assert_cell(model, 0, 0, "user_s", "7.62");
	assert_cell(model, 0, 0, "system_s", "6.06");
	assert_cell(model, 0, 0, "elapsed_s", "30.3");
	assert_cell(model, 0, 0, "major_faults", "104");
	assert_cell(model, 0, 0, "minor_faults", "404169");
	assert_float_equal(raw(model, 0, "user_s"), 7.621, 1e-9);
	assert_float_equal(raw(model, 0, "system_s"), 6.058, 1e-9);
	assert_float_equal(raw(model, 0, "elapsed_s"), 30.314, 1e-9);
	assert_float_equal(raw(model, 0, "major_faults"), 103.8, 1e-9);
	/* (7.621 + 6.058) / 30.314; the posts' 44.60 is a mean of whole numbers, cut off. */
	assert_float_equal(raw(model, 0, "cpu_percent"), 45.1244, 1e-4);
	assert_cell(model, 0, 0, "cpu_percent", "45.1");
	model_free(model);
	made_run_close(run);
}

static void median_and_spread_stand_below_the_mean(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct work work = {
		.n = 3,
		.user = { 1000, 2000, 9000 },
		.system = { 0, 0, 0 },
		.elapsed = { 10000, 10000, 10000 },
		.majors = { 5, 100, 6 },
	};
	struct model *model;

	(void)state;
	put(run, &work);
	model = made_model(run, "averages");
	assert_cell(model, 0, 0, "user_s", "4.00");
	assert_cell(model, 0, 1, "statistic", "median");
	assert_cell(model, 0, 1, "user_s", "2.00");
	assert_cell(model, 0, 1, "major_faults", "6.00");
	assert_cell(model, 0, 1, "cpu_percent", "20.0");
	assert_cell(model, 0, 2, "statistic", "min");
	assert_cell(model, 0, 2, "user_s", "1.00");
	assert_cell(model, 0, 2, "cpu_percent", "10.0");
	assert_cell(model, 0, 3, "statistic", "max");
	assert_cell(model, 0, 3, "user_s", "9.00");
	assert_cell(model, 0, 3, "major_faults", "100");
	assert_null(made_table(model, 0)->first->next->next->next->next);
	model_free(model);
	made_run_close(run);
}

static void trials_are_pooled_and_variants_stand_side_by_side(void **state)
{
	struct made_run *run = made_run_open("memory", "b");
	struct work a = { .variant = "a", .n = 2, .elapsed = { 1000, 2000 } };
	struct work b = { .variant = "b", .n = 2, .elapsed = { 3000, 4000 } };
	struct model *model;

	(void)state;
	put(run, &a);
	put(run, &b);
	a.elapsed[0] = 6000;
	put(run, &a);
	put(run, &b);
	model = made_model(run, "averages");
	assert_string_equal(made_table(model, 0)->caption,
		"memfill, averages for 4 iterations each (in 2 trials)");
	assert_cell(model, 0, 0, "variant", "b");
	assert_cell(model, 0, 0, "elapsed_s", "3.50");
	assert_cell(model, 0, 1, "variant", "a");
	assert_cell(model, 0, 1, "statistic", "mean");
	assert_cell(model, 0, 1, "elapsed_s", "2.75");
	assert_cell(model, 0, 2, "statistic", "median");
	assert_cell(model, 0, 1, "of", "n/a");
	model_free(model);
	made_run_close(run);
}

static void only_ok_trials_count_and_the_others_are_told(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct work work = { .n = 2, .elapsed = { 1000, 2000 } };
	struct model *model;

	(void)state;
	put(run, &work);
	work.elapsed[0] = 100000;
	work.outcome = OUTCOME_TIMEOUT;
	put(run, &work);
	model = made_model(run, "averages");
	assert_string_equal(made_table(model, 0)->caption, "memfill, averages");
	assert_cell(model, 0, 0, "of", "2 [1/2]");
	assert_cell(model, 0, 0, "elapsed_s", "1.50");
	assert_true(made_row(made_table(model, 0), 0)->bad);
	assert_true(lines_contain(&made_table(model, 0)->notes, "1 of 2: timeout"));
	model_free(model);
	made_run_close(run);
}

static void swap_that_stays_in_use_is_a_likely_leak(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct work work = {
		.box_swap = 1000 * (int64_t)MIB,
		.swap_before = 100 * (int64_t)MIB,
		.n = 3,
		.elapsed = { 1000, 1000, 1000 },
		/* 1 % is not above 1 %. */
		.swap = { 100 * (int64_t)MIB, 110 * (int64_t)MIB, 90 * (int64_t)MIB },
	};
	struct model *model;

	(void)state;
	put(run, &work);
	model = made_model(run, "averages");
	assert_cell(model, 0, 0, "likely_leak", "n/a");
	assert_cell(model, 0, 0, "swap_residue_bytes", "0");
	assert_cell(model, 0, 3, "swap_residue_bytes", "10485760");
	assert_null(made_table(model, 0)->notes.first);
	model_free(model);
	work.swap[1] = 150 * (int64_t)MIB;
	work.swap[2] = 140 * (int64_t)MIB;
	put(run, &work);
	model = made_model(run, "averages");
	assert_cell(model, 0, 0, "likely_leak", "swap left");
	assert_true(made_row(made_table(model, 0), 0)->bad);
	assert_true(lines_contain(&made_table(model, 0)->notes, "in 1 of 2 trials"));
	assert_true(lines_contain(&made_table(model, 0)->notes,
		"50.0 MiB (5 % of 0.98 GiB) are left after iteration 2 of trial 1"));
	model_free(model);
	made_run_close(run);
}

static void bytes_that_fall_are_a_likely_leak(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct work work = {
		.counts_bytes = true,
		.n = 4,
		.elapsed = { 1000, 1000, 1000, 1000 },
		.bytes = { 1000, 1100, 1090, 1000 },
	};
	struct model *model;

	(void)state;
	put(run, &work);
	model = made_model(run, "averages");
	assert_cell(model, 0, 0, "likely_leak", "fewer bytes");
	assert_true(lines_contain(
		&made_table(model, 0)->notes, "from 1090 to 1000 in iteration 4 of trial 0"));
	model_free(model);
	made_run_close(run);
}

static void what_is_absent_is_no_number(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct work work = {
		.n = 2,
		.ended = 5,
		.box_swap = 1 << 20,
		.swap_before = VALUE_ABSENT,
		.swap = { 1 << 20, 1 << 20 },
		.user = { VALUE_ABSENT, 1000 },
		.system = { 1000, 1000 },
		.elapsed = { 1000, 2000 },
	};
	struct model *model;
	char *text;

	(void)state;
	put(run, &work);
	work.scenario = "null";
	work.n = 0;
	work.ended = 0;
	put(run, &work);
	model = made_model(run, "averages");
	assert_cell(model, 0, 0, "swap_residue_bytes", "n/a");
	assert_cell(model, 0, 0, "allocated_bytes", "n/a");
	assert_cell(model, 0, 0, "user_s", "1.00");
	assert_true(lines_contain(&made_table(model, 0)->notes, "3 further iterations"));
	assert_cell(model, 1, 0, "elapsed_s", "n/a");
	assert_true(lines_contain(&made_table(model, 1)->notes, "no iteration ended"));
	text = made_render(model, RENDER_JSON, 0, false);
	assert_null(strstr(text, "nan"));
	free(text);
	model_free(model);
	made_run_close(run);
}

static const char *fitting_view(struct made_run *run)
{
	struct model *model = made_model(run, "");
	static char name[32];

	snprintf(name, sizeof(name), "%s", model->facts.first->cell.text);
	model_free(model);
	return name;
}

static void averages_are_shown_first_where_every_lead_counts_its_bytes(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct work work = pre6();

	(void)state;
	assert_string_equal(fitting_view(run), "contest");
	put(run, &work);
	assert_string_equal(fitting_view(run), "averages");
	work.scenario = "compile";
	work.lead = "compile";
	work.counts_bytes = false;
	work.outcome = OUTCOME_BROKEN;
	put(run, &work);
	assert_string_equal(fitting_view(run), "averages");
	work.outcome = OUTCOME_OK;
	put(run, &work);
	assert_string_equal(fitting_view(run), "contest");
	made_run_close(run);
}

/* The whole page. */
static void the_page_is_the_posts_block_and_more(void **state)
{
	struct made_run *run = made_run_open("memory", "2.4.15-pre6");
	struct work work = pre6(), aa1 = pre6();
	struct model *model;
	char *text;

	(void)state;
	put(run, &work);
	aa1.variant = "pre6aa1";
	about(aa1.bytes, 1666501836, 0);
	about(aa1.user, 7602, 0);
	about(aa1.system, 3114, 0);
	about(aa1.elapsed, 45371, 0);
	about(aa1.majors, 145, 0);
	about(aa1.minors, 407645, 0);
	put(run, &aa1);
	model = made_model(run, "averages");
	text = made_render(model, RENDER_TABLE, 0, false);
	assert_non_null(strstr(text,
		"memfill, averages for 10 iterations each (in 1 trial)\n"
		"       Kernel           bytes user system elapsed CPU% majors minors swap left\n"
		"mean   2.4.15-pre6 1652241203 7.62   6.06    30.3 45.1    104 404169         0\n"
		"mean   pre6aa1     1666501836 7.60   3.11    45.4 23.6    145 407645         0\n"
		"median 2.4.15-pre6 1652241203 7.62   6.06    30.3 45.1    104 404169         0\n"
		"median pre6aa1     1666501836 7.60   3.11    45.4 23.6    145 407645         0\n"
		"min    2.4.15-pre6 1652241203 7.53   5.88    29.4 43.5    103 403269         0\n"
		"min    pre6aa1     1666501836 7.60   3.11    45.4 23.6    145 407645         0\n"
		"max    2.4.15-pre6 1652241203 7.71   6.24    31.2 46.8    104 405069         0\n"
		"max    pre6aa1     1666501836 7.60   3.11    45.4 23.6    145 407645         0\n"
		"\n"));
	free(text);
	model_free(model);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_means_are_those_of_the_posts),
		cmocka_unit_test(median_and_spread_stand_below_the_mean),
		cmocka_unit_test(trials_are_pooled_and_variants_stand_side_by_side),
		cmocka_unit_test(only_ok_trials_count_and_the_others_are_told),
		cmocka_unit_test(swap_that_stays_in_use_is_a_likely_leak),
		cmocka_unit_test(bytes_that_fall_are_a_likely_leak),
		cmocka_unit_test(what_is_absent_is_no_number),
		cmocka_unit_test(averages_are_shown_first_where_every_lead_counts_its_bytes),
		cmocka_unit_test(the_page_is_the_posts_block_and_more),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
