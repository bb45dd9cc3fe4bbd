// SPDX-License-Identifier: GPL-2.0-or-later
/* Reading results back. Texts in rows live as long as the call that hands them out. */
#ifndef STORE_QUERY_H
#define STORE_QUERY_H

#include <stddef.h>
#include <stdint.h>

#include "record/metric.h"
#include "record/primary.h"
#include "stats/histogram.h"
#include "store/store.h"

/*
 * Visitors are called row by row; a return value other than 0 ends the visit and is returned by
 * the call. Calls return 0, that value, or negative errno with the text set.
 */
int store_runs(struct store *store, int (*visit)(void *data, const struct run_row *run), void *data,
	struct error *err);

/* The newest run's id. -ENOENT: there is none. */
int store_run_latest(struct store *store, int64_t *ret_run, struct error *err);

/* -ENOENT: no such run (the text names the newest). */
int store_run_visit(struct store *store, int64_t run,
	int (*visit)(void *data, const struct run_row *run), void *data, struct error *err);

/* Notes of a run in order. */
int store_run_notes(struct store *store, int64_t run, int (*visit)(void *data, const char *text),
	void *data, struct error *err);

/* All trials of a run by position; a position that was tried again appears once for each try. */
int store_trials(struct store *store, int64_t run,
	int (*visit)(void *data, const struct trial_row *trial), void *data, struct error *err);

/* Metrics that a trial has readings of, by id. */
int store_metrics(struct store *store, int64_t trial,
	int (*visit)(void *data, const struct metric *metric, const struct origin *origin),
	void *data, struct error *err);

/*
 * What store_value() says of every counter and figure that a trial has, by id of the metric;
 * VALUE_ABSENT where it says that there is none. The id is the same in all trials of a store.
 */
int store_values(struct store *store, int64_t trial,
	int (*visit)(void *data, int64_t id, const struct metric *metric,
		const struct origin *origin, int64_t value),
	void *data, struct error *err);

/* All readings of one metric in one trial, in time order. */
struct series {
	int64_t *t_ns; /* CLOCK_MONOTONIC */
	int64_t *values; /* VALUE_ABSENT where the kernel gave none */
	size_t n;
};

void series_done(struct series *series);

/* -ENOENT without a text: the trial has no such metric. */
int store_series(struct store *store, int64_t trial, const char *source, const char *role,
	const char *name, struct series *ret_series, struct error *err);

/*
 * last - first of a counter over the window, or a figure's one value. -ENOENT as above, or
 * when an end is absent.
 */
int store_value(struct store *store, int64_t trial, const char *source, const char *role,
	const char *name, int64_t *ret_value, struct error *err);

/* The unit of a metric of a trial, into buf. -ENOENT as above. */
int store_unit(struct store *store, int64_t trial, const char *source, const char *role,
	const char *name, char *buf, size_t size, struct error *err);

/*
 * What a trial is worth in a comparison by the primary metric. Time: as outcome_time_s(), but that
 * a trial whose load was killed, while the lead ended, says nothing. Any other metric: its
 * value when the trial is ok and has it. *ret_value is NAN for a trial that says nothing.
 */
int store_primary(struct store *store, const struct trial_row *trial, const struct primary *primary,
	double *ret_value, struct error *err);

struct event_row {
	int64_t t_ns;
	enum event_kind kind;
	const char *role;
	const char *text;
};

int store_events(struct store *store, int64_t trial,
	int (*visit)(void *data, const struct event_row *event), void *data, struct error *err);

/* -ENOENT without a text: the trial has none of that name. */
int store_histogram(struct store *store, int64_t trial, const char *role, const char *name,
	struct histogram *ret_histogram, struct error *err);

/* All histograms of a trial by role and name. */
int store_histograms(struct store *store, int64_t trial,
	int (*visit)(
		void *data, const char *role, const char *name, const struct histogram *histogram),
	void *data, struct error *err);

int store_environment(struct store *store, int64_t trial,
	int (*visit)(void *data, const char *key, const char *text), void *data, struct error *err);

#endif
