// SPDX-License-Identifier: GPL-2.0-or-later
/* memfill and mmap step by step, in a few megabytes. */
#include "test.h"

#include <inttypes.h>
#include <stdio.h>
#include <sys/resource.h>

#include "base/file.h"
#include "base/unit.h"
#include "workload/workload.h"

static char scratch[] = "/tmp/contend-memory-XXXXXX";
static struct workload_events events;
static _Atomic int64_t values[8];
static struct progress progress;
static uint64_t page_size;
static struct error err;

static const struct place place = {
	.ram_bytes = 64 * MIB,
	.swap_bytes = 64 * MIB,
	.cpus = 1,
	.scratch = scratch,
	.shelf = scratch,
	.seed = 3,
};

static int start(void **state)
{
	(void)state;
	page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	return mkdtemp(scratch) ? 0 : -1;
}

static int stop(void **state)
{
	(void)state;
	return tree_remove(scratch, NULL);
}

static struct instance begin(const char *name, const char *options, enum workload_roles role)
{
	const struct workload *workload = workload_find(name, role);
	struct instance instance = {
		.workload = workload,
		.place = &place,
		.params = calloc(1, workload->params_size),
		.role = role,
		.state = calloc(1, workload->state_size),
		.workers = 1,
		.values = values,
		.events = &events,
	};
	void *params = (void *)(uintptr_t)instance.params;

	memset(&events, 0, sizeof(events));
	atomic_store(&progress.units, 0);
	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		atomic_store(&values[i], VALUE_ABSENT);
	option_defaults(workload->options, params);
	if (option_set_list(workload->options, params, options, &err) < 0 ||
		workload->probe(&place, params, &err) < 0 || workload->setup(&instance, &err) < 0)
		fail_msg("%s: %s", options, err.text);
	return instance;
}

static void end(struct instance *instance)
{
	instance->workload->teardown(instance);
	free((void *)(uintptr_t)instance->params);
	free(instance->state);
}

static int step(struct instance *instance)
{
	static struct worker worker;

	worker = (struct worker) { .instance = instance, .progress = &progress };
	return instance->workload->step(&worker, &err);
}

/* Steps until one says something else than that there is more. */
static int steps(struct instance *instance)
{
	int r;

	do
		r = step(instance);
	while (r == STEP_MORE);
	return r;
}

static uint64_t pages_done(void)
{
	return atomic_load(&progress.units);
}

static void a_fill_ends_after_its_iterations(void **state)
{
	static const char *const options[] = {
		"bytes=3M,iterations=3",
		"bytes=3M,iterations=3,chunk=1",
		"bytes=3M,iterations=3,chunk=1G,write=word",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct instance instance = begin("memfill", options[i], WORKLOAD_LEAD);

		for (unsigned pass = 1; pass <= 3; pass++) {
			assert_int_equal(steps(&instance), pass < 3 ? STEP_PASS : STEP_DONE);
			assert_int_equal(pages_done(), pass * 3 * MIB / page_size);
			assert_int_equal(values[0], 3 * MIB);
			assert_int_equal(values[1], 3 * MIB);
		}
		end(&instance);
	}
}

static void a_fill_is_of_the_box_when_nothing_is_said(void **state)
{
	struct instance instance = begin("memfill", "", WORKLOAD_LEAD);

	(void)state;
	assert_int_equal(values[0], 0);
	assert_int_equal(values[1], 128 * MIB / 5 * 4 / page_size * page_size);
	end(&instance);
}

static void what_is_allocated_grows_by_the_chunk(void **state)
{
	struct instance instance = begin("memfill", "bytes=5M,chunk=2M", WORKLOAD_LOAD);
	static const int64_t mib[] = { 2, 2, 4, 4, 5 };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(mib); i++) {
		assert_int_equal(step(&instance), STEP_MORE);
		assert_int_equal(values[0], mib[i] * (int64_t)MIB);
	}
	assert_int_equal(step(&instance), STEP_PASS);
	assert_int_equal(values[0], 5 * MIB);
	assert_int_equal(step(&instance), STEP_MORE);
	assert_int_equal(values[0], 2 * MIB);
	end(&instance);
}

