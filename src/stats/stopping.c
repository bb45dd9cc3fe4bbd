// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/stopping.h"

#include <stddef.h>

#include "base/cleanup.h"

struct early {
	unsigned blocks;
	double level;
};

/* The last look is at the end of the plan, and takes what these leave: .0250, and .01875. */
static const struct early early_blocks[] = { { 3, 0.0093 }, { 5, 0.0157 } };
static const struct early early_pairs[] = { { 6, 0.03125 } };

static double level(const struct early *early, size_t n, unsigned blocks, unsigned last)
{
	double left = STOPPING_ALPHA;

	if (!blocks || blocks > last)
		return 0;
	for (size_t i = 0; i < n && early[i].blocks < last; i++) {
		if (early[i].blocks == blocks)
			return early[i].level;
		left -= early[i].level;
	}
	return blocks == last ? left : 0;
}

double stopping_level(unsigned blocks, unsigned last)
{
	return level(early_blocks, ARRAY_SIZE(early_blocks), blocks, last);
}

double stopping_pairs_level(unsigned pairs, unsigned last)
{
	return level(early_pairs, ARRAY_SIZE(early_pairs), pairs, last);
}
