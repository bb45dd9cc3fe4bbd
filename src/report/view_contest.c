// SPDX-License-Identifier: GPL-2.0-or-later
/* contest's table, one for each scenario, with what its readers asked for beside it. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "report/audio.h"
#include "report/naming.h"
#include "report/seeds.h"
#include "report/view.h"

static const struct column columns[] = {
	NAME_COLUMNS,
	{ "outcome", "Outcome", .flags = COLUMN_MACHINE },
	{ "runs", "[runs]", .flags = COLUMN_PEOPLE | COLUMN_RIGHT,
		.definition = "trials that ended well, of how many; only these are in the "
			      "row's figures, each a median unless said otherwise" },
	{ "trials_ok", "ok", .flags = COLUMN_MACHINE },
	{ "trials", "trials", .flags = COLUMN_MACHINE },
	{ "time_s", "Time", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT,
		.definition = "the window: seconds from the lead's release to its end" },
	{ "range", "min–max", .flags = COLUMN_PEOPLE | COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "shortest and longest Time" },
	{ "time_min_s", "min", "s", .flags = COLUMN_MACHINE },
	{ "time_max_s", "max", "s", .flags = COLUMN_MACHINE },
	{ "cpu_percent", "CPU%", "%", .style = STYLE_PERCENT, .flags = COLUMN_RIGHT,
		.definition = "user + system time of the lead's whole process tree / window; "
			      "two busy CPUs are 200" },
	{ "loads", "Loads", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "units of work that the load did in the window, unfinished "
			      "passes included" },
	{ "lcpu_percent", "LCPU%", "%", .style = STYLE_PERCENT, .flags = COLUMN_RIGHT,
		.definition = "CPU time of the load's processes in the window / window" },
	{ "ratio", "Ratio", .style = STYLE_RATIO, .flags = COLUMN_RIGHT,
		.definition = "Time / Time of the reference variant with no load" },
	{ "load_rate_solo_percent", "Load/s", "%", .style = STYLE_SHARE,
		.flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "fairness: Loads per second of window, as % of what the load does "
			      "alone under the same variant" },
	{ "major_faults", "Majors", "events", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "page faults of the lead that needed I/O" },
	{ "sys", "Sys%", .flags = COLUMN_PEOPLE | COLUMN_RIGHT,
		.definition = "the whole system's user + system time / its iowait + steal, % of "
			      "all CPUs" },
	{ "sys_busy_percent", "user+system", "%", .flags = COLUMN_MACHINE },
	{ "sys_wait_percent", "iowait+steal", "%", .flags = COLUMN_MACHINE },
	{ "freeze_longest_s", "Freeze", "s", .style = STYLE_FREEZE, .flags = COLUMN_RIGHT,
		.definition = "longest time by which a thread that wakes every 10 ms was late, in "
			      "any trial, failed ones included; – below 0.1 s" },
};

/* Time of a row that has none: an outcome, and of a timeout what is known of the time. */
static void fail_row(struct row *row, const struct group *group)
{
	const struct result *failure = group_failure(group);

	if (!failure)
		return;
	row_set_text(row, "outcome", "%s", outcome_name(failure->row.outcome.code));
	if (failure->row.outcome.code == OUTCOME_TIMEOUT)
		row_set_instead(
			row, "time_s", "> %.6g s", (double)failure->row.deadline_ns / NS_PER_S);
	else
		row_set_instead(row, "time_s", "%s", outcome_name(failure->row.outcome.code));
}

