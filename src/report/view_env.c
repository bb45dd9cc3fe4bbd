// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Where the run ran. What is the same in every trial is said once; what differs is split into
 * what a variant sets and what it does not: the latter may explain a difference that is then none
 * of the variants'.
 */
#include <string.h>

#include "base/cleanup.h"
#include "report/view.h"

struct entry {
	const char *key, *text;
	const struct result *trial;
};

struct environment {
	struct results *results;
	const struct result *trial; /* at work */
	struct entry *entries;
	size_t n;
	size_t trials; /* that have an environment */
	const struct result **variants; /* a trial of each, in order of appearance */
	size_t n_variants;
};

static void environment_done(struct environment *environment)
{
	free(environment->entries);
}

static int gather(void *data, const char *key, const char *text)
{
	struct environment *environment = data;
	struct arena *arena = &environment->results->arena;
	struct entry *entries = environment->entries;

	/* Grows when n reaches a power of two. */
	if ((environment->n & (environment->n - 1)) == 0) {
		entries = reallocarray(
			entries, environment->n ? 2 * environment->n : 1, sizeof(*entries));
		if (!entries)
			return -ENOMEM;
		environment->entries = entries;
	}
	entries[environment->n] = (struct entry) {
		.key = arena_copy(arena, key),
		.text = arena_copy(arena, text),
		.trial = environment->trial,
	};
	if (!entries[environment->n].key || !entries[environment->n].text)
		return -ENOMEM;
	environment->n++;
	return 0;
}

static void add_variant(struct environment *environment, const struct result *trial)
{
	for (size_t i = 0; i < environment->n_variants; i++)
		if (!strcmp(environment->variants[i]->row.variant, trial->row.variant))
			return;
	environment->variants[environment->n_variants++] = trial;
}

static int compare(const void *x, const void *y)
{
	const struct entry *a = x, *b = y;
	int order = strcmp(a->key, b->key);

	return order ? order : (a->trial > b->trial) - (a->trial < b->trial);
}

static int read_environment(struct environment *environment, struct error *err)
{
	struct results *results = environment->results;

	environment->variants =
		arena_alloc(&results->arena, results->n, sizeof(*environment->variants));
	if (!environment->variants)
		return 0;
	for (size_t i = 0; i < results->n; i++) {
		size_t before = environment->n;
		int r;

		/* It was not begun, and differs from nobody. */
		if (results->trials[i].row.outcome.code == OUTCOME_SKIPPED)
			continue;
		environment->trial = &results->trials[i];
		r = store_environment(
			results->store, results->trials[i].row.id, gather, environment, err);
		if (r == -ENOMEM)
			return error_set(err, r, "out of memory");
		if (r < 0)
			return r;
		if (environment->n == before)
			continue;
		environment->trials++;
		add_variant(environment, &results->trials[i]);
	}
	if (environment->n)
		qsort(environment->entries, environment->n, sizeof(struct entry), compare);
	return 0;
}

/* The `n` entries of one key, and whether they say the same in all trials that have any. */
static bool same(const struct environment *environment, const struct entry *entries, size_t n)
{
	for (size_t i = 1; i < n; i++)
		if (strcmp(entries[0].text, entries[i].text))
			return false;
	return n == environment->trials;
}

/* Is the name whole components of the key? "zswap" of "zswap.enabled", "iosched" of "disk.sda.iosched" */
static bool names(const char *name, size_t n, const char *key)
{
	for (const char *part = key; part && strlen(part) >= n; part = strchr(part, '.')) {
		part += *part == '.';
		if (n && !strncmp(part, name, n) && (!part[n] || part[n] == '.'))
			return true;
	}
	return false;
}

/* Is "vm.swappiness=10" among the assignments where the key is "vm.swappiness"? */
static bool sets(const char *assignments, const char *key)
{
	while (*assignments) {
		if (names(assignments, strcspn(assignments, "=,"), key))
			return true;
		assignments += strcspn(assignments, ",");
		assignments += *assignments == ',';
	}
	return false;
}

static bool intended(const struct environment *environment, const char *key)
{
	for (size_t i = 0; i < environment->n_variants; i++)
		if (sets(environment->variants[i]->row.assignments, key))
			return true;
	return false;
}

/*
 * All values that a key has under a variant, "10 | 60". *ret_one: it has a single one, in each
 * of the variant's trials.
 */
