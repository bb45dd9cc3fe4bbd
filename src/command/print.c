// SPDX-License-Identifier: GPL-2.0-or-later
/* What the subcommands that show results share. */
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/nearest.h"
#include "command/subcommand.h"
#include "report/render.h"
#include "report/view.h"
#include "store/query.h"

const char *const output_formats[] = {
	[FORMAT_TABLE] = "table",
	[FORMAT_JSON] = "json",
	[FORMAT_CSV] = "csv",
	[FORMAT_MD] = "md",
	NULL,
};

static const enum render_format render_formats[] = {
	[FORMAT_TABLE] = RENDER_TABLE,
	[FORMAT_JSON] = RENDER_JSON,
	[FORMAT_CSV] = RENDER_CSV,
	[FORMAT_MD] = RENDER_MD,
};

/* 0 when standard output is no terminal. */
static unsigned terminal_width(void)
{
	struct winsize size;

	if (!isatty(STDOUT_FILENO))
		return 0;
	return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

int model_print(const struct model *model, enum output_format format, struct error *err)
{
	const char *plain = getenv("NO_COLOR"); /* https://no-color.org */
	const struct render_options options = {
		.width = terminal_width(),
		.colour = isatty(STDOUT_FILENO) && !(plain && *plain),
	};
	int r = render(model, render_formats[format], &options, stdout, err);

	if (r < 0)
		return r;
	if (fflush(stdout) != 0 || ferror(stdout))
		return error_errno(err, -errno, "standard output");
	return 0;
}

/* *ret_view is NULL for the one that fits the run. */
static int find_view(const char *name, const struct view **ret_view, struct error *err)
{
	struct nearest nearest = nearest_to(name);

	*ret_view = view_find(name);
	if (*ret_view || !*name)
		return 0;
	for (const struct view *const *each = view_registry; *each; each++)
		nearest_offer(&nearest, (*each)->name);
	return error_set(err, -EINVAL, "no view \"%s\"%s; contend list views has all", name,
		nearest_hint(&nearest));
}

int view_print(struct store *store, int64_t run, const char *name,
	const struct view_options *options, enum output_format format, struct error *err)
{
	struct model *model CLEANUP(model_cleanup) = NULL;
	const struct view *view;
	int r;

	r = find_view(name, &view, err);
	if (r == 0)
		r = view_build(view, store, run, options, &model, err);
	return r < 0 ? r : model_print(model, format, err);
}

int store_open_to_read(const char *path, struct store **ret_store, struct error *err)
{
	char usual[4096];
	int r = 0;

	if (!*path) {
		r = store_default_path(usual, sizeof(usual), err);
		path = usual;
	}
	if (r == 0)
		r = store_open(path, true, ret_store, err);
	if (r == -ENOENT)
		return error_set(err, r, "no results yet in %s: `contend run` makes some", path);
	return r;
}

int run_find(struct store *store, const char *operand, int64_t *ret_run, struct error *err)
{
	uint64_t run;
	int r;

	if (!operand)
		return store_run_latest(store, ret_run, err);
	r = count_parse(operand, &run, err);
	if (r < 0)
		return error_prefix(err, r, "run");
	*ret_run = (int64_t)run;
	return 0;
}