static void time_row(struct row *row, const struct group *group, double reference_s)
{
	double time_s = group_median(group, offsetof(struct figures, time_s));
	struct span span = group_span(group, offsetof(struct figures, time_s));
	char a[400], b[400];

	row_set_number(row, "time_s", time_s);
	row_set_number(row, "ratio", reference_s > 0 ? time_s / reference_s : NAN);
	if (span.n < 2)
		return;
	if (group->contest->exact && reference_s > 0)
		seeds_cell(row, "ratio", STYLE_RATIO, time_s / reference_s,
			&(struct span) { span.min / reference_s, span.max / reference_s, span.n });
	row_set_number(row, "time_min_s", span.min);
	row_set_number(row, "time_max_s", span.max);
	if (group->contest->exact)
		row_set_text(row, "range", "%s", span_spell(&span, a, sizeof(a)));
	else
		row_set_text(row, "range", "%s–%s",
			number_render(STYLE_SECONDS, span.min, a, sizeof(a)),
			number_render(STYLE_SECONDS, span.max, b, sizeof(b)));
}

static void system_row(struct row *row, const struct group *group)
{
	const size_t offset_busy = offsetof(struct figures, busy_percent);
	const size_t offset_wait = offsetof(struct figures, wait_percent);
	double busy = group_median(group, offset_busy), wait = group_median(group, offset_wait);
	struct span spans[] = { group_span(group, offset_busy), group_span(group, offset_wait) };
	char a[400], b[400], c[80], d[80];

	row_set_number(row, "sys_busy_percent", busy);
	row_set_number(row, "sys_wait_percent", wait);
	if (isnan(busy) || isnan(wait))
		return;
	number_render(STYLE_COUNT, busy, a, sizeof(a));
	number_render(STYLE_COUNT, wait, b, sizeof(b));
	if (group->contest->exact && spans[0].n > 1)
		row_set_text(row, "sys", "%s/%s (%s/%s)", a, b, span_spell(&spans[0], c, sizeof(c)),
			span_spell(&spans[1], d, sizeof(d)));
	else
		row_set_text(row, "sys", "%s/%s", a, b);
}

static void load_row(struct row *row, const struct group *group)
{
	struct contest *contest = group->contest;
	struct arena *arena = &contest->results->arena;
	size_t n;
	const struct load_name *names = loads_split(arena, group->scenario->row.loads, &n);
	double *values = arena_alloc(arena, 5 * n, sizeof(*values));
	double *ones = values + 3 * n, *solo_percents = values + 4 * n;

	if (!values)
		return;
	for (size_t i = 0; i < n; i++) {
		double solo = contest_solo_rate(contest, names[i].spelled, group->variant);
		double rate = group_load_median(group, i, offsetof(struct load_figures, rate));

		values[i] = group_load_median(group, i, offsetof(struct load_figures, loads));
		values[n + i] =
			group_load_median(group, i, offsetof(struct load_figures, cpu_percent));
		values[2 * n + i] = solo > 0 ? 100 * rate / solo : NAN;
		ones[i] = 1;
		solo_percents[i] = solo > 0 ? solo / 100 : NAN;
	}
	row_set_list(row, "loads", values, n);
	row_set_list(row, "lcpu_percent", values + n, n);
	row_set_list(row, "load_rate_solo_percent", values + 2 * n, n);
	seeds_loads(
		row, group, "loads", STYLE_AMOUNT, offsetof(struct load_figures, loads), ones, n);
	seeds_loads(row, group, "lcpu_percent", STYLE_PERCENT,
		offsetof(struct load_figures, cpu_percent), ones, n);
	seeds_loads(row, group, "load_rate_solo_percent", STYLE_SHARE,
		offsetof(struct load_figures, rate), solo_percents, n);
}

static void add_row(struct table *table, const struct group *group, double reference_s)
{
	struct row *row = row_new(table);

	name_variant(row, group);
	name_runs(row, group);
	row_set_number(row, "freeze_longest_s", group_freeze(group));
	load_row(row, group);
	system_row(row, group);
	row_set_number(
		row, "cpu_percent", group_median(group, offsetof(struct figures, cpu_percent)));
	row_set_number(
		row, "major_faults", group_median(group, offsetof(struct figures, major_faults)));
	seeds_figure(
		row, group, "cpu_percent", STYLE_PERCENT, offsetof(struct figures, cpu_percent));
	seeds_figure(
		row, group, "major_faults", STYLE_COUNT, offsetof(struct figures, major_faults));
	time_row(row, group, reference_s);
	if (group->ok < group->n)
		row_mark_bad(row);
	if (group->ok)
		row_set_text(row, "outcome", "%s", outcome_name(OUTCOME_OK));
	else
		fail_row(row, group);
}

