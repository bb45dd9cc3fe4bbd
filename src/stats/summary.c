// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/summary.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "stats/memory.h"

static int compare_values(const void *x, const void *y)
{
	double a, b;

	memcpy(&a, x, sizeof(a));
	memcpy(&b, y, sizeof(b));
	return (a > b) - (a < b);
}

void values_sort(double *values, size_t n)
{
	if (n > 1)
		qsort(values, n, sizeof(*values), compare_values);
}

double quantile_sorted(const double *sorted, size_t n, double q)
{
	double at = q * (double)(n - 1), part = at - floor(at);
	size_t below = (size_t)at;

	/* Infinity times nothing would be NAN. */
	if (part == 0 || below + 1 >= n || sorted[below] == sorted[below + 1])
		return sorted[below];
	if (isinf(sorted[below + 1]))
		return sorted[below + 1];
	return sorted[below] + part * (sorted[below + 1] - sorted[below]);
}

int summary_make(const double *values, size_t n, struct summary *ret_summary)
{
	struct summary summary = {};
	double *sorted CLEANUP(memory_free) = memory_alloc(n, sizeof(*sorted));
	double sum = 0;

	if (!sorted)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		if (isnan(values[i])) {
			summary.absent++;
			continue;
		}
		if (isinf(values[i]) && values[i] < 0)
			return -EDOM;
		summary.infinite += isinf(values[i]) != 0;
		sum += values[i];
		sorted[summary.n++] = values[i];
	}
	if (!summary.n)
		return -EDOM;
	values_sort(sorted, summary.n);
	summary.min = sorted[0];
	summary.max = sorted[summary.n - 1];
	summary.mean = sum / (double)summary.n;
	summary.median = quantile_sorted(sorted, summary.n, 0.5);
	summary.low = quantile_sorted(sorted, summary.n, 0.25);
	summary.high = quantile_sorted(sorted, summary.n, 0.75);
	*ret_summary = summary;
	return 0;
}
