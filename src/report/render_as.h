// SPDX-License-Identifier: GPL-2.0-or-later
/* The renderers, one file each; render.h is the way in. 0 or negative errno. */
#ifndef REPORT_RENDER_AS_H
#define REPORT_RENDER_AS_H

#include "report/render.h"

int render_table(const struct model *model, const struct render_options *options, FILE *out);
int render_json(const struct model *model, FILE *out);
int render_csv(const struct model *model, FILE *out);
int render_md(const struct model *model, FILE *out);

#endif
