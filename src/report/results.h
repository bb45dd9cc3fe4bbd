// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One run as views read it: its trials in memory, their numbers fetched when asked for. The first
 * failure of the store is remembered and told by view_build(); after it everything is absent.
 */
#ifndef REPORT_RESULTS_H
#define REPORT_RESULTS_H

#include <stdbool.h>
#include <stddef.h>

#include "report/arena.h"
#include "report/model.h"
#include "store/query.h"

/* A trial. A position that was tried again counts once, by its last try. */
struct result {
	struct trial_row row;
	unsigned try; /* from 1 */
	bool superseded; /* there is a later try */
};

/* The columns of the vmstat view. */
enum vmstat_columns {
	VMSTAT_PROCPS, /* today's */
	VMSTAT_2001,
};

/* What a reader may ask for. A view takes what concerns it. */
struct view_options {
	bool one_trial; /* `trial` is the one to show; else the view chooses */
	uint64_t trial; /* its position in the run */
	enum vmstat_columns columns;
	double delta; /* per cent, for verdicts; 0: the run's */
};

struct results {
	struct store *store;
	struct view_options options;
	struct arena arena;
	struct run_row run;
	struct result *trials; /* by position and try */
	size_t n;
	int failed; /* negative errno */
	struct error error;
};

int results_open(struct store *store, int64_t run, struct results *ret_results, struct error *err);
void results_done(struct results *results);

/* What the store failed to give, or memory that ran out, since it was opened. */
int results_check(const struct results *results, struct error *err);

/* What store_value() says of the trial; NAN when it is absent. */
double results_value(struct results *results, const struct result *trial, const char *source,
	const char *role, const char *name);

/* What store_primary() says of the trial. */
double results_primary(
	struct results *results, const struct result *trial, const struct primary *primary);

/*
 * All samples of a metric. Returns whether the trial has it; without it *ret_series is empty. Free
 * it with series_done() either way.
 */
bool results_series(struct results *results, const struct result *trial, const char *source,
	const char *role, const char *name, struct series *ret_series);

/* The unit of a metric, "" when the trial has none of it. */
const char *results_unit(struct results *results, const struct result *trial, const char *source,
	const char *role, const char *name);

/* Calls for each of the trial's histograms, by role and name. */
void results_histograms(struct results *results, const struct result *trial,
	int (*visit)(
		void *data, const char *role, const char *name, const struct histogram *histogram),
	void *data);

/* The text of a key of the trial's environment, or NULL. */
const char *results_environment(
	struct results *results, const struct result *trial, const char *key);

/* Is it one of the plan's: its last try, and no warm-up? */
bool result_measures(const struct result *trial);

/* Is it one of those that enter averages: ok, not tried again, and no warm-up? */
bool result_counts(const struct result *trial);

/* Seconds of the window; NAN when it never opened. */
double result_window_s(const struct result *trial);

/* Do the trials run in an exact box, where a seed has one result? */
bool results_exact(struct results *results);

/* "kernel", or "kernel and kernel": what the trials ran on, "" when none says. */
const char *results_kernels(struct results *results);

/* Title and facts of the run, for every view: "Run 3: contest". */
void results_title(struct results *results, struct model *model);

/*
 * What the reader of any view must know: notes of the run, of the trials (each once, with their
 * number), samples that are missing, and whether contend itself disturbed the window.
 */
void results_notes(struct results *results, struct model *model);

#endif
