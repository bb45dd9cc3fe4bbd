// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/turns.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"

#define SOURCE "iteration"
#define ROLE "lead"

/* src/workload/apps.h: no trial has more. */
#define APPS_MAX 43

size_t turn_start(unsigned round)
{
	/* Before it: round - 1 starts, and 1 + 2 + .. + (round - 1) switches. */
	return (size_t)(round - 1) + (size_t)round * (round - 1) / 2;
}

size_t turn_switch(unsigned round, unsigned app)
{
	return turn_start(round) + app;
}

static bool counts(const struct group *group, const struct result *trial)
{
	return group_has(group, trial) && result_counts(trial);
}

/* What one trial recorded of its turns, in their order. */
enum reading {
	APP,
	SWITCHED,
	LATENCY,
	MAJORS,
	OPEN_BYTES,
	FATE,
	READINGS
};

static const char *const names[READINGS] = { "app", "switched", "latency_ns", "app_major_faults",
	"open_bytes", "fate" };

struct diary {
	struct series series[READINGS];
	int64_t open_ns;
};

static void diary_done(struct diary *diary)
{
	for (size_t i = 0; i < READINGS; i++)
		series_done(&diary->series[i]);
}

static void diary_read(struct diary *diary, struct results *results, const struct result *trial)
{
	diary->open_ns = trial->row.outcome.open_ns;
	for (size_t i = 0; i < READINGS; i++)
		results_series(results, trial, SOURCE, ROLE, names[i], &diary->series[i]);
}

static double value(const struct diary *diary, enum reading reading, size_t i)
{
	const struct series *series = &diary->series[reading];

	return i < series->n && series->values[i] != VALUE_ABSENT ? (double)series->values[i] : NAN;
}

/* Calls for each turn of the trial with its place. */
static unsigned diary_walk(const struct diary *diary,
	void (*visit)(void *data, const struct diary *diary, size_t i, size_t place), void *data)
{
	unsigned round = 0;

	for (size_t i = 0; i < diary->series[APP].n; i++) {
		double app = value(diary, APP, i), switched = value(diary, SWITCHED, i);

		/* What cannot be is passed over: a record may come from elsewhere. */
		if (!(app >= 1 && app <= APPS_MAX))
			continue;
		if (switched == 0)
			round = (unsigned)app;
		if (round && app <= round && visit)
			visit(data, diary, i,
				switched == 0 ? turn_start(round)
					      : turn_switch(round, (unsigned)app));
	}
	return round;
}

/* All trials' values of every turn: trials x turns. */
struct gathering {
	size_t turns, trials;
	double (*values)[TURN_FIGURES];
	size_t trial;
};

static void gather(void *data, const struct diary *diary, size_t i, size_t place)
{
	struct gathering *gathering = data;
	double *values = gathering->values[gathering->trial * gathering->turns + place];
	bool answered = value(diary, FATE, i) == 0;

	values[TURN_AT] = (double)(diary->series[APP].t_ns[i] - diary->open_ns) / NS_PER_S;
	values[TURN_LATENCY] = answered ? value(diary, LATENCY, i) / NS_PER_MS : NAN;
	values[TURN_MAJORS] = value(diary, MAJORS, i);
	values[TURN_OPEN_BYTES] = value(diary, OPEN_BYTES, i);
}

static unsigned apps_of(struct results *results, const struct result *trial)
{
	struct diary diary CLEANUP(diary_done) = { 0 };

	diary_read(&diary, results, trial);
	return diary_walk(&diary, NULL, NULL);
}

static void gather_group(const struct group *group, struct gathering *gathering)
{
	struct results *results = group->contest->results;

	for (size_t i = 0; i < gathering->trials * gathering->turns; i++)
		for (size_t f = 0; f < TURN_FIGURES; f++)
			gathering->values[i][f] = NAN;
	for (size_t i = 0; i < results->n; i++) {
		struct diary diary CLEANUP(diary_done) = { 0 };

		if (!counts(group, &results->trials[i]))
			continue;
		diary_read(&diary, results, &results->trials[i]);
		diary_walk(&diary, gather, gathering);
		gathering->trial++;
	}
}

