// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/child.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "trial/resident.h"
#include "trial/work.h"

static void write_number(const char *path, int number)
{
	char text[16];
	int fd = open(path, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return;
	snprintf(text, sizeof(text), "%d", number);
	if (write(fd, text, strlen(text)) < 0) {
		/* Only lowering can be refused; what is inherited then stays. */
	}
	close(fd);
}

/* A process of its own: session, cgroup, CPUs, OOM score, standard files, no inherited files. */
static int child_settle(
	struct role *role, const struct stage *stage, int done_fd, struct error *err)
{
	char log[PATH_MAX + 8];
	char name[16];
	int in, out, r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	setsid();
	snprintf(name, sizeof(name), "contend-%.7s", role->part->role);
	prctl(PR_SET_NAME, name);
	for (int sig = 1; sig < NSIG; sig++)
		signal(sig, SIG_DFL);
	write_number("/proc/self/oom_score_adj", role->lead ? 0 : 1000);
	if (role->grouped) {
		r = cgroup_attach(&role->cgroup, 0);
		if (r < 0)
			return error_errno(
				err, r, "cannot enter the cgroup of %s", role->part->role);
	}
	if (stage->cpus && sched_setaffinity(0, stage->cpus_size, stage->cpus) < 0)
		return error_errno(err, -errno, "cannot bind %s to its CPUs", role->part->role);
	snprintf(log, sizeof(log), "%s/.log", role->scratch);
	in = open("/dev/null", O_RDONLY | O_CLOEXEC);
	out = open(log, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
	if (in < 0 || out < 0)
		return error_errno(err, -errno, "cannot open %s", log);
	dup2(in, 0);
	dup2(out, 1);
	dup2(out, 2);
	for (int fd = 3; fd < 1024; fd++) {
		if (fd != stage->root->fd && (!role->lead || fd != done_fd))
			close(fd);
	}
	return 0;
}

static void wait_at_gate(struct instance *instance, struct shared *shared)
{
	uint32_t gate = GATE_SHUT;

	for (;;) {
		shared_wait(&shared->gate, gate, 3600 * NS_PER_S);
		gate = atomic_load(&shared->gate);
		if (gate == GATE_OPEN)
			return;
		if (gate >= GATE_PROVE) {
			resident_count(instance, shared);
			shared_set(&shared->stand, STAND_PROVED);
		}
	}
}

static void child_fail(struct shared *shared, int code)
{
	shared->code = code;
	shared_set(&shared->stand, STAND_FAILED);
	_exit(1);
}

void child_main(struct role *role, const struct stage *stage, struct place *place, int done_fd)
{
	const struct workload *workload = role->part->workload;
	struct shared *shared = role->shared;
	struct instance instance = {
		.workload = workload,
		.place = place,
		.params = role->part->params,
		.role = role->lead ? WORKLOAD_LEAD : WORKLOAD_LOAD,
		.state = calloc(1, workload->state_size + 1),
		.workers = shared->workers,
		.values = shared->values,
		.events = shared->events,
	};
	struct iterations iterations;
	uint64_t one = 1;
	int r;

	r = child_settle(role, stage, done_fd, &shared->error);
	if (r < 0)
		child_fail(shared, r);
	if (!instance.state)
		child_fail(shared, error_errno(&shared->error, -ENOMEM, "%s", workload->name));
	if (workload->setup) {
		r = workload->setup(&instance, &shared->error);
		if (r < 0)
			child_fail(shared, r);
	}
	iterations_open(&iterations, shared, stage->root, stage->box);
	shared_set(&shared->stand, STAND_READY);
	wait_at_gate(&instance, shared);
	usage_read(&shared->at_gate);
	iterations_begin(&iterations, clock_now());
	shared->code = work(&instance, shared, role->part->common.rate, &iterations);
	shared->end_ns = clock_now();
	usage_read(&shared->at_end);
	shared_set(&shared->stand, STAND_ENDED);
	if (role->lead && write(done_fd, &one, sizeof(one)) < 0) {
		/* The supervisor also looks at `stand` with every sample. */
	}
	if (workload->teardown)
		workload->teardown(&instance);
	_exit(shared->code < 0);
}
