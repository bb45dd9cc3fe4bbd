// SPDX-License-Identifier: GPL-2.0-or-later
/* A store with a run of made-up trials, for the tests of views. */
#ifndef TEST_REPORT_H
#define TEST_REPORT_H

#include "test.h"

#include <math.h>

#include "base/file.h"
#include "base/unit.h"
#include "record/wire.h"
#include "report/render.h"
#include "report/view.h"
#include "store/store.h"

/* A number beyond those that every trial has. */
struct made_number {
	const char *source, *role, *name, *unit;
	int64_t value;
};

/* What one trial is to have measured. Zeroes stand for zero; `bare` leaves all metrics out. */
struct made {
	const char *scenario, *lead, *loads, *variant, *assignments;
	bool solo, warm, bare;
	enum outcome_code outcome;
	const char *text;
	double time_s;
	double cpu_s; /* of the lead */
	int64_t majors;
	int64_t progress; /* of the first load, bytes */
	double load_cpu_s;
	double freeze_s;
	int64_t missing; /* of 1000 samples */
	const char *degraded;
	const char *kernel; /* NULL: 6.18.0 */
	const char *swappiness; /* environment; NULL: 60 */
	const char *config; /* of the kernel; NULL: not readable */
	int64_t again; /* position + 1 of the trial that this one repeats; 0: a new one */
	unsigned block; /* 0: the first */
	bool warmup; /* in no block */
	bool exact; /* in a guest on counted instructions */
	bool ended; /* the lead did, whatever the outcome */
	struct made_number numbers[4]; /* up to the first without a name */
};

struct made_run {
	char directory[32];
	struct store *store;
	int64_t run;
	unsigned position;
};

static inline struct made_run *made_run_open(const char *title, const char *reference)
{
	struct made_run *made = calloc(1, sizeof(*made));
	struct run_row row = {
		.title = title,
		.command = "contend run",
		.version = "0.1.0",
		.box = "cgroup: 512 MiB RAM, 1 GiB swap, 2 CPUs",
		.reference = reference,
		.seed = 18446744073709551615ULL,
		.delta = 5,
		.blocks = 8,
		.started_s = 1000000000,
	};
	struct error err;
	char path[64];

	assert_non_null(made);
	strcpy(made->directory, "/tmp/contend-report-XXXXXX");
	assert_non_null(mkdtemp(made->directory));
	snprintf(path, sizeof(path), "%s/store.db", made->directory);
	assert_int_equal(store_open(path, false, &made->store, &err), 0);
	assert_int_equal(store_run_create(made->store, &row, &made->run, &err), 0);
	return made;
}

/* Trials go into another run of the same store from here on. */
static inline void made_run_next(struct made_run *made, const char *reference, const char *primary)
{
	struct run_row row = {
		.title = "another",
		.command = "contend run",
		.version = "0.1.0",
		.box = "host",
		.reference = reference,
		.primary = primary,
		.delta = 5,
		.blocks = 8,
	};

	assert_int_equal(store_run_create(made->store, &row, &made->run, NULL), 0);
	made->position = 0;
}

static inline void made_run_close(struct made_run *made)
{
	store_close(made->store);
	assert_int_equal(tree_remove(made->directory, NULL), 0);
	free(made);
}

static inline void made_counter(struct sink *sink, const char *source, const char *role,
	const char *name, const char *unit, int64_t value)
{
	struct origin origin = { source, role, 1 };
	struct metric metric = { name, unit, METRIC_COUNTER };
	/* Counters do not start at 0 in life. */
	int64_t first = 1000, last = first + value;
	uint32_t id = sink_metric(sink, &metric, &origin);

	sink_sample(sink, 1, id, 1, &first);
	sink_sample(sink, 2, id, 1, &last);
}

static inline void made_system(struct sink *sink, double time_s)
{
	/* Two CPUs: 40 % busy, 10 % waiting. */
	int64_t ns = (int64_t)(2 * time_s * NS_PER_S);

	made_counter(sink, "stat", "", "user", "ns", ns * 20 / 100);
	made_counter(sink, "stat", "", "nice", "ns", ns * 5 / 100);
	made_counter(sink, "stat", "", "system", "ns", ns * 10 / 100);
	made_counter(sink, "stat", "", "irq", "ns", ns * 2 / 100);
	made_counter(sink, "stat", "", "softirq", "ns", ns * 3 / 100);
	made_counter(sink, "stat", "", "iowait", "ns", ns * 9 / 100);
	made_counter(sink, "stat", "", "steal", "ns", ns * 1 / 100);
	made_counter(sink, "stat", "", "idle", "ns", ns * 50 / 100);
}

