// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/shared.h"

#include <limits.h>
#include <linux/futex.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/clock.h"

#define CACHE_LINE 64

static size_t aligned(size_t size)
{
	return (size + CACHE_LINE - 1) / CACHE_LINE * CACHE_LINE;
}

int shared_new(const struct workload *workload, unsigned workers, struct shared **ret_shared,
	struct error *err)
{
	size_t progress = aligned(sizeof(struct shared));
	size_t steps = progress + aligned(workers * sizeof(struct progress));
	size_t values = steps + aligned(workers * sizeof(struct histogram));
	size_t events = values + aligned(workload->n_metrics * sizeof(int64_t));
	size_t iterations = events + aligned(sizeof(struct workload_events));
	size_t snapshots = iterations + aligned(ITERATIONS_KEPT * sizeof(struct iteration));
	size_t size = snapshots + aligned(ITERATIONS_KEPT * workload->n_metrics * sizeof(int64_t));
	char *memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
	struct shared *shared;

	if (memory == MAP_FAILED)
		return error_errno(err, -errno, "cannot share memory with %s", workload->name);
	shared = (struct shared *)memory;
	shared->workers = workers;
	shared->n_values = workload->n_metrics;
	shared->size = size;
	shared->progress = (struct progress *)(memory + progress);
	shared->steps = (struct histogram *)(memory + steps);
	shared->values = (_Atomic int64_t *)(memory + values);
	shared->events = (struct workload_events *)(memory + events);
	shared->iterations = (struct iteration *)(memory + iterations);
	shared->iteration_values = (int64_t *)(memory + snapshots);
	for (size_t i = 0; i < workload->n_metrics; i++) {
		if (workload->metrics[i].kind != METRIC_COUNTER)
			shared->values[i] = VALUE_ABSENT;
	}
	*ret_shared = shared;
	return 0;
}

void shared_free(struct shared *shared)
{
	if (shared)
		munmap(shared, shared->size);
}

uint64_t shared_progress(const struct shared *shared)
{
	uint64_t units = 0;

	for (unsigned i = 0; i < shared->workers; i++)
		units += atomic_load_explicit(&shared->progress[i].units, memory_order_relaxed);
	return units;
}

void shared_wait(_Atomic uint32_t *word, uint32_t value, int64_t timeout_ns)
{
	struct timespec timeout = ns_timespec(timeout_ns);

	if (atomic_load(word) == value)
		syscall(SYS_futex, word, FUTEX_WAIT, value, &timeout, NULL, 0);
}

void shared_set(_Atomic uint32_t *word, uint32_t value)
{
	atomic_store(word, value);
	syscall(SYS_futex, word, FUTEX_WAKE, INT_MAX, NULL, NULL, 0);
}
