// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "sampler/registry.h"

const struct sampler *const sampler_registry[] = {
	&sampler_cgroup,
	&sampler_diskstats,
	&sampler_limits,
	&sampler_meminfo,
	&sampler_psi,
	&sampler_stat,
	&sampler_vmstat,
	&sampler_zram,
	NULL,
};

const struct sampler *sampler_find(const char *name)
{
	for (const struct sampler *const *each = sampler_registry; *each; each++) {
		if (!strcmp((*each)->name, name))
			return *each;
	}
	return NULL;
}
