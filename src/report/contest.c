// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/contest.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"

#define WARM_LEAD "cacherun"
#define COLD_LEAD "compile" /* the same work, cold */

static bool same_scenario(const struct result *a, const struct result *b)
{
	return a->row.solo == b->row.solo && !strcmp(a->row.scenario, b->row.scenario);
}

static bool same_variant(const struct result *a, const struct result *b)
{
	return !strcmp(a->row.variant, b->row.variant);
}

static bool is_named(const char *spelled, const char *name)
{
	size_t n = strcspn(spelled, ":");

	return strlen(name) == n && !strncmp(spelled, name, n);
}

/* Place of the scenario's table, by its first load, as contest printed them. */
static unsigned rank(const struct result *trial)
{
	static const char *const loads[] = { "process", "io", "io-other", "mem", "tarc", "tarx",
		"read", "lslr", "dbench" };
	size_t i = 0, length = strcspn(trial->row.loads, ": ");

	if (!trial->row.loads[0])
		return is_named(trial->row.lead, WARM_LEAD) ? 1 : 0;
	while (i < ARRAY_SIZE(loads) &&
		(strlen(loads[i]) != length || strncmp(trial->row.loads, loads[i], length)))
		i++;
	return 2 + (unsigned)i;
}

static int compare_scenarios(const void *x, const void *y)
{
	const struct result *a = *(const struct result *const *)x;
	const struct result *b = *(const struct result *const *)y;
	bool a_many = strstr(a->row.loads, " + "), b_many = strstr(b->row.loads, " + ");

	if (a->row.solo != b->row.solo)
		return a->row.solo - b->row.solo;
	if (a_many != b_many)
		return a_many - b_many;
	if (rank(a) != rank(b))
		return rank(a) < rank(b) ? -1 : 1;
	return strcmp(a->row.scenario, b->row.scenario);
}

static int compare_variants(const void *x, const void *y, void *data)
{
	const struct result *a = *(const struct result *const *)x;
	const struct result *b = *(const struct result *const *)y;
	const char *reference = data;
	bool a_first = !strcmp(a->row.variant, reference);
	bool b_first = !strcmp(b->row.variant, reference);

	/* 2.5.9 comes before 2.5.40, cluster-2 before cluster-16. */
	return a_first != b_first ? b_first - a_first : strverscmp(a->row.variant, b->row.variant);
}

/* Adds the trial unless one that is the same is listed. */
static void list(const struct result **listed, size_t *n, const struct result *trial,
	bool (*same)(const struct result *a, const struct result *b))
{
	for (size_t i = 0; i < *n; i++)
		if (same(listed[i], trial))
			return;
	listed[(*n)++] = trial;
}

bool contest_read(struct results *results, struct contest *ret_contest)
{
	struct arena *arena = &results->arena;
	size_t n = results->n;
	struct contest contest = {
		.results = results,
		.exact = results_exact(results),
		.figures = arena_alloc(arena, n, sizeof(*contest.figures)),
		.scratch = arena_alloc(arena, n, sizeof(*contest.scratch)),
		.scenarios = arena_alloc(arena, n, sizeof(struct result *)),
		.variants = arena_alloc(arena, n, sizeof(struct result *)),
	};

	if (arena->failed)
		return false;
	for (size_t i = 0; i < n; i++) {
		const struct result *trial = &results->trials[i];

		figures_read(results, trial, &contest.figures[i]);
		list(contest.scenarios, &contest.n_scenarios, trial, same_scenario);
		list(contest.variants, &contest.n_variants, trial, same_variant);
	}
	qsort(contest.scenarios, contest.n_scenarios, sizeof(struct result *), compare_scenarios);
	qsort_r(contest.variants, contest.n_variants, sizeof(struct result *), compare_variants,
		(void *)(uintptr_t)results->run.reference);
	*ret_contest = contest;
	return !arena->failed;
}

bool group_has(const struct group *group, const struct result *trial)
{
	return same_scenario(trial, group->scenario) && same_variant(trial, group->variant);
}

/* Does the trial enter the group's medians? */
static bool counts(const struct group *group, const struct result *trial)
{
	return group_has(group, trial) && result_counts(trial);
}

struct group contest_group(
	struct contest *contest, const struct result *scenario, const struct result *variant)
{
	const struct results *results = contest->results;
	struct group group = { contest, scenario, variant, 0, 0 };

