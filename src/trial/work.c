// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/work.h"

#include <pthread.h>
#include <stdlib.h>

#include "base/cleanup.h"
#include "base/clock.h"

/* A paced worker looks at `stop` at least this often. */
#define NAP_NS (50 * NS_PER_MS)

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
	struct iterations *iterations; /* NULL but for the first worker */
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
		if (task->iterations && (r == STEP_PASS || r == STEP_DONE))
			iteration_end(task->iterations, now);
	}
	task->code = r < 0 ? r : 0;
	/* One worker's failure ends the others: the lead is not done by half. */
	if (r < 0)
		atomic_store(&task->shared->stop, 1);
	return NULL;
}

int work(struct instance *instance, struct shared *shared, double rate,
	struct iterations *iterations)
{
	struct task *tasks = calloc(instance->workers, sizeof(*tasks));
	struct random seed = { instance->place->seed };
	int code = 0;

	if (!tasks)
		return error_errno(&shared->error, -ENOMEM, "workers");
	for (unsigned i = 0; i < instance->workers; i++) {
		tasks[i].shared = shared;
		tasks[i].iterations = i == 0 ? iterations : NULL;
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
