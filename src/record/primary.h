// SPDX-License-Identifier: GPL-2.0-or-later
/* The metric that decides: named before the run, and the only one in its verdict and exit code. */
#ifndef RECORD_PRIMARY_H
#define RECORD_PRIMARY_H

#include <stdbool.h>

#include "base/error.h"

struct primary {
	char text[256]; /* as written */
	char source[64], role[64], name[128]; /* source "": the lead's Time */
	bool more_is_better; /* work done, not time taken */
};

/*
 * "time", or "SOURCE/ROLE/NAME" as `contend list metrics` has them, with an empty role for the
 * system: "vmstat//pswpin". A plus at the end says that more is better: "trial/io/progress+".
 */
int primary_parse(const char *text, struct primary *ret_primary, struct error *err);

bool primary_is_time(const struct primary *primary);

#endif
