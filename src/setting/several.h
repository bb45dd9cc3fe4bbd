// SPDX-License-Identifier: GPL-2.0-or-later
/* A setting that is the same file of several devices. */
#ifndef SETTING_SEVERAL_H
#define SETTING_SEVERAL_H

#include "setting/setting.h"

/*
 * Reads or sets one file after the other; afterwards r is the first failure, and buf has each value
 * that differs once: "performance powersave".
 */
struct several {
	struct setting_place *place; /* NULL: read */
	/* Journals what changes along with the file that had this value; NULL: nothing does. */
	int (*along)(const struct setting_place *place, const char *path, const char *old,
		struct error *err);
	const struct root *root;
	const char *value;
	char *buf;
	size_t size;
	size_t n; /* files so far */
	struct error *err;
	int r;
};

void several_visit(struct several *several, const char *path);

#endif
