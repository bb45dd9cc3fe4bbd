// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a comparison of variants came to. Two arms, A and B, are variants of one run, whose trials
 * were shuffled in blocks, or of two runs, which were not measured side by side.
 */
#ifndef REPORT_VERDICTS_H
#define REPORT_VERDICTS_H

#include "report/results.h"
#include "stats/adjust.h"
#include "stats/decide.h"
#include "stats/kendall.h"

struct arm {
	struct results *results;
	const char *variant;
};

/* One scenario of B against A. */
struct versus {
	struct arm a, b;
	const char *scenario;
	struct question time; /* the lead's Time: the primary metric */
	double median_a_s, median_b_s; /* of ok trials; NAN without */
	size_t trials_a, trials_b, failed_a, failed_b; /* no warm-ups, last tries */
	double failures_p; /* Fisher's exact test; NAN: not to be had */
	struct kendall drift; /* of Time over the run; p NAN: not to be had */
};

struct verdicts {
	struct arena *arena;
	struct versus *all;
	size_t n;
	unsigned blocks; /* that ended; 0: not in blocks */
	double level; /* of p, adjusted */
	double delta; /* per cent */
};

/*
 * Every variant of a run against its reference, in every scenario but solo ones. All memory is the
 * results' arena's. -ENOMEM; a run with one variant has no verdicts, which is no failure.
 */
int verdicts_of_run(struct results *results, struct verdicts *ret_verdicts, struct error *err);

/* The scenarios that both arms have. They are compared as they are: apart. */
int verdicts_of_arms(
	struct arm a, struct arm b, double delta, struct verdicts *ret_verdicts, struct error *err);

/* Worst of all verdicts: SLOWER, else INCONCLUSIVE, else what there is; SAME when n is 0. */
enum verdict verdicts_worst(const struct verdicts *verdicts);

/* A metric other than Time that may have moved. */
struct pointer {
	const struct versus *versus;
	const char *source, *role, *name, *unit;
	double median_a, median_b;
	struct question question;
};

/*
 * All counters and figures of the trials, compared as Time was; those that may have moved at
 * q = ADJUST_LOOK_HERE, most certain first.
 */
int verdicts_pointers(const struct verdicts *verdicts, struct pointer **ret_pointers, size_t *ret_n,
	struct error *err);

#endif
