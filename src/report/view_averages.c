// SPDX-License-Identifier: GPL-2.0-or-later
/* What each iteration of the lead took, in the terms of GNU time and the order of the posts. */
#include <math.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "report/audio.h"
#include "report/iterations.h"
#include "report/naming.h"
#include "report/view.h"

static const struct column columns[] = {
	{ "statistic", "" },
	NAME_COLUMNS,
	{ "of", "of", .flags = COLUMN_PEOPLE | COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "iterations, and the ok trials that they come from" },
	{ "iterations", "iterations", .flags = COLUMN_MACHINE },
	{ "trials_ok", "ok", .flags = COLUMN_MACHINE },
	{ "trials", "trials", .flags = COLUMN_MACHINE },
	{ "allocated_bytes", "bytes", "bytes", .style = STYLE_COUNT,
		.flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "that the lead allocated, or mapped" },
	{ "user_s", "user", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT,
		.definition = "seconds of CPU time in user mode, of the lead's process and the "
			      "children that it waited for" },
	{ "system_s", "system", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT,
		.definition = "the same in the kernel" },
	{ "elapsed_s", "elapsed", "s", .style = STYLE_SECONDS, .flags = COLUMN_RIGHT,
		.definition = "seconds from the iteration's start to its end" },
	{ "cpu_percent", "CPU%", "%", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "(user + system) / elapsed; the mean is that of the means" },
	{ "major_faults", "majors", "events", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "page faults that needed I/O" },
	{ "minor_faults", "minors", "events", .style = STYLE_AMOUNT, .flags = COLUMN_RIGHT,
		.definition = "page faults that needed none; one on a page that is in page cache "
			      "is a minor, which was a major in 2001" },
	{ "swap_residue_bytes", "swap left", "bytes", .style = STYLE_COUNT,
		.flags = COLUMN_RIGHT | COLUMN_OPTIONAL,
		.definition = "bytes of the box's swap in use when the iteration had ended, less "
			      "those before the first one" },
	{ "likely_leak", "leak?", .flags = COLUMN_OPTIONAL,
		.definition = "what hints at one: more than 1 % of swap left in use, or an "
			      "iteration that got fewer bytes than the one before it" },
};

static const char *const term_keys[TERMS] = {
	[TERM_ALLOCATED] = "allocated_bytes",
	[TERM_USER] = "user_s",
	[TERM_SYSTEM] = "system_s",
	[TERM_ELAPSED] = "elapsed_s",
	[TERM_CPU] = "cpu_percent",
	[TERM_MAJORS] = "major_faults",
	[TERM_MINORS] = "minor_faults",
	[TERM_RESIDUE] = "swap_residue_bytes",
};

static const char *const statistic_names[STATISTICS] = {
	[STATISTIC_MEAN] = "mean",
	[STATISTIC_MEDIAN] = "median",
	[STATISTIC_MIN] = "min",
	[STATISTIC_MAX] = "max",
};

/* One scenario: a table. Groups and iterations of each variant that has trials of it. */
struct block {
	struct group *groups;
	struct iterations *iterations;
	size_t n;
	bool alike; /* all of the same number of iterations and trials, all of which are ok */
};

static void read_block(struct contest *contest, const struct result *scenario, struct block *block)
{
	struct arena *arena = &contest->results->arena;

	*block = (struct block) {
		.groups = arena_alloc(arena, contest->n_variants, sizeof(*block->groups)),
		.iterations = arena_alloc(arena, contest->n_variants, sizeof(*block->iterations)),
		.alike = true,
	};
	for (size_t v = 0; v < contest->n_variants && !arena->failed; v++) {
		struct group group = contest_group(contest, scenario, contest->variants[v]);
		struct iterations *iterations = &block->iterations[block->n];

		if (!group.n)
			continue;
		iterations_read(&group, iterations);
		block->groups[block->n++] = group;
		block->alike = block->alike && iterations->n && iterations->trials == group.n &&
			       iterations->n == block->iterations[0].n &&
			       iterations->trials == block->iterations[0].trials;
	}
}

static void flag_leaks(struct row *row, const struct iterations *iterations)
{
	bool residue = iterations->residue.trials, shrinking = iterations->shrinking.trials;

	if (!residue && !shrinking)
		return;
	row_set_text(row, "likely_leak", "%s%s%s", residue ? "swap left" : "",
		residue && shrinking ? ", " : "", shrinking ? "fewer bytes" : "");
	row_mark_bad(row);
}

