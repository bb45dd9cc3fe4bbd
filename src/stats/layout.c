// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/layout.h"

#include <errno.h>
#include <math.h>

void layout_free(struct layout *layout)
{
	if (!layout)
		return;
	free(layout->groups);
	free(layout->values);
	free(layout->b);
	free(layout->residuals);
	free(layout->rates);
	free(layout->slots);
	free(layout->ranks);
	free(layout);
}

void layout_cleanup(struct layout **layout)
{
	layout_free(*layout);
}

static struct layout *layout_alloc(size_t n)
{
	struct layout *layout CLEANUP(layout_cleanup) = memory_alloc(1, sizeof(*layout));
	struct layout *whole;

	if (!layout)
		return NULL;
	layout->groups = memory_alloc(n, sizeof(*layout->groups));
	layout->values = memory_alloc(n, sizeof(*layout->values));
	layout->b = memory_alloc(n, sizeof(*layout->b));
	layout->residuals = memory_alloc(n, sizeof(*layout->residuals));
	layout->rates = memory_alloc(n, sizeof(*layout->rates));
	layout->slots = memory_alloc(n, sizeof(*layout->slots));
	layout->ranks = memory_alloc(n, sizeof(*layout->ranks));
	if (!layout->groups || !layout->values || !layout->b || !layout->residuals ||
		!layout->rates || !layout->slots || !layout->ranks)
		return NULL;
	whole = layout;
	layout = NULL;
	return whole;
}

static bool block_seen(const struct sample *samples, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (samples[k].block == samples[i].block)
			return true;
	return false;
}

/* Appends the samples of one block, unless they are all of one side. */
static void add_block(struct layout *layout, const struct sample *samples, size_t n, bool by_block,
	unsigned block)
{
	struct group group = { .first = layout->n };

	for (size_t i = 0; i < n; i++) {
		if (by_block && samples[i].block != block)
			continue;
		layout->values[group.first + group.n] = samples[i].value;
		layout->b[group.first + group.n] = samples[i].b;
		group.n_b += samples[i].b;
		group.n++;
	}
	if (!group.n_b || group.n_b == group.n)
		return;
	layout->n += group.n;
	layout->n_b += group.n_b;
	layout->groups[layout->n_groups++] = group;
}

int layout_new(const struct sample *samples, size_t n, bool by_block, struct layout **ret_layout)
{
	struct layout *layout CLEANUP(layout_cleanup) = layout_alloc(n);

	if (!layout)
		return -ENOMEM;
	for (size_t i = 0; i < (by_block ? n : n > 0); i++)
		if (!block_seen(samples, i))
			add_block(layout, samples, n, by_block, samples[i].block);
	if (!layout->n_groups)
		return -EDOM;
	*ret_layout = layout;
	layout = NULL;
	return 0;
}

void layout_swap(struct layout *layout)
{
	for (size_t i = 0; i < layout->n; i++)
		layout->b[i] = !layout->b[i];
	for (size_t g = 0; g < layout->n_groups; g++)
		layout->groups[g].n_b = layout->groups[g].n - layout->groups[g].n_b;
	layout->n_b = layout->n - layout->n_b;
}

/* Blocks are small: insertion, by value. */
static void sort_group(struct slot *slots, size_t n)
{
	for (size_t i = 1; i < n; i++) {
		struct slot taken = slots[i];
		size_t at = i;

		for (; at > 0 && slots[at - 1].value > taken.value; at--)
			slots[at] = slots[at - 1];
		slots[at] = taken;
	}
}

/* The two whose mean is the centre: both in the middle, or the same one twice. NULL: none. */
struct centre {
	const struct slot *low, *high;
};

static struct centre find_centre(const struct slot *sorted, size_t n)
{
	const struct slot *low = &sorted[(n - 1) / 2], *high = &sorted[n / 2];

	while (low > sorted && isinf(low->value) && low->value > 0)
		low--;
	while (high < &sorted[n - 1] && isinf(high->value) && high->value < 0)
		high++;
	if (isinf(low->value))
		low = high;
	if (isinf(high->value))
		high = low;
	return isinf(low->value) ? (struct centre) {} : (struct centre) { low, high };
}

static double rate_of(const struct layout *layout, size_t i)
{
	return layout->b[i] ? -1 : 0;
}

static void align_group(struct layout *layout, const struct group *group, double shift)
{
	struct slot *slots = &layout->slots[group->first];
	struct centre centre;
	double value = 0, rate = 0;

	for (size_t i = 0; i < group->n; i++) {
		size_t index = group->first + i;

		layout->residuals[index] = layout->values[index] - (layout->b[index] ? shift : 0);
		slots[i] = (struct slot) { layout->residuals[index], index };
	}
	/* One block of any size is never aligned to another: its centre changes nothing. */
	if (layout->n_groups > 1) {
		sort_group(slots, group->n);
		centre = find_centre(slots, group->n);
		if (centre.low) {
			value = midpoint(centre.low->value, centre.high->value);
			rate = (rate_of(layout, centre.low->index) +
				       rate_of(layout, centre.high->index)) /
			       2;
		}
	}
	for (size_t i = group->first; i < group->first + group->n; i++) {
		layout->residuals[i] -= value;
		layout->rates[i] = rate_of(layout, i) - rate;
	}
}

void layout_align(struct layout *layout, double shift)
{
	for (size_t g = 0; g < layout->n_groups; g++)
		align_group(layout, &layout->groups[g], shift);
}

static void rank_all(struct layout *layout)
{
	for (size_t i = 0; i < layout->n; i++)
		layout->slots[i] = (struct slot) { layout->residuals[i], i };
	rank_slots(layout->slots, layout->n, RANK_TIE, layout->ranks);
}

int layout_tails(struct layout *layout, double shift, struct tails *ret_tails)
{
	layout_align(layout, shift);
	rank_all(layout);
	return rank_sum_tails(
		layout->groups, layout->n_groups, layout->ranks, layout->b, ret_tails);
}

/*
 * Between changes of order all residuals move on straight lines (a block's median changes its
 * line only where two of the block meet), so that the next to meet are neighbours.
 */
double layout_next(struct layout *layout, double shift, double gap)
{
	double next = INFINITY;

	layout_align(layout, shift + gap);
	rank_all(layout);
	for (size_t i = 0; i + 1 < layout->n; i++) {
		const struct slot *low = &layout->slots[i], *high = low + 1;
		double closing = layout->rates[low->index] - layout->rates[high->index];

		if (isfinite(low->value) && isfinite(high->value) && closing > 0)
			next = fmin(next, shift + gap + (high->value - low->value) / closing);
	}
	return next;
}

/*
 * All of a block meet within its width w. Beyond it residuals lie within 4 w of each other and
 * differ in rate by at least 1/2 if at all, so that they have met after 8 w more.
 */
double layout_reach(const struct layout *layout)
{
	double width = 0;

	for (size_t g = 0; g < layout->n_groups; g++) {
		double low = INFINITY, high = -INFINITY;

		for (size_t i = 0; i < layout->groups[g].n; i++) {
			double value = layout->values[layout->groups[g].first + i];

			low = isfinite(value) ? fmin(low, value) : low;
			high = isfinite(value) ? fmax(high, value) : high;
		}
		width = fmax(width, high > low ? high - low : 0);
	}
	return 9 * width + 1;
}
