// SPDX-License-Identifier: GPL-2.0-or-later
/* The vmstat view on samples of which each column can be worked out by hand. */
#include "test_report.h"

#define OPEN (5 * NS_PER_S)

/* What the kernel's files say at one moment. Counters as of boot. */
struct moment {
	double at_s; /* since the window opened */
	int64_t user, nice, system, idle, iowait, irq, softirq, steal; /* ms */
	int64_t intr, ctxt, running, blocked;
	int64_t pgpgin, pgpgout, pswpin, pswpout;
	int64_t swap_free, free, buffers, cached, slab; /* KiB */
};

#define SWAP_TOTAL (1024 * 1024) /* KiB */

struct watched {
	double window_s;
	enum outcome_code outcome;
	bool solo;
	int64_t page; /* bytes; 0: not recorded */
	size_t old; /* leave out so many CPU columns: irq, softirq, steal */
	const struct moment *moments;
	size_t n;
};

static void put_metrics(struct sink *sink, const char *source, const char *const *names, size_t n,
	const struct watched *watched, void (*read)(const struct moment *moment, int64_t *values))
{
	const struct origin origin = { source, "", 1 };
	int64_t values[16];
	uint32_t first = sink->metrics;

	for (size_t i = 0; i < n; i++) {
		const struct metric metric = { names[i], "ns", METRIC_COUNTER };

		sink_metric(sink, &metric, &origin);
	}
	for (size_t i = 0; i < watched->n; i++) {
		const struct moment *moment = &watched->moments[i];

		read(moment, values);
		sink_sample(sink, OPEN + (int64_t)round(moment->at_s * NS_PER_S), first,
			(uint32_t)n, values);
	}
}

static void read_stat(const struct moment *m, int64_t *values)
{
	const int64_t all[] = { m->intr, m->ctxt, m->running, m->blocked, m->user * NS_PER_MS,
		m->nice * NS_PER_MS, m->system * NS_PER_MS, m->idle * NS_PER_MS,
		m->iowait * NS_PER_MS, m->irq * NS_PER_MS, m->softirq * NS_PER_MS,
		m->steal * NS_PER_MS };

	memcpy(values, all, sizeof(all));
}

static void read_vmstat(const struct moment *m, int64_t *values)
{
	const int64_t all[] = { m->pgpgin, m->pgpgout, m->pswpin, m->pswpout };

	memcpy(values, all, sizeof(all));
}

static void read_meminfo(const struct moment *m, int64_t *values)
{
	const int64_t all[] = { SWAP_TOTAL * KIB, m->swap_free * KIB, m->free * KIB,
		m->buffers * KIB, m->cached * KIB, m->slab * KIB };

	memcpy(values, all, sizeof(all));
}

static void put(struct made_run *run, const struct watched *watched)
{
	static const char *const stat[] = { "intr", "ctxt", "procs_running", "procs_blocked",
		"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal" };
	static const char *const vmstat[] = { "pgpgin", "pgpgout", "pswpin", "pswpout" };
	static const char *const meminfo[] = { "SwapTotal", "SwapFree", "MemFree", "Buffers",
		"Cached", "SReclaimable" };
	const struct origin trial = { "trial", "", 1 };
	const struct outcome outcome = { watched->outcome, "", OPEN,
		OPEN + (int64_t)round(watched->window_s * NS_PER_S) };
	struct trial_row row = {
		.run = run->run,
		.position = run->position++,
		.block = 1,
		.scenario = "memfill",
		.lead = "memfill",
		.loads = "",
		.variant = "default",
		.assignments = "",
		.solo = watched->solo,
		.cold = true,
	};
	struct sink sink;

	assert_int_equal(sink_init(&sink, MIB, NULL), 0);
	if (watched->page)
		sink_figure(&sink, 1, "page_bytes", "bytes", &trial, watched->page);
	if (watched->n) {
		put_metrics(
			&sink, "stat", stat, ARRAY_SIZE(stat) - watched->old, watched, read_stat);
		put_metrics(&sink, "vmstat", vmstat, ARRAY_SIZE(vmstat), watched, read_vmstat);
		put_metrics(&sink, "meminfo", meminfo, ARRAY_SIZE(meminfo), watched, read_meminfo);
	}
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	made_store(run, &row, &sink);
	sink_done(&sink);
}

static struct model *shown(struct made_run *run, const struct view_options *options)
{
	struct error err = { "" };
	struct model *model;

	if (view_build(view_find("vmstat"), run->store, run->run, options, &model, &err) < 0)
		fail_msg("%s", err.text);
	return model;
}

static double raw(const struct model *model, unsigned row, const char *key)
{
	const struct table *table = made_table(model, 0);
	const struct cell *cell = &made_row(table, row)->cells[made_column(table, key)];

	return cell->kind == CELL_NUMBER ? cell->number : NAN;
}

static size_t count_rows(const struct model *model)
{
	size_t n = 0;

	for (const struct row *row = made_table(model, 0)->first; row; row = row->next)
		n++;
	return n;
}