/* The memory that is written to, alone of its size. */
static char *memory_find(uint64_t size)
{
	FILE *maps CLEANUP(close_file) = fopen("/proc/self/maps", "r");
	uintptr_t from, to;
	char line[512];

	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " rw-p", &from, &to) == 2 &&
			to - from == size)
			return (char *)from;
	}
	return NULL;
}

#define ODD_SIZE (7 * MIB)

static void a_page_that_has_changed_is_found_at_the_second_look(void **state)
{
	struct instance instance = begin("memfill", "bytes=7M,reread=yes", WORKLOAD_LEAD);
	char *memory;

	(void)state;
	assert_int_equal(steps(&instance), STEP_PASS);
	assert_int_equal(pages_done(), 2 * ODD_SIZE / page_size);
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(step(&instance), STEP_MORE);
	memory = memory_find(ODD_SIZE);
	assert_non_null(memory);
	memory[1001 * page_size - 1] ^= 1;
	assert_int_equal(steps(&instance), -EIO);
	assert_string_equal(err.text, "page 1001 of iteration 2 is not what was written");
	end(&instance);
}

static void no_two_iterations_write_the_same(void **state)
{
	struct instance instance = begin("memfill", "bytes=7M", WORKLOAD_LEAD);
	char *first = malloc(ODD_SIZE), *memory;

	(void)state;
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(step(&instance), STEP_MORE);
	memory = memory_find(ODD_SIZE);
	assert_non_null(memory);
	memcpy(first, memory, ODD_SIZE);
	assert_int_equal(step(&instance), STEP_PASS);
	for (unsigned i = 0; i < 7; i++)
		assert_int_equal(step(&instance), STEP_MORE);
	memory = memory_find(ODD_SIZE);
	for (uint64_t at = 0; at < ODD_SIZE; at += page_size) {
		for (uint64_t other = 0; other < ODD_SIZE; other += ODD_SIZE / 16)
			assert_memory_not_equal(memory + at, first + other, page_size);
	}
	free(first);
	end(&instance);
}

/* Bytes of private writable memory, which RLIMIT_DATA is about (since 4.7). */
static uint64_t data_bytes(void)
{
	FILE *status CLEANUP(close_file) = fopen("/proc/self/status", "r");
	uint64_t kib = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "VmData: %" SCNu64, &kib);
	return kib * KIB;
}

static void an_iteration_that_is_refused_memory_makes_do_and_says_so(void **state)
{
	struct instance instance =
		begin("memfill", "bytes=64M,chunk=1M,iterations=2", WORKLOAD_LEAD);
	struct rlimit before, limit;
	int first, second;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
	limit = before;
	limit.rlim_cur = data_bytes() + 8 * MIB;
	assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
	first = steps(&instance);
	second = steps(&instance);
	setrlimit(RLIMIT_DATA, &before);
	assert_int_equal(first, STEP_PASS);
	assert_int_equal(second, STEP_DONE);
	assert_true(values[0] > 0 && values[0] <= (int64_t)(8 * MIB));
	assert_int_equal(values[1], 64 * MIB);
	assert_int_equal(events.n, 2);
	assert_non_null(strstr(events.events[0].text, "no memory beyond "));
	end(&instance);
}

static void no_memory_at_all_is_an_error(void **state)
{
	struct instance instance = begin("memfill", "bytes=64M,chunk=16M", WORKLOAD_LEAD);
	struct rlimit before, limit;
	int r;

	(void)state;
	assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
	limit = before;
	limit.rlim_cur = data_bytes();
	assert_int_equal(setrlimit(RLIMIT_DATA, &limit), 0);
	r = steps(&instance);
	setrlimit(RLIMIT_DATA, &before);
	assert_int_equal(r, -ENOMEM);
	assert_non_null(strstr(err.text, "cannot allocate 16.0 MiB"));
	end(&instance);
}

