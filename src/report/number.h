// SPDX-License-Identifier: GPL-2.0-or-later
/* Numbers as people read them. NAN stands for a number that is absent, and never gets out. */
#ifndef REPORT_NUMBER_H
#define REPORT_NUMBER_H

#include <stddef.h>

#define NUMBER_ABSENT "n/a"
#define NUMBER_NONE "–"

enum number_style {
	STYLE_COUNT, /* whole */
	STYLE_AMOUNT, /* three significant digits */
	STYLE_SECONDS, /* one decimal, below 10 s two */
	STYLE_PERCENT, /* whole, below 10 one decimal */
	STYLE_SHARE, /* the same with a sign: "42%" */
	STYLE_RATIO, /* two decimals */
	STYLE_DURATION, /* of nanoseconds, three significant digits and the unit: "12.3 ms" */
	STYLE_FREEZE, /* seconds, "0.35 s"; none below 100 ms, which is no freeze */
};

/* A number that is not finite is absent. Returns buf. */
const char *number_render(enum number_style style, double number, char *buf, size_t size);

/* Least and greatest of n numbers; NAN and 0 without one. */
struct span {
	double min, max;
	size_t n;
};

/* Of those that are not absent. */
struct span span_of(const double *values, size_t n);

/* "4.646–4.657", with digits to tell them apart; one number where six digits do not. */
const char *span_spell(const struct span *span, char *buf, size_t size);

/* Median of those that are not absent: NAN when none is. Sorts the values. */
double number_median(double *values, size_t n);

#endif
