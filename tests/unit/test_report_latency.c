// SPDX-License-Identifier: GPL-2.0-or-later
/* The latency view: histograms of a variant's ok trials become one. */
#include "test_report.h"

static void put(struct made_run *run, const char *variant, enum outcome_code code,
	const struct histogram *lead, const struct histogram *lateness, int64_t censored)
{
	const struct origin heartbeat = { "heartbeat", "", 1 };
	const struct outcome outcome = { code, "", 5 * NS_PER_S, 6 * NS_PER_S };
	struct trial_row row = {
		.run = run->run,
		.position = run->position++,
		.block = 1,
		.scenario = "compile",
		.lead = "compile",
		.loads = "",
		.variant = variant,
		.assignments = "",
		.cold = true,
	};
	struct sink sink;

	assert_int_equal(sink_init(&sink, MIB, NULL), 0);
	sink_figure(&sink, 1, "censored", "events", &heartbeat, censored);
	sink_histogram(&sink, "lead", "step", lead);
	sink_histogram(&sink, "", "lateness", lateness);
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	made_store(run, &row, &sink);
	sink_done(&sink);
}

static struct histogram *filled(int64_t ns, unsigned times)
{
	static struct histogram histogram;

	histogram = (struct histogram) { 0 };
	for (unsigned i = 0; i < times; i++)
		histogram_add(&histogram, ns);
	return &histogram;
}

static double raw(const struct model *model, unsigned row, const char *key)
{
	const struct table *table = made_table(model, 0);
	const struct cell *cell = &made_row(table, row)->cells[made_column(table, key)];

	return cell->kind == CELL_NUMBER ? cell->number : NAN;
}

static void ok_trials_are_one_and_variants_stand_side_by_side(void **state)
{
	static struct histogram none;
	struct made_run *run = made_run_open("contest", "a");
	struct model *model;

	(void)state;
	put(run, "b", OUTCOME_OK, filled(5000, 10), &none, 0);
	put(run, "a", OUTCOME_OK, filled(16, 990), &none, 0);
	put(run, "a", OUTCOME_OK, filled(2 * NS_PER_MS, 10), &none, 0);
	put(run, "a", OUTCOME_TIMEOUT, filled(NS_PER_S, 10), &none, 0);
	model = made_model(run, "latency");
	/* The system's lateness first, as the histograms are ordered: of a, then of b. */
	assert_cell(model, 0, 0, "role", "system");
	assert_cell(model, 0, 0, "count", "0");
	assert_cell(model, 0, 0, "max_ns", "n/a");
	assert_cell(model, 0, 0, "p50_ns", "n/a");
	assert_cell(model, 0, 2, "role", "lead");
	assert_cell(model, 0, 2, "variant", "a");
	assert_cell(model, 0, 2, "count", "1000");
	assert_cell(model, 0, 2, "p50_ns", "16 ns");
	assert_cell(model, 0, 2, "max_ns", "2.00 ms");
	assert_float_equal(raw(model, 2, "mean_ns"), (990 * 16 + 10 * 2e6) / 1000, 1e-9);
	assert_true(raw(model, 2, "p99_ns") == 16);
	assert_in_range((uint64_t)raw(model, 2, "p99.9_ns"), 2000000, 2064000);
	assert_cell(model, 0, 3, "variant", "b");
	assert_cell(model, 0, 3, "count", "10");
	assert_true(lines_contain(&made_table(model, 0)->notes, "a: 1 of 3: timeout"));
	model_free(model);
	made_run_close(run);
}

static void waits_without_an_end_and_clocks_that_went_back_are_shown(void **state)
{
	struct made_run *run = made_run_open("contest", "default");
	struct histogram back = { 0 }, late = { 0 };
	struct model *model;

	(void)state;
	histogram_add(&back, -1);
	histogram_add(&back, 7);
	histogram_add(&late, 17 * NS_PER_S);
	put(run, "default", OUTCOME_OK, &back, &late, 2);
	put(run, "default", OUTCOME_OK, &back, &late, 1);
	model = made_model(run, "latency");
	assert_cell(model, 0, 0, "censored", "3");
	assert_cell(model, 0, 0, "max_ns", "17.0 s");
	assert_cell(model, 0, 0, "negative", "n/a");
	assert_cell(model, 0, 1, "censored", "n/a");
	assert_cell(model, 0, 1, "negative", "2");
	assert_cell(model, 0, 1, "count", "2");
	model_free(model);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(ok_trials_are_one_and_variants_stand_side_by_side),
		cmocka_unit_test(waits_without_an_end_and_clocks_that_went_back_are_shown),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
