// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * How long programs took to start and to be switched to while more and more were open: a summary,
 * where memory became full, each app, and the progress table of 2009.
 */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "report/naming.h"
#include "report/own.h"
#include "report/turns.h"
#include "report/view.h"

#define WORKLOAD "apps"

#define MILLISECONDS(key, heading, text) \
	{ \
		key, heading, "ms", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT, \
				    .definition = text \
	}

static const struct column summary_columns[] = {
	NAME_COLUMNS,
	{ "runs", "[runs]", .flags = COLUMN_PEOPLE | COLUMN_RIGHT,
		.definition = "trials that ended well, of how many; only these are in the row's "
			      "figures, each a median unless said otherwise" },
	{ "trials_ok", "ok", .flags = COLUMN_MACHINE },
	{ "trials", "trials", .flags = COLUMN_MACHINE },
	{ "time_s", "Time", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT,
		.definition = "the window: seconds from the lead's release to its end" },
	{ "starts", "starts", "turns", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "that were timed" },
	MILLISECONDS("start_median_ms", "median",
		"ms from exec until the app was there; p99 and worst likewise"),
	MILLISECONDS("start_p99_ms", "p99", NULL),
	MILLISECONDS("start_worst_ms", "worst", "of all trials"),
	{ "switches", "switches", "turns", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "that were timed; behind it ms from a switch until the app "
			      "answered" },
	MILLISECONDS("switch_median_ms", "median", NULL),
	MILLISECONDS("switch_p99_ms", "p99", NULL),
	MILLISECONDS("switch_worst_ms", "worst", NULL),
	{ "failed", "failed", "apps", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "apps that died or hung" },
};

static const struct column round_columns[] = {
	{ "open", "open", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "apps that were open, the last one just started" },
	NAME_COLUMNS,
	{ "open_bytes", "sets", "bytes", .style = STYLE_COUNT, .flags = COLUMN_MACHINE },
	{ "open_percent", "sets/RAM", "%", .style = STYLE_SHARE,
		.flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "what all their sets have, as % of the box's RAM" },
	MILLISECONDS("start_ms", "start", "of the last one, ms"),
	MILLISECONDS("switch_median_ms", "switch", "median of the switches to all of them, ms"),
	MILLISECONDS("switch_worst_ms", "worst", "of these switches"),
	{ "switch_majors", "majors", "events", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "page faults of the apps that needed I/O, in all these switches" },
};

static const struct column app_columns[] = {
	{ "app", "#", .style = STYLE_COUNT, .flags = COLUMN_RIGHT },
	{ "app_name", "App" },
	NAME_COLUMNS,
	MILLISECONDS("start_ms", "start", NULL),
	MILLISECONDS("switch_median_ms", "switch", NULL),
	MILLISECONDS("switch_worst_ms", "worst", NULL),
	{ "start_majors", "start majors", "events", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "page faults that needed I/O while it started" },
	{ "switch_majors", "majors", "events", .style = STYLE_COUNT, .flags = COLUMN_RIGHT },
};

/* One scenario: what each variant that has trials of it did. */
struct block {
	struct contest *contest;
	const struct result *scenario;
	struct group *groups;
	struct turns *turns;
	size_t n;
	unsigned apps; /* the most of any */
	const char **names; /* of the apps */
};

static bool read_block(struct block *block, struct contest *contest, const struct result *scenario)
{
	struct arena *arena = &contest->results->arena;

	*block = (struct block) {
		.contest = contest,
		.scenario = scenario,
		.groups = arena_alloc(arena, contest->n_variants, sizeof(*block->groups)),
		.turns = arena_alloc(arena, contest->n_variants, sizeof(*block->turns)),
	};
	for (size_t v = 0; v < contest->n_variants && !arena->failed; v++) {
		struct group group = contest_group(contest, scenario, contest->variants[v]);
		struct turns *turns = &block->turns[block->n];

		if (!group.n)
			continue;
		turns_read(&group, turns);
		block->groups[block->n++] = group;
		block->apps = turns->apps > block->apps ? turns->apps : block->apps;
	}
	block->names = arena_alloc(arena, block->apps, sizeof(*block->names));
	for (unsigned i = 0; i < block->apps && !arena->failed; i++)
		block->names[i] = turns_name(&block->groups[0], i + 1);
	return block->n && !arena->failed;
}

