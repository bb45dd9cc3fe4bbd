// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Starts programs one after another and, after each start, switches to every one that is open, in
 * the order in which they were started. The sequence is fixed: it follows from the options alone.
 *
 * A step is a turn, one start or one switch, and each is an iteration of the trial, so that its
 * record has them all. An app that dies or hangs is out from then on, which is recorded and said,
 * and the others go on.
 */
#include "workload/apps.h"
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/data.h"
#include "workload/registry.h"

enum turn_kind {
	TURN_START,
	TURN_SWITCH,
	TURN_KINDS
};

/* Latencies of a kind of turn so far, in ascending order. */
struct latencies {
	int64_t *ns;
	size_t n;
};

struct apps_state {
	const struct apps_kind *kind;
	void *data;
	unsigned n; /* apps */
	bool open[APPS_MAX];
	unsigned started; /* how many were, or should have been */
	unsigned next; /* to be switched to; `started`: start another */
	unsigned failed;
	struct latencies latencies[TURN_KINDS];
};

enum {
	/* As they were with the last turn. */
	APP, /* from 1 */
	SWITCHED, /* 0: it was started */
	LATENCY_NS,
	MAJORS,
	MINORS,
	FATE,
	OPEN,
	OPEN_BYTES,
	/* Of all turns so far. */
	FAILED,
	START_FIGURES,
	SWITCH_FIGURES = START_FIGURES + 4,
};

static const struct metric metrics[] = {
	[APP] = { "app", "app", METRIC_GAUGE },
	[SWITCHED] = { "switched", "turns", METRIC_GAUGE },
	[LATENCY_NS] = { "latency_ns", "ns", METRIC_GAUGE },
	[MAJORS] = { "app_major_faults", "events", METRIC_GAUGE },
	[MINORS] = { "app_minor_faults", "events", METRIC_GAUGE },
	[FATE] = { "fate", "code", METRIC_GAUGE },
	[OPEN] = { "open", "apps", METRIC_GAUGE },
	[OPEN_BYTES] = { "open_bytes", "bytes", METRIC_GAUGE },
	[FAILED] = { "failed", "apps", METRIC_FIGURE },
	[START_FIGURES] = { "starts", "turns", METRIC_FIGURE },
	{ "start_median_ns", "ns", METRIC_FIGURE },
	{ "start_p99_ns", "ns", METRIC_FIGURE },
	{ "start_worst_ns", "ns", METRIC_FIGURE },
	[SWITCH_FIGURES] = { "switches", "turns", METRIC_FIGURE },
	{ "switch_median_ns", "ns", METRIC_FIGURE },
	{ "switch_p99_ns", "ns", METRIC_FIGURE },
	{ "switch_worst_ns", "ns", METRIC_FIGURE },
};

static const struct option_row options[] = {
	{
		OPTION("apps", OPTION_COUNT, struct apps_params, apps),
		.fallback = "12",
		.min = "1",
		.max = "43",
		.help = "how many are started",
	},
	{
		OPTION("patience", OPTION_DURATION, struct apps_params, patience_ns),
		.fallback = "30s",
		.min = "1ms",
		.help = "an app that has not answered by then hangs, and is ended",
	},
	SET_OPTIONS(struct apps_params, "3%", "3%", "5%"),
	{
		OPTION("display", OPTION_TEXT, struct apps_params, display),
		.fallback = "auto",
		.help = "X programs on a display: \":0\", or \"xvfb\" for one of contend's own; "
			"none: contend's own apps; auto: $DISPLAY, none where that is not set",
	},
	{
		OPTION("wm", OPTION_TEXT, struct apps_params, wm),
		.fallback = "",
		.help = "window manager that is started on the display; none: whatever is there",
	},
	{
		OPTION("list", OPTION_TEXT, struct apps_params, list),
		.fallback = "",
		.argument = "FILE",
		.help = "INI file that names the X programs: [apps], NAME = COMMAND",
	},
};

const char *apps_display(const struct apps_params *params)
{
	const char *set = getenv("DISPLAY");

	if (strcmp(params->display, "auto"))
		return params->display;
	return set && *set ? set : "none";
}

static const struct apps_kind *kind_of(const struct apps_params *params)
{
	return strcmp(apps_display(params), "none") ? &apps_x : &apps_headless;
}

static int apps_probe(const struct place *place, const void *params, struct error *err)
{
	return kind_of(params)->probe(place, params, err);
}

static int apps_setup(struct instance *instance, struct error *err)
{
	struct apps_state *state = instance->state;
	char name[40];
	int r;

	state->kind = kind_of(instance->params);
	state->data = calloc(1, state->kind->state_size);
	if (!state->data)
		return error_errno(err, -ENOMEM, "apps");
	r = state->kind->setup(instance, state->data, &state->n, err);
	if (r < 0)
		return r;
	for (unsigned i = 0; i < TURN_KINDS; i++) {
		state->latencies[i].ns = calloc(APPS_MAX * (APPS_MAX + 1) / 2, sizeof(int64_t));
		if (!state->latencies[i].ns)
			return error_errno(err, -ENOMEM, "apps");
	}
	for (unsigned i = 0; i < state->n; i++)
		instance_event(instance, clock_now(), "%u %s", i + 1,
			state->kind->name(state->data, i, name, sizeof(name)));
	return 0;
}

