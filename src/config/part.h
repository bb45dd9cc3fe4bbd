// SPDX-License-Identifier: GPL-2.0-or-later
/* Parts of scenarios, as config.c needs them beyond part_parse(). */
#ifndef CONFIG_PART_H
#define CONFIG_PART_H

#include "config/config.h"

/*
 * As part_parse(). `full`: a workload that has an option of that name gets it before what the
 * text says.
 */
int part_parse_full(
	const char *text, unsigned roles, bool full, struct part *ret_part, struct error *err);

/* Sets one more option, the workload's own or one that every workload has. */
int part_set(struct part *part, const char *name, const char *value, struct error *err);

/*
 * Takes the next part of "lead+load:opt=val+load" off *rest, which is NULL at the end. A plus
 * inside a value is written "\+"; it is un-escaped in place, other escapes stay.
 */
char *part_next(char **rest);

#endif
