// SPDX-License-Identifier: GPL-2.0-or-later
/* Is B different from A, by how much, and is it more than noise? */
#include "report/view_verdict.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/view.h"

/* Below this a number of rows is read; what is left out is counted in a note. */
#define MOST_POINTERS 20

/* p at which order effect and drift are told. */
#define TOLD 0.05

static const struct column columns[] = {
	{ "scenario", "Scenario" },
	{ "reference", "A", .definition = "the reference" },
	{ "variant", "B", .definition = "what is compared with it" },
	{ "a_s", "A s", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT,
		.definition = "median Time of A" },
	{ "b_s", "B s", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT },
	{ "change", "change", .flags = COLUMN_PEOPLE | COLUMN_RIGHT,
		.definition = "Hodges-Lehmann estimate of B's Time against A's, from differences "
			      "within blocks; not the ratio of the two medians" },
	{ "change_percent", "change", "%", .flags = COLUMN_MACHINE },
	{ "interval", "95 % interval", .flags = COLUMN_PEOPLE | COLUMN_RIGHT,
		.definition = "all changes that the same test does not reject" },
	{ "low_percent", "low", "%", .flags = COLUMN_MACHINE },
	{ "high_percent", "high", "%", .flags = COLUMN_MACHINE },
	{ "p", "p", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "exact permutation test, two-sided; Holm over the rows" },
	{ "verdict", "verdict" },
	{ "trials_a", "A n", .style = STYLE_COUNT, .flags = COLUMN_RIGHT,
		.definition = "trials, failed ones included; a timeout is longer than "
			      "everything that ended" },
	{ "trials_b", "B n", .style = STYLE_COUNT, .flags = COLUMN_RIGHT },
	{ "trials_to_settle", "would take", .style = STYLE_COUNT,
		.flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "trials of each variant that would settle what is open" },
	{ "floor_percent", "floor", "%", .style = STYLE_PERCENT,
		.flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "what A against itself stays within, 19 times in 20, with so many "
			      "trials" },
};

static const struct column pointer_columns[] = {
	{ "scenario", "Scenario" },
	{ "variant", "B" },
	{ "source", "source" },
	{ "role", "of" },
	{ "metric", "metric" },
	{ "unit", "unit" },
	{ "a", "A", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT },
	{ "b", "B", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT },
	{ "change", "change", .flags = COLUMN_PEOPLE | COLUMN_RIGHT },
	{ "change_percent", "change", "%", .flags = COLUMN_MACHINE },
	{ "q", "q", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "p after Benjamini and Hochberg: of the rows at or below 0.1, one "
			      "in ten may be noise" },
};

/* "+12.3 %", "-4.2 %", "> 1000 %": of a difference of logarithms. */
static const char *percent(double difference, char *buf, size_t size)
{
	double change = ratio_percent(difference);

	if (isinf(change))
		snprintf(buf, size, "none");
	else if (fabs(change) >= 1000)
		snprintf(buf, size, "×%.3g", 1 + change / 100);
	else
		snprintf(buf, size, "%+.1f %%", change);
	return buf;
}

/* An open end is absent to a machine. */
static double bounded(double number)
{
	return isfinite(number) ? number : NAN;
}

static void set_estimate(struct row *row, const struct comparison *comparison)
{
	char change[32], low[32], high[32];

	row_set_text(row, "change", "%s", percent(comparison->estimate, change, sizeof(change)));
	row_set_number(row, "change_percent", bounded(ratio_percent(comparison->estimate)));
	row_set_text(row, "interval", "%s to %s",
		percent(comparison->interval95.low, low, sizeof(low)),
		percent(comparison->interval95.high, high, sizeof(high)));
	row_set_number(row, "low_percent", bounded(ratio_percent(comparison->interval95.low)));
	row_set_number(row, "high_percent", bounded(ratio_percent(comparison->interval95.high)));
	if (comparison->noise.pairs)
		row_set_number(row, "floor_percent", bounded(ratio_percent(comparison->floor)));
}

static void add_verdict(struct table *table, const struct versus *versus)
{
	const struct question *time = &versus->time;
	struct row *row = row_new(table);

	row_set_text(row, "scenario", "%s", versus->scenario);
	row_set_text(row, "reference", "%s", versus->a.variant);
	row_set_text(row, "variant", "%s", versus->b.variant);
	row_set_number(row, "a_s", versus->median_a_s);
	row_set_number(row, "b_s", versus->median_b_s);
	row_set_number(row, "trials_a", (double)versus->trials_a);
	row_set_number(row, "trials_b", (double)versus->trials_b);
	row_set_text(row, "verdict", "%s", verdict_name(time->verdict));
	if (time->trials)
		row_set_number(row, "trials_to_settle", time->trials);
	if (!time->answered)
		return;
	row_set_number(row, "p", time->p);
	set_estimate(row, &time->comparison);
	if (time->verdict == VERDICT_SLOWER)
		row_mark_bad(row);
}

