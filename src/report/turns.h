// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The turns of the lead `apps`: starts and switches in their order, each with its median over the
 * trials of a group. The order is the same in every trial; a turn that was left out because its app
 * was gone is absent.
 */
#ifndef REPORT_TURNS_H
#define REPORT_TURNS_H

#include "report/contest.h"

enum turn_figure {
	TURN_AT, /* seconds of window when it was over */
	TURN_LATENCY, /* ms */
	TURN_MAJORS,
	TURN_OPEN_BYTES, /* the sets of all that were open then */
	TURN_FIGURES
};

struct turns {
	unsigned apps; /* the most that any trial started */
	size_t n; /* turns: apps starts, each followed by a switch to every app so far */
	double (*values)[TURN_FIGURES]; /* medians; NAN: absent */
};

/* Place of a turn, from 0: in the round that began with the start of app `round`, from 1. */
size_t turn_start(unsigned round);
size_t turn_switch(unsigned round, unsigned app);

/* Everything lies in the results' arena. */
void turns_read(const struct group *group, struct turns *ret_turns);

double turns_value(const struct turns *turns, size_t place, enum turn_figure figure);

enum turns_statistic {
	TURNS_MEDIAN,
	TURNS_LARGEST,
	TURNS_SUM,
};

/* Of all switches in a round, and of all switches to an app. NAN when none is known. */
double turns_of_round(const struct turns *turns, unsigned round, enum turn_figure figure,
	enum turns_statistic statistic);
double turns_of_app(const struct turns *turns, unsigned app, enum turn_figure figure,
	enum turns_statistic statistic);

/* What app i was called, or "": by the first trial of the group that says it. */
const char *turns_name(const struct group *group, unsigned app);

/* Notes of apps that died or hung, each once, below a table. */
void turns_note_failures(struct table *table, const struct group *group);

#endif