void turns_read(const struct group *group, struct turns *ret_turns)
{
	struct contest *contest = group->contest;
	struct arena *arena = &contest->results->arena;
	struct gathering gathering = { .trials = group->ok };
	struct turns turns = { 0 };

	for (size_t i = 0; i < contest->results->n; i++) {
		unsigned apps = 0;

		if (counts(group, &contest->results->trials[i]))
			apps = apps_of(contest->results, &contest->results->trials[i]);
		turns.apps = apps > turns.apps ? apps : turns.apps;
	}
	turns.n = turn_start(turns.apps + 1);
	gathering.turns = turns.n;
	gathering.values = arena_alloc(arena, group->ok * turns.n, sizeof(*gathering.values));
	turns.values = arena_alloc(arena, turns.n, sizeof(*turns.values));
	*ret_turns = (struct turns) { 0 };
	if (!turns.values || !gathering.values)
		return;
	gather_group(group, &gathering);
	for (size_t t = 0; t < turns.n; t++) {
		for (size_t f = 0; f < TURN_FIGURES; f++) {
			for (size_t k = 0; k < group->ok; k++)
				contest->scratch[k] = gathering.values[k * turns.n + t][f];
			turns.values[t][f] = number_median(contest->scratch, group->ok);
		}
	}
	*ret_turns = turns;
}

double turns_value(const struct turns *turns, size_t place, enum turn_figure figure)
{
	return place < turns->n ? turns->values[place][figure] : NAN;
}

/* Sorts the values. */
static double statistic_of(double *values, size_t n, enum turns_statistic statistic)
{
	double result = NAN;

	if (statistic == TURNS_MEDIAN)
		return number_median(values, n);
	for (size_t i = 0; i < n; i++) {
		if (statistic == TURNS_LARGEST)
			result = fmax(result, values[i]);
		else if (!isnan(values[i]))
			result = isnan(result) ? values[i] : result + values[i];
	}
	return result;
}

double turns_of_round(const struct turns *turns, unsigned round, enum turn_figure figure,
	enum turns_statistic statistic)
{
	double values[APPS_MAX];

	for (unsigned app = 1; app <= round; app++)
		values[app - 1] = turns_value(turns, turn_switch(round, app), figure);
	return statistic_of(values, round, statistic);
}

double turns_of_app(const struct turns *turns, unsigned app, enum turn_figure figure,
	enum turns_statistic statistic)
{
	double values[APPS_MAX];
	size_t n = 0;

	for (unsigned round = app; round <= turns->apps; round++)
		values[n++] = turns_value(turns, turn_switch(round, app), figure);
	return statistic_of(values, n, statistic);
}

/* Events of the lead are "APP NAME", and "APP start: WHY" or "APP switch: WHY" of one that failed. */
static bool is_failure(const char *text)
{
	const char *what = strchr(text, ' ');

	return what && (!strncmp(what, " start: ", 8) || !strncmp(what, " switch: ", 9));
}

struct search {
	struct arena *arena;
	unsigned app;
	const char *name;
};

static int take_name(void *data, const struct event_row *event)
{
	struct search *search = data;
	char *rest;

	if (event->kind != EVENT_WORKLOAD || strcmp(event->role, ROLE) || is_failure(event->text) ||
		strtoul(event->text, &rest, 10) != search->app || *rest != ' ')
		return 0;
	search->name = arena_copy(search->arena, rest + 1);
	return 1;
}

/* The store's failure is told once, as every other. */
static void visit_events(struct results *results, const struct result *trial,
	int (*visit)(void *data, const struct event_row *event), void *data)
{
	int r = results->failed
			? 0
			: store_events(results->store, trial->row.id, visit, data, &results->error);

	if (r < 0)
		results->failed = r;
}

const char *turns_name(const struct group *group, unsigned app)
{
	struct results *results = group->contest->results;
	struct search search = { &results->arena, app, NULL };

	for (size_t i = 0; i < results->n && !search.name; i++)
		if (group_has(group, &results->trials[i]))
			visit_events(results, &results->trials[i], take_name, &search);
	return search.name ? search.name : "";
}

struct failures {
	struct table *table;
	const struct group *group;
	const struct result *trial;
};

static int note_failure(void *data, const struct event_row *event)
{
	const struct failures *failures = data;
	double at_s = (double)(event->t_ns - failures->trial->row.outcome.open_ns) / NS_PER_S;

	if (event->kind != EVENT_WORKLOAD || strcmp(event->role, ROLE) || !is_failure(event->text))
		return 0;
	table_note(failures->table, "%s, trial %u, at %.1f s: app %s",
		failures->group->variant->row.variant, failures->trial->row.position, at_s,
		event->text);
	return 0;
}

void turns_note_failures(struct table *table, const struct group *group)
{
	struct results *results = group->contest->results;

	for (size_t i = 0; i < results->n; i++) {
		struct failures failures = { table, group, &results->trials[i] };

		if (group_has(group, &results->trials[i]))
			visit_events(results, &results->trials[i], note_failure, &failures);
	}
}
