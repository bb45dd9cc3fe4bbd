// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What arms of a comparison ran on, and where that differs: as a variant sets it, or not. The
 * latter may explain a difference that is then none of the variants'.
 */
#ifndef REPORT_DIFFERENCES_H
#define REPORT_DIFFERENCES_H

#include "report/verdicts.h"

/* One key in one trial, or, of a scenario, in one arm. */
struct difference_entry {
	const char *key, *text;
	size_t arm, trial; /* indices; of a scenario's key the trial is the arm's first */
};

struct differences {
	struct arena *arena;
	const struct arm *arms;
	size_t n_arms;
	struct difference_entry *entries; /* by key, arm and trial */
	size_t n, room;
	size_t trials; /* of all arms, that have an environment */
};

/*
 * Reads the environments of all trials of the arms, and how each scenario that all arms have was
 * spelled. The arms must outlive it. -ENOMEM or what the store says.
 */
int differences_read(struct arena *arena, const struct arm *arms, size_t n_arms,
	struct differences *ret_differences, struct error *err);
void differences_done(struct differences *differences);

/* Tables of what differs: what no variant sets first. Returns how many keys those tables have. */
size_t differences_tell(const struct differences *differences, struct model *model);

/* A table of what is the same. */
void differences_tell_same(const struct differences *differences, struct model *model);

/* A table of the options in which the arms' kernels were configured differently, if any. */
void differences_tell_config(const struct differences *differences, struct model *model);

/* A table with the columns "key" and one for each arm; NULL without memory. */
struct table *differences_table(
	const struct differences *differences, struct model *model, const char *caption);

/* Is "vm.swappiness=10" among the assignments where the key is "vm.swappiness"? */
bool assignments_set(const char *assignments, const char *key);

#endif
