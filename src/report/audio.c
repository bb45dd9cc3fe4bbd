// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/audio.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"

#define SOURCE "audio"

/* A note names so many dropouts by their time. */
#define TIMES 12

/* What the player had counted at one of the window's edges. */
struct moment {
	double t_ns;
	double played, buffered; /* frames */
	double until_ns; /* NAN: nothing was played so far */
	double dropouts;
	double longest_ns;
	double rate;
};

/* The window's edge is its first or last sample. */
static double edge(struct results *results, const struct result *trial, const char *role,
	const char *name, bool last, double *ret_t_ns)
{
	struct series series CLEANUP(series_done) = { 0 };
	size_t at;

	if (!results_series(results, trial, SOURCE, role, name, &series) || !series.n)
		return NAN;
	at = last ? series.n - 1 : 0;
	*ret_t_ns = (double)series.t_ns[at];
	return series.values[at] == VALUE_ABSENT ? NAN : (double)series.values[at];
}

static struct moment moment_read(
	struct results *results, const struct result *trial, const char *role, bool last)
{
	struct moment moment = { .t_ns = NAN };
	double *t_ns = &moment.t_ns;

	moment.played = edge(results, trial, role, "frames_played", last, t_ns);
	moment.buffered = edge(results, trial, role, "frames_buffered", last, t_ns);
	moment.until_ns = edge(results, trial, role, "until_ns", last, t_ns);
	moment.dropouts = edge(results, trial, role, "dropouts", last, t_ns);
	moment.longest_ns = edge(results, trial, role, "dropout_longest_ns", last, t_ns);
	moment.rate = edge(results, trial, role, "sample_rate", last, t_ns);
	return moment;
}

/*
 * Frames that were heard up to the moment. The player counts ahead by what the card took last,
 * and lags when it is stalled: then the ring's frames are heard, and after them nothing.
 */
static double heard(const struct moment *moment, double *ret_silent_s)
{
	double since = (moment->t_ns - moment->until_ns) * moment->rate / NS_PER_S;

	*ret_silent_s = 0;
	if (isnan(moment->until_ns))
		return 0;
	if (since <= moment->buffered)
		return fmax(moment->played + since, 0);
	*ret_silent_s = (since - moment->buffered) / moment->rate;
	return moment->played + moment->buffered;
}

/* A role's dropouts in the window. */
struct dropouts {
	const char *role;
	const struct outcome *window;
	size_t n;
	double longest_s;
	char times[TIMES * 32]; /* "12.3 s for 1.90 s, ..." */
};

static int take_dropout(void *data, const struct event_row *event)
{
	struct dropouts *dropouts = data;
	double length_s, at_s = (double)(event->t_ns - dropouts->window->open_ns) / NS_PER_S;
	double end_s = (double)(dropouts->window->close_ns - dropouts->window->open_ns) / NS_PER_S;
	size_t used = strlen(dropouts->times);

	if (event->kind != EVENT_WORKLOAD || strcmp(event->role, dropouts->role) ||
		sscanf(event->text, "dropout of %lf s", &length_s) != 1 || at_s >= end_s ||
		at_s + length_s <= 0)
		return 0;
	if (dropouts->n < TIMES)
		snprintf(dropouts->times + used, sizeof(dropouts->times) - used,
			"%s%.1f s for %.2f s", used ? ", " : "", at_s, length_s);
	dropouts->n++;
	length_s = fmin(at_s + length_s, end_s) - fmax(at_s, 0);
	dropouts->longest_s = fmax(dropouts->longest_s, length_s);
	return 0;
}

static struct dropouts dropouts_read(
	struct results *results, const struct result *trial, const char *role)
{
	struct dropouts dropouts = { .role = role, .window = &trial->row.outcome };
	int r = results->failed ? 0
				: store_events(results->store, trial->row.id, take_dropout,
					  &dropouts, &results->error);

	if (r < 0)
		results->failed = r;
	return dropouts;
}

bool hearing_read(struct results *results, const struct result *trial, const char *role,
	struct hearing *ret_hearing)
{
	struct moment open = moment_read(results, trial, role, false);
	struct moment close = moment_read(results, trial, role, true);
	struct dropouts dropouts = dropouts_read(results, trial, role);
	double before_s, silent_s, silence_s;
	struct hearing hearing;

