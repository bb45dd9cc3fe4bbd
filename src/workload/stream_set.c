// SPDX-License-Identifier: GPL-2.0-or-later
/* The working set of `stream`, and what is noted of it. */
#include <string.h>

#include "base/cleanup.h"
#include "workload/stream.h"

#define COUNTERS_AT(when) \
	{ when "_nr_mapped", "pages", METRIC_FIGURE }, \
		{ when "_nr_active_file", "pages", METRIC_FIGURE }, \
		{ when "_nr_inactive_file", "pages", METRIC_FIGURE }, \
		{ when "_pgmajfault", "events", METRIC_FIGURE }, \
		{ when "_pgdeactivate", "pages", METRIC_FIGURE }, \
	{ \
		when "_pgfree", "pages", METRIC_FIGURE \
	}

#define SET_FIGURES(kind) \
	{ kind "_pages", "pages", METRIC_FIGURE }, \
		{ kind "_resident_begin", "pages", METRIC_FIGURE }, \
		{ kind "_resident_end", "pages", METRIC_FIGURE }, \
		{ kind "_restore_ns", "ns", METRIC_FIGURE }, \
		{ kind "_restore_majors", "events", METRIC_FIGURE }, \
	{ \
		kind "_restore_minors", "events", METRIC_FIGURE \
	}

const struct metric stream_metrics[STREAM_METRICS] = {
	COUNTERS_AT("begin"),
	COUNTERS_AT("end"),
	COUNTERS_AT("restore"),
	SET_FIGURES("exec"),
	SET_FIGURES("data"),
	SET_FIGURES("anon"),
	[STREAM_READ_NS] = { "read_ns", "ns", METRIC_FIGURE },
	[STREAM_RESTORE_NS] = { "restore_ns", "ns", METRIC_FIGURE },
	[STREAM_RESTORE_MAJORS] = { "restore_majors", "events", METRIC_FIGURE },
};

/* Places of a kind's figures. */
enum figure {
	PAGES,
	RESIDENT_BEGIN,
	RESIDENT_END,
	RESTORE_NS,
	RESTORE_MAJORS,
	RESTORE_MINORS,
};

static const char *const counters[STREAM_COUNTERS] = { "nr_mapped", "nr_active_file",
	"nr_inactive_file", "pgmajfault", "pgdeactivate", "pgfree" };

/* The number of the line "name number". */
static int64_t number_of(const char *text, const char *name)
{
	size_t length = strlen(name);

	for (const char *line = text; line; line = strchr(line, '\n')) {
		line += *line == '\n';
		if (!strncmp(line, name, length) && line[length] == ' ')
			return strtoll(line + length, NULL, 10);
	}
	return VALUE_ABSENT;
}

/* A set for each kind, that has this kind alone. */
void stream_plans(struct set_plan plans[SET_KINDS], const struct place *place,
	const struct stream_params *params)
{
	for (unsigned kind = 0; kind < SET_KINDS; kind++) {
		set_plan_size(&plans[kind], &params->set, place, 1000);
		for (unsigned other = 0; other < SET_KINDS; other++)
			if (other != kind)
				plans[kind].pages[other] = 0;
	}
}

static int answer_of(struct stream_state *state, enum set_kind kind, struct app_answer *ret_answer,
	struct error *err)
{
	if (app_wait(&state->apps[kind], -1, ret_answer, err) == APP_ANSWERED)
		return 0;
	return error_prefix(
		err, -EPIPE, "the process with the set's %s memory", set_kind_names[kind]);
}

int stream_set_start(struct instance *instance, struct error *err)
{
	struct stream_state *state = instance->state;

	for (unsigned kind = 0; kind < SET_KINDS; kind++) {
		struct app_answer answer;
		int r = app_start(&state->apps[kind], kind, &state->plans[kind],
			instance->place->seed + kind, err);

		if (r == 0)
			r = answer_of(state, kind, &answer, err);
		if (r < 0)
			return r;
	}
	return 0;
}

void stream_note_counters(struct instance *instance, enum stream_when when)
{
	struct stream_state *state = instance->state;
	char text[32 * KIB];
	ssize_t n = root_read(&state->root, "/proc/vmstat", text, sizeof(text));

	for (size_t i = 0; i < STREAM_COUNTERS; i++)
		atomic_store(&instance->values[when * STREAM_COUNTERS + i],
			n < 0 ? VALUE_ABSENT : number_of(text, counters[i]));
}

static void note(struct instance *instance, enum set_kind kind, enum figure figure, int64_t value)
{
	atomic_store(&instance->values[STREAM_KINDS + kind * STREAM_FIGURES + figure], value);
}

int stream_set_use(struct instance *instance, struct error *err)
{
	struct stream_state *state = instance->state;
	struct app_answer answer;
	int r = 0;

	for (unsigned time = 0; time < 2; time++) {
		for (unsigned kind = 0; kind < SET_KINDS && r == 0; kind++) {
			app_ask(&state->apps[kind]);
			r = answer_of(state, kind, &answer, err);
			note(instance, kind, PAGES, (int64_t)state->plans[kind].pages[kind]);
			note(instance, kind, RESIDENT_BEGIN, answer.resident[kind]);
		}
	}
	return r;
}

int stream_set_restore(struct instance *instance, struct error *err)
{
	struct stream_state *state = instance->state;
	int64_t ns = 0, majors = 0;

	for (unsigned kind = 0; kind < SET_KINDS; kind++) {
		struct app_answer answer;
		const struct touch *touch = &answer.touches[kind];
		int r;

		app_ask(&state->apps[kind]);
		r = answer_of(state, kind, &answer, err);
		if (r < 0)
			return r;
		note(instance, kind, RESIDENT_END, answer.resident[kind]);
		note(instance, kind, RESTORE_NS, touch->ns);
		note(instance, kind, RESTORE_MAJORS, touch->majors);
		note(instance, kind, RESTORE_MINORS, touch->minors);
		ns += touch->ns;
		majors += touch->majors;
	}
	atomic_store(&instance->values[STREAM_RESTORE_NS], ns);
	atomic_store(&instance->values[STREAM_RESTORE_MAJORS], majors);
	return 0;
}

void stream_set_end(struct instance *instance)
{
	struct stream_state *state = instance->state;

	for (unsigned kind = 0; kind < SET_KINDS; kind++)
		app_end(&state->apps[kind]);
}
