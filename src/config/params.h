// SPDX-License-Identifier: GPL-2.0-or-later
/* The options of a run as values, and the layers that they come from. */
#ifndef CONFIG_PARAMS_H
#define CONFIG_PARAMS_H

#include <stdbool.h>
#include <stdint.h>

#include "config/config.h"
#include "config/lines.h"

struct run_params {
	int64_t deadline_ns, lead_in_ns, interval_ns, solo_time_ns, budget_ns;
	uint64_t runs, seed, resume, steal;
	double delta;
	bool seed_given;
	bool cold, warm; /* each the other's opposite */
	bool full, quick; /* likewise */
	bool dry_run;
	int noload, solo;
	int format;
	struct box_config box;
	char store[4096], scratch[4096], view[32], reference[64];
	char primary[256];
};

/* run_options in three parts, each beginning with the one before. */
extern const struct option_rows scenario_options; /* what a scenario may have of its own */
extern const struct option_rows file_options; /* what a plan file may say for all of them */

void params_init(struct run_params *ret_params);

int params_set(struct run_params *params, const char *name, const char *value, struct error *err);

/* Sets the options that the lines name, in order; later ones win. */
int params_apply(struct run_params *params, const struct lines *lines, struct error *err);

/* box_options that all boxes but the host have. */
extern const struct option_rows limit_options;

/* One line of a [box] section: `kind`, or one of box_options. */
int box_set(struct box_config *box, const char *name, const char *value, struct error *err);

#endif
