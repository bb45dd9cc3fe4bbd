// SPDX-License-Identifier: GPL-2.0-or-later
/* Every workload, by the one symbol that its file exports. */
#ifndef WORKLOAD_REGISTRY_H
#define WORKLOAD_REGISTRY_H

#include "workload/workload.h"

extern const struct workload workload_burn;
extern const struct workload workload_null;

#endif
