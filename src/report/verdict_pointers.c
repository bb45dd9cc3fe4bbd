// SPDX-License-Identifier: GPL-2.0-or-later
/* pointers_tell(): the table of what else moved. */
#include <math.h>

#include "base/cleanup.h"
#include "report/change.h"
#include "report/seeds.h"
#include "report/view_verdict.h"

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
	CHANGE_SEEDS_COLUMNS,
	{ "interval", "95 % interval", .flags = COLUMN_PEOPLE | COLUMN_RIGHT },
	{ "low_percent", "low", "%", .flags = COLUMN_MACHINE },
	{ "high_percent", "high", "%", .flags = COLUMN_MACHINE },
	{ "p", "p", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT },
	{ "q", "q", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "p after Benjamini and Hochberg: of the rows at or below 0.1, one "
			      "in ten may be noise" },
	{ "verdict", "verdict",
		.definition = "MORE, LESS: q at most 0.1, else as the verdict above" },
	{ "trials_a", "A n", .style = STYLE_COUNT, .flags = COLUMN_RIGHT },
	{ "trials_b", "B n", .style = STYLE_COUNT, .flags = COLUMN_RIGHT },
};

/* More or less of a metric is neither good nor bad. */
static const char *direction_name(enum verdict verdict)
{
	if (verdict == VERDICT_SLOWER)
		return "MORE";
	return verdict == VERDICT_FASTER ? "LESS" : verdict_name(verdict);
}

static void add_pointer(struct table *table, const struct pointer *pointer)
{
	const struct question *question = &pointer->question;
	const struct comparison *comparison = &question->comparison;
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
	if (question->design == DESIGN_PAIRS) {
		seeds_cell(row, "a", STYLE_AMOUNT, pointer->median_a, &pointer->span_a);
		seeds_cell(row, "b", STYLE_AMOUNT, pointer->median_b, &pointer->span_b);
		change_set_seeds(row, comparison);
	}
	row_set_text(row, "change", "%s",
		isinf(comparison->estimate) && comparison->estimate > 0
			? "from 0"
			: change_spell(comparison->estimate, change, sizeof(change)));
	/* None of what A has is -100 %. */
	if (comparison->estimate < INFINITY)
		row_set_number(row, "change_percent", ratio_percent(comparison->estimate));
	change_set_interval(row, &comparison->interval95);
	row_set_number(row, "p", comparison->p);
	row_set_number(row, "q", question->p);
	row_set_text(row, "verdict", "%s", direction_name(question->verdict));
	row_set_number(row, "trials_a", (double)comparison->n_a);
	row_set_number(row, "trials_b", (double)comparison->n_b);
}

int pointers_tell(const struct verdicts *verdicts, struct model *model, struct error *err)
{
	struct pointer *pointers;
	struct table *table;
	size_t n;
	int r;

	r = verdicts_pointers(verdicts, &pointers, &n, err);
	if (r < 0 || !n)
		return r;
	table = table_new(model, pointer_columns, ARRAY_SIZE(pointer_columns), "%s",
		"Look here: what else moved");
	for (size_t i = 0; i < n && i < POINTERS_TOLD; i++)
		add_pointer(table, &pointers[i]);
	if (n > POINTERS_TOLD)
		table_note(
			table, "and %zu more; contend export has all numbers", n - POINTERS_TOLD);
	return 0;
}
