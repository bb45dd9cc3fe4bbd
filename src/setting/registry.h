// SPDX-License-Identifier: GPL-2.0-or-later
/* Every row, by the symbol that its file exports. */
#ifndef SETTING_REGISTRY_H
#define SETTING_REGISTRY_H

#include "setting/setting.h"

extern const struct setting setting_swap;
extern const struct setting setting_zram;
extern const struct setting setting_zswap;
extern const struct setting setting_zswap_max_pool_percent;
extern const struct setting setting_zswap_accept_threshold_percent;
extern const struct setting setting_zswap_shrinker;
extern const struct setting setting_swappiness;
extern const struct setting setting_limit;
extern const struct setting setting_cpus;
extern const struct setting setting_thp;
extern const struct setting setting_thp_defrag;
extern const struct setting setting_thp_shmem;
extern const struct setting setting_ksm;
extern const struct setting setting_mglru;
extern const struct setting setting_mglru_min_ttl_ms;
extern const struct setting setting_iosched;
extern const struct setting setting_readahead;
extern const struct setting setting_preempt;
extern const struct setting setting_governor;
extern const struct setting setting_kernel;
extern const struct setting setting_cmdline;

#endif
