// SPDX-License-Identifier: GPL-2.0-or-later
/* The views apps and stream. */
#include "test_report.h"

/* One trial's turns. */
struct turn {
	int app, switched, fate;
	int64_t at_ms, latency_ms, majors;
};

static struct trial_row row_of(struct made_run *run, const char *lead, const char *variant)
{
	return (struct trial_row) {
		.run = run->run,
		.position = run->position++,
		.block = 1,
		.scenario = "desk",
		.lead = lead,
		.loads = "",
		.variant = variant,
		.assignments = "",
		.cold = true,
	};
}

static void put_series(struct sink *sink, const char *name, const struct turn *turns, size_t n,
	int64_t (*read)(const struct turn *turn))
{
	const struct origin origin = { "iteration", "lead", 1 };
	const struct metric metric = { name, "x", METRIC_GAUGE };
	uint32_t id = sink_metric(sink, &metric, &origin);

	for (size_t i = 0; i < n; i++) {
		int64_t value = read(&turns[i]);

		sink_sample(sink, 5 * NS_PER_S + turns[i].at_ms * NS_PER_MS, id, 1, &value);
	}
}

static int64_t app_of(const struct turn *turn)
{
	return turn->app;
}

static int64_t switched_of(const struct turn *turn)
{
	return turn->switched;
}

static int64_t latency_of(const struct turn *turn)
{
	return turn->latency_ms * NS_PER_MS;
}

static int64_t majors_of(const struct turn *turn)
{
	return turn->majors;
}

static int64_t bytes_of(const struct turn *turn)
{
	return turn->app * (int64_t)MIB;
}

static int64_t fate_of(const struct turn *turn)
{
	return turn->fate;
}

static void put_apps(struct made_run *run, const char *variant, const struct turn *turns, size_t n,
	int64_t switch_p99_ms, int64_t failed)
{
	const struct origin apps = { "apps", "lead", 1 }, trial = { "trial", "", 1 };
	const struct outcome outcome = { OUTCOME_OK, "", 5 * NS_PER_S, 15 * NS_PER_S };
	struct trial_row row = row_of(run, "apps:apps=2", variant);
	struct sink sink;

	assert_int_equal(sink_init(&sink, MIB, NULL), 0);
	sink_event(&sink, 1, EVENT_WORKLOAD, "lead", "1 xclock");
	sink_event(&sink, 1, EVENT_WORKLOAD, "lead", "2 xterm");
	sink_figure(&sink, 2, "ram_bytes", "bytes", &trial, 4 * (int64_t)MIB);
	sink_figure(&sink, 2, "starts", "turns", &apps, 2);
	sink_figure(&sink, 2, "failed", "apps", &apps, failed);
	sink_figure(&sink, 2, "switch_p99_ns", "ns", &apps, switch_p99_ms * NS_PER_MS);
	sink_figure(&sink, 2, "switch_worst_ns", "ns", &apps, switch_p99_ms * NS_PER_MS);
	put_series(&sink, "app", turns, n, app_of);
	put_series(&sink, "switched", turns, n, switched_of);
	put_series(&sink, "latency_ns", turns, n, latency_of);
	put_series(&sink, "app_major_faults", turns, n, majors_of);
	put_series(&sink, "open_bytes", turns, n, bytes_of);
	put_series(&sink, "fate", turns, n, fate_of);
	if (failed)
		sink_event(&sink, 6 * NS_PER_S, EVENT_WORKLOAD, "lead",
			"1 switch: killed by signal 9 (Killed)");
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	made_store(run, &row, &sink);
	sink_done(&sink);
}

static const struct turn before[] = {
	{ 1, 0, 0, 1000, 100, 10 },
	{ 1, 1, 0, 1100, 20, 0 },
	{ 2, 0, 0, 2000, 200, 20 },
	{ 1, 1, 0, 3000, 500, 7 },
	{ 2, 1, 0, 4000, 300, 5 },
};