static void a_mapping_ends_after_its_iterations(void **state)
{
	static const char *const options[] = {
		"pages=600,iterations=3",
		"pages=600,iterations=3,sync=1,order=random,write=word",
		"pages=600,iterations=3,sync=0,populate=yes,compress=4",
		"pages=1,iterations=3",
	};
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/mmap.0", scratch);
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct instance instance = begin("mmap", options[i], WORKLOAD_LEAD);
		uint64_t pages = i < 3 ? 600 : 1;

		for (unsigned pass = 1; pass <= 3; pass++) {
			assert_int_equal(step(&instance), STEP_MORE);
			assert_int_equal(access(path, F_OK), 0);
			assert_int_equal(steps(&instance), pass < 3 ? STEP_PASS : STEP_DONE);
			/* Once when it is written, once when it is synced. */
			assert_int_equal(pages_done(), pass * 2 * pages);
			assert_int_equal(values[0], pages * page_size);
			assert_int_equal(access(path, F_OK), -1);
		}
		end(&instance);
	}
}

static void a_load_goes_on(void **state)
{
	struct instance instance = begin("mmap", "pages=1,iterations=1", WORKLOAD_LOAD);

	(void)state;
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(steps(&instance), STEP_PASS);
	end(&instance);
	instance = begin("memfill", "bytes=1,iterations=1", WORKLOAD_LOAD);
	for (unsigned i = 0; i < 5; i++)
		assert_int_equal(steps(&instance), STEP_PASS);
	assert_int_equal(pages_done(), 5);
	end(&instance);
}

static void a_file_in_use_is_gone_after_teardown(void **state)
{
	struct instance instance = begin("mmap", "pages=600", WORKLOAD_LOAD);
	char path[64];

	(void)state;
	snprintf(path, sizeof(path), "%s/mmap.0", scratch);
	assert_int_equal(step(&instance), STEP_MORE);
	assert_int_equal(access(path, F_OK), 0);
	end(&instance);
	assert_int_equal(access(path, F_OK), -1);
}

static int probed(const char *name, const char *options, const struct place *where)
{
	const struct workload *workload = workload_find(name, WORKLOAD_LEAD);
	void *params = calloc(1, workload->params_size);
	int r;

	option_defaults(workload->options, params);
	r = option_set_list(workload->options, params, options, &err);
	if (r == 0)
		r = workload->probe(where, params, &err);
	free(params);
	return r;
}

static void what_cannot_be_is_told_by_the_probe(void **state)
{
	const struct place small = { .ram_bytes = 15 * MIB, .scratch = scratch };

	(void)state;
	assert_int_equal(probed("memfill", "", &small), -EOPNOTSUPP);
	assert_int_equal(probed("mmap", "", &small), -EOPNOTSUPP);
	assert_int_equal(probed("mmap", "pages=1", &place), 0);
	assert_int_equal(probed("mmap", "pages=17000000G", &place), -ERANGE);
	assert_int_equal(probed("mmap", "pages=1000G", &place), -ENOSPC);
}

static void values_out_of_range_are_refused(void **state)
{
	static const char *const memfill[] = { "percent=0", "percent=1001", "compress=0.5",
		"compress=9", "iterations=0", "chunk=0" };
	static const char *const wrong[] = { "write=byte", "thp=maybe", "chunk=much" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(memfill); i++)
		assert_int_equal(probed("memfill", memfill[i], &place), -ERANGE);
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++)
		assert_int_equal(probed("memfill", wrong[i], &place), -EINVAL);
	assert_int_equal(probed("mmap", "pages=0", &place), -ERANGE);
	assert_int_equal(probed("mmap", "order=stride", &place), -EINVAL);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fill_ends_after_its_iterations),
		cmocka_unit_test(a_fill_is_of_the_box_when_nothing_is_said),
		cmocka_unit_test(what_is_allocated_grows_by_the_chunk),
		cmocka_unit_test(a_page_that_has_changed_is_found_at_the_second_look),
		cmocka_unit_test(no_two_iterations_write_the_same),
		cmocka_unit_test(an_iteration_that_is_refused_memory_makes_do_and_says_so),
		cmocka_unit_test(no_memory_at_all_is_an_error),
		cmocka_unit_test(a_mapping_ends_after_its_iterations),
		cmocka_unit_test(a_load_goes_on),
		cmocka_unit_test(a_file_in_use_is_gone_after_teardown),
		cmocka_unit_test(what_cannot_be_is_told_by_the_probe),
		cmocka_unit_test(values_out_of_range_are_refused),
	};

	return cmocka_run_group_tests(tests, start, stop);
}
