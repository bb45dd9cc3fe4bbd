// SPDX-License-Identifier: GPL-2.0-or-later
/* A model as text. */
#ifndef REPORT_RENDER_H
#define REPORT_RENDER_H

#include <stdbool.h>
#include <stdio.h>

#include "report/model.h"

/* In the order of `--format`. */
enum render_format {
	RENDER_TABLE, /* for a terminal or a mail */
	RENDER_JSON, /* raw numbers, units in the keys, null where there is none */
	RENDER_CSV, /* the same; the first column names the table */
	RENDER_MD, /* Markdown */
};

/* Only a table looks at them. */
struct render_options {
	unsigned width; /* of the terminal; 0: not one: no line is broken, nothing is bold */
	bool colour;
};

/* Whether `out` took it all is the caller's to ask (ferror). */
int render(const struct model *model, enum render_format format,
	const struct render_options *options, FILE *out, struct error *err);

#endif