/* What a reader who distrusts benchmarks asks next. */
static void add_doubts(struct table *table, const struct versus *versus)
{
	const struct noise *noise = &versus->time.comparison.noise;
	char change[32];

	if (!versus->time.answered)
		table_note(table, "%s, %s: nothing to compare: no block in which both ended",
			versus->scenario, versus->b.variant);
	if (versus->failed_a || versus->failed_b)
		table_note(table,
			"%s: failed trials: %zu of %zu of %s, %zu of %zu of %s (Fisher's exact "
			"test: p %.3g)",
			versus->scenario, versus->failed_a, versus->trials_a, versus->a.variant,
			versus->failed_b, versus->trials_b, versus->b.variant, versus->failures_p);
	if (noise->pairs && noise->order_p <= TOLD)
		table_note(table,
			"%s: order effect: of two trials of %s in a block the later one is %s "
			"(p %.3g); the order is shuffled against it",
			versus->scenario, versus->a.variant,
			percent(noise->order, change, sizeof(change)), noise->order_p);
	if (versus->drift.p <= TOLD)
		table_note(table,
			"%s: the machine drifted: Kendall's tau of Time over the run is %+.2f "
			"(p %.3g); blocks are compared within themselves against it",
			versus->scenario, versus->drift.tau, versus->drift.p);
}

static int add_pointers(const struct verdicts *verdicts, struct model *model, struct error *err)
{
	struct pointer *pointers;
	struct table *table;
	size_t n;
	int r;

	r = verdicts_pointers(verdicts, &pointers, &n, err);
	if (r < 0 || !n)
		return r;
	table = table_new(
		model, pointer_columns, ARRAY_SIZE(pointer_columns), "Look here: what else moved");
	for (size_t i = 0; i < n && i < MOST_POINTERS; i++) {
		const struct pointer *pointer = &pointers[i];
		const struct comparison *comparison = &pointer->question.comparison;
		struct row *row = row_new(table);
		char change[32];

		row_set_text(row, "scenario", "%s", pointer->versus->scenario);
		row_set_text(row, "variant", "%s", pointer->versus->b.variant);
		row_set_text(row, "source", "%s", pointer->source);
		row_set_text(row, "role", "%s", *pointer->role ? pointer->role : "system");
		row_set_text(row, "metric", "%s", pointer->name);
		row_set_text(row, "unit", "%s", pointer->unit);
		row_set_number(row, "a", pointer->median_a);
		row_set_number(row, "b", pointer->median_b);
		row_set_text(
			row, "change", "%s", percent(comparison->estimate, change, sizeof(change)));
		row_set_number(row, "change_percent", bounded(ratio_percent(comparison->estimate)));
		row_set_number(row, "q", pointer->question.p);
	}
	if (n > MOST_POINTERS)
		table_note(
			table, "and %zu more; contend export has all numbers", n - MOST_POINTERS);
	return 0;
}

int verdicts_tell(const struct verdicts *verdicts, struct model *model, struct error *err)
{
	struct table *table = table_new(model, columns, ARRAY_SIZE(columns), "Time of the lead");

	for (size_t i = 0; i < verdicts->n; i++) {
		add_verdict(table, &verdicts->all[i]);
		add_doubts(table, &verdicts->all[i]);
	}
	model_legend(model, "FASTER, SLOWER", "p at most %.4g and a change of %g %% or more, %s",
		verdicts->level, verdicts->delta, "and more than the floor");
	model_legend(model, "SAME", "the 90 %% interval lies within %g %% on either side",
		verdicts->delta);
	if (verdicts->blocks)
		model_note(model, "%u block%s, shuffled, after a warm-up that does not count",
			verdicts->blocks, verdicts->blocks == 1 ? "" : "s");
	else
		model_note(model,
			"not measured side by side: what drifted between the two counts as a "
			"difference");
	return add_pointers(verdicts, model, err);
}

static int build(struct results *results, struct model *model, struct error *err)
{
	struct verdicts verdicts;
	int r = verdicts_of_run(results, &verdicts, err);

	if (r < 0)
		return r;
	if (!verdicts.n) {
		model_note(model, "one variant alone: there is nothing to compare; give "
				  "--variant or --vary");
		return 0;
	}
	return verdicts_tell(&verdicts, model, err);
}

/* A run with several variants asks for a verdict. */
static bool fits(struct results *results)
{
	for (size_t i = 1; i < results->n; i++) {
		if (strcmp(results->trials[i].row.variant, results->trials[0].row.variant))
			return true;
	}
	return false;
}

const struct view view_verdict = {
	.name = "verdict",
	.summary = "each variant against the reference: change, interval, p, verdict",
	.fits = fits,
	.build = build,
};