static const char *values_of(const struct environment *environment, const struct result *variant,
	const struct entry *entries, size_t n, bool *ret_one)
{
	struct arena *arena = &environment->results->arena;
	const char *values = "";
	size_t distinct = 0;

	for (size_t i = 0; i < n && values; i++) {
		bool known = false;

		if (strcmp(entries[i].trial->row.variant, variant->row.variant))
			continue;
		for (size_t k = 0; k < i && !known; k++)
			known = !strcmp(entries[k].trial->row.variant, variant->row.variant) &&
				!strcmp(entries[k].text, entries[i].text);
		if (known)
			continue;
		values = arena_format(
			arena, "%s%s%s", values, distinct ? " | " : "", entries[i].text);
		distinct++;
	}
	*ret_one = distinct <= 1;
	return distinct ? values : NULL;
}

static struct table *differing_table(
	struct model *model, const struct environment *environment, const char *caption)
{
	struct arena *arena = &environment->results->arena;
	size_t n = environment->n_variants + 1;
	struct column *columns = arena_alloc(arena, n, sizeof(*columns));

	if (!columns)
		return NULL;
	columns[0] = (struct column) { "key", "Key" };
	for (size_t i = 1; i < n; i++) {
		const char *name = environment->variants[i - 1]->row.variant;

		columns[i] = (struct column) {
			.key = arena_format(arena, "variant.%s", name),
			.heading = name,
			.flags = COLUMN_WRAP,
		};
		if (!columns[i].key)
			return NULL;
	}
	return table_new(model, columns, n, "%s", caption);
}

static void differing_row(struct table *table, const struct environment *environment,
	const struct entry *entries, size_t n, bool bad)
{
	struct row *row = row_new(table);

	row_set_text(row, "key", "%s", entries[0].key);
	if (bad)
		row_mark_bad(row);
	for (size_t i = 0; i < environment->n_variants; i++) {
		bool one;
		const char *values =
			values_of(environment, environment->variants[i], entries, n, &one);

		if (values)
			row_set_text(row, table ? table->columns[i + 1].key : "", "%s", values);
	}
}

enum part {
	PART_UNINTENDED,
	PART_INTENDED,
	PART_SAME,
	PARTS
};

/* A variant's own key must still have one value under each variant. */
static enum part part_of(
	const struct environment *environment, const struct entry *entries, size_t n)
{
	bool one = true;

	if (same(environment, entries, n))
		return PART_SAME;
	for (size_t i = 0; i < environment->n_variants && one; i++)
		values_of(environment, environment->variants[i], entries, n, &one);
	return one && intended(environment, entries[0].key) ? PART_INTENDED : PART_UNINTENDED;
}

static struct table *table_of(
	struct model *model, const struct environment *environment, enum part part)
{
	static const struct column columns[] = {
		{ "key", "Key" },
		{ "value", "Value", .flags = COLUMN_WRAP },
	};

	switch (part) {
	case PART_UNINTENDED:
		return differing_table(model, environment, "DIFFERS, AND NO VARIANT SETS IT");
	case PART_INTENDED:
		return differing_table(model, environment, "differs, as the variants set it");
	default: return table_new(model, columns, ARRAY_SIZE(columns), "%s", "same in every trial");
	}
}

static void build_part(struct model *model, const struct environment *environment, enum part part)
{
	struct table *table = NULL;
	size_t n;

	for (size_t i = 0; i < environment->n; i += n) {
		const struct entry *entries = &environment->entries[i];
		struct row *row;

		for (n = 1; i + n < environment->n && !strcmp(entries[n].key, entries[0].key); n++)
			;
		if (part_of(environment, entries, n) != part)
			continue;
		if (!table)
			table = table_of(model, environment, part);
		if (part != PART_SAME) {
			differing_row(table, environment, entries, n, part == PART_UNINTENDED);
			continue;
		}
		row = row_new(table);
		row_set_text(row, "key", "%s", entries[0].key);
		row_set_text(row, "value", "%s", entries[0].text);
	}
}

static int build(struct results *results, struct model *model, struct error *err)
{
	struct environment environment CLEANUP(environment_done) = { .results = results };
	int r = read_environment(&environment, err);

	if (r < 0)
		return r;
	for (enum part part = 0; part < PARTS; part++)
		build_part(model, &environment, part);
	return 0;
}

const struct view view_env = {
	.name = "env",
	.summary = "where the run ran: what differs between variants, and what is the same",
	.build = build,
};
