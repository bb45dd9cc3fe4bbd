// SPDX-License-Identifier: GPL-2.0-or-later
/* Every single trial, in the order in which they ran. */
#include <math.h>

#include "base/cleanup.h"
#include "report/audio.h"
#include "report/figures.h"
#include "report/view.h"

static const struct column columns[] = {
	{ "position", "#", .flags = COLUMN_RIGHT, .definition = "place in the run" },
	{ "try", "Try", .flags = COLUMN_MACHINE },
	{ "block", "Block", .flags = COLUMN_RIGHT,
		.definition = "trials of one block are compared; 0 is the warm-up, which does not "
			      "count" },
	{ "scenario", "Scenario" },
	{ "lead", "Lead", .flags = COLUMN_MACHINE },
	{ "load_names", "Loads", .flags = COLUMN_MACHINE },
	{ "variant", "Variant" },
	{ "started_s", "Started", "s", .flags = COLUMN_MACHINE },
	{ "outcome", "Outcome" },
	{ "time_s", "Time", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT,
		.definition = "the window: seconds from the lead's release to its end, or to where "
			      "the trial was given up" },
	{ "cpu_percent", "CPU%", "%", .style = STYLE_PERCENT, .flags = COLUMN_RIGHT,
		.definition = "user + system time of the lead's whole process tree / window" },
	{ "major_faults", "Majors", "events", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "page faults of the lead that needed I/O" },
	{ "loads", "Loads", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "units of work that each load did in the window; view contest names "
			      "the units" },
	{ "freeze_longest_s", "Freeze", "s", .style = STYLE_FREEZE, .flags = COLUMN_RIGHT,
		.definition = "longest time by which a thread that wakes every 10 ms was late; – "
			      "below 0.1 s" },
	{ "missing_percent", "Missing%", "%", .style = STYLE_PERCENT, .flags = COLUMN_RIGHT,
		.definition = "samples that should have been taken and were not" },
	{ "text", "What happened", .flags = COLUMN_WRAP },
};

static void add_row(struct results *results, struct table *table, const struct result *trial)
{
	struct row *row = row_new(table);
	struct figures figures;
	double *loads;

	figures_read(results, trial, &figures);
	row_set_number(row, "position", trial->row.position);
	row_set_number(row, "try", trial->try);
	row_set_number(row, "block", trial->row.block);
	row_set_text(row, "scenario", "%s", trial->row.scenario);
	row_set_text(row, "lead", "%s", trial->row.lead);
	row_set_text(row, "load_names", "%s", trial->row.loads);
	row_set_text(row, "variant", "%s", trial->row.variant);
	row_set_number(row, "started_s", (double)trial->row.started_s);
	row_set_text(row, "outcome", "%s", outcome_name(trial->row.outcome.code));
	row_set_number(row, "time_s", figures.time_s);
	row_set_number(row, "cpu_percent", figures.cpu_percent);
	row_set_number(row, "major_faults", figures.major_faults);
	row_set_number(row, "freeze_longest_s", figures.freeze_s);
	row_set_number(row, "missing_percent", figures.missing_percent);
	loads = arena_alloc(&results->arena, figures.n_loads, sizeof(*loads));
	for (size_t i = 0; loads && i < figures.n_loads; i++)
		loads[i] = figures.loads[i].loads;
	if (loads)
		row_set_list(row, "loads", loads, figures.n_loads);
	row_set_text(row, "text", "%s%s%s", trial->row.outcome.text,
		trial->row.outcome.text[0] && trial->superseded ? "; " : "",
		trial->superseded ? "tried again" : "");
	if (trial->row.outcome.code != OUTCOME_OK)
		row_mark_bad(row);
}

static int build(struct results *results, struct model *model, struct error *err)
{
	struct table *table;

	(void)err;
	if (!results->n)
		return 0;
	table = table_new(model, columns, ARRAY_SIZE(columns), "%s", "trials");
	for (size_t i = 0; i < results->n; i++)
		add_row(results, table, &results->trials[i]);
	for (size_t i = 0; i < results->n; i++)
		hearing_note_trial(table, results, &results->trials[i]);
	return 0;
}

const struct view view_trials = {
	.name = "trials",
	.summary = "every single trial, with its outcome",
	.build = build,
};
