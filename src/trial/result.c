// SPDX-License-Identifier: GPL-2.0-or-later
/* What came of it: the outcome, and the figures that are known only at the end. */
#include <stdio.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "trial/conduct.h"

void outcome_set(struct conduct *conduct, enum outcome_code code, const char *text)
{
	conduct->outcome.code = code;
	snprintf(conduct->outcome.text, sizeof(conduct->outcome.text), "%s", text);
}

uint64_t role_oom_kills(const struct role *role)
{
	struct cgroup_usage usage;

	if (!role->metered)
		return 0;
	cgroup_meter_read(&role->meter, &usage);
	return usage.oom_kills == UINT64_MAX ? 0 : usage.oom_kills;
}

bool outcome_blame_oom(struct conduct *conduct)
{
	for (size_t i = 0; i < conduct->n_roles; i++) {
		const struct role *role = &conduct->roles[i];
		uint64_t kills;
		char text[256];

		if (!role->part)
			continue;
		kills = role_oom_kills(role) - conduct->oom_before[i];
		if (!kills)
			continue;
		snprintf(text, sizeof(text), "the OOM killer killed %llu process%s of %s (%s)",
			(unsigned long long)kills, kills > 1 ? "es" : "", role->part->role,
			role->part->workload->name);
		outcome_set(conduct, OUTCOME_KILLED, text);
		return true;
	}
	return false;
}

static bool failed_after(struct conduct *conduct)
{
	struct role *lead = &conduct->roles[0];
	struct outcome *outcome = &conduct->outcome;
	char text[256];

	if (outcome->code == OUTCOME_INTERRUPTED || outcome->code == OUTCOME_TIMEOUT)
		return true;
	if (outcome_blame_oom(conduct))
		return true;
	if (outcome->code != OUTCOME_OK)
		return true;
	if (lead->shared->code < 0) {
		snprintf(text, sizeof(text), "%s: %.200s", lead->part->workload->name,
			lead->shared->error.text);
		outcome_set(conduct, OUTCOME_BROKEN, text);
		return true;
	}
	for (size_t i = 1; i < conduct->n_roles; i++) {
		if (conduct->progress_after[i] != conduct->progress_before[i])
			continue;
		snprintf(text, sizeof(text), "%s did nothing in the window",
			conduct->roles[i].part->role);
		outcome_set(conduct, OUTCOME_NO_PROGRESS, text);
		return true;
	}
	return false;
}

void outcome_judge(struct conduct *conduct)
{
	char text[256];

	if (failed_after(conduct))
		return;
	if (disturb_reason(
		    &conduct->disturbed, conduct->trial->scenario->steal, text, sizeof(text)))
		outcome_set(conduct, OUTCOME_VOID, text);
}

static void lead_counters(struct conduct *conduct)
{
	static const struct metric metrics[] = {
		{ "user_ns", "ns", METRIC_COUNTER },
		{ "system_ns", "ns", METRIC_COUNTER },
		{ "major_faults", "events", METRIC_COUNTER },
		{ "minor_faults", "events", METRIC_COUNTER },
	};
	const struct shared *shared = conduct->roles[0].shared;
	const struct origin origin = { "trial", conduct->roles[0].part->role, 1 };
	const struct usage *ends[] = { &shared->at_gate, &shared->at_end };
	uint32_t first = 0;

	/* A lead that did not end has no second reading. */
	if (atomic_load(&conduct->roles[0].shared->stand) != STAND_ENDED)
		return;
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++) {
		uint32_t id = sink_metric(conduct->sink, &metrics[i], &origin);

		first = i == 0 ? id : first;
	}
	for (size_t i = 0; i < ARRAY_SIZE(ends); i++) {
		int64_t values[] = { ends[i]->user_ns, ends[i]->system_ns, ends[i]->major_faults,
			ends[i]->minor_faults };

		sink_sample(conduct->sink,
			i == 0 ? conduct->outcome.open_ns : conduct->outcome.close_ns, first,
			ARRAY_SIZE(metrics), values);
	}
}

