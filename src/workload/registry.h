// SPDX-License-Identifier: GPL-2.0-or-later
/* Every workload, by the one symbol that its file exports. */
#ifndef WORKLOAD_REGISTRY_H
#define WORKLOAD_REGISTRY_H

#include "workload/workload.h"

extern const struct workload workload_compile;
extern const struct workload workload_cacherun;
extern const struct workload workload_command;
extern const struct workload workload_process;
extern const struct workload workload_io;
extern const struct workload workload_io_other;
extern const struct workload workload_mem;
extern const struct workload workload_tarc;
extern const struct workload workload_tarx;
extern const struct workload workload_read;
extern const struct workload workload_lslr;
extern const struct workload workload_dbench;
extern const struct workload workload_audio;
extern const struct workload workload_apps;
extern const struct workload workload_stream;
extern const struct workload workload_memfill;
extern const struct workload workload_mmap;
extern const struct workload workload_burn;
extern const struct workload workload_null;

#endif
