// SPDX-License-Identifier: GPL-2.0-or-later
/* Tables of what differs and of what does not. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/differences.h"

/* The entries of one key. */
struct key_entries {
	const struct difference_entry *entries;
	size_t n;
};

static struct key_entries entries_at(const struct differences *differences, size_t i)
{
	struct key_entries key = { &differences->entries[i], 1 };

	while (i + key.n < differences->n &&
		!strcmp(differences->entries[i + key.n].key, key.entries[0].key))
		key.n++;
	return key;
}

static bool is_scenario(const char *key)
{
	return !strncmp(key, "scenario.", strlen("scenario."));
}

/* Do they say the same in all trials, or of a scenario in all arms, that have any? */
static bool same(const struct differences *differences, struct key_entries key)
{
	for (size_t i = 1; i < key.n; i++) {
		if (strcmp(key.entries[0].text, key.entries[i].text) != 0)
			return false;
	}
	return is_scenario(key.entries[0].key) || key.n == differences->trials;
}

/* Is it one text in all of the arm's trials? */
static bool one_text(struct key_entries key, size_t arm)
{
	const char *text = NULL;

	for (size_t i = 0; i < key.n; i++) {
		if (key.entries[i].arm != arm)
			continue;
		if (text && strcmp(text, key.entries[i].text) != 0)
			return false;
		text = key.entries[i].text;
	}
	return true;
}

/* "lead.rounds=2000" sets how leads are spelled. */
static bool options_set(const char *assignments, const char *key)
{
	const char *what = strrchr(key, '.') + 1;
	size_t n = !strcmp(what, "lead") || !strcmp(what, "loads") ? 4 : 0;

	for (; n && assignments; assignments = strchr(assignments, ',')) {
		assignments += *assignments == ',';
		if (!strncmp(assignments, what, n) && assignments[n] == '.')
			return true;
	}
	return false;
}

/* Is it whole components of the key? "zswap" of "zswap.enabled", "iosched" of "disk.sda.iosched" */
static bool is_part(const char *name, size_t n, const char *key)
{
	for (const char *part = key; part && strlen(part) >= n; part = strchr(part, '.')) {
		part += *part == '.';
		if (n && !strncmp(part, name, n) && (!part[n] || part[n] == '.'))
			return true;
	}
	return false;
}

bool assignments_set(const char *assignments, const char *key)
{
	if (is_scenario(key))
		return options_set(assignments, key);
	while (*assignments) {
		if (is_part(assignments, strcspn(assignments, "=,"), key))
			return true;
		assignments += strcspn(assignments, ",");
		assignments += *assignments == ',';
	}
	return false;
}

/* What the arm's variant sets, as its trials have it. */
static const char *assignments_of(const struct arm *arm)
{
	for (size_t i = 0; i < arm->results->n; i++) {
		if (!strcmp(arm->results->trials[i].row.variant, arm->variant))
			return arm->results->trials[i].row.assignments;
	}
	return "";
}

/*
 * A variant sets it, and it has a single value under each. What changed while a trial ran was
 * changed by somebody else.
 */
static bool intended(const struct differences *differences, struct key_entries key)
{
	const char *name = key.entries[0].key;
	bool set = false;

	if (!strncmp(name, "after.", strlen("after.")))
		return false;
	for (size_t arm = 0; arm < differences->n_arms; arm++) {
		if (!one_text(key, arm))
			return false;
		set |= assignments_set(assignments_of(&differences->arms[arm]), name);
	}
	return set;
}

/* For people and machines: a text of many lines is not shown, but known again. FNV-1a. */
static const char *shown(const struct differences *differences, const char *text)
{
	uint64_t hash = 0xcbf29ce484222325ULL;
	size_t lines = 1;

	if (!strchr(text, '\n'))
		return text;
	for (const char *at = text; *at; at++) {
		hash = (hash ^ (unsigned char)*at) * 0x100000001b3ULL;
		lines += *at == '\n';
	}
	return arena_format(differences->arena, "%zu lines, %016" PRIx64, lines, hash);
}