	for (size_t i = 0; i < results->n; i++) {
		group.n += group_has(&group, &results->trials[i]) &&
			   result_measures(&results->trials[i]);
		group.ok += counts(&group, &results->trials[i]);
	}
	return group;
}

/* Figures of the trials that count, into the contest's scratch. */
static size_t gather(const struct group *group, size_t offset)
{
	const struct contest *contest = group->contest;
	size_t n = 0;

	for (size_t i = 0; i < contest->results->n; i++)
		if (counts(group, &contest->results->trials[i]))
			memcpy(&contest->scratch[n++], (const char *)&contest->figures[i] + offset,
				sizeof(double));
	return n;
}

static size_t gather_load(const struct group *group, size_t load, size_t offset)
{
	const struct contest *contest = group->contest;
	size_t n = 0;

	for (size_t i = 0; i < contest->results->n; i++)
		if (counts(group, &contest->results->trials[i]) &&
			load < contest->figures[i].n_loads)
			memcpy(&contest->scratch[n++],
				(const char *)&contest->figures[i].loads[load] + offset,
				sizeof(double));
	return n;
}

double group_median(const struct group *group, size_t offset)
{
	return number_median(group->contest->scratch, gather(group, offset));
}

double group_load_median(const struct group *group, size_t load, size_t offset)
{
	return number_median(group->contest->scratch, gather_load(group, load, offset));
}

struct span group_span(const struct group *group, size_t offset)
{
	return span_of(group->contest->scratch, gather(group, offset));
}

struct span group_load_span(const struct group *group, size_t load, size_t offset)
{
	return span_of(group->contest->scratch, gather_load(group, load, offset));
}

double group_freeze(const struct group *group)
{
	const struct contest *contest = group->contest;
	double longest = NAN;

	for (size_t i = 0; i < contest->results->n; i++)
		if (group_has(group, &contest->results->trials[i]))
			longest = fmax(longest, contest->figures[i].freeze_s);
	return longest;
}

const struct result *group_failure(const struct group *group)
{
	const struct results *results = group->contest->results;
	const struct result *most[OUTCOME_CODES] = { NULL };
	size_t n[OUTCOME_CODES] = { 0 };
	unsigned best = OUTCOME_OK;

	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];
		unsigned code = trial->row.outcome.code;

		if (!group_has(group, trial) || !result_measures(trial) || code >= OUTCOME_CODES)
			continue;
		most[code] = most[code] ? most[code] : trial;
		if (++n[code] > n[best])
			best = code;
	}
	return most[best];
}

/* Is `reference` what the scenario's lead does when it is alone and cold? */
static bool is_reference_lead(const char *lead, const char *reference)
{
	if (is_named(lead, WARM_LEAD))
		return is_named(reference, COLD_LEAD) &&
		       !strcmp(lead + strlen(WARM_LEAD), reference + strlen(COLD_LEAD));
	return !strcmp(lead, reference);
}

double contest_reference(struct contest *contest, const struct result *scenario)
{
	double time_s[2] = { NAN, NAN }; /* warm, cold */

	if (!contest->n_variants ||
		strcmp(contest->variants[0]->row.variant, contest->results->run.reference))
		return NAN;
	for (size_t i = 0; i < contest->n_scenarios; i++) {
		const struct result *alone = contest->scenarios[i];
		struct group group;

		if (alone->row.solo || alone->row.loads[0] ||
			!is_reference_lead(scenario->row.lead, alone->row.lead))
			continue;
		group = contest_group(contest, alone, contest->variants[0]);
		if (isnan(time_s[alone->row.cold]))
			time_s[alone->row.cold] =
				group_median(&group, offsetof(struct figures, time_s));
	}
	return isnan(time_s[true]) ? time_s[false] : time_s[true];
}

double contest_solo_rate(struct contest *contest, const char *spelled, const struct result *variant)
{
	for (size_t i = 0; i < contest->n_scenarios; i++) {
		const struct result *scenario = contest->scenarios[i];
		struct group group;

		if (!scenario->row.solo || strcmp(scenario->row.loads, spelled))
			continue;
		group = contest_group(contest, scenario, variant);
		return group_load_median(&group, 0, offsetof(struct load_figures, rate));
	}
	return NAN;
}
