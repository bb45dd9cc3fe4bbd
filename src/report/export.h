// SPDX-License-Identifier: GPL-2.0-or-later
/* A run as data for other programs. docs/store.md lists the fields. */
#ifndef REPORT_EXPORT_H
#define REPORT_EXPORT_H

#include <stdbool.h>
#include <stdio.h>

#include "store/store.h"

/*
 * Write a whole run to `out`: every trial with its outcome and numbers, and with `series` every
 * single sample. A number that is not there is null in JSON, an empty field in CSV. Texts are
 * valid UTF-8 whatever was recorded. -ENOENT: no such run, nothing is written; -EIO and the like
 * when `out` takes no more.
 */
int export_json(struct store *store, int64_t run, bool series, FILE *out, struct error *err);
int export_csv(struct store *store, int64_t run, bool series, FILE *out, struct error *err);

#endif