/* All values that a key has in an arm, "10 | 60". NULL: none. */
static const char *values_of(
	const struct differences *differences, struct key_entries key, size_t arm)
{
	const char *values = NULL;

	for (size_t i = 0; i < key.n; i++) {
		const struct difference_entry *entry = &key.entries[i];
		bool known = false;

		for (size_t k = 0; k < i && !known; k++)
			known = key.entries[k].arm == arm &&
				!strcmp(key.entries[k].text, entry->text);
		if (entry->arm != arm || known)
			continue;
		values = arena_format(differences->arena, "%s%s%s", values ? values : "",
			values ? " | " : "", shown(differences, entry->text));
		if (!values)
			return NULL;
	}
	return values;
}

/* "zswap=lzo"; of two runs "3:zswap=lzo". */
static const char *name_of(const struct differences *differences, size_t arm)
{
	const struct arm *of = &differences->arms[arm];

	if (of->results == differences->arms[0].results &&
		of->results == differences->arms[differences->n_arms - 1].results)
		return of->variant;
	return arena_format(
		differences->arena, "%lld:%s", (long long)of->results->run.id, of->variant);
}

struct table *differences_table(
	const struct differences *differences, struct model *model, const char *caption)
{
	struct arena *arena = differences->arena;
	size_t n = differences->n_arms + 1;
	struct column *columns = arena_alloc(arena, n, sizeof(*columns));

	if (!columns)
		return NULL;
	columns[0] = (struct column) { "key", "Key" };
	for (size_t i = 1; i < n; i++) {
		const char *name = name_of(differences, i - 1);

		columns[i] = (struct column) {
			.key = arena_format(arena, "variant.%s", name ? name : ""),
			.heading = name,
			.flags = COLUMN_WRAP,
		};
		if (!columns[i].key || !name)
			return NULL;
	}
	return table_new(model, columns, n, "%s", caption);
}

static size_t tell_part(const struct differences *differences, struct model *model, bool wanted,
	const char *caption)
{
	struct table *table = NULL;
	struct key_entries key;
	size_t told = 0;

	for (size_t i = 0; i < differences->n; i += key.n) {
		struct row *row;

		key = entries_at(differences, i);
		if (same(differences, key) || intended(differences, key) != wanted)
			continue;
		if (!table)
			table = differences_table(differences, model, caption);
		told++;
		row = row_new(table);
		row_set_text(row, "key", "%s", key.entries[0].key);
		if (!wanted)
			row_mark_bad(row);
		for (size_t arm = 0; row && arm < differences->n_arms; arm++) {
			const char *values = values_of(differences, key, arm);

			if (values)
				row_set_text(row, table->columns[arm + 1].key, "%s", values);
		}
	}
	return told;
}

size_t differences_tell(const struct differences *differences, struct model *model)
{
	return tell_part(differences, model, false, "DIFFERS, AND NO VARIANT SETS IT") +
	       tell_part(differences, model, true, "differs, as the variants set it");
}

void differences_tell_same(const struct differences *differences, struct model *model)
{
	static const struct column columns[] = {
		{ "key", "Key" },
		{ "value", "Value", .flags = COLUMN_WRAP },
	};
	struct table *table = NULL;
	struct key_entries key;

	for (size_t i = 0; i < differences->n; i += key.n) {
		const char *text;
		struct row *row;

		key = entries_at(differences, i);
		text = shown(differences, key.entries[0].text);
		if (is_scenario(key.entries[0].key) || !same(differences, key) || !text)
			continue;
		if (!table)
			table = table_new(
				model, columns, ARRAY_SIZE(columns), "%s", "same in every trial");
		row = row_new(table);
		row_set_text(row, "key", "%s", key.entries[0].key);
		row_set_text(row, "value", "%s", text);
	}
}
