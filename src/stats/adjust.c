// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/adjust.h"

#include <errno.h>
#include <math.h>

#include "stats/memory.h"
#include "stats/rank.h"

/* The order of p, ascending. -> caller frees */
static struct slot *order_of(const double *p, size_t n)
{
	struct slot *order = memory_alloc(n, sizeof(*order));

	if (!order)
		return NULL;
	for (size_t i = 0; i < n; i++)
		order[i] = (struct slot) { p[i], i };
	slots_sort(order, n);
	return order;
}

int adjust_holm(const double *p, size_t n, double *ret_adjusted)
{
	struct slot *order CLEANUP(memory_free) = order_of(p, n);
	double highest = 0;

	if (!order)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++) {
		highest = fmin(1, fmax(highest, (double)(n - i) * order[i].value));
		ret_adjusted[order[i].index] = highest;
	}
	return 0;
}

int adjust_false_discovery(const double *p, size_t n, double *ret_adjusted)
{
	struct slot *order CLEANUP(memory_free) = order_of(p, n);
	double lowest = 1;

	if (!order)
		return -ENOMEM;
	for (size_t i = n; i-- > 0;) {
		lowest = fmin(lowest, (double)n / (double)(i + 1) * order[i].value);
		ret_adjusted[order[i].index] = lowest;
	}
	return 0;
}