static const struct turn faster[] = {
	{ 1, 0, 0, 800, 90, 8 },
	{ 1, 1, 0, 900, 10, 0 },
	{ 2, 0, 0, 1500, 150, 15 },
	{ 1, 1, 0, 2000, 250, 3 },
	{ 2, 1, 0, 2500, 100, 2 },
};

/* The first app dies when it is switched to for the second time. */
static const struct turn broken[] = {
	{ 1, 0, 0, 1000, 100, 10 },
	{ 1, 1, 0, 1100, 20, 0 },
	{ 2, 0, 0, 2000, 200, 20 },
	{ 1, 1, 1, 3000, 500, VALUE_ABSENT },
	{ 2, 1, 0, 4000, 300, 5 },
};

static double number(const struct model *model, unsigned table, unsigned row, const char *key)
{
	const struct table *t = made_table(model, table);
	const struct cell *cell = &made_row(t, row)->cells[made_column(t, key)];

	return cell->kind == CELL_NUMBER ? cell->number : NAN;
}

static void apps_stand_side_by_side_for_two_variants(void **state)
{
	struct made_run *run = made_run_open("desktop", "default");
	struct model *model;

	(void)state;
	put_apps(run, "default", before, ARRAY_SIZE(before), 500, 0);
	put_apps(run, "patched", faster, ARRAY_SIZE(faster), 250, 0);
	model = made_model(run, "apps");
	/* Latencies. */
	assert_cell(model, 0, 0, "variant", "default");
	assert_cell(model, 0, 0, "switch_p99_ms", "500");
	assert_cell(model, 0, 1, "switch_p99_ms", "250");
	/* As more are open: two rows a round. */
	assert_cell(model, 1, 2, "open", "2");
	assert_cell(model, 1, 2, "open_percent", "50%");
	assert_cell(model, 1, 2, "switch_worst_ms", "500");
	assert_cell(model, 1, 2, "switch_majors", "12");
	assert_cell(model, 1, 3, "switch_majors", "5");
	/* Each app. */
	assert_cell(model, 2, 0, "app_name", "xclock");
	assert_cell(model, 2, 0, "switch_majors", "7");
	assert_cell(model, 2, 2, "app_name", "xterm");
	assert_cell(model, 2, 2, "start_majors", "20");
	/* Progress: N 1, A 1, N 2, A 1, A 2. */
	assert_cell(model, 3, 0, "turn", "N");
	assert_cell(model, 3, 3, "turn", "A");
	assert_cell(model, 3, 3, "app_name", "xclock");
	assert_cell(model, 3, 4, "at_s:default", "4.00");
	assert_cell(model, 3, 4, "at_s:patched", "2.50");
	assert_null(made_row(made_table(model, 3), 4)->next);
	model_free(model);
	made_run_close(run);
}

static void the_median_of_trials_is_taken_turn_by_turn(void **state)
{
	struct made_run *run = made_run_open("desktop", "default");
	struct model *model;

	(void)state;
	put_apps(run, "default", before, ARRAY_SIZE(before), 500, 0);
	put_apps(run, "default", faster, ARRAY_SIZE(faster), 250, 0);
	model = made_model(run, "apps");
	assert_float_equal(number(model, 0, 0, "switch_p99_ms"), 375, 1e-9);
	assert_float_equal(number(model, 0, 0, "switch_worst_ms"), 500, 1e-9);
	assert_float_equal(number(model, 3, 4, "at_s:default"), 3.25, 1e-9);
	assert_float_equal(number(model, 3, 4, "latency_ms:default"), 200, 1e-9);
	model_free(model);
	made_run_close(run);
}

static void an_app_that_died_is_absent_noted_and_marked(void **state)
{
	struct made_run *run = made_run_open("desktop", "default");
	struct model *model;

	(void)state;
	put_apps(run, "default", broken, ARRAY_SIZE(broken), 300, 1);
	model = made_model(run, "apps");
	assert_cell(model, 0, 0, "failed", "1");
	assert_true(made_row(made_table(model, 0), 0)->bad);
	assert_true(isnan(number(model, 3, 3, "latency_ms:default")));
	assert_true(lines_contain(
		&made_table(model, 0)->notes, "app 1 switch: killed by signal 9 (Killed)"));
	model_free(model);
	made_run_close(run);
}

