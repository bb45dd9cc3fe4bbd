// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/registry.h"

const struct setting *const setting_registry[] = {
	&setting_swap,
	&setting_zram,
	&setting_zswap,
	&setting_zswap_max_pool_percent,
	&setting_zswap_accept_threshold_percent,
	&setting_zswap_shrinker,
	&setting_swappiness,
	&setting_limit,
	&setting_cpus,
	&setting_thp,
	&setting_thp_defrag,
	&setting_thp_shmem,
	&setting_ksm,
	&setting_mglru,
	&setting_mglru_min_ttl_ms,
	&setting_iosched,
	&setting_readahead,
	&setting_preempt,
	&setting_governor,
	&setting_kernel,
	&setting_cmdline,
	NULL,
};