/* One sample an iteration, at its end: see docs/record.md. */
static void record_iterations(struct conduct *conduct, const struct role *role)
{
	static const struct metric metrics[] = {
		{ "elapsed_ns", "ns", METRIC_GAUGE },
		{ "user_ns", "ns", METRIC_GAUGE },
		{ "system_ns", "ns", METRIC_GAUGE },
		{ "major_faults", "events", METRIC_GAUGE },
		{ "minor_faults", "events", METRIC_GAUGE },
		{ "swap_bytes", "bytes", METRIC_GAUGE },
	};
	const struct shared *shared = role->shared;
	const struct workload *workload = role->part->workload;
	const struct origin origin = { "iteration", role->part->role, 1 };
	uint64_t kept = shared->passes < ITERATIONS_KEPT ? shared->passes : ITERATIONS_KEPT;
	uint32_t first;

	sink_figure(conduct->sink, clock_now(), "iterations", "iterations", &origin,
		(int64_t)shared->passes);
	sink_figure(
		conduct->sink, clock_now(), "swap_before", "bytes", &origin, shared->swap_before);
	first = conduct->sink->metrics;
	for (size_t i = 0; i < ARRAY_SIZE(metrics); i++)
		sink_metric(conduct->sink, &metrics[i], &origin);
	for (size_t i = 0; i < workload->n_metrics; i++) {
		struct metric metric = workload->metrics[i];

		metric.kind = METRIC_GAUGE;
		sink_metric(conduct->sink, &metric, &origin);
	}
	for (uint64_t i = 0; i < kept; i++) {
		const struct iteration *it = &shared->iterations[i];
		const int64_t values[] = { it->end_ns - it->start_ns, it->usage.user_ns,
			it->usage.system_ns, it->usage.major_faults, it->usage.minor_faults,
			it->swap_bytes };

		sink_sample(conduct->sink, it->end_ns, first, ARRAY_SIZE(values), values);
		if (shared->n_values)
			sink_sample(conduct->sink, it->end_ns, first + ARRAY_SIZE(values),
				(uint32_t)shared->n_values,
				&shared->iteration_values[i * shared->n_values]);
	}
}

/* What the workload itself said, each at its own time: before the window, too. */
static void record_events(struct conduct *conduct, const struct role *role)
{
	const struct workload_events *events = role->shared->events;
	uint64_t n = atomic_load_explicit(&events->n, memory_order_acquire);
	char text[64];

	for (uint64_t i = 0; i < n && i < WORKLOAD_EVENTS; i++)
		sink_event(conduct->sink, events->events[i].t_ns, EVENT_WORKLOAD, role->part->role,
			events->events[i].text);
	if (n <= WORKLOAD_EVENTS)
		return;
	snprintf(text, sizeof(text), "%llu further events were not kept",
		(unsigned long long)(n - WORKLOAD_EVENTS));
	sink_event(conduct->sink, clock_now(), EVENT_NOTE, role->part->role, text);
}

static void role_figures(struct conduct *conduct, const struct role *role)
{
	const struct workload *workload = role->part->workload;
	const struct origin origin = { "trial", role->part->role, 1 };
	struct histogram steps = { 0 };
	int64_t now = clock_now();

	sink_figure(conduct->sink, now, "table_divisor", workload->table_unit, &origin,
		(int64_t)workload->table_divisor);
	sink_figure(conduct->sink, now, "workers", "threads", &origin, role->shared->workers);
	for (unsigned i = 0; i < role->shared->workers; i++)
		histogram_merge(&steps, &role->shared->steps[i]);
	sink_histogram(conduct->sink, role->part->role, "step", &steps);
}

static void trial_figures(struct conduct *conduct)
{
	const struct origin trial = { "trial", "", 1 };
	const struct origin heart = { "heartbeat", "", 1 };
	const struct heartbeat_result *beats = &conduct->beats;
	struct sink *sink = conduct->sink;
	int64_t now = clock_now();

	sink_figure(sink, now, "ram_bytes", "bytes", &trial, (int64_t)conduct->stage->ram_bytes);
	sink_figure(sink, now, "swap_bytes", "bytes", &trial, (int64_t)conduct->stage->swap_bytes);
	sink_figure(sink, now, "page_bytes", "bytes", &trial, sysconf(_SC_PAGESIZE));
	sink_figure(sink, now, "samples_due", "samples", &trial, (int64_t)conduct->samples_due);
	sink_figure(sink, now, "samples_taken", "samples", &trial, (int64_t)conduct->samples_taken);
	sink_figure(sink, now, "supervisor_major_faults", "events", &trial, conduct->major_faults);
	sink_figure(sink, now, "supervisor_heap_bytes", "bytes", &trial, conduct->heap_bytes);
	sink_figure(sink, now, "clock_boot_drift_ns", "ns", &trial, conduct->disturbed.suspend_ns);
	sink_figure(sink, now, "beats", "events", &heart, (int64_t)beats->beats);
	sink_figure(sink, now, "freezes", "events", &heart, (int64_t)beats->freezes);
	sink_figure(sink, now, "freeze_longest", "ns", &heart, beats->freeze_longest_ns);
	sink_figure(sink, now, "freeze_sum", "ns", &heart, beats->freeze_sum_ns);
	sink_figure(sink, now, "censored", "events", &heart, (int64_t)beats->censored);
	sink_histogram(sink, "", "lateness", &beats->lateness);
}

void record_results(struct conduct *conduct)
{
	/* Without a window there is nothing but the outcome. */
	if (!conduct->outcome.open_ns)
		return;
	lead_counters(conduct);
	for (size_t i = 0; i < conduct->n_roles; i++) {
		role_figures(conduct, &conduct->roles[i]);
		record_iterations(conduct, &conduct->roles[i]);
		record_events(conduct, &conduct->roles[i]);
	}
	trial_figures(conduct);
}
