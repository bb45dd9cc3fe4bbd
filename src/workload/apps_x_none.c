// SPDX-License-Identifier: GPL-2.0-or-later
/* contend was built without xcb: there are no X programs. */
#include "workload/apps.h"

static int none_probe(
	const struct place *place, const struct apps_params *params, struct error *err)
{
	(void)place;
	return error_set(err, -EOPNOTSUPP,
		"display=%s: this contend was built without xcb; display=none starts contend's "
		"own apps",
		apps_display(params));
}

const struct apps_kind apps_x = {
	.probe = none_probe,
};
