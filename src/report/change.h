// SPDX-License-Identifier: GPL-2.0-or-later
/* Differences of logarithms as people and machines read them: per cent. */
#ifndef REPORT_CHANGE_H
#define REPORT_CHANGE_H

#include "report/model.h"
#include "stats/compare.h"

/* "+12.3 %", "-4.2 %", "×12.5" */
const char *change_spell(double difference, char *buf, size_t size);

/* A machine's number: absent where there is no bound. */
double change_number(double difference);

/* Into the cells "interval", "low_percent" and "high_percent". */
void change_set_interval(struct row *row, const struct interval *interval);

/* The least and the greatest of any seed into "seeds", "least_percent" and "most_percent". */
void change_set_seeds(struct row *row, const struct comparison *comparison);

/* The columns of change_set_seeds(). */
#define CHANGE_SEEDS_COLUMNS \
	{ "seeds", "seeds", .flags = COLUMN_PEOPLE | COLUMN_RIGHT | COLUMN_OPTIONAL, \
		.definition = "least and greatest change on any one seed" }, \
		{ "least_percent", "least", "%", .flags = COLUMN_MACHINE }, \
	{ \
		"most_percent", "most", "%", .flags = COLUMN_MACHINE \
	}

#endif
