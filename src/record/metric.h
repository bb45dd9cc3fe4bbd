// SPDX-License-Identifier: GPL-2.0-or-later
/* The vocabulary of the record: metric, reading, event, outcome. */
#ifndef RECORD_METRIC_H
#define RECORD_METRIC_H

#include <stdint.h>

/* A number that the kernel did not give: "n/a" to a person, null in JSON. Never 0. */
#define VALUE_ABSENT INT64_MIN

enum metric_kind {
	METRIC_COUNTER, /* rises; what happened in the window is last - first */
	METRIC_GAUGE, /* a level: minimum, maximum and mean mean something */
	METRIC_FIGURE, /* one value for the trial */
};

struct metric {
	const char *name; /* the kernel's exact name where it is the kernel's number */
	const char *unit; /* "ns", "bytes", "pages", "ticks", "events", ... */
	enum metric_kind kind;
};

/* Who measured, and about whom. */
struct origin {
	const char *source; /* sampler, workload, or "trial" */
	const char *role; /* "" the system; "lead"; the instance name of a load */
	unsigned revision; /* of the source: numbers of different revisions do not compare */
};

enum event_kind {
	EVENT_PHASE, /* text: the phase that began */
	EVENT_NOTE, /* something that the reader of the result must know */
	EVENT_DEGRADED, /* asked for and not had: the text says what and why */
	EVENT_WORKLOAD, /* the workload's own: a dropout, a start, a switch */
	EVENT_KINDS
};

/* NUMBERS: only `ok` enters an average; all are counted and shown. */
enum outcome_code {
	OUTCOME_OK,
	OUTCOME_KILLED, /* which process, by whom */
	OUTCOME_TIMEOUT, /* the lead was still running at the deadline */
	OUTCOME_LOAD_DIED, /* a load ended before the window closed */
	OUTCOME_NO_PROGRESS, /* a load did nothing */
	OUTCOME_SKIPPED, /* cannot be measured here; the text says why */
	OUTCOME_BROKEN, /* contend's fault, or the workload failed by itself */
	OUTCOME_VOID, /* the machine was disturbed: suspend, clock jump, steal */
	OUTCOME_INTERRUPTED, /* by the user; run again on --resume */
	OUTCOME_CODES
};

/* "ok", "killed", "timeout", "load-died", "no-progress", ... as stored and shown. */
const char *outcome_name(enum outcome_code code);

/* Returns OUTCOME_CODES when there is no such name. */
enum outcome_code outcome_parse(const char *name);

const char *event_name(enum event_kind kind);
const char *metric_kind_name(enum metric_kind kind);

struct outcome {
	enum outcome_code code;
	char text[256]; /* "" when ok */
	int64_t open_ns; /* window, CLOCK_MONOTONIC; 0 when it never opened */
	int64_t close_ns; /* for a timeout: the deadline's moment */
};

/*
 * What a trial's Time is worth in a comparison: seconds of the window when it was ok; INFINITY when
 * the lead did not finish (timeout, killed), which is longer than everything that did; NAN when
 * the trial says nothing.
 */
double outcome_time_s(const struct outcome *outcome);

#endif
