// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/rank.h"

#include <errno.h>
#include <stdbool.h>

#include "stats/memory.h"

static int compare_slots(const void *x, const void *y)
{
	const struct slot *a = x, *b = y;

	if (a->value != b->value)
		return a->value < b->value ? -1 : 1;
	return (a->index > b->index) - (a->index < b->index);
}

void slots_sort(struct slot *slots, size_t n)
{
	if (n > 1)
		qsort(slots, n, sizeof(*slots), compare_slots);
}

static bool tied(double low, double high, double tie)
{
	return low == high || high - low <= tie;
}

void rank_slots(struct slot *slots, size_t n, double tie, uint32_t *ret_ranks)
{
	size_t first = 0;

	slots_sort(slots, n);
	while (first < n) {
		size_t last = first;

		while (last + 1 < n && tied(slots[last].value, slots[last + 1].value, tie))
			last++;
		for (size_t i = first; i <= last; i++)
			ret_ranks[slots[i].index] = (uint32_t)(first + last + 2);
		first = last + 1;
	}
}

int rank_values(const double *values, size_t n, double tie, uint32_t *ret_ranks)
{
	struct slot *slots CLEANUP(memory_free) = memory_alloc(n, sizeof(*slots));

	if (!slots)
		return -ENOMEM;
	for (size_t i = 0; i < n; i++)
		slots[i] = (struct slot) { values[i], i };
	rank_slots(slots, n, tie, ret_ranks);
	return 0;
}
