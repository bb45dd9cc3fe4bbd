// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data that is costly to make and the same for every trial of a run: generated trees, files of
 * RAM size. Made once on the run's shelf, used read-only (or overwritten in place) by all.
 */
#ifndef WORKLOAD_SHELF_H
#define WORKLOAD_SHELF_H

#include <stddef.h>

#include "base/error.h"
#include "workload/workload.h"

/*
 * Finds "SHELF/key", or makes it: make(path, data) fills a new file or directory of a temporary
 * name, which then is given its own by rename(2), so that a half-made thing is never found.
 * `key` must name everything that the contents follow from (sizes, seed, revision). The path is
 * written to path. Two instances may ask for one key at the same time: one makes, one waits.
 */
int shelf_find(const struct place *place, const char *key,
	int (*make)(const char *path, const void *data, struct error *err), const void *data,
	char *path, size_t size, struct error *err);

#endif
