// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/trial.h"

#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "sampler/environment.h"
#include "trial/conduct.h"

/* The record's buffer: never more than this, the sampling interval gives way. */
#define RECORD_LARGEST (64 * MIB)
#define RECORD_SMALLEST (2 * MIB)
#define RECORD_PER_TICK (8 * KIB)

/* Building a tree or writing a file of RAM size on a slow disk takes minutes, not more. */
#define SETUP_NS (20 * 60 * NS_PER_S)

/* A load may need this long beyond the lead-in to show its first unit. */
#define FIRST_UNIT_NS (30 * NS_PER_S)

#define LOOK_NS (20 * NS_PER_MS)

size_t trial_record_size(const struct trial *trial)
{
	const struct scenario *scenario = trial->scenario;
	double ticks = (double)scenario->deadline_ns / (double)scenario->interval_ns;
	double bytes = RECORD_SMALLEST + ticks * RECORD_PER_TICK;

	return bytes < RECORD_LARGEST ? (size_t)bytes : RECORD_LARGEST;
}

static void phase(struct conduct *conduct, const char *name)
{
	sink_event(conduct->sink, clock_now(), EVENT_PHASE, "", name);
	if (conduct->watch->phase)
		conduct->watch->phase(conduct->watch->data, name);
}

static bool interrupted(const struct conduct *conduct)
{
	return conduct->watch->interrupted && *conduct->watch->interrupted;
}

static void set_outcome(struct conduct *conduct, enum outcome_code code, const char *text)
{
	conduct->outcome.code = code;
	snprintf(conduct->outcome.text, sizeof(conduct->outcome.text), "%s", text);
}

int role_wait(struct conduct *conduct, struct role *role, uint32_t wanted, int64_t timeout_ns)
{
	int64_t until = clock_now() + timeout_ns;

	for (;;) {
		uint32_t stand = atomic_load(&role->shared->stand);

		if (stand == STAND_FAILED)
			return -ECHILD;
		if (stand >= wanted)
			return 0;
		if (role_dead(role))
			return -ECHILD;
		if (interrupted(conduct))
			return -EINTR;
		if (clock_now() >= until)
			return -ETIMEDOUT;
		shared_wait(&role->shared->stand, stand, LOOK_NS);
	}
}

static uint64_t oom_kills(const struct role *role)
{
	struct cgroup_usage usage;

	if (!role->metered)
		return 0;
	cgroup_meter_read(&role->meter, &usage);
	return usage.oom_kills == UINT64_MAX ? 0 : usage.oom_kills;
}

/*
 * Whose process did the OOM killer take since the trial began? Then the outcome is `killed`,
 * also when the role went on with what was left. Returns whether it was so.
 */
static bool blame_oom_killer(struct conduct *conduct)
{
	for (size_t i = 0; i < conduct->n_roles; i++) {
		const struct role *role = &conduct->roles[i];
		uint64_t kills;
		char text[256];

		if (!role->part)
			continue;
		kills = oom_kills(role) - conduct->oom_before[i];
		if (!kills)
			continue;
		snprintf(text, sizeof(text), "the OOM killer killed %llu process%s of %s (%s)",
			(unsigned long long)kills, kills > 1 ? "es" : "", role->part->role,
			role->part->workload->name);
		set_outcome(conduct, OUTCOME_KILLED, text);
		return true;
	}
	return false;
}

/* A role that could not be set up or that died before the window. */
static void fail_early(struct conduct *conduct, struct role *role, int code)
{
	char text[256];

	if (code == -EINTR) {
		set_outcome(conduct, OUTCOME_INTERRUPTED, "interrupted");
		return;
	}
	if (blame_oom_killer(conduct))
		return;
	if (code == -ETIMEDOUT) {
		snprintf(text, sizeof(text), "%s was not ready in time", role->part->role);
		set_outcome(conduct, OUTCOME_BROKEN, text);
		return;
	}
	if (atomic_load(&role->shared->stand) == STAND_FAILED)
		snprintf(text, sizeof(text), "%s: %.200s", role->part->role,
			role->shared->error.text);
	else
		role_death(role, text, sizeof(text));
	if (role->shared->code == -EOPNOTSUPP)
		set_outcome(conduct, OUTCOME_SKIPPED, text);
	else
		set_outcome(conduct, role->lead ? OUTCOME_BROKEN : OUTCOME_LOAD_DIED, text);
}

static const struct part *part_of(const struct trial *trial, size_t i)
{
	return i == 0 ? &trial->scenario->lead : &trial->scenario->loads[i - 1];
}

