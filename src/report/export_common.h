// SPDX-License-Identifier: GPL-2.0-or-later
/* What both forms of the export say of a number, and how they end. */
#ifndef REPORT_EXPORT_COMMON_H
#define REPORT_EXPORT_COMMON_H

#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "store/query.h"

/* The quantiles of a histogram that are given. */
struct quantile {
	const char *name;
	double q;
};

#define QUANTILES 5
extern const struct quantile quantiles[QUANTILES];

#define UTF8_REPLACEMENT "\xef\xbf\xbd" /* U+FFFD */

/* What a series says besides its samples. */
struct summary {
	int64_t first, last, delta; /* VALUE_ABSENT where there is none */
	int64_t min, max;
	double mean; /* when n > 0 */
	size_t n; /* samples that are present */
};

struct summary summary_of(const struct series *series);

/* Length of the window, VALUE_ABSENT when it never opened. */
int64_t window_of(const struct outcome *outcome);

/* Has all arrived that was printed? */
int export_flush(FILE *out, struct error *err);

#endif
