// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a comparison of variants came to. Two arms, A and B, are variants of one run, whose trials
 * were shuffled in blocks, or of two runs, which were not measured side by side. In an exact box
 * they are pairs on the same seeds, and it does not matter when they ran: nothing but the seed
 * enters a trial.
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
	struct question primary;
	/* Where the estimate is infinite because trials did not finish: at least (at most) this. */
	double bound; /* a difference of logarithms; NAN: none */
	double median_a, median_b; /* of ok trials, in the primary metric's unit; NAN without */
	struct span span_a, span_b; /* of the same */
	/* No warm-ups, last tries. Skipped and void ones are none. */
	size_t trials_a, trials_b, failed_a, failed_b;
	const char *skipped; /* why no trial of one of them could be run; NULL: some could */
	double failures_p; /* Fisher's exact test; NAN: not to be had */
	struct kendall drift; /* of the primary metric over the run; p NAN: not to be had */
};

struct verdicts {
	struct arena *arena;
	struct primary primary;
	const char *unit; /* of the primary metric */
	struct versus *all;
	size_t n;
	enum design design;
	unsigned blocks; /* the last in which a trial ran; 0: not in blocks */
	double level; /* of p, adjusted */
	double delta; /* per cent */
};

/*
 * Every variant of a run against its reference, in every scenario but solo ones. delta 0: the
 * run's. All memory is the results' arena's. -ENOMEM; a run with one variant has no verdicts, which
 * is no failure.
 */
int verdicts_of_run(
	struct results *results, double delta, struct verdicts *ret_verdicts, struct error *err);

/*
 * The scenarios that both arms have. Arms of the same results are compared as they were arranged,
 * those of two exact runs with the same seed as pairs, and others as they are: apart. -EINVAL: the
 * runs have different primary metrics.
 */
int verdicts_of_arms(
	struct arm a, struct arm b, double delta, struct verdicts *ret_verdicts, struct error *err);

/*
 * Worst of all verdicts: SLOWER, else INCONCLUSIVE, else what there is. What was skipped has no
 * part in it. -ENODATA: nothing could be compared; the text says why.
 */
int verdicts_worst(const struct verdicts *verdicts, enum verdict *ret_worst, struct error *err);

/* Does the trial belong to the arm's side of the comparison? Warm-ups do not. */
bool arm_has(const struct arm *arm, const char *scenario, const struct result *trial);

/*
 * Calls visit() for the trials of both arms in the order in which they ran: those of one run
 * interleaved, those of two one run after the other.
 */
void versus_visit(const struct versus *versus,
	void (*visit)(void *data, const struct arm *arm, const struct result *trial, bool b),
	void *data);

/* A metric other than the primary one that may have moved. */
struct pointer {
	const struct versus *versus;
	const char *source, *role, *name, *unit;
	double median_a, median_b;
	struct span span_a, span_b;
	struct question question; /* its verdict: SLOWER is more, FASTER less */
};

/* Below this a number of rows is read; those beyond have no interval and no verdict. */
#define POINTERS_TOLD 20

/*
 * All counters and figures of the trials, compared as the primary metric was; those that may have
 * moved at q = ADJUST_LOOK_HERE, most certain first, and of equally certain ones those that
 * moved most.
 */
int verdicts_pointers(const struct verdicts *verdicts, struct pointer **ret_pointers, size_t *ret_n,
	struct error *err);

#endif
