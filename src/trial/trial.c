// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/trial.h"

#include <stdio.h>
#include <string.h>
#include <sys/eventfd.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "trial/conduct.h"

/* The record's buffer: never more than this, the sampling interval gives way. */
#define RECORD_LARGEST (64 * MIB)
#define RECORD_SMALLEST (2 * MIB)
#define RECORD_PER_TICK (4 * KIB)

size_t trial_record_size(const struct trial *trial)
{
	const struct scenario *scenario = trial->scenario;
	double ticks = (double)scenario->deadline_ns / (double)scenario->interval_ns;
	double bytes = RECORD_SMALLEST + ticks * RECORD_PER_TICK;

	return bytes < RECORD_LARGEST ? (size_t)bytes : RECORD_LARGEST;
}

void conduct_phase(struct conduct *conduct, const char *name)
{
	sink_event(conduct->sink, clock_now(), EVENT_PHASE, "", name);
	if (conduct->watch->phase)
		conduct->watch->phase(conduct->watch->data, name);
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
	ticks = room / sampling_bytes(conduct->sampling, scenario->interval_ns);
	conduct->interval_ns = scenario->interval_ns;
	if ((double)scenario->deadline_ns / ticks > (double)conduct->interval_ns)
		conduct->interval_ns = (int64_t)((double)scenario->deadline_ns / ticks) + 1;
	return 0;
}

static void window(struct conduct *conduct, struct error *err)
{
	if (arm(conduct, err) < 0) {
		outcome_set(conduct, OUTCOME_BROKEN, err->text);
		return;
	}
	conduct_phase(conduct, "window");
	window_run(conduct);
	supervisor_fall(&conduct->supervisor);
	conduct_phase(conduct, "stop");
	heartbeat_read(conduct->heartbeat, &conduct->beats);
	outcome_judge(conduct);
}

/* Up to the window's end. */
static void perform(struct conduct *conduct, struct error *err)
{
	const struct scenario *scenario = conduct->trial->scenario;

	surroundings_begin(conduct->stage->root, conduct->stage->scratch, conduct->sink,
		&conduct->surroundings);
	conduct_phase(conduct, "setup");
	for (size_t i = 0; i < conduct->n_roles; i++) {
		if (!setup_role(conduct, i, err))
			return;
	}
	if (scenario->cold) {
		conduct_phase(conduct, "cold");
		supervisor_lock();
		cold_make(conduct);
	}
	if (!setup_lead_in(conduct))
		return;
	window(conduct, err);
}

static void conduct_done(struct conduct *conduct)
{
	surroundings_free(conduct->surroundings);
	sampling_free(conduct->sampling);
	heartbeat_free(conduct->heartbeat);
	disturb_close(&conduct->disturb);
	close_fd(&conduct->done_fd);
	free(conduct->roles);
	free(conduct->ends);
	free(conduct->oom_before);
	free(conduct->progress_before);
	free(conduct->progress_after);
}

/* The loads first: the last thing that can hurt is gone soonest. */
static void end_roles(struct conduct *conduct)
{
	struct error err;

	for (size_t i = conduct->n_roles; i-- > 0;) {
		if (role_end(&conduct->roles[i], &err) == 0)
			continue;
		sink_event(conduct->sink, clock_now(), EVENT_NOTE, "", err.text);
		/* What it left would be in the next trial's way. */
		if (conduct->outcome.code == OUTCOME_OK)
			outcome_set(conduct, OUTCOME_BROKEN, err.text);
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
	conduct.ends = calloc(conduct.n_roles + 1, sizeof(struct pollfd));
	conduct.oom_before = calloc(conduct.n_roles, sizeof(uint64_t));
	conduct.progress_before = calloc(conduct.n_roles, sizeof(uint64_t));
	conduct.progress_after = calloc(conduct.n_roles, sizeof(uint64_t));
	if (conduct.done_fd < 0 || !conduct.roles || !conduct.ends || !conduct.oom_before ||
		!conduct.progress_before || !conduct.progress_after) {
		conduct_done(&conduct);
		return error_errno(err, -ENOMEM, "cannot prepare the trial");
	}
	/* Orphans of a role come to us, so that none is lost (prctl(2)). */
	prctl(PR_SET_CHILD_SUBREAPER, 1);
	if (setup_probe(&conduct))
		perform(&conduct, &why);
	record_results(&conduct);
	end_roles(&conduct);
	surroundings_end(conduct.surroundings, stage->root, stage->scratch, sink);
	prctl(PR_SET_CHILD_SUBREAPER, 0);
	sink_outcome(sink, &conduct.outcome);
	sink_end(sink);
	conduct_done(&conduct);
	return 0;
}