static void add_row(
	struct table *table, const struct block *block, size_t i, enum statistic statistic)
{
	const struct iterations *iterations = &block->iterations[i];
	const struct group *group = &block->groups[i];
	struct row *row = row_new(table);

	row_set_text(row, "statistic", "%s", statistic_names[statistic]);
	name_variant(row, group);
	row_set_number(row, "iterations", (double)iterations->n);
	row_set_number(row, "trials_ok", (double)group->ok);
	row_set_number(row, "trials", (double)group->n);
	if (!block->alike && group->ok == group->n)
		row_set_text(row, "of", "%zu [%zu]", iterations->n, group->n);
	else if (!block->alike)
		row_set_text(row, "of", "%zu [%zu/%zu]", iterations->n, group->ok, group->n);
	for (enum term term = 0; term < TERMS; term++)
		row_set_number(
			row, term_keys[term], iterations_statistic(iterations, statistic, term));
	if (group->ok < group->n)
		row_mark_bad(row);
	flag_leaks(row, iterations);
}

static void note_residue(struct table *table, const struct block *block, size_t i)
{
	const struct leak *leak = &block->iterations[i].residue;
	char bytes[32], swap[32];

	if (!leak->trials)
		return;
	table_note(table,
		"%s: likely leak: swap does not return to where it was, in %zu of %zu trials; "
		"%s (%.3g %% of %s) are left after iteration %zu of trial %u",
		block->groups[i].variant->row.variant, leak->trials, block->iterations[i].trials,
		bytes_render((uint64_t)leak->bytes, bytes, sizeof(bytes)),
		100 * leak->bytes / leak->of, bytes_render((uint64_t)leak->of, swap, sizeof(swap)),
		leak->iteration, leak->trial->row.position);
}

static void note_shrinking(struct table *table, const struct block *block, size_t i)
{
	const struct leak *leak = &block->iterations[i].shrinking;

	if (!leak->trials)
		return;
	table_note(table,
		"%s: likely leak: bytes allocated fall from one iteration to the next, in %zu of "
		"%zu trials; from %.0f to %.0f in iteration %zu of trial %u",
		block->groups[i].variant->row.variant, leak->trials, block->iterations[i].trials,
		leak->of, leak->bytes, leak->iteration, leak->trial->row.position);
}

static void note_lost(struct table *table, const struct block *block, size_t i)
{
	const struct iterations *iterations = &block->iterations[i];

	if (iterations->lost > 0)
		table_note(table,
			"%s: %.0f further iterations are not in it: a trial keeps its first ones",
			block->groups[i].variant->row.variant, iterations->lost);
	if (!iterations->n && block->groups[i].ok)
		table_note(table, "%s: no iteration ended", block->groups[i].variant->row.variant);
}

/* "memfill: averages for 10 iterations (in 2 trials)" */
static struct table *add_table(struct model *model, struct contest *contest,
	const struct result *scenario, const struct block *block)
{
	const char *name = name_scenario(contest->results, scenario);
	size_t n = block->iterations[0].n, trials = block->iterations[0].trials;
	struct table *table;

	if (block->alike)
		table = table_new(model, columns, ARRAY_SIZE(columns),
			"%s, averages for %zu iteration%s%s (in %zu trial%s)", name, n,
			n == 1 ? "" : "s", block->n > 1 ? " each" : "", trials,
			trials == 1 ? "" : "s");
	else
		table = table_new(model, columns, ARRAY_SIZE(columns), "%s, averages", name);
	name_table(table, contest, scenario);
	return table;
}

static void add_block(struct model *model, struct contest *contest, const struct result *scenario)
{
	struct table *table;
	struct block block;

	if (scenario->row.solo)
		return;
	read_block(contest, scenario, &block);
	if (!block.n)
		return;
	table = add_table(model, contest, scenario, &block);
	for (enum statistic statistic = 0; statistic < STATISTICS; statistic++)
		for (size_t i = 0; i < block.n; i++)
			add_row(table, &block, i, statistic);
	for (size_t i = 0; i < block.n; i++) {
		note_residue(table, &block, i);
		note_shrinking(table, &block, i);
		note_lost(table, &block, i);
		hearing_note_group(table, &block.groups[i]);
		name_failures(model, table, &block.groups[i]);
	}
}

static int build(struct results *results, struct model *model, struct error *err)
{
	(void)err;
	name_scenarios(results, model, add_block);
	return 0;
}

const struct view view_averages = {
	.name = "averages",
	.summary = "what an iteration of each lead took, in GNU time's terms; hints at leaks",
	.fits = iterations_allocate,
	.build = build,
};
