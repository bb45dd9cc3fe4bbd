// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/heartbeat.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define STACK_SIZE (64 * 1024)

enum heart_state {
	HEART_WAITING,
	HEART_OPEN,
	HEART_CLOSED
};

struct beat {
	_Alignas(64) pthread_t thread;
	struct heartbeat *heartbeat;
	int cpu; /* -1: not bound */
	bool running;
	_Atomic int64_t due_ns; /* 0: not started */
	struct histogram lateness;
	uint64_t freezes;
	int64_t longest_ns, sum_ns;
};

struct heartbeat {
	_Atomic int state;
	pthread_mutex_t lock;
	pthread_cond_t opened, ready;
	size_t n_ready; /* threads that wait for the opening */
	int64_t open_ns;
	_Atomic int64_t close_ns;
	size_t n;
	struct beat *beats;
};

static void count(struct beat *beat, int64_t late)
{
	histogram_add(&beat->lateness, late);
	if (late < HEARTBEAT_FREEZE_NS)
		return;
	beat->freezes++;
	beat->sum_ns += late;
	if (late > beat->longest_ns)
		beat->longest_ns = late;
}

static void *beat_run(void *data)
{
	struct beat *beat = data;
	struct heartbeat *heartbeat = beat->heartbeat;
	int64_t due;

	/* The default slack of 50 us would be counted as lateness. */
	prctl(PR_SET_TIMERSLACK, 1UL);
	pthread_mutex_lock(&heartbeat->lock);
	heartbeat->n_ready++;
	pthread_cond_signal(&heartbeat->ready);
	while (atomic_load(&heartbeat->state) == HEART_WAITING)
		pthread_cond_wait(&heartbeat->opened, &heartbeat->lock);
	pthread_mutex_unlock(&heartbeat->lock);
	due = heartbeat->open_ns + HEARTBEAT_INTERVAL_NS;
	while (atomic_load(&heartbeat->state) == HEART_OPEN) {
		int64_t now;

		atomic_store(&beat->due_ns, due);
		clock_sleep_until(due);
		now = clock_now();
		/* What woke behind the window's end is counted as censored, by the reader. */
		if (atomic_load(&heartbeat->state) != HEART_OPEN)
			break;
		count(beat, now - due);
		/* One stall is one freeze: the beats that it swallowed are not due any more. */
		due = now - due < HEARTBEAT_INTERVAL_NS ? due + HEARTBEAT_INTERVAL_NS
							: now + HEARTBEAT_INTERVAL_NS;
	}
	return NULL;
}

static int beat_start(struct heartbeat *heartbeat, int cpu, size_t cpus_size, struct error *err)
{
	struct beat *beat = &heartbeat->beats[heartbeat->n];
	pthread_attr_t attr;
	int r;

	beat->heartbeat = heartbeat;
	beat->cpu = cpu;
	pthread_attr_init(&attr);
	pthread_attr_setstacksize(&attr, STACK_SIZE);
	if (cpu >= 0) {
		cpu_set_t *one = CPU_ALLOC(cpus_size * 8);

		if (one) {
			CPU_ZERO_S(cpus_size, one);
			CPU_SET_S((size_t)cpu, cpus_size, one);
			pthread_attr_setaffinity_np(&attr, cpus_size, one);
			CPU_FREE(one);
		}
	}
	r = -pthread_create(&beat->thread, &attr, beat_run, beat);
	pthread_attr_destroy(&attr);
	if (r < 0)
		return error_errno(err, r, "cannot start the heartbeat of CPU %d", cpu);
	beat->running = true;
	heartbeat->n++;
	return 0;
}

/* What a thread costs at its start is not to fall into the window. */
static void wait_ready(struct heartbeat *heartbeat)
{
	pthread_mutex_lock(&heartbeat->lock);
	while (heartbeat->n_ready < heartbeat->n)
		pthread_cond_wait(&heartbeat->ready, &heartbeat->lock);
	pthread_mutex_unlock(&heartbeat->lock);
}

