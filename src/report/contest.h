// SPDX-License-Identifier: GPL-2.0-or-later
/* The arithmetic of the contest view: trials in groups, medians over a group, references. */
#ifndef REPORT_CONTEST_H
#define REPORT_CONTEST_H

#include "report/figures.h"

struct contest {
	struct results *results;
	struct figures *figures; /* of results->trials[i] */
	double *scratch; /* room for one value of each trial */
	bool exact; /* a trial is what its seed makes of it */
	/* A trial that stands for each; noload first, then in contest's order, solo ones last. */
	const struct result **scenarios;
	size_t n_scenarios;
	const struct result **variants; /* the reference first, then by name */
	size_t n_variants;
};

/* A row of the table: what one scenario did under one variant. Superseded tries are not in it. */
struct group {
	struct contest *contest;
	const struct result *scenario, *variant;
	size_t n, ok;
};

/* Everything lies in the results' arena. False: no memory, which the arena remembers. */
bool contest_read(struct results *results, struct contest *ret_contest);

struct group contest_group(
	struct contest *contest, const struct result *scenario, const struct result *variant);

bool group_has(const struct group *group, const struct result *trial);

/* Median of a figure, named by its offset, over the group's ok trials; NAN when none has it. */
double group_median(const struct group *group, size_t offset);
double group_load_median(const struct group *group, size_t load, size_t offset);

/* The same trials' least and greatest. */
struct span group_span(const struct group *group, size_t offset);
struct span group_load_span(const struct group *group, size_t load, size_t offset);

/* The longest freeze of any trial, whatever its outcome: a failure must not hide it. */
double group_freeze(const struct group *group);

/* What stands for the whole group where it has no ok trial: the most frequent outcome. */
const struct result *group_failure(const struct group *group);

/*
 * Time of the same lead under the reference variant with no load, cold where there is one:
 * cacherun is compile's. NAN without.
 */
double contest_reference(struct contest *contest, const struct result *scenario);

/* Progress per second of the load alone under the variant. NAN when it was not measured. */
double contest_solo_rate(
	struct contest *contest, const char *spelled, const struct result *variant);

#endif
