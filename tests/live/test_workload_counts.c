// SPDX-License-Identifier: GPL-2.0-or-later
/* Each load does what it says: its own count against the kernel's, within 5 %. */
#include "../unit/test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/vfs.h>

#include "base/file.h"
#include "base/root.h"
#include "drive.h"

#define LIMIT (256 * MIB)

static bool is_near(uint64_t counted, uint64_t kernel)
{
	return 20 * counted <= 21 * kernel && 20 * counted >= 19 * kernel;
}

static void assert_near(uint64_t counted, uint64_t kernel, const char *what)
{
	if (!is_near(counted, kernel))
		fail_msg("%s: counted %" PRIu64 ", the kernel %" PRIu64, what, counted, kernel);
}

static struct drive_result driven(const struct drive *what)
{
	struct drive_result result = drive(what);

	if (result.code < 0)
		fail_msg("%s: %d: %s", what->workload, result.code, result.error.text);
	assert_int_equal(result.left, 0);
	assert_true(result.units > 0);
	return result;
}

static void io_writes_what_it_counts(void **state)
{
	static const char *const options[] = {
		"size=32M",
		"size=32M,write=new",
		"size=32M,write=new,keep=0,block=1M",
		"size=32M,fsync=pass",
		"size=32000001,block=10000,compress=3",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct drive_result r = driven(&(struct drive) { .workload = "io",
			.options = options[i],
			.workers = 2,
			.steps = 1200,
			.ram_bytes = LIMIT });

		assert_near(r.units, r.steps.wchar, options[i]);
		assert_near(r.units, r.steps.write_bytes, options[i]);
	}
}

/* Pages that are still dirty when they are overwritten are written once. */
static void io_overwrites_what_it_wrote_in_setup(void **state)
{
	struct drive_result r = driven(&(struct drive) { .workload = "io",
		.options = "size=16M,write=overwrite,fsync=pass",
		.steps = 512,
		.ram_bytes = LIMIT });

	(void)state;
	assert_near(16 * MIB, r.setup.wchar, "setup");
	assert_int_equal(r.passes, 2);
	assert_near(r.units, r.steps.wchar, "wchar");
	assert_near(r.units, r.steps.write_bytes, "write_bytes");
}

static void io_is_sized_by_the_box(void **state)
{
	struct drive_result r = driven(&(struct drive) {
		.workload = "io", .options = "", .steps = LIMIT / (64 * KIB), .ram_bytes = LIMIT });

	(void)state;
	assert_int_equal(r.units, LIMIT);
	assert_int_equal(r.passes, 1);
}

static void read_reads_what_it_counts(void **state)
{
	static const char *const options[] = {
		"size=96M",
		"size=96M,order=random",
		"size=96M,compress=4,block=256K",
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct drive_result r = driven(&(struct drive) { .workload = "read",
			.options = options[i],
			.workers = 3,
			.steps = 1000,
			.ram_bytes = LIMIT });

		assert_near(r.units, r.steps.rchar, options[i]);
	}
}

static void forget_file(void *data, const char *path)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);

	(void)data;
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

static void forget_files(struct instance *instance)
{
	instance->workload->cold_files(instance, forget_file, NULL);
}

/* The file is larger than the group: one pass finds nothing of it in the page cache. */
static void read_reads_from_the_disk_once_a_pass(void **state)
{
	static const char *const options[] = { "size=96M", "size=96M,cache=direct" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct drive_result r = driven(&(struct drive) { .workload = "read",
			.options = options[i],
			.steps = 96 * MIB / (64 * KIB),
			.ram_bytes = 48 * MIB,
			.before_steps = forget_files });

		assert_int_equal(r.units, 96 * MIB);
		assert_int_equal(r.passes, 1);
		assert_near(r.units, r.steps.read_bytes, options[i]);
	}
}

/* What mem touches here; no other mapping has this size. */
#define MEM_BYTES (199 * MIB)
#define MEM_SIZE "size=199M"

