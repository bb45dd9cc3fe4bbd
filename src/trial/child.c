// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/child.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "trial/resident.h"

/* A paced worker looks at `stop` at least this often. */
#define NAP_NS (50 * NS_PER_MS)

static void usage_read(struct usage *usage)
{
	struct rusage self, children;

	getrusage(RUSAGE_SELF, &self);
	getrusage(RUSAGE_CHILDREN, &children);
	*usage = (struct usage) {
		.user_ns = (self.ru_utime.tv_sec + children.ru_utime.tv_sec) * NS_PER_S +
			   (self.ru_utime.tv_usec + children.ru_utime.tv_usec) * NS_PER_US,
		.system_ns = (self.ru_stime.tv_sec + children.ru_stime.tv_sec) * NS_PER_S +
			     (self.ru_stime.tv_usec + children.ru_stime.tv_usec) * NS_PER_US,
		.major_faults = self.ru_majflt + children.ru_majflt,
		.minor_faults = self.ru_minflt + children.ru_minflt,
	};
}

static bool stopped(const struct shared *shared)
{
	return atomic_load_explicit(&shared->stop, memory_order_relaxed);
}

/* Sleeps until due, or until the trial stops. */
static void pace(const struct shared *shared, int64_t due_ns)
{
	int64_t now = clock_now();

	while (now < due_ns && !stopped(shared)) {
		clock_sleep_until(due_ns < now + NAP_NS ? due_ns : now + NAP_NS);
		now = clock_now();
	}
}

/* What one thread needs to know. */
struct task {
	struct worker worker;
	struct shared *shared;
	double rate; /* units per second of this worker; 0: no limit */
	pthread_t thread;
	bool running;
	int code;
	struct error error;
};

/*
 * A step's latency counts from when it was due: without a rate, that is the end of the step
 * before; with one, the moment that the rate says, so that a stall is charged to every step that
 * it delayed.
 */
static void *task_run(void *data)
{
	struct task *task = data;
	struct worker *worker = &task->worker;
	struct histogram *steps = &task->shared->steps[worker->index];
	int64_t start = clock_now(), due = start;
	int r = STEP_MORE;

	while (r > 0 && !stopped(task->shared)) {
		int64_t now;

		if (task->rate > 0) {
			double units = (double)atomic_load(&worker->progress->units);

			due = start + (int64_t)(units / task->rate * NS_PER_S);
			pace(task->shared, due);
		}
		r = worker->instance->workload->step(worker, &task->error);
		now = clock_now();
		histogram_add(steps, now - due);
		due = now;
		if (r == STEP_PASS)
			atomic_fetch_add(&task->shared->passes, 1);
	}
	task->code = r < 0 ? r : 0;
	/* One worker's failure ends the others: the lead is not done by half. */
	if (r < 0)
		atomic_store(&task->shared->stop, 1);
	return NULL;
}

static int tasks_run(struct instance *instance, struct shared *shared, double rate)
{
	struct task *tasks = calloc(instance->workers, sizeof(*tasks));
	struct random seed = { instance->place->seed };
	int code = 0;

	if (!tasks)
		return error_errno(&shared->error, -ENOMEM, "workers");
	for (unsigned i = 0; i < instance->workers; i++) {
		tasks[i].shared = shared;
		tasks[i].rate = rate / instance->workers;
		tasks[i].worker = (struct worker) {
			.instance = instance,
			.index = i,
			.progress = &shared->progress[i],
			.random = random_fork(&seed, i),
		};
		/* The first worker is this thread. */
		if (i == 0)
			continue;
		code = -pthread_create(&tasks[i].thread, NULL, task_run, &tasks[i]);
		if (code < 0) {
			error_errno(&shared->error, code, "cannot start worker %u of %u", i + 1,
				instance->workers);
			atomic_store(&shared->stop, 1);
			break;
		}
		tasks[i].running = true;
	}
	if (code == 0)
		task_run(&tasks[0]);
	for (unsigned i = 0; i < instance->workers; i++) {
		if (tasks[i].running)
			pthread_join(tasks[i].thread, NULL);
		if (tasks[i].code < 0 && code == 0) {
			code = tasks[i].code;
			shared->error = tasks[i].error;
		}
	}
	free(tasks);
	return code;
}

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
		if (!role->lead || fd != done_fd)
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
	};
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
	shared_set(&shared->stand, STAND_READY);
	wait_at_gate(&instance, shared);
	usage_read(&shared->at_gate);
	shared->code = tasks_run(&instance, shared, role->part->common.rate);
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
