// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/render.h"

#include "report/render_as.h"

int render(const struct model *model, enum render_format format,
	const struct render_options *options, FILE *out, struct error *err)
{
	int r = -EINVAL;

	switch (format) {
	case RENDER_TABLE: r = render_table(model, options, out); break;
	case RENDER_JSON: r = render_json(model, out); break;
	case RENDER_CSV: r = render_csv(model, out); break;
	case RENDER_MD: r = render_md(model, out); break;
	}
	return r < 0 ? error_errno(err, r, "cannot render \"%s\"", model->title) : 0;
}
