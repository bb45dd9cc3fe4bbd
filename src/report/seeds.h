// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Figures of an exact box with what they are on other seeds: "12125 (12124–12125)". One seed is
 * one path through a chaotic system; without its spread a figure would look surer than it is.
 */
#ifndef REPORT_SEEDS_H
#define REPORT_SEEDS_H

#include "report/contest.h"

/* The cell's number for people, with its span where that is of two or more. */
void seeds_cell(struct row *row, const char *key, enum number_style style, double median,
	const struct span *span);

/*
 * What a person reads in a cell that has the median: with the least and the greatest over the
 * group's ok trials, in parentheses. Nothing is changed where the run is not exact, or fewer than
 * two trials have the figure.
 */
void seeds_figure(struct row *row, const struct group *group, const char *key,
	enum number_style style, size_t offset);

/* The same for a list with a figure of each of n loads, divided by what stands there for it. */
void seeds_loads(struct row *row, const struct group *group, const char *key,
	enum number_style style, size_t offset, const double *divisors, size_t n);

/* Below a scenario's table with such cells: what is in the parentheses. */
void seeds_note(struct table *table, struct contest *contest, const struct result *scenario);

#endif
