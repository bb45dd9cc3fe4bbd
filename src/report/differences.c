// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/differences.h"

#include <fnmatch.h>
#include <string.h>

#include "base/cleanup.h"

void differences_done(struct differences *differences)
{
	free(differences->entries);
	*differences = (struct differences) { 0 };
}

static int add(struct differences *differences, struct difference_entry entry)
{
	if (differences->n == differences->room) {
		size_t room = differences->room ? 2 * differences->room : 1024;
		struct difference_entry *grown =
			reallocarray(differences->entries, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		differences->entries = grown;
		differences->room = room;
	}
	if (!entry.key || !entry.text)
		return -ENOMEM;
	differences->entries[differences->n++] = entry;
	return 0;
}

/* One trial after the other, each with its keys in order. */
struct gathering {
	struct differences *differences;
	size_t arm, trial;
	size_t before, before_end; /* entries of the trial before this one */
};

/*
 * Swap in use changes by itself, and a swap file or a swap device of contend's own is another one
 * each time.
 */
static bool changes_by_itself(const char *key, const char *text)
{
	if (!fnmatch("swap.*.used_bytes", key, 0))
		return true;
	return !fnmatch("swap.*.path", key, 0) && strstr(text, "/contend-");
}

static int gather(void *data, const char *key, const char *text)
{
	struct gathering *gathering = data;
	struct differences *differences = gathering->differences;
	struct difference_entry entry = { .arm = gathering->arm, .trial = gathering->trial };

	if (changes_by_itself(key, text))
		return 0;
	/* Most texts are those of the trial before, and some are long. */
	for (; gathering->before < gathering->before_end; gathering->before++) {
		const struct difference_entry *old = &differences->entries[gathering->before];
		int order = strcmp(old->key, key);

		if (order < 0)
			continue;
		if (order == 0) {
			entry.key = old->key;
			entry.text = strcmp(old->text, text) ? NULL : old->text;
		}
		break;
	}
	if (!entry.key)
		entry.key = arena_copy(differences->arena, key);
	if (!entry.text)
		entry.text = arena_copy(differences->arena, text);
	return add(differences, entry);
}

static int gather_arm(struct gathering *gathering, struct error *err)
{
	struct differences *differences = gathering->differences;
	const struct arm *arm = &differences->arms[gathering->arm];

	for (size_t i = 0; i < arm->results->n; i++) {
		const struct result *trial = &arm->results->trials[i];
		size_t begin = differences->n;
		int r;

		/* One that was skipped was not begun, and differs from nobody. */
		if (strcmp(trial->row.variant, arm->variant) != 0 ||
			trial->row.outcome.code == OUTCOME_SKIPPED)
			continue;
		gathering->trial = i;
		r = store_environment(arm->results->store, trial->row.id, gather, gathering, err);
		if (r == -ENOMEM)
			return error_errno(err, r, "environment");
		if (r < 0)
			return r;
		if (differences->n == begin)
			continue;
		differences->trials++;
		gathering->before = begin;
		gathering->before_end = differences->n;
	}
	return 0;
}

/* The arm's first trial of the scenario; NULL: it has none. */
static const struct result *first_of(const struct arm *arm, const char *scenario)
{
	for (size_t i = 0; i < arm->results->n; i++) {
		const struct result *trial = &arm->results->trials[i];

		if (!strcmp(trial->row.variant, arm->variant) &&
			!strcmp(trial->row.scenario, scenario))
			return trial;
	}
	return NULL;
}

static int add_scenario(struct differences *differences, size_t arm, const struct result *trial)
{
	const struct result *trials = differences->arms[arm].results->trials;
	const struct {
		const char *key, *text;
	} said[] = {
		{ "lead", trial->row.lead },
		{ "loads", trial->row.loads },
		{ "cache", trial->row.cold ? "cold" : "warm" },
	};

	for (size_t i = 0; i < ARRAY_SIZE(said); i++) {
		struct difference_entry entry = {
			.key = arena_format(differences->arena, "scenario.%s.%s",
				trial->row.scenario, said[i].key),
			.text = *said[i].text ? said[i].text : "none",
			.arm = arm,
			.trial = (size_t)(trial - trials),
		};
		int r = add(differences, entry);

		if (r < 0)
			return r;
	}
	return 0;
}

/* How scenarios were spelled, of those that all arms have. */
static int gather_scenarios(struct differences *differences)
{
	const struct arm *first = &differences->arms[0];

	for (size_t i = 0; differences->n_arms && i < first->results->n; i++) {
		const char *scenario = first->results->trials[i].row.scenario;
		bool common = first_of(first, scenario) == &first->results->trials[i];
		int r = 0;

		for (size_t arm = 1; common && arm < differences->n_arms; arm++)
			common = first_of(&differences->arms[arm], scenario);
		for (size_t arm = 0; common && r == 0 && arm < differences->n_arms; arm++)
			r = add_scenario(
				differences, arm, first_of(&differences->arms[arm], scenario));
		if (r < 0)
			return r;
	}
	return 0;
}

static int compare(const void *x, const void *y)
{
	const struct difference_entry *a = x, *b = y;
	int order = strcmp(a->key, b->key);

	if (order)
		return order;
	if (a->arm != b->arm)
		return a->arm < b->arm ? -1 : 1;
	return (a->trial > b->trial) - (a->trial < b->trial);
}

int differences_read(struct arena *arena, const struct arm *arms, size_t n_arms,
	struct differences *ret_differences, struct error *err)
{
	struct differences differences CLEANUP(differences_done) = {
		.arena = arena,
		.arms = arms,
		.n_arms = n_arms,
	};
	struct gathering gathering = { .differences = &differences };
	int r = 0;

	for (; r == 0 && gathering.arm < n_arms; gathering.arm++)
		r = gather_arm(&gathering, err);
	if (r < 0)
		return r;
	if (gather_scenarios(&differences) < 0)
		return error_errno(err, -ENOMEM, "environment");
	if (differences.n)
		qsort(differences.entries, differences.n, sizeof(*differences.entries), compare);
	*ret_differences = differences;
	differences = (struct differences) { 0 };
	return 0;
}