static struct table *add_table(struct model *model, const struct block *block,
	const struct column *columns, size_t n, const char *what)
{
	struct table *table = table_new(model, columns, n, "%s, %s",
		name_scenario(block->contest->results, block->scenario), what);

	name_table(table, block->contest, block->scenario);
	return table;
}

static void set_latency(struct row *row, const struct group *group, const char *turn,
	const char *figure, double (*read)(const struct group *, const char *, const char *))
{
	char key[32], name[32];

	snprintf(key, sizeof(key), "%s_%s_ms", turn, figure);
	snprintf(name, sizeof(name), "%s_%s_ns", turn, figure);
	row_set_number(row, key, read(group, WORKLOAD, name) / NS_PER_MS);
}

static void add_summary(struct model *model, const struct block *block)
{
	static const char *const turns[] = { "start", "switch" };
	struct table *table =
		add_table(model, block, summary_columns, ARRAY_SIZE(summary_columns), "latencies");

	for (size_t i = 0; i < block->n; i++) {
		const struct group *group = &block->groups[i];
		struct row *row = row_new(table);

		name_variant(row, group);
		name_runs(row, group);
		row_set_number(
			row, "time_s", group_median(group, offsetof(struct figures, time_s)));
		row_set_number(row, "starts", own_median(group, WORKLOAD, "starts"));
		row_set_number(row, "switches", own_median(group, WORKLOAD, "switches"));
		row_set_number(row, "failed", own_largest(group, WORKLOAD, "failed"));
		for (size_t t = 0; t < ARRAY_SIZE(turns); t++) {
			set_latency(row, group, turns[t], "median", own_median);
			set_latency(row, group, turns[t], "p99", own_median);
			set_latency(row, group, turns[t], "worst", own_largest);
		}
		if (group->ok < group->n || own_largest(group, WORKLOAD, "failed") > 0)
			row_mark_bad(row);
		name_failures(model, table, group);
		turns_note_failures(table, group);
	}
}

static double ram_of(const struct block *block)
{
	struct results *results = block->contest->results;

	for (size_t i = 0; i < results->n; i++) {
		double ram = results_value(results, &results->trials[i], "trial", "", "ram_bytes");

		if (group_has(&block->groups[0], &results->trials[i]) && ram > 0)
			return ram;
	}
	return NAN;
}

static void add_rounds(struct model *model, const struct block *block)
{
	struct table *table = add_table(
		model, block, round_columns, ARRAY_SIZE(round_columns), "as more are open");
	double ram = ram_of(block);

	for (unsigned round = 1; round <= block->apps; round++) {
		for (size_t i = 0; i < block->n; i++) {
			struct turns *turns = &block->turns[i];
			size_t start = turn_start(round);
			double bytes = turns_value(turns, start, TURN_OPEN_BYTES);
			struct row *row = row_new(table);

			row_set_number(row, "open", round);
			name_variant(row, &block->groups[i]);
			row_set_number(row, "open_bytes", bytes);
			row_set_number(row, "open_percent", 100 * bytes / ram);
			row_set_number(row, "start_ms", turns_value(turns, start, TURN_LATENCY));
			row_set_number(row, "switch_median_ms",
				turns_of_round(turns, round, TURN_LATENCY, TURNS_MEDIAN));
			row_set_number(row, "switch_worst_ms",
				turns_of_round(turns, round, TURN_LATENCY, TURNS_LARGEST));
			row_set_number(row, "switch_majors",
				turns_of_round(turns, round, TURN_MAJORS, TURNS_SUM));
		}
	}
}

static void add_apps(struct model *model, const struct block *block)
{
	struct table *table =
		add_table(model, block, app_columns, ARRAY_SIZE(app_columns), "each app");

	for (unsigned app = 1; app <= block->apps; app++) {
		for (size_t i = 0; i < block->n; i++) {
			struct turns *turns = &block->turns[i];
			size_t start = turn_start(app);
			struct row *row = row_new(table);

			row_set_number(row, "app", app);
			row_set_text(row, "app_name", "%s", block->names[app - 1]);
			name_variant(row, &block->groups[i]);
			row_set_number(row, "start_ms", turns_value(turns, start, TURN_LATENCY));
			row_set_number(row, "start_majors", turns_value(turns, start, TURN_MAJORS));
			row_set_number(row, "switch_median_ms",
				turns_of_app(turns, app, TURN_LATENCY, TURNS_MEDIAN));
			row_set_number(row, "switch_worst_ms",
				turns_of_app(turns, app, TURN_LATENCY, TURNS_LARGEST));
			row_set_number(row, "switch_majors",
				turns_of_app(turns, app, TURN_MAJORS, TURNS_SUM));
		}
	}
}

