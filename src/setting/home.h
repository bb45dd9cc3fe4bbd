// SPDX-License-Identifier: GPL-2.0-or-later
/* Where a journal may lie, best first. */
#ifndef SETTING_HOME_H
#define SETTING_HOME_H

#include <limits.h>
#include <stddef.h>

#include "base/error.h"

struct journal_homes {
	char directory[2][PATH_MAX];
	size_t n;
};

/* -ENOENT: neither CONTEND_JOURNAL nor a home directory is known. */
int journal_homes_find(struct journal_homes *ret_homes, struct error *err);

#endif
