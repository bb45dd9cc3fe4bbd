// SPDX-License-Identifier: GPL-2.0-or-later
#include "stats/aligned.h"

#include "stats/layout.h"

int aligned_test(
	const struct sample *samples, size_t n, double shift, struct significance *ret_significance)
{
	struct layout *layout CLEANUP(layout_cleanup) = NULL;
	struct tails tails;
	int err;

	err = layout_new(samples, n, true, &layout);
	if (err)
		return err;
	err = layout_tails(layout, shift, &tails);
	if (err)
		return err;
	*ret_significance = tails_significance(&tails);
	return 0;
}
