// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/cleanup.h"
#include "workload/workload.h"

static const struct option_row rows[] = {
	{
		OPTION("workers", OPTION_COUNT, struct common_params, workers),
		.fallback = "0",
		.max = "4096",
		.help = "threads that do the work; 0: as the workload has it",
	},
	{
		OPTION("rate", OPTION_REAL, struct common_params, rate),
		.fallback = "0",
		.min = "0",
		.help = "units per second, all workers together; 0: as fast as it goes",
	},
};

const struct option_rows workload_common_options = OPTION_ROWS(rows);