/* Starts a role and waits until it is set up. False: the outcome says why not. */
static bool set_up(struct conduct *conduct, size_t i, struct error *err)
{
	struct role *role = &conduct->roles[i];
	int r;

	role->lead = i == 0;
	r = role_start(role, part_of(conduct->trial, i), conduct->stage, conduct->trial->seed,
		conduct->done_fd, err);
	if (r < 0) {
		set_outcome(conduct, OUTCOME_BROKEN, err->text);
		return false;
	}
	conduct->oom_before[i] = oom_kills(role);
	r = role_wait(conduct, role, STAND_READY, SETUP_NS);
	if (r < 0)
		fail_early(conduct, role, r);
	return r == 0;
}

/* The load works: has it done its first unit? */
static bool moves(struct conduct *conduct, struct role *role, int64_t until)
{
	while (shared_progress(role->shared) == 0) {
		char text[256];

		if (role_dead(role) || atomic_load(&role->shared->stand) == STAND_ENDED) {
			clock_sleep_until(clock_now() + LOOK_NS);
			role_dead(role);
			fail_early(conduct, role, -ECHILD);
			return false;
		}
		if (interrupted(conduct)) {
			fail_early(conduct, role, -EINTR);
			return false;
		}
		if (clock_now() >= until) {
			snprintf(text, sizeof(text), "%s did nothing before the window",
				role->part->role);
			set_outcome(conduct, OUTCOME_NO_PROGRESS, text);
			return false;
		}
		clock_sleep_until(clock_now() + NS_PER_MS);
	}
	return true;
}

/* Loads alone: started, proved moving, and left to themselves for the lead-in. */
static bool lead_in(struct conduct *conduct)
{
	int64_t end = clock_now() + conduct->trial->scenario->lead_in_ns;

	if (conduct->n_roles == 1)
		return true;
	phase(conduct, "lead-in");
	for (size_t i = 1; i < conduct->n_roles; i++)
		shared_set(&conduct->roles[i].shared->gate, GATE_OPEN);
	for (size_t i = 1; i < conduct->n_roles; i++) {
		if (!moves(conduct, &conduct->roles[i], end + FIRST_UNIT_NS))
			return false;
	}
	while (clock_now() < end && !interrupted(conduct)) {
		int64_t next = clock_now() + LOOK_NS;

		clock_sleep_until(next < end ? next : end);
	}
	for (size_t i = 0; i < conduct->n_roles; i++) {
		struct role *role = &conduct->roles[i];

		if (role_dead(role)) {
			fail_early(conduct, role, -ECHILD);
			return false;
		}
	}
	if (interrupted(conduct))
		set_outcome(conduct, OUTCOME_INTERRUPTED, "interrupted");
	return !interrupted(conduct);
}

/* All that allocates, before the window. */
static int arm(struct conduct *conduct, struct error *err)
{
	const struct stage *stage = conduct->stage;
	const struct scenario *scenario = conduct->trial->scenario;
	double room, ticks;
	char text[128];
	int r;

	r = sampling_new(
		stage, conduct->roles, conduct->n_roles, conduct->sink, &conduct->sampling, err);
	if (r < 0)
		return r;
	r = heartbeat_new(stage->cpus, stage->cpus_size, &conduct->heartbeat, err);
	if (r < 0)
		return r;
	disturb_open(&conduct->disturb, stage->root);
	supervisor_rise(&conduct->supervisor);
	sink_environment(conduct->sink, "contend.supervisor",
		supervisor_describe(&conduct->supervisor, text, sizeof(text)));
	/* Half a MiB is left for what follows the window. */
	room = (double)(conduct->sink->size - conduct->sink->used) - (double)(MIB / 2);
	ticks = room / (double)sampling_bytes(conduct->sampling);
	conduct->interval_ns = scenario->interval_ns;
	if ((double)scenario->deadline_ns / ticks > (double)conduct->interval_ns)
		conduct->interval_ns = (int64_t)((double)scenario->deadline_ns / ticks) + 1;
	return 0;
}

static bool failed_after(struct conduct *conduct)
{
	struct role *lead = &conduct->roles[0];
	struct outcome *outcome = &conduct->outcome;
	char text[256];

	if (outcome->code == OUTCOME_INTERRUPTED || outcome->code == OUTCOME_TIMEOUT)
		return true;
	if (blame_oom_killer(conduct))
		return true;
	if (outcome->code != OUTCOME_OK)
		return true;
	if (lead->shared->code < 0) {
		snprintf(text, sizeof(text), "%s: %.200s", lead->part->workload->name,
			lead->shared->error.text);
		set_outcome(conduct, OUTCOME_BROKEN, text);
		return true;
	}
	for (size_t i = 1; i < conduct->n_roles; i++) {
		if (conduct->progress_after[i] != conduct->progress_before[i])
			continue;
		snprintf(text, sizeof(text), "%s did nothing in the window",
			conduct->roles[i].part->role);
		set_outcome(conduct, OUTCOME_NO_PROGRESS, text);
		return true;
	}
	return false;
}

