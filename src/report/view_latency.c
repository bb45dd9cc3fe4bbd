// SPDX-License-Identifier: GPL-2.0-or-later
/* How long things took at most: the steps of each role, and a thread that should have woken. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/naming.h"
#include "report/view.h"

static const struct column columns[] = {
	{ "role", "of" },
	{ "histogram", "what",
		.definition =
			"step: from when a step of the workload was due to its end; lateness: "
			"of threads, one for each CPU, that should wake every 10 ms" },
	NAME_COLUMNS,
	{ "trials_ok", "ok", .flags = COLUMN_MACHINE },
	{ "trials", "trials", .flags = COLUMN_MACHINE },
	{ "count", "count", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "how many, of all ok trials together" },
	{ "mean_ns", "mean", "ns", .style = STYLE_DURATION, .flags = COLUMN_MACHINE },
	{ "p50_ns", "median", "ns", .style = STYLE_DURATION, .flags = COLUMN_RIGHT },
	{ "p90_ns", "p90", "ns", .style = STYLE_DURATION, .flags = COLUMN_MACHINE },
	{ "p99_ns", "p99", "ns", .style = STYLE_DURATION, .flags = COLUMN_RIGHT,
		.definition = "99 % took no longer" },
	{ "p99.9_ns", "p99.9", "ns", .style = STYLE_DURATION, .flags = COLUMN_RIGHT },
	{ "max_ns", "max", "ns", .style = STYLE_DURATION, .flags = COLUMN_RIGHT,
		.definition = "the longest, exactly; the others to 3 %" },
	{ "negative", "negative", .style = STYLE_COUNT, .flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "durations below 0: a clock that went back; in no other column" },
	{ "censored", "censored", .style = STYLE_COUNT, .flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "waits that had not ended when the window closed; they count with "
			      "what they had lasted by then" },
};

/* One histogram of one variant, merged over its ok trials. */
struct distribution {
	struct distribution *next;
	const char *role, *name;
	const struct group *group;
	struct histogram histogram;
};

struct gathering {
	struct arena *arena;
	const struct group *group;
	struct distribution *first, **end;
};

static int gather(void *data, const char *role, const char *name, const struct histogram *histogram)
{
	struct gathering *gathering = data;
	struct distribution *each = gathering->first;

	while (each && (each->group != gathering->group || strcmp(each->role, role) ||
			       strcmp(each->name, name)))
		each = each->next;
	if (!each) {
		each = arena_alloc(gathering->arena, 1, sizeof(*each));
		if (!each)
			return 0;
		each->group = gathering->group;
		each->role = arena_copy(gathering->arena, role);
		each->name = arena_copy(gathering->arena, name);
		if (!each->role || !each->name)
			return 0;
		*gathering->end = each;
		gathering->end = &each->next;
	}
	histogram_merge(&each->histogram, histogram);
	return 0;
}

/* Threads that were still waiting; NAN for all but the lateness, and when there were none. */
static double censored(const struct distribution *distribution)
{
	struct results *results = distribution->group->contest->results;
	double sum = 0;

	if (distribution->role[0] || strcmp(distribution->name, "lateness"))
		return NAN;
	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];
		double value = NAN;

		if (group_has(distribution->group, trial) && result_counts(trial))
			value = results_value(results, trial, "heartbeat", "", "censored");
		sum += isnan(value) ? 0 : value;
	}
	return sum > 0 ? sum : NAN;
}

static void set_quantile(
	struct row *row, const char *key, const struct histogram *histogram, double q)
{
	int64_t ns = histogram_quantile(histogram, q);

	row_set_number(row, key, ns < 0 ? NAN : (double)ns);
}

static void add_row(struct table *table, const struct distribution *distribution)
{
	const struct histogram *histogram = &distribution->histogram;
	struct row *row = row_new(table);

	row_set_text(row, "role", "%s", distribution->role[0] ? distribution->role : "system");
	row_set_text(row, "histogram", "%s", distribution->name);
	name_variant(row, distribution->group);
	row_set_number(row, "trials_ok", (double)distribution->group->ok);
	row_set_number(row, "trials", (double)distribution->group->n);
	row_set_number(row, "count", (double)histogram->count);
	row_set_number(row, "mean_ns",
		histogram->count ? (double)histogram->sum / (double)histogram->count : NAN);
	set_quantile(row, "p50_ns", histogram, 0.5);
	set_quantile(row, "p90_ns", histogram, 0.9);
	set_quantile(row, "p99_ns", histogram, 0.99);
	set_quantile(row, "p99.9_ns", histogram, 0.999);
	row_set_number(row, "max_ns", histogram->count ? (double)histogram->max : NAN);
	row_set_number(row, "negative", histogram->negative ? (double)histogram->negative : NAN);
	row_set_number(row, "censored", censored(distribution));
}

/* Variants side by side: for each histogram in the order of the first, one row for each. */
static void add_rows(struct table *table, const struct gathering *gathering)
{
	for (const struct distribution *each = gathering->first; each; each = each->next) {
		const struct distribution *first = gathering->first;

		while (strcmp(first->role, each->role) || strcmp(first->name, each->name))
			first = first->next;
		if (first != each)
			continue;
		for (const struct distribution *other = each; other; other = other->next)
			if (!strcmp(other->role, each->role) && !strcmp(other->name, each->name))
				add_row(table, other);
	}
}

static void add_scenario(
	struct model *model, struct contest *contest, const struct result *scenario)
{
	struct results *results = contest->results;
	struct gathering gathering = { .arena = &results->arena, .end = &gathering.first };
	struct group *groups = arena_alloc(&results->arena, contest->n_variants, sizeof(*groups));
	struct table *table;

	if (!groups)
		return;
	for (size_t v = 0; v < contest->n_variants; v++) {
		groups[v] = contest_group(contest, scenario, contest->variants[v]);
		gathering.group = &groups[v];
		for (size_t i = 0; i < results->n; i++)
			if (group_has(&groups[v], &results->trials[i]) &&
				result_counts(&results->trials[i]))
				results_histograms(
					results, &results->trials[i], gather, &gathering);
	}
	table = table_new(
		model, columns, ARRAY_SIZE(columns), "%s", name_scenario(results, scenario));
	name_table(table, contest, scenario);
	add_rows(table, &gathering);
	for (size_t v = 0; v < contest->n_variants; v++)
		name_failures(model, table, &groups[v]);
}

static int build(struct results *results, struct model *model, struct error *err)
{
	(void)err;
	name_scenarios(results, model, add_scenario);
	return 0;
}

const struct view view_latency = {
	.name = "latency",
	.summary = "how long steps took, and how late a thread woke: median, p99, p99.9, longest",
	.build = build,
};
