// SPDX-License-Identifier: GPL-2.0-or-later
/* contend show: a view of a run that is stored. */
#include "command/subcommand.h"
#include "config/cmdline.h"

struct show_params {
	char view[32], trial[24], store[4096];
	int columns, format;
};

static const char *const vmstat_columns[] = {
	[VMSTAT_PROCPS] = "procps",
	[VMSTAT_2001] = "2001",
	NULL,
};

static const struct option_row rows[] = {
	{
		OPTION("view", OPTION_TEXT, struct show_params, view),
		.fallback = "",
		.argument = "VIEW",
		.help = "see contend list views; default: the one that fits the run",
	},
	{
		OPTION("trial", OPTION_TEXT, struct show_params, trial),
		.fallback = "",
		.argument = "N",
		.help = "view vmstat: of which trial, by its # in view trials; default: the first "
			"that is ok",
	},
	{
		OPTION("columns", OPTION_CHOICE, struct show_params, columns),
		.fallback = "procps",
		.choices = vmstat_columns,
		.help = "view vmstat: today's columns, or those of 2001",
	},
	{
		OPTION("format", OPTION_CHOICE, struct show_params, format),
		.fallback = "table",
		.choices = output_formats,
		.help = "as what it is printed",
	},
	{
		OPTION("store", OPTION_TEXT, struct show_params, store),
		.fallback = "",
		.argument = "FILE",
		.help = "where results are kept; default: below $XDG_STATE_HOME",
	},
};

static const struct option_rows options = OPTION_ROWS(rows);

static int take_options(
	const struct show_params *params, struct view_options *ret_options, struct error *err)
{
	struct view_options view = { .columns = (enum vmstat_columns)params->columns };
	int r;

	if (params->trial[0]) {
		r = count_parse(params->trial, &view.trial, err);
		if (r < 0)
			return error_prefix(err, r, "--trial");
		view.one_trial = true;
	}
	*ret_options = view;
	return 0;
}

static int show(int argc, char **argv, struct error *err)
{
	char **operands CLEANUP(operands_cleanup) = NULL;
	struct store *store CLEANUP(store_cleanup) = NULL;
	struct view_options view_options;
	struct show_params params;
	int64_t run;
	int r;

	r = cmdline_parse(argc, argv, options, &params, &operands, err);
	if (r == 0)
		r = operands_check(operands, 1, err);
	if (r == 0)
		r = take_options(&params, &view_options, err);
	if (r == 0)
		r = store_open_to_read(params.store, &store, err);
	if (r == 0)
		r = run_find(store, operands[0], &run, err);
	if (r < 0)
		return r;
	return view_print(
		store, run, params.view, &view_options, (enum output_format)params.format, err);
}

static int show_main(int argc, char **argv)
{
	struct error err;

	return show(argc, argv, &err) < 0 ? fail(&err) : EXIT_CLEAN;
}

const struct subcommand subcommand_show = {
	.name = "show",
	.summary = "show a stored run, the newest if none is named",
	.operands = "[RUN]",
	.options = &options,
	.run = show_main,
};
