// SPDX-License-Identifier: GPL-2.0-or-later
#include "agent/agent.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/reboot.h>
#include <unistd.h>

#include "agent/inside.h"
#include "base/cleanup.h"
#include "box/box.h"
#include "setting/journal.h"
#include "vm/initramfs.h"

struct agent {
	struct region *region;
	size_t region_size;
	struct job job;
	struct agent_notes notes;
	struct root root;
	struct journal *journal;
	struct box *box;
};

void agent_note(struct agent_notes *notes, const char *format, ...)
{
	va_list args;

	if (notes->n == AGENT_NOTES)
		return;
	va_start(args, format);
	vsnprintf(notes->text[notes->n++], sizeof(notes->text[0]), format, args);
	va_end(args);
}

static void agent_done(struct agent *agent)
{
	box_close(agent->box);
	journal_close(agent->journal);
	root_close(&agent->root);
	job_done(&agent->job);
}

static void set_phase(struct agent *agent, enum region_phase phase)
{
	atomic_store(&agent->region->phase, phase);
}

static void set_environment(void)
{
	setenv("PATH", "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin", 1);
	setenv("HOME", "/tmp", 1);
	setenv("CONTEND_JOURNAL", "/run/contend", 1);
}

static int open_box(struct agent *agent, struct error *err)
{
	struct box_config config;
	int r = box_parse(agent->job.inside, &config, err);

	if (r == 0 && config.kind == BOX_VM)
		r = error_set(err, -EINVAL, "inside: no vm box in a vm box");
	r = r < 0 ? r : root_open(&agent->root, "/", err);
	r = r < 0 ? r : journal_open(&agent->root, &agent->journal, NULL, err);
	return r < 0 ? r
		     : box_open(&config, &agent->root, agent->journal, AGENT_SCRATCH, &agent->box,
			       err);
}

static int prepare(struct agent *agent, struct error *err)
{
	const char *text;
	int r = agent_mount(err);

	r = r < 0 ? r : agent_map_region(&agent->region, &agent->region_size, err);
	if (r < 0)
		return r;
	set_phase(agent, REGION_AGENT);
	text = (const char *)agent->region + REGION_JOB_AT;
	if (strnlen(text, REGION_JOB_SIZE) == REGION_JOB_SIZE)
		return error_set(err, -EINVAL, "the job has no end");
	r = job_parse(text, &agent->job, err);
	r = r < 0 ? r : agent_load_modules(err);
	r = r < 0 ? r : agent_make_disk(&agent->job.disk, &agent->notes, err);
	r = r < 0 ? r : agent_enter_tools(&agent->job.disk, err);
	r = r < 0 ? r : open_box(agent, err);
	for (size_t i = 0; r == 0 && i < agent->notes.n; i++)
		box_note(agent->box, "%s", agent->notes.text[i]);
	return r;
}

/* The trial writes straight into the shared memory: none of the guest's RAM is taken for it. */
static int conduct(struct agent *agent, struct error *err)
{
	struct sink sink = {
		.data = (unsigned char *)agent->region + REGION_STREAM_AT,
		.size = agent->region->stream_size,
	};
	const struct trial_watch watch = { 0 };
	int r;

	if (sink.size > agent->region_size - REGION_STREAM_AT)
		return error_set(err, -EINVAL, "the record's room is not as the host says");
	set_phase(agent, REGION_TRIAL);
	r = box_conduct(agent->box, &agent->job.trial, &watch, &sink, err);
	if (r == 0)
		agent->region->stream_used = sink.used;
	return r;
}

static void tell_host(struct agent *agent, int r, const struct error *err)
{
	if (!agent->region)
		return;
	agent->region->error = r;
	snprintf(agent->region->failure, sizeof(agent->region->failure), "%s", err->text);
	set_phase(agent, REGION_FAILED);
}

int agent_run(struct error *err)
{
	struct agent agent CLEANUP(agent_done) = { .root = { -1 } };
	int r;

	if (getpid() != 1 || access(INITRAMFS_MODULES, F_OK) < 0)
		return error_set(err, -EPERM,
			"agent is what contend runs in a virtual machine; it does nothing else");
	set_environment();
	r = prepare(&agent, err);
	if (r == 0)
		r = conduct(&agent, err);
	if (r < 0)
		tell_host(&agent, r, err);
	else
		set_phase(&agent, REGION_DONE);
	return r;
}

void agent_power_off(void)
{
	for (;;) {
		/* The kernel syncs nothing by itself here, and nothing needs it. */
		reboot(RB_POWER_OFF);
		sleep(1);
	}
}