/* The columns of each variant in the progress table. */
enum progress_column {
	PROGRESS_AT,
	PROGRESS_LATENCY,
	PROGRESS_MAJORS,
	PROGRESS_COLUMNS
};

static const struct {
	const char *name, *unit;
	enum number_style style;
	enum turn_figure figure;
} progress[PROGRESS_COLUMNS] = {
	{ "at_s", "s", STYLE_SECONDS, TURN_AT },
	{ "latency_ms", "ms", STYLE_AMOUNT, TURN_LATENCY },
	{ "majors", "events", STYLE_COUNT, TURN_MAJORS },
};

#define PROGRESS_FIXED 4

/* "at_s:default" */
static const char *progress_key(
	const struct block *block, size_t variant, enum progress_column column)
{
	return arena_format(&block->contest->results->arena, "%s:%s", progress[column].name,
		block->groups[variant].variant->row.variant);
}

static struct table *progress_table(struct model *model, const struct block *block)
{
	static const struct column fixed[PROGRESS_FIXED] = {
		{ "turn", "" },
		{ "round", "open", .style = STYLE_COUNT, .flags = COLUMN_MACHINE },
		{ "app", "#", .style = STYLE_COUNT, .flags = COLUMN_RIGHT },
		{ "app_name", "App" },
	};
	size_t n = PROGRESS_FIXED + block->n * PROGRESS_COLUMNS;
	struct column *columns = arena_alloc(&block->contest->results->arena, n, sizeof(*columns));

	if (!columns)
		return NULL;
	memcpy(columns, fixed, sizeof(fixed));
	for (size_t i = 0; i < block->n; i++) {
		for (enum progress_column k = 0; k < PROGRESS_COLUMNS; k++)
			columns[PROGRESS_FIXED + i * PROGRESS_COLUMNS + k] = (struct column) {
				.key = progress_key(block, i, k),
				.heading = block->groups[i].variant->row.variant,
				.unit = progress[k].unit,
				.style = progress[k].style,
				.flags = COLUMN_RIGHT | (k == PROGRESS_AT ? 0 : COLUMN_MACHINE),
			};
	}
	return add_table(model, block, columns, n, "progress");
}

static void progress_row(
	struct table *table, const struct block *block, unsigned round, unsigned app, bool start)
{
	size_t place = start ? turn_start(round) : turn_switch(round, app);
	struct row *row = row_new(table);

	row_set_text(row, "turn", "%s", start ? "N" : "A");
	row_set_number(row, "round", round);
	row_set_number(row, "app", app);
	row_set_text(row, "app_name", "%s", block->names[app - 1]);
	for (size_t i = 0; i < block->n; i++)
		for (enum progress_column k = 0; k < PROGRESS_COLUMNS; k++)
			row_set_number(row, progress_key(block, i, k),
				turns_value(&block->turns[i], place, progress[k].figure));
}

static void add_progress(struct model *model, const struct block *block)
{
	struct table *table = progress_table(model, block);

	if (!table)
		return;
	for (unsigned round = 1; round <= block->apps; round++) {
		progress_row(table, block, round, round, true);
		for (unsigned app = 1; app <= round; app++)
			progress_row(table, block, round, app, false);
	}
	table_note(table,
		"Seconds of window when each turn was over. N: an app was started; A: an open one "
		"was switched to.");
}

static void add_scenario(
	struct model *model, struct contest *contest, const struct result *scenario)
{
	struct block block;

	if (scenario->row.solo || !own_lead(scenario, WORKLOAD) ||
		!read_block(&block, contest, scenario))
		return;
	add_summary(model, &block);
	add_rounds(model, &block);
	add_apps(model, &block);
	add_progress(model, &block);
}

static int build(struct results *results, struct model *model, struct error *err)
{
	(void)err;
	name_scenarios(results, model, add_scenario);
	if (!model->first)
		model_note(model, "no trial of this run has apps as its lead");
	return 0;
}

static bool fits(struct results *results)
{
	return own_leads(results, WORKLOAD);
}

const struct view view_apps = {
	.name = "apps",
	.summary = "how long apps took to start and to be switched to as more were open",
	.fits = fits,
	.build = build,
};
