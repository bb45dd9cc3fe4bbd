// SPDX-License-Identifier: GPL-2.0-or-later
#include "record/metric.h"

#include <math.h>
#include <string.h>

#include "base/cleanup.h"

static const char *const outcome_names[OUTCOME_CODES] = {
	[OUTCOME_OK] = "ok",
	[OUTCOME_KILLED] = "killed",
	[OUTCOME_TIMEOUT] = "timeout",
	[OUTCOME_LOAD_DIED] = "load-died",
	[OUTCOME_NO_PROGRESS] = "no-progress",
	[OUTCOME_SKIPPED] = "skipped",
	[OUTCOME_BROKEN] = "broken",
	[OUTCOME_VOID] = "void",
	[OUTCOME_INTERRUPTED] = "interrupted",
};

const char *outcome_name(enum outcome_code code)
{
	return (unsigned)code < OUTCOME_CODES ? outcome_names[code] : "?";
}

enum outcome_code outcome_parse(const char *name)
{
	unsigned code = 0;

	while (code < OUTCOME_CODES && strcmp(outcome_names[code], name))
		code++;
	return code;
}

double outcome_time_s(const struct outcome *outcome)
{
	switch (outcome->code) {
	case OUTCOME_OK: return (double)(outcome->close_ns - outcome->open_ns) / 1e9;
	case OUTCOME_TIMEOUT:
	case OUTCOME_KILLED: return INFINITY;
	default: return NAN;
	}
}

const char *event_name(enum event_kind kind)
{
	static const char *const names[EVENT_KINDS] = {
		[EVENT_PHASE] = "phase",
		[EVENT_NOTE] = "note",
		[EVENT_DEGRADED] = "degraded",
		[EVENT_WORKLOAD] = "workload",
	};

	return (unsigned)kind < EVENT_KINDS ? names[kind] : "?";
}

const char *metric_kind_name(enum metric_kind kind)
{
	static const char *const names[] = {
		[METRIC_COUNTER] = "counter",
		[METRIC_GAUGE] = "gauge",
		[METRIC_FIGURE] = "figure",
	};

	return (unsigned)kind < ARRAY_SIZE(names) ? names[kind] : "?";
}
