// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The window is silent: from its opening to its close the supervisor neither allocates nor frees,
 * and takes no major fault. All samplers of the program are at work here, and one more that does
 * what must not be, on demand: what finds nothing must be able to find something.
 */
#include "../unit/test.h"

#include "../unit/allocations.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/vfs.h>

#include <linux/magic.h>

#include "base/clock.h"
#include "base/file.h"
#include "record/wire.h"
#include "sampler/registry.h"
#include "trial/trial.h"

static enum {
	SILENT,
	ALLOCATES,
	FAULTS,
} manners;

static char directory[64], faulted[80];
static uint64_t reads;

/* Touches a page of a file that is not in page cache. */
static void fault(void)
{
	int fd CLEANUP(close_fd) = open(faulted, O_RDONLY | O_CLOEXEC);
	void *page;

	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	page = mmap(NULL, 4096, PROT_READ, MAP_SHARED, fd, 0);
	if (page == MAP_FAILED)
		return;
	(void)*(volatile char *)page;
	munmap(page, 4096);
}

static int ill_open(void *state, const struct sampler_target *target, struct error *err)
{
	return 0;
}

static size_t ill_metrics(const void *state, const struct metric **ret_metrics)
{
	static const struct metric metric = { "reads", "events", METRIC_COUNTER };

	*ret_metrics = &metric;
	return 1;
}

static int ill_read(void *state, int64_t *values)
{
	void *volatile data = NULL;

	values[0] = (int64_t)++reads;
	if (manners == ALLOCATES)
		data = malloc(1);
	free(data);
	if (manners == FAULTS)
		fault();
	return 0;
}

static void ill_close(void *state)
{
}

static const struct sampler ill_mannered = {
	.name = "ill-mannered",
	.summary = "does what a sampler must not do",
	.revision = 1,
	.scope = SAMPLER_SYSTEM,
	.open = ill_open,
	.metrics = ill_metrics,
	.read = ill_read,
	.close = ill_close,
};

/* In place of the program's own registry. */
const struct sampler *const sampler_registry[] = {
	&sampler_cgroup,
	&sampler_diskstats,
	&sampler_meminfo,
	&sampler_psi,
	&sampler_stat,
	&sampler_vmstat,
	&sampler_zram,
	&ill_mannered,
	NULL,
};

static int nap_step(struct worker *worker, struct error *err)
{
	uint64_t units = worker->progress->units + 1;

	clock_sleep_until(clock_now() + NS_PER_MS);
	progress_add(worker->progress, 1);
	return worker->instance->role == WORKLOAD_LEAD && units == 1200 ? STEP_DONE : STEP_MORE;
}

static const struct workload nap = {
	.name = "nap",
	.summary = "sleeps a thousand times a second",
	.unit = "naps",
	.table_unit = "naps",
	.table_divisor = 1,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.step = nap_step,
};

struct counts {
	unsigned long allocations, releases;
	uint64_t reads;
	int64_t major_faults;
};

static struct counts before, after;

static struct counts count(void)
{
	struct rusage usage;

	getrusage(RUSAGE_SELF, &usage);
	return (struct counts) { allocations, releases, reads, usage.ru_majflt };
}

/* "window" is said when all is armed, "stop" when the supervisor has come to rest. */
static void on_phase(void *data, const char *phase)
{
	if (!strcmp(phase, "window"))
		before = count();
	else if (!strcmp(phase, "stop"))
		after = count();
}

static void figure_check(const struct sink *sink, const char *name, int64_t wanted)
{
	struct wire wire = { .data = sink->data, .size = sink->used };
	uint32_t id = UINT32_MAX;
	struct record record;

	while (wire_next(&wire, &record, NULL) > 0) {
		if (record.type == RECORD_METRIC && !strcmp(record.metric.name, name))
			id = record.id;
		if (record.type == RECORD_SAMPLE && record.id == id)
			assert_int_equal(record_value(&record, 0), wanted);
		if (record.type == RECORD_OUTCOME)
			assert_string_equal(record.outcome.text, "");
	}
	assert_int_not_equal(id, UINT32_MAX);
}

