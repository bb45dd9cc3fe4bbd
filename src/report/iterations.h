// SPDX-License-Identifier: GPL-2.0-or-later
/* The iterations of a group's leads in GNU time's terms, pooled over its ok trials. */
#ifndef REPORT_ITERATIONS_H
#define REPORT_ITERATIONS_H

#include "report/contest.h"

enum term {
	TERM_ALLOCATED, /* bytes; by the workload's own count */
	TERM_USER, /* seconds */
	TERM_SYSTEM,
	TERM_ELAPSED,
	TERM_CPU, /* 100 * (user + system) / elapsed */
	TERM_MAJORS, /* faults */
	TERM_MINORS,
	TERM_RESIDUE, /* bytes of swap in use at its end, less those before the first */
	TERMS
};

enum statistic {
	STATISTIC_MEAN, /* of TERM_CPU: the ratio of the means */
	STATISTIC_MEDIAN,
	STATISTIC_MIN,
	STATISTIC_MAX,
	STATISTICS
};

/* Something that should not be: the worst case of it, and in how many trials it was. */
struct leak {
	size_t trials;
	const struct result *trial;
	size_t iteration; /* from 1 */
	double bytes;
	double of; /* bytes that it is measured by */
};

struct iterations {
	size_t n;
	size_t trials; /* that they come from */
	double lost; /* iterations that ended and were not kept one by one */
	double (*values)[TERMS]; /* NAN: absent */
	double *scratch; /* n */
	struct leak residue; /* above 1 % of the box's swap, which is `of` */
	struct leak shrinking; /* `bytes` allocated, less than `of` in the iteration before it */
};

/* Everything lies in the results' arena. */
void iterations_read(const struct group *group, struct iterations *ret_iterations);

/* NAN when no iteration has the term. */
double iterations_statistic(
	const struct iterations *iterations, enum statistic statistic, enum term term);

/* Does every lead of the run count the bytes that it allocates? */
bool iterations_allocate(struct results *results);

#endif
