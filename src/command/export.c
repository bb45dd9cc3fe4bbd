// SPDX-License-Identifier: GPL-2.0-or-later
/* contend export: a run as data for other programs. */
#include "report/export.h"

#include "command/subcommand.h"
#include "config/cmdline.h"

struct export_params {
	int format;
	bool series;
	char store[4096];
};

enum {
	EXPORT_JSON,
	EXPORT_CSV
};

static const char *const formats[] = { [EXPORT_JSON] = "json", [EXPORT_CSV] = "csv", NULL };

static const struct option_row rows[] = {
	{
		OPTION("format", OPTION_CHOICE, struct export_params, format),
		.fallback = "json",
		.choices = formats,
		.help = "as what it is written",
	},
	{
		OPTION("series", OPTION_BOOL, struct export_params, series),
		.fallback = "no",
		.help = "with every single sample, not only the trials' numbers",
	},
	{
		OPTION("store", OPTION_TEXT, struct export_params, store),
		.fallback = "",
		.argument = "FILE",
		.help = "where results are kept; default: below $XDG_STATE_HOME",
	},
};

static const struct option_rows options = OPTION_ROWS(rows);

static int export(int argc, char **argv, struct error *err)
{
	char **operands CLEANUP(operands_cleanup) = NULL;
	struct store *store CLEANUP(store_cleanup) = NULL;
	struct export_params params;
	int64_t run;
	int r;

	r = cmdline_parse(argc, argv, options, &params, &operands, err);
	if (r == 0)
		r = operands_check(operands, 1, err);
	if (r == 0)
		r = store_open_to_read(params.store, &store, err);
	if (r == 0)
		r = run_find(store, operands[0], &run, err);
	if (r < 0)
		return r;
	return params.format == EXPORT_CSV ? export_csv(store, run, params.series, stdout, err)
					   : export_json(store, run, params.series, stdout, err);
}

static int export_main(int argc, char **argv)
{
	struct error err;

	return export(argc, argv, &err) < 0 ? fail(&err) : EXIT_CLEAN;
}

const struct subcommand subcommand_export = {
	.name = "export",
	.summary = "write a stored run as data, the newest if none is named",
	.operands = "[RUN]",
	.options = &options,
	.run = export_main,
};