/* Two CPUs. The readings of the second second come 60 ms late, those of the third in time. */
static const struct moment moments[] = {
	{ 0, 100, 0, 0, 1000, 0, 0, 0, 0, 5000, 70000, 2, 0, 10, 20, 30, 40, SWAP_TOTAL, 900, 50,
		600, 60 },
	{ 0.5, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9 },
	/* 2 s of CPU time: 25 + 0 + 12.5 + 50 + 10 + 1 + 1 + 0.5 %. */
	{ 1.0, 600, 0, 250, 2000, 200, 20, 20, 10, 6000, 73000, 5, 1, 110, 20, 80, 90,
		SWAP_TOTAL - 400, 800, 51, 500, 61 },
	{ 2.06, 1660, 0, 250, 3060, 200, 20, 20, 10, 7060, 78300, 3, 0, 640, 126, 80, 143,
		SWAP_TOTAL - 800, 700, 52, 400, 62 },
	{ 3.0, 1660, 940, 250, 4000, 200, 20, 20, 10, 7060, 78300, 1, 2, 640, 126, 80, 143,
		SWAP_TOTAL - 800, 600, 53, 300, 63 },
};

static const struct watched usual = {
	.window_s = 3.2,
	.page = 4096,
	.moments = moments,
	.n = ARRAY_SIZE(moments),
};

static void a_row_is_what_vmstat_would_have_printed(void **state)
{
	static const struct {
		const char *key, *text;
	} expected[] = {
		{ "r", "5" },
		{ "b", "1" },
		{ "swpd_kib", "400" },
		{ "free_kib", "800" },
		{ "buff_kib", "51" },
		{ "cache_kib", "561" },
		{ "si_kib_per_s", "200" },
		{ "so_kib_per_s", "200" },
		{ "bi_kib_per_s", "100" },
		{ "bo_kib_per_s", "0" },
		{ "in_per_s", "1000" },
		{ "cs_per_s", "3000" },
		{ "us_percent", "25" },
		{ "sy_percent", "15" },
		{ "id_percent", "50" },
		{ "wa_percent", "10" },
		{ "st_percent", "1" },
	};
	struct made_run *run = made_run_open("memory", "default");
	struct model *model;

	(void)state;
	put(run, &usual);
	model = shown(run, NULL);
	for (size_t i = 0; i < ARRAY_SIZE(expected); i++)
		assert_cell(model, 0, 0, expected[i].key, expected[i].text);
	/* Halves go up for people, and stay what they are for machines. */
	assert_float_equal(raw(model, 0, "sy_percent"), 14.5, 1e-9);
	assert_float_equal(raw(model, 0, "st_percent"), 0.5, 1e-9);
	assert_float_equal(raw(model, 0, "time_s"), 1, 1e-9);
	model_free(model);
	made_run_close(run);
}

static void rates_are_per_second_that_passed(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct model *model;

	(void)state;
	put(run, &usual);
	model = shown(run, NULL);
	assert_int_equal(count_rows(model), 3);
	assert_float_equal(raw(model, 1, "time_s"), 2.06, 1e-9);
	assert_float_equal(raw(model, 1, "cs_per_s"), 5000, 1e-6);
	assert_float_equal(raw(model, 1, "in_per_s"), 1000, 1e-6);
	assert_float_equal(raw(model, 1, "bi_kib_per_s"), 500, 1e-6);
	assert_float_equal(raw(model, 1, "so_kib_per_s"), 200, 1e-6);
	assert_cell(model, 0, 1, "us_percent", "50");
	assert_cell(model, 0, 1, "free_kib", "700");
	assert_cell(model, 0, 2, "cs_per_s", "0");
	assert_cell(model, 0, 2, "us_percent", "50");
	assert_cell(model, 0, 2, "b", "2");
	model_free(model);
	made_run_close(run);
}

static void the_columns_of_2001_have_w_and_no_wa(void **state)
{
	const struct view_options options = { .columns = VMSTAT_2001 };
	struct made_run *run = made_run_open("memory", "default");
	struct model *model;
	char *text;

	(void)state;
	put(run, &usual);
	model = shown(run, &options);
	assert_cell(model, 0, 0, "w", "0");
	assert_cell(model, 0, 0, "id_percent", "60");
	text = made_render(model, RENDER_TABLE, 0, false);
	assert_non_null(
		strstr(text, "r b w swpd free buff cache  si  so  bi  bo   in   cs us sy id\n"));
	free(text);
	model_free(model);
	model = shown(run, NULL);
	text = made_render(model, RENDER_TABLE, 0, false);
	assert_non_null(strstr(
		text, "r b swpd free buff cache  si  so  bi  bo   in   cs us sy id wa st\n"));
	free(text);
	model_free(model);
	made_run_close(run);
}

