// SPDX-License-Identifier: GPL-2.0-or-later
/* What contend bisect thinks: nothing is measured, read or printed here. */
#ifndef COMMAND_BISECT_SEARCH_H
#define COMMAND_BISECT_SEARCH_H

#include <stdbool.h>
#include <stddef.h>

#include "stats/verdict.h"

/* What is known of a kernel against the first one. */
enum bisect_mark {
	BISECT_UNKNOWN,
	BISECT_GOOD, /* as the first */
	BISECT_BAD, /* it has moved */
	BISECT_SKIPPED, /* it cannot be tested, or the test cannot tell */
};

/* "good", "bad", "undecided". */
const char *bisect_mark_name(enum bisect_mark mark);

/* Which way it must have moved to be bad. */
enum bisect_moved {
	BISECT_EITHER,
	BISECT_SLOWER,
	BISECT_FASTER,
};

/* The choices of an option of that type. */
extern const char *const bisect_moved_names[];

/*
 * The last good kernel and the first bad one that are known: marks[0] is good, marks[n - 1] bad.
 * Bad ones behind the first, and good ones behind that, say nothing more.
 */
void bisect_bounds(const enum bisect_mark *marks, size_t n, size_t *ret_good, size_t *ret_bad);

/*
 * The kernel to measure next: of those between the two that nothing is known of, the one nearest to
 * their middle. n: none is left; the first bad one is then the bound, or one of the skipped before
 * it.
 */
size_t bisect_next(const enum bisect_mark *marks, size_t n);

struct bisect_rule {
	bool pairs; /* values of one index are of one seed, and nothing else differs */
	double level; /* chance of a false alarm that a comparison may have */
	double delta; /* per cent */
	bool more_is_better;
};

/* Differences are of logarithms. */
struct bisect_answer {
	double p;
	double estimate;
	struct interval interval; /* at 1 - 2 level: within delta it shows that nothing moved */
	size_t n; /* pairs; without them values of either */
	enum verdict verdict;
};

/* The smallest p that so many values of either can have. */
double bisect_least_p(bool pairs, size_t n);

/*
 * Compares n values of a kernel with those of the first: INFINITY did not end, NAN is none. Too few
 * of them: INCONCLUSIVE with n 0. -EDOM: a value below 0; -ENOMEM.
 */
int bisect_judge(const double *first, const double *other, size_t n, const struct bisect_rule *rule,
	struct bisect_answer *ret_answer);

/* Bad: moved by more than delta, that way. What moved the other way is good. */
enum bisect_mark bisect_mark_of(enum verdict verdict, enum bisect_moved moved);

#endif
