// SPDX-License-Identifier: GPL-2.0-or-later
/* contend list: what there is. */
#include "command/list.h"

#include <string.h>

#include "base/nearest.h"
#include "config/cmdline.h"
#include "config/suite.h"
#include "plan/plan.h"
#include "report/view.h"
#include "sampler/sampler.h"

struct list_params {
	char store[4096];
	int format;
};

static const struct option_row rows[] = {
	{
		OPTION("format", OPTION_CHOICE, struct list_params, format),
		.fallback = "table",
		.choices = output_formats,
		.help = "as what it is printed",
	},
	{
		OPTION("store", OPTION_TEXT, struct list_params, store),
		.fallback = "",
		.argument = "FILE",
		.help = "where results are kept; default: below $XDG_STATE_HOME",
	},
};

static const struct option_rows options = OPTION_ROWS(rows);

static const struct column summary_columns[] = {
	{ .key = "name", .heading = "Name" },
	{ .key = "summary", .heading = "Summary", .flags = COLUMN_WRAP },
};

static void add_summary(struct table *table, const char *name, const char *summary)
{
	struct row *row = row_new(table);

	row_set_text(row, "name", "%s", name);
	row_set_text(row, "summary", "%s", summary);
}

static int list_suites(struct model *model, const char *store, struct error *err)
{
	struct table *table =
		table_new(model, summary_columns, ARRAY_SIZE(summary_columns), "%s", "");
	char summary[256];

	for (size_t i = 0; i < suite_count; i++)
		add_summary(table, suite_registry[i].name,
			suite_summary(&suite_registry[i], summary, sizeof(summary)));
	return 0;
}

static int list_views(struct model *model, const char *store, struct error *err)
{
	struct table *table =
		table_new(model, summary_columns, ARRAY_SIZE(summary_columns), "%s", "");

	for (const struct view *const *view = view_registry; *view; view++)
		add_summary(table, (*view)->name, (*view)->summary);
	return 0;
}

static int list_samplers(struct model *model, const char *store, struct error *err)
{
	static const struct column columns[] = {
		{ .key = "name", .heading = "Name" },
		{ .key = "of", .heading = "Of" },
		{ .key = "revision", .heading = "Rev", .flags = COLUMN_RIGHT },
		{ .key = "summary", .heading = "Summary", .flags = COLUMN_WRAP },
	};
	struct table *table = table_new(model, columns, ARRAY_SIZE(columns), "%s", "");

	for (const struct sampler *const *each = sampler_registry; *each; each++) {
		const struct sampler *sampler = *each;
		struct row *row = row_new(table);

		row_set_text(row, "name", "%s", sampler->name);
		row_set_text(row, "of", "%s",
			sampler->scope == SAMPLER_ROLE ? "each role" : "the system");
		row_set_number(row, "revision", sampler->revision);
		row_set_text(row, "summary", "%s", sampler->summary);
	}
	return 0;
}

static void add_scenario(struct table *table, const char *suite, const struct scenario *scenario)
{
	struct row *row = row_new(table);
	char loads[2048];

	row_set_text(row, "suite", "%s", suite);
	row_set_text(row, "name", "%s", scenario->name);
	row_set_text(row, "lead", "%s", scenario->lead.spelled);
	row_set_text(row, "loads", "%s", loads_spell(scenario, loads, sizeof(loads)));
	row_set_text(row, "cache", "%s", scenario->cold ? "cold" : "warm");
}

/* The scenarios that an operand of `contend run` stands for. */
static int add_operand(
	struct table *table, const char *suite, const char *operand, struct error *err)
{
	struct config *config CLEANUP(config_cleanup) = NULL;
	char words[][64] = { "run", "--solo=no", "--noload=no", "" };
	char *argv[] = { words[0], words[1], words[2], words[3], NULL };
	int r;

	snprintf(words[3], sizeof(words[3]), "%s", operand);
	r = config_parse_run(4, argv, &config, err);
	for (size_t i = 0; r == 0 && i < config->n_scenarios; i++)
		add_scenario(table, suite, &config->scenarios[i]);
	return r;
}