static void put_stream(struct made_run *run, const char *variant, int64_t lost)
{
	static const char *const moments[] = { "begin", "end", "restore" };
	const struct origin origin = { "stream", "lead", 1 };
	const struct outcome outcome = { OUTCOME_OK, "", 5 * NS_PER_S, 15 * NS_PER_S };
	struct trial_row row = row_of(run, "stream", variant);
	struct sink sink;
	char name[64];

	assert_int_equal(sink_init(&sink, MIB, NULL), 0);
	for (int i = 0; i < 3; i++) {
		snprintf(name, sizeof(name), "%s_pgmajfault", moments[i]);
		sink_figure(&sink, 2, name, "events", &origin, 1000 + (int64_t)i * i * lost);
	}
	sink_figure(&sink, 2, "exec_pages", "pages", &origin, 100);
	sink_figure(&sink, 2, "exec_resident_begin", "pages", &origin, 100);
	sink_figure(&sink, 2, "exec_resident_end", "pages", &origin, 100 - lost);
	sink_figure(&sink, 2, "exec_restore_majors", "events", &origin, lost);
	sink_figure(&sink, 2, "exec_restore_ns", "ns", &origin, lost * NS_PER_MS);
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	made_store(run, &row, &sink);
	sink_done(&sink);
}

static void a_stream_shows_what_it_threw_out_and_the_counters(void **state)
{
	struct made_run *run = made_run_open("desktop", "default");
	struct model *model;

	(void)state;
	put_stream(run, "default", 40);
	put_stream(run, "default", 50);
	put_stream(run, "default", 42);
	put_stream(run, "patched", 3);
	model = made_model(run, "stream");
	assert_cell(model, 0, 0, "kind", "executable text");
	assert_cell(model, 0, 0, "lost", "42");
	assert_cell(model, 0, 0, "restore_majors", "42");
	assert_cell(model, 0, 0, "restore_ms", "42.0");
	assert_cell(model, 0, 1, "lost", "3");
	/* What was not recorded is absent. */
	assert_cell(model, 0, 2, "lost", NUMBER_ABSENT);
	assert_cell(model, 1, 6, "counter", "pgmajfault");
	assert_cell(model, 1, 6, "read_difference", "42");
	assert_cell(model, 1, 6, "restore_difference", "126");
	assert_cell(model, 1, 0, "begin", NUMBER_ABSENT);
	model_free(model);
	made_run_close(run);
}

static void runs_of_one_lead_are_shown_in_its_view(void **state)
{
	struct made_run *run = made_run_open("desktop", "default");
	struct model *model;
	struct error err;

	(void)state;
	put_stream(run, "default", 40);
	assert_int_equal(view_build(NULL, run->store, run->run, NULL, &model, &err), 0);
	assert_string_equal(model->facts.first->cell.text, "stream");
	model_free(model);
	made_run_close(run);
}

static void a_view_without_its_lead_says_so(void **state)
{
	struct made_run *run = made_run_open("desktop", "default");
	struct model *model;

	(void)state;
	put_stream(run, "default", 40);
	model = made_model(run, "apps");
	assert_null(model->first);
	assert_true(lines_contain(&model->notes, "no trial of this run has apps as its lead"));
	model_free(model);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(apps_stand_side_by_side_for_two_variants),
		cmocka_unit_test(the_median_of_trials_is_taken_turn_by_turn),
		cmocka_unit_test(an_app_that_died_is_absent_noted_and_marked),
		cmocka_unit_test(a_stream_shows_what_it_threw_out_and_the_counters),
		cmocka_unit_test(runs_of_one_lead_are_shown_in_its_view),
		cmocka_unit_test(a_view_without_its_lead_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
