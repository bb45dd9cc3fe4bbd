// SPDX-License-Identifier: GPL-2.0-or-later
/* How views of scenarios and variants name their tables and rows. */
#ifndef REPORT_NAMING_H
#define REPORT_NAMING_H

#include "report/contest.h"

/* The first columns of a table with one row for each variant, set by name_variant(). */
#define NAME_COLUMNS \
	{ "name", "Variant", .flags = COLUMN_PEOPLE }, \
		{ "variant", "Variant", .flags = COLUMN_MACHINE }, \
	{ \
		"kernel", "Kernel", .flags = COLUMN_MACHINE \
	}

/*
 * Reads the run's trials as a contest, puts what each variant sets into the legend, and calls for
 * each scenario, solo ones too.
 */
void name_scenarios(struct results *results, struct model *model,
	void (*add)(struct model *model, struct contest *contest, const struct result *scenario));

/*
 * Says for machines which scenario a table is about, and heads its column "name", where it has
 * one: "Kernel" when the variants are nothing but kernels.
 */
void name_table(struct table *table, const struct contest *contest, const struct result *scenario);

/* "name" is for people: a kernel's release where the variant has no name of its own. */
void name_variant(struct row *row, const struct group *group);

/* "compile+io", or with options "compile+io: compile + io:size=64M". */
const char *name_scenario(struct results *results, const struct result *scenario);

/* The same for machines, into the table's facts. */
void name_facts(struct table *table, const struct result *scenario);

/* Trials that ended well and all of them: "trials_ok", "trials", and for people "runs". */
void name_runs(struct row *row, const struct group *group);

/*
 * Notes "1 of 3: load-died (io exited with status 1)", for each way of failing, once; below the
 * table, or where that is NULL below all.
 */
void name_failures(struct model *model, struct table *table, const struct group *group);

#endif