static void heartbeat_cleanup(struct heartbeat **heartbeat)
{
	heartbeat_free(*heartbeat);
}

int heartbeat_new(const cpu_set_t *cpus, size_t cpus_size, struct heartbeat **ret_heartbeat,
	struct error *err)
{
	struct heartbeat *heartbeat CLEANUP(heartbeat_cleanup) = calloc(1, sizeof(*heartbeat));
	size_t n = cpus ? (size_t)CPU_COUNT_S(cpus_size, cpus) : 1;
	int r;

	if (!heartbeat)
		return error_errno(err, -ENOMEM, "heartbeat");
	pthread_mutex_init(&heartbeat->lock, NULL);
	pthread_cond_init(&heartbeat->opened, NULL);
	pthread_cond_init(&heartbeat->ready, NULL);
	heartbeat->beats = aligned_alloc(64, n * sizeof(struct beat));
	if (!heartbeat->beats)
		return error_errno(err, -ENOMEM, "heartbeat");
	memset(heartbeat->beats, 0, n * sizeof(struct beat));
	for (size_t cpu = 0; cpus && cpu < cpus_size * 8; cpu++) {
		if (!CPU_ISSET_S(cpu, cpus_size, cpus))
			continue;
		r = beat_start(heartbeat, (int)cpu, cpus_size, err);
		if (r < 0)
			return r;
	}
	if (!cpus) {
		r = beat_start(heartbeat, -1, 0, err);
		if (r < 0)
			return r;
	}
	wait_ready(heartbeat);
	*ret_heartbeat = heartbeat;
	heartbeat = NULL;
	return 0;
}

static void set_state(struct heartbeat *heartbeat, enum heart_state state)
{
	pthread_mutex_lock(&heartbeat->lock);
	atomic_store(&heartbeat->state, (int)state);
	pthread_cond_broadcast(&heartbeat->opened);
	pthread_mutex_unlock(&heartbeat->lock);
}

void heartbeat_open(struct heartbeat *heartbeat, int64_t now_ns)
{
	heartbeat->open_ns = now_ns;
	set_state(heartbeat, HEART_OPEN);
}

void heartbeat_close(struct heartbeat *heartbeat, int64_t now_ns)
{
	atomic_store(&heartbeat->close_ns, now_ns);
	set_state(heartbeat, HEART_CLOSED);
}

static void join(struct heartbeat *heartbeat)
{
	for (size_t i = 0; i < heartbeat->n; i++) {
		if (heartbeat->beats[i].running)
			pthread_join(heartbeat->beats[i].thread, NULL);
		heartbeat->beats[i].running = false;
	}
}

void heartbeat_read(struct heartbeat *heartbeat, struct heartbeat_result *ret_result)
{
	int64_t close = atomic_load(&heartbeat->close_ns);

	join(heartbeat);
	memset(ret_result, 0, sizeof(*ret_result));
	for (size_t i = 0; i < heartbeat->n; i++) {
		struct beat *beat = &heartbeat->beats[i];
		int64_t waited = beat->due_ns ? close - beat->due_ns : 0;

		if (waited > HEARTBEAT_INTERVAL_NS) {
			ret_result->censored++;
			count(beat, waited);
		}
		histogram_merge(&ret_result->lateness, &beat->lateness);
		ret_result->freezes += beat->freezes;
		ret_result->freeze_sum_ns += beat->sum_ns;
		if (beat->longest_ns > ret_result->freeze_longest_ns)
			ret_result->freeze_longest_ns = beat->longest_ns;
	}
	ret_result->beats = ret_result->lateness.count;
}

void heartbeat_free(struct heartbeat *heartbeat)
{
	if (!heartbeat)
		return;
	if (heartbeat->state != HEART_CLOSED)
		set_state(heartbeat, HEART_CLOSED);
	join(heartbeat);
	pthread_cond_destroy(&heartbeat->ready);
	pthread_cond_destroy(&heartbeat->opened);
	pthread_mutex_destroy(&heartbeat->lock);
	free(heartbeat->beats);
	free(heartbeat);
}
