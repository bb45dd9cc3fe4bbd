// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * One file of pressure stall information (Documentation/accounting/psi.rst), of the system or of a
 * group. Lines are known by their labels: `full` of cpu came with 5.13, irq has no `some`.
 */
#ifndef SAMPLER_PRESSURE_H
#define SAMPLER_PRESSURE_H

#include <stdbool.h>
#include <stdint.h>

#include "sampler/feed.h"
#include "sampler/list.h"

enum pressure_label {
	PRESSURE_SOME,
	PRESSURE_FULL,
	PRESSURE_LABELS
};

/* Zeroed: not open. */
struct pressure {
	struct feed feed;
	struct {
		bool known;
		size_t place; /* of its metric */
	} labels[PRESSURE_LABELS];
};

/*
 * Adds NAME.some and NAME.full, as far as they are there: total stall time in ns. Negative when
 * there is nothing: no such file, EOPNOTSUPP (psi=0 on the kernel's command line), an empty file.
 */
int pressure_open(struct pressure *ret_pressure, const struct root *root, const char *path,
	const char *name, struct metric_list *list, struct error *err);
int pressure_read(struct pressure *pressure, int64_t *values);
void pressure_close(struct pressure *pressure);

#endif
