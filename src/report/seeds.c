// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/seeds.h"

#include <math.h>
#include <stdio.h>

/* "12125 (12124–12125)" into buf; the median alone where there is no spread. */
static const char *spell(
	enum number_style style, const struct span *span, double median, char *buf, size_t size)
{
	char number[400], spread[80];

	number_render(style, median, number, sizeof(number));
	if (span->n > 1)
		snprintf(buf, size, "%s (%s)", number, span_spell(span, spread, sizeof(spread)));
	else
		snprintf(buf, size, "%s", number);
	return buf;
}

void seeds_cell(struct row *row, const char *key, enum number_style style, double median,
	const struct span *span)
{
	char text[500];

	if (span->n > 1)
		row_set_instead(row, key, "%s", spell(style, span, median, text, sizeof(text)));
}

void seeds_figure(struct row *row, const struct group *group, const char *key,
	enum number_style style, size_t offset)
{
	struct span span = group_span(group, offset);

	if (group->contest->exact)
		seeds_cell(row, key, style, group_median(group, offset), &span);
}

static struct span divided(struct span span, double divisor)
{
	if (!(divisor > 0))
		return (struct span) { NAN, NAN, 0 };
	return (struct span) { span.min / divisor, span.max / divisor, span.n };
}

void seeds_loads(struct row *row, const struct group *group, const char *key,
	enum number_style style, size_t offset, const double *divisors, size_t n)
{
	struct arena *arena = &group->contest->results->arena;
	const char *joined = "";
	size_t spans = 0;

	for (size_t i = 0; i < n && joined; i++) {
		struct span span = divided(group_load_span(group, i, offset), divisors[i]);
		double median = group_load_median(group, i, offset) / divisors[i];
		char text[500];

		spans += span.n > 1;
		joined = arena_format(arena, "%s%s%s", joined, i ? " + " : "",
			spell(style, &span, median, text, sizeof(text)));
	}
	if (group->contest->exact && spans && joined)
		row_set_instead(row, key, "%s", joined);
}

void seeds_note(struct table *table, struct contest *contest, const struct result *scenario)
{
	size_t several = 0;

	for (size_t v = 0; contest->exact && v < contest->n_variants; v++) {
		struct group group = contest_group(contest, scenario, contest->variants[v]);

		several += group.ok > 1;
		if (group.ok == 1)
			table_note(table,
				"%s: one seed, which is one path through a chaotic system: how far "
				"others are from it is not known",
				group.variant->row.variant);
	}
	if (several)
		table_note(table, "exact on each seed; in parentheses the least and the greatest "
				  "of all seeds");
}