static struct table *add_table(
	struct model *model, struct contest *contest, const struct result *scenario)
{
	struct table *table = table_new(model, columns, ARRAY_SIZE(columns), "%s",
		name_scenario(contest->results, scenario));

	name_table(table, contest, scenario);
	return table;
}

/* "1 = 1000 files", "1 = 100 MB (100000000 bytes)". */
static void explain_unit(struct model *model, const char *term, double divisor,
	const char *table_unit, const char *unit)
{
	char counted[80];

	snprintf(counted, sizeof(counted), "%.15g %s", divisor, unit);
	if (strcmp(counted, table_unit))
		model_legend(model, term, "1 = %s (%s)", table_unit, counted);
	else
		model_legend(model, term, "1 = %s", table_unit);
}

/* What one of the Loads column is, for each workload once. */
static void explain_loads(
	struct model *model, const struct contest *contest, const struct result *scenario)
{
	struct results *results = contest->results;
	size_t n;
	const struct load_name *names = loads_split(&results->arena, scenario->row.loads, &n);

	for (size_t i = 0; i < n; i++) {
		char term[80];

		snprintf(term, sizeof(term), "Loads: %.*s", (int)strcspn(names[i].spelled, ":"),
			names[i].spelled);
		for (size_t k = 0; k < results->n && !model_legend_has(model, term); k++) {
			const struct result *trial = &results->trials[k];
			const char *role = names[i].role;
			double divisor;

			if (strcmp(trial->row.scenario, scenario->row.scenario))
				continue;
			divisor = results_value(results, trial, "trial", role, "table_divisor");
			if (isnan(divisor))
				continue;
			explain_unit(model, term, divisor,
				results_unit(results, trial, "trial", role, "table_divisor"),
				results_unit(results, trial, "trial", role, "progress"));
		}
	}
}

static void explain_reference(
	struct model *model, const struct contest *contest, const char *lead, double reference_s)
{
	const char *reference = contest->results->run.reference;
	char term[200], time[400];

	snprintf(term, sizeof(term), "Ratio: %s", lead);
	if (model_legend_has(model, term))
		return;
	if (isnan(reference_s))
		model_legend(model, term,
			"no ok trial of it under \"%s\" without a load: no reference", reference);
	else
		model_legend(model, term, "the reference is %s s, under \"%s\" without a load",
			number_render(STYLE_SECONDS, reference_s, time, sizeof(time)), reference);
}

/* Of a load alone nothing is shown but how it failed. */
static void add_scenario(
	struct model *model, struct contest *contest, const struct result *scenario)
{
	double reference_s = contest_reference(contest, scenario);
	struct table *table = scenario->row.solo ? NULL : add_table(model, contest, scenario);

	for (size_t v = 0; v < contest->n_variants; v++) {
		struct group group = contest_group(contest, scenario, contest->variants[v]);

		if (table && group.n)
			add_row(table, &group, reference_s);
		if (table)
			hearing_note_group(table, &group);
		name_failures(model, table, &group);
	}
	if (!table)
		return;
	seeds_note(table, contest, scenario);
	explain_reference(model, contest, scenario->row.lead, reference_s);
	explain_loads(model, contest, scenario);
}

static int build(struct results *results, struct model *model, struct error *err)
{
	(void)err;
	name_scenarios(results, model, add_scenario);
	return 0;
}

const struct view view_contest = {
	.name = "contest",
	.summary = "lead and load of each scenario side by side, one row for each variant",
	.build = build,
};