static int list_scenarios(struct model *model, const char *store, struct error *err)
{
	static const struct column columns[] = {
		{ .key = "suite", .heading = "Suite" },
		{ .key = "name", .heading = "Name" },
		{ .key = "lead", .heading = "Lead" },
		{ .key = "loads", .heading = "Loads" },
		{ .key = "cache", .heading = "Cache" },
	};
	struct table *table =
		table_new(model, columns, ARRAY_SIZE(columns), "%s", "Scenarios of the suites");
	int r = 0;

	for (size_t i = 0; i < suite_count && r == 0; i++)
		r = add_operand(table, suite_registry[i].name, suite_registry[i].name, err);
	table = table_new(model, columns, ARRAY_SIZE(columns), "%s", "contest's own names");
	for (const struct contest_name *each = contest_names; each->name && r == 0; each++)
		r = add_operand(table, "", each->name, err);
	model_note(model, "any lead with any loads is a scenario, too: compile+io, compile+io+mem, "
			  "compile:full+io:size=64M");
	return r;
}

static const struct noun {
	const char *name;
	const char *summary;
	int (*fill)(struct model *model, const char *store, struct error *err);
} nouns[] = {
	{ "suites", "named lists of scenarios that ship with contend", list_suites },
	{ "scenarios", "what the suites hold, and contest's own names", list_scenarios },
	{ "leads", "workloads whose end ends a trial, and their options", list_leads },
	{ "loads", "workloads that run beside a lead, and their options", list_loads },
	{ "samplers", "readers of the numbers that the kernel keeps", list_samplers },
	{ "settings", "what variants can change, and how this machine has it", list_settings },
	{ "metrics", "the numbers that a trial on this machine records", list_metrics },
	{ "views", "ways to show a run", list_views },
	{ "runs", "what is stored", list_runs },
};

static const struct noun *find_noun(const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);

	for (size_t i = 0; i < ARRAY_SIZE(nouns); i++) {
		if (!strcmp(nouns[i].name, name))
			return &nouns[i];
		nearest_offer(&nearest, nouns[i].name);
	}
	error_set(err, -EINVAL, "no list of \"%s\"%s", name, nearest_hint(&nearest));
	return NULL;
}

/* Without an operand: what can be listed. */
static int list_nouns(struct model *model, const char *store, struct error *err)
{
	struct table *table =
		table_new(model, summary_columns, ARRAY_SIZE(summary_columns), "%s", "");

	for (size_t i = 0; i < ARRAY_SIZE(nouns); i++)
		add_summary(table, nouns[i].name, nouns[i].summary);
	return 0;
}

static int list(int argc, char **argv, struct error *err)
{
	static const struct noun all = { "lists", "what can be listed", list_nouns };
	char **operands CLEANUP(operands_cleanup) = NULL;
	struct model *model CLEANUP(model_cleanup) = NULL;
	const struct noun *noun = &all;
	struct list_params params;
	int r;

	r = cmdline_parse(argc, argv, options, &params, &operands, err);
	if (r == 0)
		r = operands_check(operands, 1, err);
	if (r == 0 && operands[0] && !(noun = find_noun(operands[0], err)))
		r = -EINVAL;
	if (r == 0)
		r = model_new(&model, err);
	if (r < 0)
		return r;
	model_title(model, "%s: %s", noun->name, noun->summary);
	r = noun->fill(model, params.store, err);
	if (r == 0)
		r = model_finish(model, err);
	return r < 0 ? r : model_print(model, (enum output_format)params.format, err);
}

static int list_main(int argc, char **argv)
{
	struct error err;

	return list(argc, argv, &err) < 0 ? fail(&err) : EXIT_CLEAN;
}

const struct subcommand subcommand_list = {
	.name = "list",
	.summary = "list what there is, here and in the store",
	.operands = "[suites|scenarios|leads|loads|samplers|settings|metrics|views|runs]",
	.options = &options,
	.run = list_main,
};
