// SPDX-License-Identifier: GPL-2.0-or-later
/* Is B different from A, by how much, and is it more than noise? */
#include "report/view_verdict.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/change.h"
#include "report/seeds.h"
#include "report/view.h"

/* p at which order effect and drift are told. */
#define TOLD 0.05

/* Per cent of CPU time in the worst trial at which steal is told; above 5 a trial is void. */
#define STEAL_TOLD 1.0

static const struct column columns[] = {
	{ "scenario", "Scenario" },
	{ "reference", "A", .definition = "the reference" },
	{ "variant", "B", .definition = "what is compared with it" },
	/* These two are set by columns_for(). */
	{ "a", "A", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT },
	{ "b", "B", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT },
	{ "change", "change", .flags = COLUMN_PEOPLE | COLUMN_RIGHT,
		.definition = "Hodges-Lehmann estimate of B against A, from differences within "
			      "blocks; not the ratio of the two medians" },
	{ "change_percent", "change", "%", .flags = COLUMN_MACHINE },
	CHANGE_SEEDS_COLUMNS,
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

#define COLUMN_A 3
#define COLUMN_B 4
#define COLUMN_CHANGE 5
#define COLUMN_P 13

/* On the same seeds there are no blocks, and another test. */
static void define_pairs(struct column *own)
{
	own[COLUMN_A].definition = "median of A, and in parentheses the least and the greatest";
	own[COLUMN_CHANGE].definition =
		"Hodges-Lehmann estimate of B against A, from differences on "
		"the same seed; not the ratio of the two medians";
	own[COLUMN_P].definition =
		"exact sign-flip test over the seeds, two-sided; Holm over the rows";
}

static struct table *verdict_table(struct model *model, const struct verdicts *verdicts)
{
	const struct primary *primary = &verdicts->primary;
	bool time = primary_is_time(primary);
	struct column own[ARRAY_SIZE(columns)];

	memcpy(own, columns, sizeof(own));
	own[COLUMN_A].unit = own[COLUMN_B].unit = verdicts->unit;
	own[COLUMN_A].definition = time ? "median Time of A" : "median of A";
	if (verdicts->design == DESIGN_PAIRS)
		define_pairs(own);
	if (time) {
		own[COLUMN_A].key = "a_s";
		own[COLUMN_A].heading = "A s";
		own[COLUMN_B].key = "b_s";
		own[COLUMN_B].heading = "B s";
		own[COLUMN_A].style = own[COLUMN_B].style = STYLE_SECONDS;
		return table_new(model, own, ARRAY_SIZE(own), "Time of the lead");
	}
	return table_new(model, own, ARRAY_SIZE(own), "%s of %s: %s (%s)%s", primary->name,
		*primary->role ? primary->role : "the system", primary->source, verdicts->unit,
		primary->more_is_better ? ", more is better" : "");
}

static void set_estimate(struct row *row, const struct versus *versus)
{
	double estimate = versus->primary.comparison.estimate;
	char change[32];

	row_set_number(row, "change_percent", change_number(estimate));
	if (isfinite(estimate))
		row_set_text(row, "change", "%s", change_spell(estimate, change, sizeof(change)));
	else if (isfinite(versus->bound))
		row_set_text(row, "change", "%s %s", estimate > 0 ? ">" : "<",
			change_spell(versus->bound, change, sizeof(change)));
}

/* The median; of an arm of which nothing finished, how long it was given at least. */
static void set_median(struct row *row, const struct versus *versus, const struct arm *arm,
	const char *key, double median)
{
	double least = INFINITY;

	row_set_number(row, key, median);
	if (!isnan(median) || strcmp(key + 1, "_s") != 0)
		return;
	for (size_t i = 0; i < arm->results->n; i++) {
		const struct result *trial = &arm->results->trials[i];

		if (arm_has(arm, versus->scenario, trial) &&
			isinf(outcome_time_s(&trial->row.outcome)))
			least = fmin(least, result_window_s(trial));
	}
	if (isfinite(least))
		row_set_instead(row, key, "> %.3g", least);
}

static void set_spans(struct row *row, const struct verdicts *verdicts, const struct versus *versus)
{
	bool time = primary_is_time(&verdicts->primary);
	enum number_style style = time ? STYLE_SECONDS : STYLE_AMOUNT;

	seeds_cell(row, time ? "a_s" : "a", style, versus->median_a, &versus->span_a);
	seeds_cell(row, time ? "b_s" : "b", style, versus->median_b, &versus->span_b);
	if (versus->primary.answered)
		change_set_seeds(row, &versus->primary.comparison);
}

static void add_verdict(
	struct table *table, const struct verdicts *verdicts, const struct versus *versus)
{
	const struct question *primary = &versus->primary;
	const struct comparison *comparison = &primary->comparison;
	bool time = primary_is_time(&verdicts->primary);
	struct row *row = row_new(table);

	row_set_text(row, "scenario", "%s", versus->scenario);
	row_set_text(row, "reference", "%s", versus->a.variant);
	row_set_text(row, "variant", "%s", versus->b.variant);
	set_median(row, versus, &versus->a, time ? "a_s" : "a", versus->median_a);
	set_median(row, versus, &versus->b, time ? "b_s" : "b", versus->median_b);
	if (verdicts->design == DESIGN_PAIRS)
		set_spans(row, verdicts, versus);
	row_set_number(row, "trials_a", (double)versus->trials_a);
	row_set_number(row, "trials_b", (double)versus->trials_b);
	row_set_text(
		row, "verdict", "%s", versus->skipped ? "skipped" : verdict_name(primary->verdict));
	if (primary->trials)
		row_set_number(row, "trials_to_settle", primary->trials);
	if (!primary->answered)
		return;
	row_set_number(row, "p", primary->p);
	set_estimate(row, versus);
	change_set_interval(row, &comparison->interval95);
	if (comparison->noise.pairs)
		row_set_number(row, "floor_percent", change_number(comparison->floor));
	if (primary->verdict == VERDICT_SLOWER)
		row_mark_bad(row);
}

/* What the trials of the reference say is the same in all its comparisons. */
static bool told_before(const struct verdicts *verdicts, const struct versus *versus)
{
	return versus > verdicts->all && !strcmp(versus[-1].scenario, versus->scenario);
}

static void add_noise(struct table *table, const struct versus *versus)
{
	const struct noise *noise = &versus->primary.comparison.noise;
	char change[32];

	if (noise->pairs && noise->order_p <= TOLD)
		table_note(table,
			"%s: order effect: of two trials of %s in a block the later one is %s "
			"(p %.3g); the order is shuffled against it",
			versus->scenario, versus->a.variant,
			change_spell(noise->order, change, sizeof(change)), noise->order_p);
	if (versus->drift.p <= TOLD)
		table_note(table,
			"%s: the machine drifted: Kendall's tau over the run is %+.2f (p %.3g); "
			"blocks are compared within themselves against it",
			versus->scenario, versus->drift.tau, versus->drift.p);
}

/* What a reader who distrusts benchmarks asks next. */
static void add_doubts(
	struct table *table, const struct verdicts *verdicts, const struct versus *versus)
{
	if (versus->skipped)
		table_note(table, "%s, %s: not compared: %s", versus->scenario, versus->b.variant,
			versus->skipped);
	else if (!versus->primary.answered)
		table_note(table,
			"%s, %s: nothing to compare: no block in which both say something",
			versus->scenario, versus->b.variant);
	else if (!versus->primary.comparison.exact)
		table_note(table, "%s, %s: p by the normal approximation: too many trials to count",
			versus->scenario, versus->b.variant);
	if (!isnan(versus->failures_p) && versus->failed_a + versus->failed_b)
		table_note(table,
			"%s: failed trials: %zu of %zu of %s, %zu of %zu of %s (Fisher's exact "
			"test: p %.3g)",
			versus->scenario, versus->failed_a, versus->trials_a, versus->a.variant,
			versus->failed_b, versus->trials_b, versus->b.variant, versus->failures_p);
	if (!told_before(verdicts, versus))
		add_noise(table, versus);
}

/* Of all CPU time in a trial's window, what the hypervisor kept, in per cent. */
static double steal_of(struct results *results, const struct result *trial)
{
	static const char *const names[] = { "user", "nice", "system", "irq", "softirq", "iowait",
		"steal", "idle" };
	double all = 0;

	for (size_t i = 0; i < ARRAY_SIZE(names); i++)
		all += results_value(results, trial, "stat", "", names[i]);
	return 100 * results_value(results, trial, "stat", "", "steal") / all;
}

static void note_steal(struct model *model, struct results *results)
{
	double most = 0;

	for (size_t i = 0; i < results->n; i++)
		most = fmax(most, steal_of(results, &results->trials[i]));
	if (most >= STEAL_TOLD)
		model_note(model,
			"run %lld: the hypervisor took up to %.1f %% of a trial's CPU time",
			(long long)results->run.id, most);
}

/* How much rests on how many seeds. */
static void note_seeds(struct model *model, const struct verdicts *verdicts)
{
	unsigned seeds = verdicts->blocks;

	model_note(model,
		"%u seed%s, A and B once on each: a repeat gives the same figures, so there is no "
		"noise of the machine in them; what differs from seed to seed is the system's own",
		seeds, seeds == 1 ? "" : "s");
	if (seeds == 1)
		model_note(model, "one seed is one path through a chaotic system: no verdict rests "
				  "on it; six (--runs 6) are the fewest that can show a "
				  "difference");
	else if (seeds < 6)
		model_note(model,
			"p cannot be below %.3g with %u seeds: six (--runs 6) are the fewest that "
			"can show a difference",
			ldexp(1, 1 - (int)seeds), seeds);
}

int verdicts_tell(const struct verdicts *verdicts, struct model *model, struct error *err)
{
	struct table *table = verdict_table(model, verdicts);

	for (size_t i = 0; i < verdicts->n; i++) {
		add_verdict(table, verdicts, &verdicts->all[i]);
		add_doubts(table, verdicts, &verdicts->all[i]);
	}
	model_fact_text(model, "primary_metric", verdicts->primary.text, "");
	model_fact_number(model, "delta_percent", verdicts->delta, "");
	model_fact_number(model, "level", verdicts->level, "");
	model_legend(model, "FASTER, SLOWER", "p at most %.4g and a change of %g %% or more%s",
		verdicts->level, verdicts->delta,
		verdicts->design == DESIGN_PAIRS ? "" : ", and more than the floor");
	model_legend(model, "SAME", "the 90 %% interval lies within %g %% on either side",
		verdicts->delta);
	if (verdicts->design == DESIGN_PAIRS)
		note_seeds(model, verdicts);
	else if (verdicts->blocks)
		model_note(model, "%u block%s, shuffled, after a warm-up that does not count",
			verdicts->blocks, verdicts->blocks == 1 ? "" : "s");
	else
		model_note(model,
			"not measured side by side: what drifted between the two counts as a "
			"difference");
	if (verdicts->n) {
		note_steal(model, verdicts->all[0].a.results);
		if (verdicts->all[0].b.results != verdicts->all[0].a.results)
			note_steal(model, verdicts->all[0].b.results);
	}
	return pointers_tell(verdicts, model, err);
}

static int build(struct results *results, struct model *model, struct error *err)
{
	struct verdicts verdicts;
	int r = verdicts_of_run(results, results->options.delta, &verdicts, err);

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