	if (isnan(close.played) || isnan(open.played) || isnan(close.rate))
		return false;
	hearing.window_s = (close.t_ns - open.t_ns) / NS_PER_S;
	hearing.played_s = -heard(&open, &before_s);
	hearing.played_s = (hearing.played_s + heard(&close, &silent_s)) / close.rate;
	hearing.played_s = fmin(fmax(hearing.played_s, 0), hearing.window_s);
	silence_s = hearing.window_s - hearing.played_s;
	hearing.dropouts = (size_t)fmax(close.dropouts - open.dropouts, 0);
	/* The one that the window's end cut off, which a stalled player could not count. */
	hearing.dropouts += silent_s > 0 && (close.buffered > 0 || !hearing.dropouts);
	/* The one that was there before the window, and went on. */
	hearing.dropouts += before_s > 0 && !hearing.dropouts;
	hearing.longest_s = fmax(dropouts.longest_s, silent_s);
	if (close.longest_ns > open.longest_ns || isnan(open.longest_ns))
		hearing.longest_s = fmax(hearing.longest_s, close.longest_ns / NS_PER_S);
	if (hearing.dropouts == 1 && !isnan(open.until_ns))
		hearing.longest_s = silence_s;
	hearing.longest_s = fmin(hearing.longest_s, hearing.window_s);
	*ret_hearing = hearing;
	return true;
}

/* "mp3 played 297 s of 304 s (97.7 %), 3 dropouts, longest 1.9 s" */
static void spell(const struct hearing *hearing, size_t trials, char *buf, size_t size)
{
	double percent = 100 * hearing->played_s / hearing->window_s;
	char played[400], window[400], longest[400], many[40] = "", dropouts[480] = "no dropout";

	/* 100.0 is what nobody could hear a gap in. */
	if (hearing->dropouts && percent > 99.9)
		percent = 99.9;
	if (trials > 1)
		snprintf(many, sizeof(many), " in %zu trials", trials);
	if (hearing->dropouts)
		snprintf(dropouts, sizeof(dropouts), "%zu dropout%s, longest %s s",
			hearing->dropouts, hearing->dropouts == 1 ? "" : "s",
			number_render(STYLE_SECONDS, hearing->longest_s, longest, sizeof(longest)));
	snprintf(buf, size, "mp3 played %s s of %s s (%.1f %%)%s, %s",
		number_render(STYLE_SECONDS, hearing->played_s, played, sizeof(played)),
		number_render(STYLE_SECONDS, hearing->window_s, window, sizeof(window)), percent,
		many, dropouts);
}

static bool is_audio(const char *spelled)
{
	return strcspn(spelled, ":") == strlen(SOURCE) && !strncmp(spelled, SOURCE, strlen(SOURCE));
}

/* The roles of a scenario that audio plays: "lead", "audio", "audio-2"; NULL at the end. */
static const char **players(struct results *results, const struct result *scenario)
{
	size_t n, found = 0;
	const struct load_name *loads = loads_split(&results->arena, scenario->row.loads, &n);
	const char **roles = arena_alloc(&results->arena, n + 2, sizeof(*roles));

	if (!roles)
		return NULL;
	if (is_audio(scenario->row.lead))
		roles[found++] = "lead";
	for (size_t i = 0; i < n; i++)
		if (is_audio(loads[i].spelled))
			roles[found++] = loads[i].role;
	return roles;
}

/* "audio-2: ": only where there are several. */
static const char *name_player(const char *const *roles, const char *role, char *buf, size_t size)
{
	snprintf(buf, size, "%s%s", roles[1] ? role : "", roles[1] ? ": " : "");
	return buf;
}

void hearing_note_group(struct table *table, const struct group *group)
{
	struct results *results = group->contest->results;
	const char **roles = players(results, group->scenario);
	const char *variant = group->contest->n_variants > 1 ? group->variant->row.variant : "";

	for (const char **role = roles; role && *role; role++) {
		struct hearing sum = { 0 }, one;
		char text[1400], name[64];
		size_t n = 0;

		for (size_t i = 0; i < results->n; i++) {
			const struct result *trial = &results->trials[i];

			if (!group_has(group, trial) || !result_counts(trial) ||
				!hearing_read(results, trial, *role, &one))
				continue;
			n++;
			sum.window_s += one.window_s;
			sum.played_s += one.played_s;
			sum.dropouts += one.dropouts;
			sum.longest_s = fmax(sum.longest_s, one.longest_s);
		}
		if (!n)
			continue;
		spell(&sum, n, text, sizeof(text));
		table_note(table, "%s%s%s%s", variant, variant[0] ? ": " : "",
			name_player(roles, *role, name, sizeof(name)), text);
	}
}

void hearing_note_trial(struct table *table, struct results *results, const struct result *trial)
{
	const char **roles = players(results, trial);

	for (const char **role = roles; role && *role; role++) {
		struct dropouts dropouts = dropouts_read(results, trial, *role);
		struct hearing hearing;
		char text[1400], name[64];

		if (!hearing_read(results, trial, *role, &hearing))
			continue;
		spell(&hearing, 1, text, sizeof(text));
		table_note(table, "%u: %s%s%s%s%s", trial->row.position,
			name_player(roles, *role, name, sizeof(name)), text,
			dropouts.n ? ": at " : "", dropouts.times,
			dropouts.n > TIMES ? ", ..." : "");
	}
}
