// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/stopping.h"

#include "base/cleanup.h"

/* The third look is at the end of the plan, and takes what these leave: .0250. */
static const struct {
	unsigned blocks;
	double level;
} early[] = { { 3, 0.0093 }, { 5, 0.0157 } };

double stopping_level(unsigned blocks, unsigned last)
{
	double left = STOPPING_ALPHA;

	if (!blocks || blocks > last)
		return 0;
	for (unsigned i = 0; i < ARRAY_SIZE(early) && early[i].blocks < last; i++) {
		if (early[i].blocks == blocks)
			return early[i].level;
		left -= early[i].level;
	}
	return blocks == last ? left : 0;
}
