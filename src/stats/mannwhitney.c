// SPDX-License-Identifier: GPL-2.0-or-later
/* One block of all samples: alignment then changes nothing, and T is Wilcoxon's rank sum. */
#include "stats/mannwhitney.h"

#include "stats/hodges.h"
#include "stats/layout.h"

int mannwhitney_test(
	const struct sample *samples, size_t n, double shift, struct significance *ret_significance)
{
	struct layout *layout CLEANUP(layout_cleanup) = NULL;
	struct tails tails;
	int err;

	err = layout_new(samples, n, false, &layout);
	if (err)
		return err;
	err = layout_tails(layout, shift, &tails);
	if (err)
		return err;
	*ret_significance = tails_significance(&tails);
	return 0;
}

int mannwhitney_estimate(const struct sample *samples, size_t n, double *ret_estimate)
{
	struct layout *layout CLEANUP(layout_cleanup) = NULL;
	int err = layout_new(samples, n, false, &layout);

	return err ? err : layout_estimate(layout, ret_estimate);
}

int mannwhitney_interval(
	const struct sample *samples, size_t n, double level, struct interval *ret_interval)
{
	struct layout *layout CLEANUP(layout_cleanup) = NULL;
	int err = layout_new(samples, n, false, &layout);

	return err ? err : layout_interval(layout, level, ret_interval);
}