static void conduct(const struct trial *trial, const struct stage *stage, struct sink *sink)
{
	const struct trial_watch watch = { .phase = on_phase };
	struct error err;

	before = after = (struct counts) { 0 };
	sink_reset(sink);
	assert_int_equal(trial_conduct(trial, stage, &watch, sink, &err), 0);
	assert_true(after.reads > before.reads + 2);
}

/* One lead, two loads, in no cgroup; with a heartbeat on each CPU. */
static void trial_run(void (*check)(const struct sink *sink))
{
	struct part loads[2] = { { .role = "nap", .workload = &nap },
		{ .role = "nap-2", .workload = &nap } };
	const struct scenario scenario = {
		.lead = { .role = "lead", .workload = &nap },
		.loads = loads,
		.n_loads = ARRAY_SIZE(loads),
		.deadline_ns = 60 * NS_PER_S,
		.lead_in_ns = 50 * NS_PER_MS,
		.interval_ns = 20 * NS_PER_MS,
	};
	const struct variant variant = { 0 };
	const struct trial trial = { .scenario = &scenario, .variant = &variant };
	struct root root CLEANUP(root_close) = { -1 };
	cpu_set_t cpus;
	struct sink sink;

	assert_int_equal(root_open(&root, "/", NULL), 0);
	assert_int_equal(sched_getaffinity(0, sizeof(cpus), &cpus), 0);
	assert_int_equal(sink_init(&sink, trial_record_size(&trial), NULL), 0);
	conduct(&trial,
		&(struct stage) {
			.root = &root,
			.ram_bytes = 64 * MIB,
			.cpus = &cpus,
			.cpus_size = sizeof(cpus),
			.n_cpus = (unsigned)CPU_COUNT(&cpus),
			.scratch = directory,
			.shelf = directory,
		},
		&sink);
	check(&sink);
	sink_done(&sink);
}

static void check_nothing(const struct sink *sink)
{
	assert_int_equal(after.allocations, before.allocations);
	assert_int_equal(after.releases, before.releases);
	assert_int_equal(after.major_faults, before.major_faults);
	figure_check(sink, "supervisor_major_faults", 0);
	figure_check(sink, "supervisor_heap_bytes", 0);
}

static void the_window_allocates_nothing_and_takes_no_major_fault(void **state)
{
	manners = SILENT;
	trial_run(check_nothing);
}

static void check_allocations(const struct sink *sink)
{
	assert_int_equal(after.allocations - before.allocations, after.reads - before.reads);
	assert_int_equal(after.releases - before.releases, after.reads - before.reads);
}

static void a_sampler_that_allocates_is_found_out(void **state)
{
	manners = ALLOCATES;
	trial_run(check_allocations);
}

static void check_faults(const struct sink *sink)
{
	int64_t faults = after.major_faults - before.major_faults;

	assert_true(faults > 0);
	figure_check(sink, "supervisor_major_faults", faults);
	assert_int_equal(after.allocations, before.allocations);
}

static void a_sampler_that_waits_for_a_page_is_found_out(void **state)
{
	struct statfs fs;

	/* A page of memory's own filesystem is never read from anywhere. */
	if (statfs(directory, &fs) == 0 && fs.f_type == TMPFS_MAGIC)
		return;
	manners = FAULTS;
	trial_run(check_faults);
}

static int open_directory(void **state)
{
	static const char text[4096];

	snprintf(directory, sizeof(directory), "/var/tmp/contend-test-XXXXXX");
	if (!mkdtemp(directory))
		return -1;
	snprintf(faulted, sizeof(faulted), "%s/page", directory);
	if (file_write(faulted, text, sizeof(text), NULL) < 0)
		return -1;
	/* Only a clean page can be dropped. */
	sync();
	return 0;
}

static int close_directory(void **state)
{
	return unlink(faulted) < 0 || rmdir(directory) < 0 ? -1 : 0;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_window_allocates_nothing_and_takes_no_major_fault),
		cmocka_unit_test(a_sampler_that_allocates_is_found_out),
		cmocka_unit_test(a_sampler_that_waits_for_a_page_is_found_out),
	};

	return cmocka_run_group_tests(tests, open_directory, close_directory);
}