static inline void made_metrics(struct sink *sink, const struct made *made)
{
	struct origin trial = { "trial", "", 1 }, heartbeat = { "heartbeat", "", 1 }, load = trial;
	char role[32];

	made_system(sink, made->time_s);
	made_counter(sink, "trial", "lead", "cpu_ns", "ns", (int64_t)(made->cpu_s * NS_PER_S));
	made_counter(sink, "trial", "lead", "major_faults", "events", made->majors);
	sink_figure(sink, 2, "samples_due", "samples", &trial, 1000);
	sink_figure(sink, 2, "samples_taken", "samples", &trial, 1000 - made->missing);
	sink_figure(
		sink, 2, "freeze_longest", "ns", &heartbeat, (int64_t)(made->freeze_s * NS_PER_S));
	if (made->ended)
		made_counter(sink, "trial", "lead", "user_ns", "ns", 1);
	for (size_t i = 0; i < ARRAY_SIZE(made->numbers) && made->numbers[i].name; i++)
		made_counter(sink, made->numbers[i].source, made->numbers[i].role,
			made->numbers[i].name, made->numbers[i].unit, made->numbers[i].value);
	if (!made->loads)
		return;
	snprintf(role, sizeof(role), "%.*s", (int)strcspn(made->loads, ": "), made->loads);
	load.role = role;
	made_counter(sink, "trial", role, "progress", "bytes", made->progress);
	made_counter(sink, "trial", role, "cpu_ns", "ns", (int64_t)(made->load_cpu_s * NS_PER_S));
	sink_figure(sink, 2, "table_divisor", "100 MB", &load, 100000000);
}

static inline void made_store(
	struct made_run *run, const struct trial_row *row, const struct sink *sink)
{
	struct wire wire = { .data = sink->data, .size = sink->used };
	static struct record record;
	struct error err;
	int64_t trial;

	assert_int_equal(store_trial_begin(run->store, row, &trial, &err), 0);
	while (wire_next(&wire, &record, &err) > 0)
		if (record.type != RECORD_END)
			assert_int_equal(store_trial_put(run->store, trial, &record, &err), 0);
	assert_int_equal(store_trial_commit(run->store, trial, &err), 0);
}

static inline void made_trial(struct made_run *run, const struct made *made)
{
	struct trial_row row = {
		.run = run->run,
		.position = made->again ? (unsigned)made->again - 1 : run->position++,
		.block = made->warmup  ? 0
			 : made->block ? made->block
				       : 1,
		.scenario = made->scenario,
		.lead = made->lead ? made->lead : "compile",
		.loads = made->loads ? made->loads : "",
		.variant = made->variant ? made->variant : "default",
		.assignments = made->assignments ? made->assignments : "",
		.solo = made->solo,
		.cold = !made->warm,
		.deadline_ns = 60 * NS_PER_S,
		.started_s = 1000000100,
	};
	struct outcome outcome = {
		.code = made->outcome,
		.open_ns = 5 * NS_PER_S,
		.close_ns = 5 * NS_PER_S + (int64_t)round(made->time_s * NS_PER_S),
	};
	struct sink sink;

	assert_int_equal(sink_init(&sink, MIB, NULL), 0);
	sink_environment(&sink, "kernel.release", made->kernel ? made->kernel : "6.18.0");
	sink_environment(&sink, "vm.swappiness", made->swappiness ? made->swappiness : "60");
	if (made->exact)
		sink_environment(&sink, "contend.vm.mode", "exact");
	if (made->config)
		sink_environment(&sink, "kernel.config", made->config);
	if (made->degraded)
		sink_event(&sink, 1, EVENT_DEGRADED, "", made->degraded);
	if (made->bare)
		outcome.open_ns = outcome.close_ns = 0;
	else
		made_metrics(&sink, made);
	snprintf(outcome.text, sizeof(outcome.text), "%s", made->text ? made->text : "");
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	made_store(run, &row, &sink);
	sink_done(&sink);
}

static inline struct model *made_model(struct made_run *run, const char *view)
{
	struct error err = { "" };
	struct model *model;
	int r = view_build(view_find(view), run->store, run->run, NULL, &model, &err);

	if (r < 0)
		fail_msg("%s", err.text);
	return model;
}

static inline char *made_render(
	const struct model *model, enum render_format format, unsigned width, bool colour)
{
	struct render_options options = { width, colour };
	struct error err = { "" };
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	if (render(model, format, &options, out, &err) < 0)
		fail_msg("%s", err.text);
	assert_int_equal(fclose(out), 0);
	return text;
}

/* The table and the row at a place; there must be one. */
static inline const struct table *made_table(const struct model *model, unsigned place)
{
	const struct table *table = model->first;

	while (table && place--)
		table = table->next;
	if (!table)
		abort();
	return table;
}

static inline const struct row *made_row(const struct table *table, unsigned place)
{
	const struct row *row = table->first;

	while (row && place--)
		row = row->next;
	if (!row)
		abort();
	return row;
}

static inline size_t made_column(const struct table *table, const char *key)
{
	size_t i = 0;

	while (i < table->n_columns && strcmp(table->columns[i].key, key))
		i++;
	assert_true(i < table->n_columns);
	return i;
}

/* What a person reads in a cell. */
static inline void assert_cell(const struct model *model, unsigned table_place, unsigned row_place,
	const char *key, const char *expected)
{
	const struct table *table = made_table(model, table_place);
	size_t i = made_column(table, key);
	char *text = cell_spell(&table->columns[i], &made_row(table, row_place)->cells[i]);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static inline bool lines_contain(const struct lines *lines, const char *text)
{
	for (const struct line *line = lines->first; line; line = line->next)
		if (strstr(line->text, text))
			return true;
	return false;
}

#endif
