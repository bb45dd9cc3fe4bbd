// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "workload/registry.h"

const struct workload *const workload_registry[] = {
	&workload_compile,
	&workload_cacherun,
	&workload_command,
	&workload_process,
	&workload_io,
	&workload_io_other,
	&workload_mem,
	&workload_tarc,
	&workload_tarx,
	&workload_read,
	&workload_lslr,
	&workload_dbench,
	&workload_audio,
	&workload_apps,
	&workload_stream,
	&workload_memfill,
	&workload_mmap,
	&workload_burn,
	&workload_null,
	NULL,
};

const struct workload *workload_find(const char *name, unsigned roles)
{
	for (const struct workload *const *each = workload_registry; *each; each++) {
		if (!strcmp((*each)->name, name) && ((*each)->roles & roles))
			return *each;
	}
	return NULL;
}