static void latency_add(struct latencies *latencies, int64_t ns)
{
	size_t at = latencies->n++;

	for (; at && latencies->ns[at - 1] > ns; at--)
		latencies->ns[at] = latencies->ns[at - 1];
	latencies->ns[at] = ns;
}

/* The smallest that so many hundredths of all do not exceed. */
static int64_t percentile(const struct latencies *latencies, unsigned percent)
{
	return latencies->ns[(latencies->n * percent + 99) / 100 - 1];
}

static void publish_latencies(
	struct instance *instance, const struct latencies *latencies, unsigned first)
{
	const int64_t values[] = { (int64_t)latencies->n, percentile(latencies, 50),
		percentile(latencies, 99), latencies->ns[latencies->n - 1] };

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		atomic_store(&instance->values[first + i], values[i]);
}

static int64_t open_apps(const struct apps_state *state)
{
	int64_t open = 0;

	for (unsigned i = 0; i < state->n; i++)
		open += state->open[i];
	return open;
}

static int64_t open_bytes(const struct apps_state *state)
{
	int64_t bytes = 0;

	if (!state->kind->bytes)
		return VALUE_ABSENT;
	for (unsigned i = 0; i < state->n; i++)
		bytes += state->open[i] ? (int64_t)state->kind->bytes(state->data, i) : 0;
	return bytes;
}

static void publish(
	struct instance *instance, unsigned i, enum turn_kind kind, const struct turn *turn)
{
	struct apps_state *state = instance->state;
	const int64_t values[] = {
		[APP] = i + 1,
		[SWITCHED] = kind == TURN_SWITCH,
		[LATENCY_NS] = turn->latency_ns,
		[MAJORS] = turn->majors,
		[MINORS] = turn->minors,
		[FATE] = turn->fate,
		[OPEN] = open_apps(state),
		[OPEN_BYTES] = open_bytes(state),
		[FAILED] = state->failed,
	};

	for (size_t k = 0; k < ARRAY_SIZE(values); k++)
		atomic_store(&instance->values[k], values[k]);
	/* One that died has no latency; one that hung has at least what was waited. */
	if (turn->fate == APP_DIED)
		return;
	latency_add(&state->latencies[kind], turn->latency_ns);
	publish_latencies(instance, &state->latencies[kind],
		kind == TURN_START ? START_FIGURES : SWITCH_FIGURES);
}

/* Goes to the next app that is open, or to the next that is to be started. */
static void advance(struct apps_state *state)
{
	while (state->next < state->started && !state->open[state->next])
		state->next++;
}

static int apps_step(struct worker *worker, struct error *err)
{
	static const char *const verbs[TURN_KINDS] = { "start", "switch" };
	struct instance *instance = worker->instance;
	struct apps_state *state = instance->state;
	bool starts = state->next == state->started;
	enum turn_kind kind = starts ? TURN_START : TURN_SWITCH;
	unsigned i = state->next;
	struct turn turn = { 0 };
	int r;

	if (starts) {
		state->started++;
		state->next = 0;
		r = state->kind->start(state->data, i, &turn, err);
	} else {
		state->next++;
		r = state->kind->activate(state->data, i, &turn, err);
	}
	if (r < 0)
		return r;
	state->open[i] = turn.fate == APP_ANSWERED;
	if (turn.fate != APP_ANSWERED) {
		state->failed++;
		instance_event(instance, clock_now(), "%u %s: %s", i + 1, verbs[kind], err->text);
	}
	publish(instance, i, kind, &turn);
	progress_add(worker->progress, 1);
	advance(state);
	if (state->next < state->n)
		return STEP_PASS;
	/* They are closed in the window: what they used is then the lead's, as its children's. */
	state->kind->teardown(state->data);
	return STEP_DONE;
}

static void apps_teardown(struct instance *instance)
{
	struct apps_state *state = instance->state;

	if (state->data)
		state->kind->teardown(state->data);
	free(state->data);
	state->data = NULL;
	for (unsigned i = 0; i < TURN_KINDS; i++)
		free(state->latencies[i].ns);
}

static void apps_cold_files(
	const struct instance *instance, void (*visit)(void *data, const char *path), void *data)
{
	const struct apps_state *state = instance->state;

	if (state->kind->cold_files)
		state->kind->cold_files(state->data, visit, data);
}

const struct workload workload_apps = {
	.name = "apps",
	.summary =
		"starts programs one by one and, after each start, switches to all that are open",
	.unit = "turns",
	.table_unit = "turns",
	.table_divisor = 1,
	.revision = 2,
	.roles = WORKLOAD_LEAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct apps_params),
	.state_size = sizeof(struct apps_state),
	.metrics = metrics,
	.n_metrics = ARRAY_SIZE(metrics),
	.probe = apps_probe,
	.setup = apps_setup,
	.step = apps_step,
	.teardown = apps_teardown,
	.cold_files = apps_cold_files,
};