/* Gives mem's pages back, so that the next pass faults on each once. */
static void forget_pages(struct instance *instance)
{
	FILE *maps CLEANUP(close_file) = fopen("/proc/self/maps", "r");
	uintptr_t from, to;
	char line[512];

	(void)instance;
	while (maps && fgets(line, sizeof(line), maps)) {
		if (sscanf(line, "%" SCNxPTR "-%" SCNxPTR " rw-p", &from, &to) == 2 &&
			to - from == MEM_BYTES)
			madvise((void *)from, to - from, MADV_DONTNEED);
	}
}

static void mem_touches_each_page_once_a_pass(void **state)
{
	static const char *const options[] = {
		MEM_SIZE,
		MEM_SIZE ",touch=read",
		MEM_SIZE ",order=stride",
		MEM_SIZE ",order=seq,compress=8",
	};
	uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	uint64_t pages = MEM_BYTES / page_size;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct drive_result r = driven(&(struct drive) { .workload = "mem",
			.options = options[i],
			.workers = 3,
			.steps = (pages / 3 + 999) / 1000,
			.ram_bytes = LIMIT,
			.before_steps = forget_pages });

		assert_true(r.setup.minor_faults >= pages);
		assert_near(pages, r.units, "pages");
		assert_int_equal(r.passes, 3);
		assert_near(r.units, r.steps.minor_faults + r.steps.major_faults, options[i]);
	}
}

/*
 * In a ring of two or three a message can be back before its sender has gone to sleep, which then
 * need not; in these it is not.
 */
static void process_switches_once_a_member_and_pass(void **state)
{
	static const struct {
		const char *options;
		unsigned members;
	} rings[] = {
		{ "", 8 },
		{ "members=20,size=4096", 20 },
		{ "members=100,size=64K", 100 },
	};

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(rings); i++) {
		const struct drive what = {
			.workload = "process",
			.options = rings[i].options,
			.steps = 100,
			.ram_bytes = LIMIT,
		};
		uint64_t counted = 0, kernel = 0;

		/* A member whose CPU was taken away finds the token there, and need not sleep. */
		for (unsigned tries = 0; tries < 5 && (!tries || !is_near(counted, kernel));
			tries++) {
			struct drive_result r = driven(&what);

			counted = r.units * rings[i].members;
			kernel = r.steps.voluntary_switches;
		}
		assert_near(counted, kernel, rings[i].options);
	}
}

static void process_counts_each_token(void **state)
{
	struct drive_result r = driven(&(struct drive) { .workload = "process",
		.options = "members=4,tokens=100,size=8",
		.workers = 2,
		.steps = 50,
		.ram_bytes = LIMIT });

	(void)state;
	assert_int_equal(r.units, 2 * 50 * 100);
}

static void kill_a_child(struct instance *instance)
{
	char path[64], text[256];
	int fd;

	(void)instance;
	snprintf(path, sizeof(path), "/proc/self/task/%d/children", (int)getpid());
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd_read_whole(fd, text, sizeof(text)) > 0)
		kill(atoi(text), SIGKILL);
	close(fd);
}

static void kill_self(struct instance *instance)
{
	(void)instance;
	raise(SIGKILL);
}

static void a_ring_that_lost_a_member_says_so(void **state)
{
	struct drive_result r = drive(&(struct drive) { .workload = "process",
		.options = "",
		.steps = 1000,
		.ram_bytes = LIMIT,
		.before_steps = kill_a_child });

	(void)state;
	assert_int_equal(r.code, -EPIPE);
	assert_string_equal(r.error.text, "a member of the ring has ended");
	assert_int_equal(r.left, 0);
}

static void a_ring_ends_with_its_instance(void **state)
{
	struct drive_result r = drive(&(struct drive) { .workload = "process",
		.options = "members=50",
		.workers = 2,
		.ram_bytes = LIMIT,
		.before_steps = kill_self });

	(void)state;
	assert_int_equal(r.code, -EINTR);
	assert_int_equal(r.left, 0);
}

static void fill_disk(struct instance *instance)
{
	static char data[4 * MIB];
	char path[4200];

	snprintf(path, sizeof(path), "%s/filler", instance->place->scratch);
	file_write(path, data, sizeof(data), NULL);
}

