// SPDX-License-Identifier: GPL-2.0-or-later
/* A store in a directory of its own, and a record to put in it. */
#ifndef TEST_STORE_H
#define TEST_STORE_H

#include "test.h"

#include <sqlite3.h>

#include "base/file.h"
#include "record/wire.h"
#include "store/query.h"

/* Fills *state with the path of a file that does not exist yet. */
static inline int directory_setup(void **state)
{
	static char path[64];

	strcpy(path, "/tmp/contend-test-XXXXXX");
	if (!mkdtemp(path))
		return -1;
	strcat(path, "/contend.db");
	*state = path;
	return 0;
}

static inline int directory_teardown(void **state)
{
	char *path = *state;

	*strrchr(path, '/') = '\0';
	return tree_remove(path, NULL);
}

#define store_test(fn) cmocka_unit_test_setup_teardown(fn, directory_setup, directory_teardown)

static inline struct store *opened(const char *path)
{
	struct store *store;
	struct error err;

	if (store_open(path, false, &store, &err) < 0)
		fail_msg("%s", err.text);
	return store;
}

static const struct run_row a_run = { .title = "contest",
	.command = "contend run",
	.version = "0.1.0",
	.box = "host",
	.reference = "default",
	.seed = UINT64_MAX,
	.started_s = 1700000000 };

static inline int64_t run_made(struct store *store)
{
	int64_t run;

	assert_int_equal(store_run_create(store, &a_run, &run, NULL), 0);
	return run;
}

static inline struct trial_row trial_of_run(int64_t run)
{
	return (struct trial_row) {
		.run = run,
		.position = 3,
		.block = 1,
		.scenario = "compile+io",
		.lead = "compile:workers=4",
		.loads = "io:size=64M",
		.variant = "default",
		.assignments = "vm.swappiness=10",
		.cold = true,
		.seed = 1ULL << 63,
		.deadline_ns = 60000000000,
		.started_s = 1700000001,
	};
}

/* Puts a stream as it is into a trial that has begun. */
static inline int put_stream(
	struct store *store, int64_t trial, const struct sink *sink, struct error *err)
{
	struct wire wire = { .data = sink->data, .size = sink->used };
	struct record record;
	int r;

	while ((r = wire_next(&wire, &record, err)) > 0) {
		r = store_trial_put(store, trial, &record, err);
		if (r < 0)
			return r;
	}
	return r;
}

/*
 * 2 counters of the system and a gauge that are read at one time, three times; a counter of the
 * lead, read at other times; a figure; all other records.
 */
static inline void fill(struct sink *sink)
{
	static const struct metric metrics[] = {
		{ "pgfault", "events", METRIC_COUNTER },
		{ "pgmajfault", "events", METRIC_COUNTER },
		{ "nr_free_pages", "pages", METRIC_GAUGE },
	};
	static const struct metric progress = { "progress", "files", METRIC_COUNTER };
	static const struct origin vmstat = { "vmstat", "", 2 }, lead = { "trial", "lead", 1 };
	static const struct outcome outcome = { OUTCOME_OK, "", 100, 350 };
	static const int64_t samples[][3] = {
		{ 1000, VALUE_ABSENT, 50 },
		{ 1010, VALUE_ABSENT, VALUE_ABSENT },
		{ 1500, 7, 20 },
	};
	static struct histogram histogram;
	int64_t done[] = { 0, 12 };
	uint32_t first = sink->metrics, id;

	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		sink_metric(sink, &metrics[i], &vmstat);
	id = sink_metric(sink, &progress, &lead);
	sink_environment(sink, "kernel", "6.1 \"x\"");
	sink_event(sink, 90, EVENT_PHASE, "", "lead-in");
	for (int i = 0; i < 3; i++) {
		sink_sample(sink, 100 + 100 * i, first, 3, samples[i]);
		if (i != 1)
			sink_sample(sink, 101 + 100 * i, id, 1, &done[i / 2]);
	}
	sink_figure(sink, 350, "workers", "threads", &lead, 4);
	memset(&histogram, 0, sizeof(histogram));
	histogram_add(&histogram, 5);
	histogram_add(&histogram, 1000000);
	sink_histogram(sink, "", "lateness", &histogram);
	sink_event(sink, 350, EVENT_NOTE, "io", "a, \"note\"\n\xc3\xa9\xff");
	sink_outcome(sink, &outcome);
	sink_end(sink);
}

/* The number in the first row, as another reader of the file sees it. */
static inline int64_t count(const char *path, const char *query)
{
	sqlite3 *db;
	sqlite3_stmt *stmt;
	int64_t n;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, query, -1, &stmt, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
	n = sqlite3_column_int64(stmt, 0);
	sqlite3_finalize(stmt);
	sqlite3_close(db);
	return n;
}

static inline int count_one(void *data, const struct trial_row *trial)
{
	(void)trial;
	++*(int *)data;
	return 0;
}

static inline int count_trials(struct store *store, int64_t run)
{
	int n = 0;

	assert_int_equal(store_trials(store, run, count_one, &n, NULL), 0);
	return n;
}

#endif
