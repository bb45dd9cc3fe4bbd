// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/seeds.h"

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

void seeds_loads(struct row *row, const struct group *group, const char *key,
	enum number_style style, size_t offset, size_t n)
{
	struct arena *arena = &group->contest->results->arena;
	const char *joined = "";
	size_t spans = 0;

	for (size_t i = 0; i < n && joined; i++) {
		struct span span = group_load_span(group, i, offset);
		double median = group_load_median(group, i, offset);
		char text[500];

		spans += span.n > 1;
		joined = arena_format(arena, "%s%s%s", joined, i ? " + " : "",
			spell(style, &span, median, text, sizeof(text)));
	}
	if (group->contest->exact && spans && joined)
		row_set_instead(row, key, "%s", joined);
}

void seeds_note(struct table *table, const struct group *group)
{
	const char *variant = group->variant->row.variant;

	if (!group->contest->exact)
		return;
	if (group->ok > 1)
		table_note(table,
			"%s: exact on each of %zu seeds; in parentheses the least and the greatest "
			"of them",
			variant, group->ok);
	else if (group->ok)
		table_note(table,
			"%s: one seed, which is one path through a chaotic system: how far others "
			"are from it is not known",
			variant);
}