static void a_disk_that_is_too_small_is_told_before(void **state)
{
	struct drive_result r = drive(&(struct drive) { .workload = "io",
		.options = "size=6M",
		.workers = 2,
		.ram_bytes = LIMIT,
		.before_setup = drive_small_disk });

	(void)state;
	assert_int_equal(r.code, -ENOSPC);
	assert_non_null(strstr(r.error.text, "12.2 MiB needed for the files, 8.00 MiB free"));
}

static void a_disk_that_fills_up_is_an_error_of_the_step(void **state)
{
	struct drive_result r = drive(&(struct drive) { .workload = "io",
		.options = "size=6M",
		.steps = 1000,
		.ram_bytes = LIMIT,
		.before_setup = drive_small_disk,
		.before_steps = fill_disk });

	(void)state;
	assert_int_equal(r.code, -ENOSPC);
	assert_non_null(strstr(r.error.text, "cannot write on after 4.00 MiB of pass 1"));
	assert_int_equal(r.units, 4 * MIB);
}

static void io_other_wants_another_disk(void **state)
{
	char same[4200];
	struct drive_result r;

	(void)state;
	r = drive(&(struct drive) {
		.workload = "io-other", .options = "size=1M", .ram_bytes = LIMIT });
	assert_int_equal(r.code, -EOPNOTSUPP);
	snprintf(same, sizeof(same), "size=1M,dir=%s", drive_dir());
	r = drive(&(struct drive) { .workload = "io-other", .options = same, .ram_bytes = LIMIT });
	assert_int_equal(r.code, -EOPNOTSUPP);
	assert_non_null(strstr(r.error.text, "is on the same disk as"));
}

static void mem_of_its_own_size_is_refused_without_the_swap_for_it(void **state)
{
	struct drive_result r =
		drive(&(struct drive) { .workload = "mem", .options = "", .ram_bytes = LIMIT });

	(void)state;
	assert_int_equal(r.code, -EOPNOTSUPP);
}

/* A size that was typed is taken at its word, and the OOM killer takes the workload. */
static void mem_of_a_typed_size_may_be_killed(void **state)
{
	struct drive_result r = drive(&(struct drive) {
		.workload = "mem", .options = "size=96M", .ram_bytes = 64 * MIB });

	(void)state;
	assert_int_equal(r.code, -EINTR);
	assert_int_equal(r.left, 0);
}

static bool on_disk(const char *dir)
{
	struct statfs fs;

	return statfs(dir, &fs) == 0 && fs.f_type != TMPFS_MAGIC && fs.f_type != RAMFS_MAGIC;
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(io_writes_what_it_counts),
		cmocka_unit_test(io_overwrites_what_it_wrote_in_setup),
		cmocka_unit_test(io_is_sized_by_the_box),
		cmocka_unit_test(read_reads_what_it_counts),
		cmocka_unit_test(read_reads_from_the_disk_once_a_pass),
		cmocka_unit_test(mem_touches_each_page_once_a_pass),
		cmocka_unit_test(process_switches_once_a_member_and_pass),
		cmocka_unit_test(process_counts_each_token),
		cmocka_unit_test(a_ring_that_lost_a_member_says_so),
		cmocka_unit_test(a_ring_ends_with_its_instance),
		cmocka_unit_test(a_disk_that_is_too_small_is_told_before),
		cmocka_unit_test(a_disk_that_fills_up_is_an_error_of_the_step),
		cmocka_unit_test(io_other_wants_another_disk),
		cmocka_unit_test(mem_of_its_own_size_is_refused_without_the_swap_for_it),
		cmocka_unit_test(mem_of_a_typed_size_may_be_killed),
	};
	int failed;

	if (!drive_possible() || !on_disk(drive_dir())) {
		fputs("needs a memory cgroup, and TMPDIR on a disk\n", stderr);
		drive_done();
		return 77;
	}
	failed = cmocka_run_group_tests(tests, NULL, NULL);
	drive_done();
	return failed;
}
