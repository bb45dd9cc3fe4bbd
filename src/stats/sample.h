// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What is compared: one number of each trial. The tests of this room work on any numbers; contend
 * gives them logarithms, so that a difference is a ratio (samples_log(), ratio_percent()).
 *
 * +INFINITY stands for a trial that did not finish: longer than everything that did. -INFINITY is
 * the logarithm of 0: below every number that has one. Both are ranked, and both may come out as
 * an estimate or as the end of an interval: then there is no bound on that side. NAN never
 * comes out, and goes in only where a header says so.
 *
 * All functions return 0, -EDOM when there is nothing to compute, or -ENOMEM.
 */
#ifndef STATS_SAMPLE_H
#define STATS_SAMPLE_H

#include <stdbool.h>
#include <stddef.h>

/* Samples stand in the order in which their trials ran. */
struct sample {
	double value;
	unsigned block; /* any number; trials of one block are compared with each other */
	bool b; /* of the variant; else of the reference, A */
};

/* The answer of a test, two-sided. */
struct significance {
	double p;
	bool exact; /* by counting all arrangements; else by the normal approximation */
};

struct interval {
	double low, high;
};

/*
 * Takes logarithms: 0 becomes -INFINITY, INFINITY stays. Leaves out NAN, which is a trial without
 * this metric. out has room for n and may be in. -EDOM: a value below 0, of which there is no
 * ratio.
 */
int samples_log(const struct sample *in, size_t n, struct sample *out, size_t *ret_n);

/*
 * B - A of each block that has exactly one of either, in order of first appearance; 0 where
 * both are the same infinity. ret has room for n / 2. -EDOM: no such block.
 */
int samples_pair(const struct sample *samples, size_t n, double *ret, size_t *ret_n);

/* B - A; 0 where both are the same infinity. */
double difference(double b, double a);

/* Midway between the two; 0 between -INFINITY and INFINITY. */
double midpoint(double low, double high);

/* A difference of logarithms as per cent: 0.1 is 10.5. INFINITY stays, -INFINITY is -100. */
double ratio_percent(double difference);

#endif
