// SPDX-License-Identifier: GPL-2.0-or-later
/* results_notes(): what the reader must know beside the numbers. */
#include <ctype.h>
#include <math.h>
#include <string.h>

#include "report/results.h"

/* An event's text and the trials that had it. */
struct remark {
	struct remark *next;
	const char *text;
	size_t trials;
	int64_t last_trial; /* id: a trial counts once */
	bool varies;
};

struct remarks {
	struct results *results;
	struct remark *first, **end;
	int64_t trial;
};

/* "4 pages are left" and "17 pages are left" are one remark: runs of digits are equal. */
static bool alike(const char *a, const char *b)
{
	while (*a && *b) {
		if (isdigit((unsigned char)*a) && isdigit((unsigned char)*b)) {
			a += strspn(a, "0123456789");
			b += strspn(b, "0123456789");
		} else if (*a++ != *b++) {
			return false;
		}
	}
	return *a == *b;
}

static int gather(void *data, const struct event_row *event)
{
	struct remarks *remarks = data;
	struct arena *arena = &remarks->results->arena;
	struct remark *remark;
	const char *text;

	if (event->kind != EVENT_DEGRADED && event->kind != EVENT_NOTE)
		return 0;
	text = arena_format(arena, "%s%s%s", event->role, event->role[0] ? ": " : "", event->text);
	if (!text)
		return 0;
	for (remark = remarks->first; remark; remark = remark->next)
		if (alike(remark->text, text))
			break;
	if (!remark) {
		remark = arena_alloc(arena, 1, sizeof(*remark));
		if (!remark)
			return 0;
		remark->text = text;
		*remarks->end = remark;
		remarks->end = &remark->next;
	}
	remark->varies |= strcmp(remark->text, text) != 0;
	remark->trials += remark->last_trial != remarks->trial;
	remark->last_trial = remarks->trial;
	return 0;
}

static void note_events(struct results *results, struct model *model)
{
	struct remarks remarks = { .results = results, .end = &remarks.first };

	for (size_t i = 0; i < results->n && !results->failed; i++) {
		int r;

		remarks.trial = results->trials[i].row.id;
		r = store_events(results->store, remarks.trial, gather, &remarks, &results->error);
		if (r < 0)
			results->failed = r;
	}
	for (const struct remark *remark = remarks.first; remark; remark = remark->next) {
		const char *varies = remark->varies ? " (figures differ)" : "";

		if (remark->trials == results->n)
			model_note(model, "%s%s%s", results->n > 1 ? "in every trial: " : "",
				remark->text, varies);
		else
			model_note(model, "in %zu of %zu trials: %s%s", remark->trials, results->n,
				remark->text, varies);
	}
}

/* Sum over all trials; NAN when no trial has it. */
static double total(struct results *results, const char *name)
{
	double sum = NAN;

	for (size_t i = 0; i < results->n; i++) {
		double value = results_value(results, &results->trials[i], "trial", "", name);

		if (!isnan(value))
			sum = isnan(sum) ? value : sum + value;
	}
	return sum;
}

static void note_recorder(struct results *results, struct model *model)
{
	double due = total(results, "samples_due"), taken = total(results, "samples_taken");
	double faults = total(results, "supervisor_major_faults");
	double heap = total(results, "supervisor_heap_bytes");

	if (due > taken)
		model_note(model, "missing samples: %.2g %% (%.0f of %.0f)",
			100 * (due - taken) / due, due - taken, due);
	if (faults > 0)
		model_note(model,
			"contend itself took %.0f major faults in the windows: its own timing may "
			"be late",
			faults);
	if (heap > 0)
		model_note(model, "contend itself allocated %.0f bytes in the windows", heap);
}

static int note_run(void *data, const char *text)
{
	model_note(data, "%s", text);
	return 0;
}

void results_notes(struct results *results, struct model *model)
{
	if (!results->n)
		model_note(model, "no trial has ended yet");
	if (!results->failed) {
		int r = store_run_notes(
			results->store, results->run.id, note_run, model, &results->error);

		if (r < 0)
			results->failed = r;
	}
	note_events(results, model);
	note_recorder(results, model);
}
