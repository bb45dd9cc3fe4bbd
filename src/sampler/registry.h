// SPDX-License-Identifier: GPL-2.0-or-later
/* Every sampler, by the one symbol that its file exports. */
#ifndef SAMPLER_REGISTRY_H
#define SAMPLER_REGISTRY_H

#include "sampler/sampler.h"

extern const struct sampler sampler_cgroup;
extern const struct sampler sampler_diskstats;
extern const struct sampler sampler_limits;
extern const struct sampler sampler_meminfo;
extern const struct sampler sampler_psi;
extern const struct sampler sampler_stat;
extern const struct sampler sampler_vmstat;
extern const struct sampler sampler_zram;

#endif