static void swap_counts_in_pages_of_that_kernel(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct watched watched = usual;
	struct model *model;

	(void)state;
	watched.page = 65536;
	put(run, &watched);
	model = shown(run, NULL);
	assert_cell(model, 0, 0, "si_kib_per_s", "3200");
	assert_cell(model, 0, 0, "bi_kib_per_s", "100");
	model_free(model);
	made_run_close(run);
}

static void what_a_kernel_lacks_is_absent_and_takes_no_share(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct watched watched = usual;
	struct model *model;

	(void)state;
	watched.old = 3;
	put(run, &watched);
	model = shown(run, NULL);
	assert_cell(model, 0, 0, "st_percent", "n/a");
	/* Of 1950 ms. */
	assert_float_equal(raw(model, 0, "us_percent"), 100 * 500 / 1950.0, 1e-9);
	model_free(model);
	made_run_close(run);
}

static void a_second_without_a_reading_has_no_row(void **state)
{
	static const struct moment gap[] = {
		{ 0 },
		{ 1, .idle = 2000, .ctxt = 100 },
		{ 5, .idle = 10000, .ctxt = 900 },
		{ 6, .idle = 11000, .ctxt = 900, .user = 1000 },
	};
	struct watched watched = { .window_s = 6, .moments = gap, .n = ARRAY_SIZE(gap) };
	struct made_run *run = made_run_open("memory", "default");
	struct model *model;

	(void)state;
	put(run, &watched);
	model = shown(run, NULL);
	assert_int_equal(count_rows(model), 3);
	assert_float_equal(raw(model, 1, "time_s"), 5, 1e-9);
	assert_float_equal(raw(model, 1, "cs_per_s"), 200, 1e-9);
	assert_cell(model, 0, 2, "us_percent", "50");
	assert_true(lines_contain(&made_table(model, 0)->notes, "3 seconds have no reading"));
	model_free(model);
	made_run_close(run);
}

static void idle_time_that_falls_is_none(void **state)
{
	static const struct moment back[] = {
		{ 0, .idle = 5000, .iowait = 700 },
		{ 1, .idle = 4990, .iowait = 600, .user = 1000 },
	};
	struct watched watched = { .window_s = 1, .moments = back, .n = ARRAY_SIZE(back) };
	struct made_run *run = made_run_open("memory", "default");
	struct model *model;

	(void)state;
	put(run, &watched);
	model = shown(run, NULL);
	assert_cell(model, 0, 0, "us_percent", "100");
	assert_cell(model, 0, 0, "id_percent", "0");
	assert_cell(model, 0, 0, "wa_percent", "0");
	model_free(model);
	made_run_close(run);
}

static const char *fact(const struct model *model, const char *key)
{
	for (const struct fact *each = made_table(model, 0)->facts.first; each; each = each->next)
		if (!strcmp(each->key, key))
			return each->cell.text;
	return NULL;
}

static void any_trial_can_be_asked_for(void **state)
{
	struct made_run *run = made_run_open("memory", "default");
	struct watched watched = usual;
	struct view_options options = { .one_trial = true };
	struct error err = { "" };
	struct model *model;

	(void)state;
	watched.outcome = OUTCOME_TIMEOUT;
	put(run, &watched);
	watched.outcome = OUTCOME_OK;
	watched.solo = true;
	put(run, &watched);
	watched.solo = false;
	put(run, &watched);
	model = shown(run, NULL);
	assert_string_equal(fact(model, "trial"), "2");
	model_free(model);
	model = shown(run, &options);
	assert_string_equal(fact(model, "trial"), "0");
	assert_non_null(strstr(made_table(model, 0)->caption, "timeout"));
	assert_int_equal(count_rows(model), 3);
	model_free(model);
	options.trial = 3;
	assert_int_equal(
		view_build(view_find("vmstat"), run->store, run->run, &options, &model, &err),
		-ENOENT);
	assert_non_null(strstr(err.text, "no trial 3 in run 1"));
	made_run_close(run);
}

static void a_trial_without_a_window_says_so(void **state)
{
	const struct view_options options = { .one_trial = true };
	struct made_run *run = made_run_open("memory", "default");
	struct made skipped = { .scenario = "memfill", .bare = true, .outcome = OUTCOME_SKIPPED };
	struct model *model;

	(void)state;
	made_trial(run, &skipped);
	model = shown(run, &options);
	assert_null(made_table(model, 0)->first);
	assert_true(lines_contain(&made_table(model, 0)->notes, "nothing was sampled"));
	model_free(model);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_row_is_what_vmstat_would_have_printed),
		cmocka_unit_test(rates_are_per_second_that_passed),
		cmocka_unit_test(the_columns_of_2001_have_w_and_no_wa),
		cmocka_unit_test(swap_counts_in_pages_of_that_kernel),
		cmocka_unit_test(what_a_kernel_lacks_is_absent_and_takes_no_share),
		cmocka_unit_test(a_second_without_a_reading_has_no_row),
		cmocka_unit_test(idle_time_that_falls_is_none),
		cmocka_unit_test(any_trial_can_be_asked_for),
		cmocka_unit_test(a_trial_without_a_window_says_so),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