static void judge(struct conduct *conduct)
{
	char text[256];

	if (failed_after(conduct))
		return;
	if (disturb_reason(&conduct->disturbed, text, sizeof(text)))
		set_outcome(conduct, OUTCOME_VOID, text);
}

static void window(struct conduct *conduct, struct error *err)
{
	if (arm(conduct, err) < 0) {
		set_outcome(conduct, OUTCOME_BROKEN, err->text);
		return;
	}
	phase(conduct, "window");
	window_run(conduct);
	supervisor_fall(&conduct->supervisor);
	phase(conduct, "stop");
	heartbeat_read(conduct->heartbeat, &conduct->beats);
	judge(conduct);
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

static void record_results(struct conduct *conduct)
{
	/* Without a window there is nothing but the outcome. */
	if (!conduct->outcome.open_ns)
		return;
	lead_counters(conduct);
	for (size_t i = 0; i < conduct->n_roles; i++)
		role_figures(conduct, &conduct->roles[i]);
	trial_figures(conduct);
}

static void put_environment(void *data, const char *key, const char *text)
{
	sink_environment(data, key, text);
}

/* Up to the window's end. */
static void perform(struct conduct *conduct, struct error *err)
{
	const struct scenario *scenario = conduct->trial->scenario;

	environment_read(
		conduct->stage->root, conduct->stage->scratch, put_environment, conduct->sink);
	phase(conduct, "setup");
	for (size_t i = 0; i < conduct->n_roles; i++) {
		if (!set_up(conduct, i, err))
			return;
	}
	if (scenario->cold) {
		phase(conduct, "cold");
		cold_make(conduct);
	}
	if (!lead_in(conduct))
		return;
	window(conduct, err);
}

static void conduct_done(struct conduct *conduct)
{
	sampling_free(conduct->sampling);
	heartbeat_free(conduct->heartbeat);
	disturb_close(&conduct->disturb);
	close_fd(&conduct->done_fd);
	free(conduct->roles);
	free(conduct->oom_before);
	free(conduct->progress_before);
	free(conduct->progress_after);
}

/* Can the parts run here at all? Sets the outcome when not. */
static bool probe_parts(struct conduct *conduct)
{
	const struct stage *stage = conduct->stage;
	struct place place = {
		.ram_bytes = stage->ram_bytes,
		.swap_bytes = stage->swap_bytes,
		.cpus = stage->n_cpus,
		.scratch = stage->scratch,
		.shelf = stage->shelf,
		.seed = conduct->trial->seed,
	};

	for (size_t i = 0; i < conduct->n_roles; i++) {
		const struct part *part = part_of(conduct->trial, i);
		struct error why;
		char text[256];
		int r = part->workload->probe ? part->workload->probe(&place, part->params, &why)
					      : 0;

		if (r == 0)
			continue;
		snprintf(text, sizeof(text), "%s: %.200s", part->role, why.text);
		set_outcome(conduct, r == -EOPNOTSUPP ? OUTCOME_SKIPPED : OUTCOME_BROKEN, text);
		return false;
	}
	return true;
}

/* The loads first: the last thing that can hurt is gone soonest. */
static void end_roles(struct conduct *conduct)
{
	struct error err;

	for (size_t i = conduct->n_roles; i-- > 0;) {
		if (role_end(&conduct->roles[i], &err) < 0)
			sink_event(conduct->sink, clock_now(), EVENT_NOTE, "", err.text);
	}
	orphans_end();
}

int trial_conduct(const struct trial *trial, const struct stage *stage,
	const struct trial_watch *watch, struct sink *sink, struct error *err)
{
	struct conduct conduct = {
		.trial = trial,
		.stage = stage,
		.watch = watch,
		.sink = sink,
		.done_fd = eventfd(0, EFD_CLOEXEC),
		.disturb = { .stat_fd = -1 },
		.n_roles = 1 + trial->scenario->n_loads,
	};
	struct error why;

	conduct.roles = calloc(conduct.n_roles, sizeof(struct role));
	conduct.oom_before = calloc(conduct.n_roles, sizeof(uint64_t));
	conduct.progress_before = calloc(conduct.n_roles, sizeof(uint64_t));
	conduct.progress_after = calloc(conduct.n_roles, sizeof(uint64_t));
	if (conduct.done_fd < 0 || !conduct.roles || !conduct.oom_before ||
		!conduct.progress_before || !conduct.progress_after) {
		conduct_done(&conduct);
		return error_errno(err, -ENOMEM, "cannot prepare the trial");
	}
	/* Orphans of a role come to us, so that none is lost (prctl(2)). */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (probe_parts(&conduct))
		perform(&conduct, &why);
	record_results(&conduct);
	end_roles(&conduct);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	sink_outcome(sink, &conduct.outcome);
	sink_end(sink);
	conduct_done(&conduct);
	return 0;
}
