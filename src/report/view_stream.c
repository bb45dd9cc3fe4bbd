// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a streaming read did to a working set: the kernel's counters at the three moments that the
 * post of 2009 noted, and what it cost to touch each kind of memory again.
 */
#include <stdio.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "report/naming.h"
#include "report/own.h"
#include "report/view.h"

#define WORKLOAD "stream"

static const struct column counter_columns[] = {
	{ "counter", "/proc/vmstat" },
	NAME_COLUMNS,
	{ "begin", "begin", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "of the whole machine, when the read had begun" },
	{ "end", "end", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "when all was read" },
	{ "restore", "restore", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "when the set had been touched again" },
	{ "read_difference", "end-begin", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "what the read did; the median of the trials' differences" },
	{ "restore_difference", "restore-end", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "what touching the set did, likewise" },
};

static const struct column set_columns[] = {
	{ "kind", "Set" },
	NAME_COLUMNS,
	{ "runs", "[runs]", .flags = COLUMN_PEOPLE | COLUMN_RIGHT,
		.definition = "trials that ended well, of how many; only these are in the row's "
			      "figures, each a median" },
	{ "trials_ok", "ok", .flags = COLUMN_MACHINE },
	{ "trials", "trials", .flags = COLUMN_MACHINE },
	{ "pages", "pages", "pages", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "of the set" },
	{ "resident_begin", "begin", "pages", .style = STYLE_COUNT, .flags = COLUMN_MACHINE },
	{ "resident_end", "stayed", "pages", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "pages that were in memory when all was read" },
	{ "lost", "lost", "pages", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "pages that were in memory when the read began, and no longer when "
			      "all was read" },
	{ "restore_majors", "majors", "events", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "page faults of the set's own process, in touching it again, that "
			      "needed I/O; one may read many pages ahead" },
	{ "restore_minors", "minors", "events", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "the same that needed none" },
	{ "restore_ms", "restore", "ms", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "ms that touching it again took" },
};

static const char *const counters[] = { "nr_mapped", "nr_active_file", "nr_inactive_file",
	"pgmajfault", "pgdeactivate", "pgfree" };

/* As they are named in the record, and for people. */
static const struct {
	const char *name, *meaning;
} kinds[] = {
	{ "exec", "executable text" },
	{ "data", "mapped data" },
	{ "anon", "anonymous" },
};

static struct table *add_table(struct model *model, struct contest *contest,
	const struct result *scenario, const struct column *columns, size_t n, const char *what)
{
	struct table *table = table_new(
		model, columns, n, "%s, %s", name_scenario(contest->results, scenario), what);

	name_table(table, contest, scenario);
	return table;
}

static void counter_row(struct table *table, const struct group *group, const char *counter)
{
	static const char *const moments[] = { "begin", "end", "restore" };
	char names[ARRAY_SIZE(moments)][64];
	struct row *row = row_new(table);

	row_set_text(row, "counter", "%s", counter);
	name_variant(row, group);
	for (size_t i = 0; i < ARRAY_SIZE(moments); i++) {
		snprintf(names[i], sizeof(names[i]), "%s_%s", moments[i], counter);
		row_set_number(row, moments[i], own_median(group, WORKLOAD, names[i]));
	}
	row_set_number(
		row, "read_difference", own_median_difference(group, WORKLOAD, names[1], names[0]));
	row_set_number(row, "restore_difference",
		own_median_difference(group, WORKLOAD, names[2], names[1]));
}

static void set_row(struct table *table, const struct group *group, size_t kind)
{
	static const char *const figures[] = { "pages", "resident_begin", "resident_end",
		"restore_majors", "restore_minors" };
	char begin[64], end[64], name[64];
	struct row *row = row_new(table);

	row_set_text(row, "kind", "%s", kinds[kind].meaning);
	name_variant(row, group);
	name_runs(row, group);
	for (size_t i = 0; i < ARRAY_SIZE(figures); i++) {
		snprintf(name, sizeof(name), "%s_%s", kinds[kind].name, figures[i]);
		row_set_number(row, figures[i], own_median(group, WORKLOAD, name));
	}
	snprintf(begin, sizeof(begin), "%s_resident_begin", kinds[kind].name);
	snprintf(end, sizeof(end), "%s_resident_end", kinds[kind].name);
	row_set_number(row, "lost", own_median_difference(group, WORKLOAD, begin, end));
	snprintf(name, sizeof(name), "%s_restore_ns", kinds[kind].name);
	row_set_number(row, "restore_ms", own_median(group, WORKLOAD, name) / NS_PER_MS);
	if (group->ok < group->n)
		row_mark_bad(row);
}

/* One scenario. */
static void add_scenario(
	struct model *model, struct contest *contest, const struct result *scenario)
{
	struct table *set, *table;

	if (scenario->row.solo || !own_lead(scenario, WORKLOAD))
		return;
	set = add_table(model, contest, scenario, set_columns, ARRAY_SIZE(set_columns),
		"the set after the read");
	table = add_table(
		model, contest, scenario, counter_columns, ARRAY_SIZE(counter_columns), "counters");
	for (size_t v = 0; v < contest->n_variants; v++) {
		struct group group = contest_group(contest, scenario, contest->variants[v]);

		name_failures(model, set, &group);
	}
	for (size_t kind = 0; kind < ARRAY_SIZE(kinds); kind++) {
		for (size_t v = 0; v < contest->n_variants; v++) {
			struct group group = contest_group(contest, scenario, contest->variants[v]);

			if (group.n)
				set_row(set, &group, kind);
		}
	}
	for (size_t i = 0; i < ARRAY_SIZE(counters); i++) {
		for (size_t v = 0; v < contest->n_variants; v++) {
			struct group group = contest_group(contest, scenario, contest->variants[v]);

			if (group.n)
				counter_row(table, &group, counters[i]);
		}
	}
}

static int build(struct results *results, struct model *model, struct error *err)
{
	(void)err;
	name_scenarios(results, model, add_scenario);
	if (!model->first)
		model_note(model, "no trial of this run has stream as its lead");
	return 0;
}

static bool fits(struct results *results)
{
	return own_leads(results, WORKLOAD);
}

const struct view view_stream = {
	.name = "stream",
	.summary = "what a streaming read left of a working set, and what it cost to restore it",
	.fits = fits,
	.build = build,
};
