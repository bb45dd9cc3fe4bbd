// SPDX-License-Identifier: GPL-2.0-or-later
/* Memory for one computation. */
#ifndef STATS_MEMORY_H
#define STATS_MEMORY_H

#include <stdlib.h>

#include "base/cleanup.h"

/* Zeroed memory for n things; for none of them it is still not NULL. */
static inline void *memory_alloc(size_t n, size_t size)
{
	return calloc(n ? n : 1, size);
}

/* For CLEANUP() on a pointer of any type. */
static inline void memory_free(void *pointer)
{
	free(*(void **)pointer);
}

#endif
