// SPDX-License-Identifier: GPL-2.0-or-later
/* Is a file in page cache? The proof that a cold trial is cold. */
#ifndef TRIAL_RESIDENT_H
#define TRIAL_RESIDENT_H

#include "trial/shared.h"

/* Pages of the file that are in page cache, or -errno. mincore(2): asks, and faults nothing in. */
int64_t resident_pages(const char *path);

/* Counts the pages of all the workload's cold files into shared->resident_*. */
void resident_count(const struct instance *instance, struct shared *shared);

#endif
