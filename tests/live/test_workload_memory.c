// SPDX-License-Identifier: GPL-2.0-or-later
/* memfill and mmap do what they say: their counts, contents and sizes against the kernel's. */
#include "../unit/test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/root.h"
#include "drive.h"
#include "setting/swap.h"
#include "workload/data.h"

#define LIMIT (256 * MIB)
#define SWAP_FILE (144 * MIB)
#define SMALL (64 * MIB) /* RAM, and as much swap */
#define CHUNK (2 * MIB) /* of memfill, by default */

static uint64_t page_size;

static void assert_near(uint64_t counted, uint64_t kernel, const char *what)
{
	if (20 * counted > 21 * kernel || 20 * counted < 19 * kernel)
		fail_msg("%s: counted %" PRIu64 ", the kernel %" PRIu64, what, counted, kernel);
}

static struct drive_result driven(const struct drive *what)
{
	struct drive_result result = drive(what);

	if (result.code < 0)
		fail_msg("%s:%s: %d: %s", what->workload, what->options, result.code,
			result.error.text);
	assert_int_equal(result.left, 0);
	assert_true(result.units > 0);
	return result;
}

/* To the end of a lead: no test here makes so many steps. */
#define TO_THE_END 100000

static uint64_t faults(const struct drive_result *result)
{
	return result->steps.minor_faults + result->steps.major_faults;
}

static void memfill_touches_each_page_once(void **state)
{
	static const char *const options[] = {
		"bytes=96M,thp=no,iterations=2",
		"bytes=96M,thp=no,iterations=2,write=word",
		"bytes=96M,thp=no,iterations=2,chunk=64K,compress=1",
		"bytes=96M,thp=no,iterations=2,chunk=1G,compress=8",
	};
	uint64_t pages = 2 * 96 * MIB / page_size;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(options); i++) {
		struct drive_result r = driven(&(struct drive) { .workload = "memfill",
			.options = options[i],
			.role = WORKLOAD_LEAD,
			.steps = TO_THE_END,
			.ram_bytes = LIMIT });

		assert_true(r.done);
		assert_int_equal(r.passes, 2);
		assert_int_equal(r.units, pages);
		assert_int_equal(r.values[0], 96 * MIB);
		assert_true(faults(&r) >= pages);
		assert_near(pages, faults(&r), options[i]);
	}
}

static void workers_share_the_memory(void **state)
{
	struct drive_result r = driven(&(struct drive) { .workload = "memfill",
		.options = "bytes=64000K,thp=no",
		.workers = 3,
		.steps = 64000 * KIB / 3 / MIB + 2,
		.ram_bytes = LIMIT });

	(void)state;
	assert_int_equal(r.passes, 3);
	assert_int_equal(r.units, 64000 * KIB / page_size);
	assert_int_equal(r.values[0], 64000 * KIB);
	assert_near(r.units, faults(&r), "faults");
}

/* A load goes on where a lead would be done. */
static void a_load_fills_again(void **state)
{
	struct drive_result r = driven(&(struct drive) { .workload = "memfill",
		.options = "bytes=4M,iterations=1",
		.steps = 5 * 10,
		.ram_bytes = LIMIT });

	(void)state;
	assert_false(r.done);
	assert_int_equal(r.passes, 10);
}

static bool huge_pages_are_to_be_had(void)
{
	struct root root CLEANUP(root_close) = { -1 };
	char line[64];

	return root_open(&root, "/", NULL) == 0 &&
	       root_read_line(&root, "/sys/kernel/mm/transparent_hugepage/enabled", line,
		       sizeof(line)) == 0 &&
	       !strstr(line, "[never]");
}

static void huge_pages_save_faults(void **state)
{
	struct drive_result r;

	(void)state;
	if (!huge_pages_are_to_be_had())
		return;
	r = driven(&(struct drive) { .workload = "memfill",
		.options = "bytes=96M,thp=yes,chunk=1M,iterations=1",
		.role = WORKLOAD_LEAD,
		.steps = TO_THE_END,
		.ram_bytes = LIMIT });
	assert_int_equal(r.units, 96 * MIB / page_size);
	/* A huge page may be not to be had now and then. */
	assert_true(faults(&r) < r.units / 4);
}

/* Where memfill's memory lies: nothing else here is of its size and can be written to. */
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

static uint64_t swapped(void)
{
	FILE *status CLEANUP(close_file) = fopen("/proc/self/status", "r");
	uint64_t kib = 0;
	char line[256];

	while (status && fgets(line, sizeof(line), status))
		sscanf(line, "VmSwap: %" SCNu64, &kib);
	return kib * KIB;
}

/* In the instance's process a failed assertion would be lost: it ends otherwise than well. */
static void must_hold(bool held)
{
	if (!held)
		_exit(1);
}

/* Each byte of the first iteration's memory: the word at a page's end is not data. */
static void memory_is_as_written(struct instance *instance)
{
	struct data data = data_of(2, instance->place->seed);
	uint64_t size = 2 * SMALL * 4 / 5 / page_size * page_size;
	const char *memory = memory_find(size);
	char *page = aligned_alloc(page_size, page_size);

	must_hold(memory && page && swapped() > SMALL / 2);
	for (uint64_t at = 0; at < size; at += page_size) {
		data_fill(&data, page, page_size, at / DATA_PAGE);
		must_hold(!memcmp(memory + at, page, page_size - 8));
	}
	free(page);
}

static void a_fill_of_80_percent_swaps_and_nothing_is_lost(void **state)
{
	uint64_t target = 2 * SMALL * 4 / 5, pages = target / page_size;
	struct drive_result r = driven(&(struct drive) { .workload = "memfill",
		.options = "thp=no",
		.steps = (target + MIB - 1) / MIB,
		.ram_bytes = SMALL,
		.swap_bytes = SMALL,
		.after_steps = memory_is_as_written });

	(void)state;
	assert_int_equal(r.passes, 0);
	assert_int_equal(r.units, pages);
	assert_int_equal(r.values[0], pages * page_size);
	assert_true(target - (uint64_t)r.values[0] < CHUNK);
	assert_near(pages, faults(&r), "faults");
}

static void a_second_look_brings_each_page_back(void **state)
{
	uint64_t pages = 2 * SMALL * 4 / 5 / page_size;
	struct drive_result r = driven(&(struct drive) { .workload = "memfill",
		.options = "thp=no,reread=yes,iterations=2,write=word",
		.role = WORKLOAD_LEAD,
		.steps = TO_THE_END,
		.ram_bytes = SMALL,
		.swap_bytes = SMALL });

	(void)state;
	assert_true(r.done);
	assert_int_equal(r.units, 2 * 2 * pages);
	assert_true(r.steps.major_faults > 0);
	/* What is still in RAM at the second look needs no fault. */
	assert_true(faults(&r) >= 2 * pages && faults(&r) <= r.units + r.units / 20);
}

static void more_than_the_box_is_killed(void **state)
{
	struct drive_result r = drive(&(struct drive) { .workload = "memfill",
		.options = "percent=150",
		.steps = TO_THE_END,
		.ram_bytes = SMALL,
		.swap_bytes = SMALL });

	(void)state;
	assert_int_equal(r.code, -EINTR);
	assert_int_equal(r.left, 0);
}

static int open_first_file(const struct instance *instance)
{
	char path[4200];

	snprintf(path, sizeof(path), "%s/mmap.0", instance->place->scratch);
	return open(path, O_RDONLY | O_CLOEXEC);
}

#define MMAP_BYTES (32 * MIB)

static void file_is_on_disk(struct instance *instance)
{
	int fd CLEANUP(close_fd) = open_first_file(instance);
	struct stat st;

	must_hold(fstat(fd, &st) == 0 && st.st_size == MMAP_BYTES);
	/* Blocks of the whole file, and not many for the filesystem's own use. */
	must_hold(st.st_blocks * 512ULL >= MMAP_BYTES && st.st_blocks * 512ULL < MMAP_BYTES + MIB);
}

static void file_is_as_written(struct instance *instance)
{
	int fd CLEANUP(close_fd) = open_first_file(instance);
	struct data data = data_of(1, instance->place->seed);
	char *page = aligned_alloc(page_size, page_size), *read = malloc(page_size);

	file_is_on_disk(instance);
	for (uint64_t at = 0; at < MMAP_BYTES; at += page_size) {
		data_fill(&data, page, page_size, at / DATA_PAGE);
		must_hold(pread(fd, read, page_size, (off_t)at) == (ssize_t)page_size);
		must_hold(!memcmp(read, page, page_size));
	}
	free(page);
	free(read);
}

static void words_are_as_written(struct instance *instance)
{
	int fd CLEANUP(close_fd) = open_first_file(instance);
	struct data data = data_of(1, instance->place->seed);

	file_is_on_disk(instance);
	for (uint64_t at = 0; at < MMAP_BYTES; at += page_size) {
		uint64_t words[2];

		must_hold(pread(fd, words, sizeof(words), (off_t)at) == sizeof(words));
		must_hold(words[0] == data_word(&data, at / DATA_PAGE) && words[1] == 0);
	}
}

/*
 * A step less than an iteration: the file is still there. The kernel counts what becomes dirty as
 * written (task_io_account_write(), mm/page-writeback.c); faults are fewer than pages where it maps
 * large folios whole.
 */
static void mmap_writes_each_page_to_disk(void **state)
{
	static const struct {
		const char *options;
		unsigned others; /* steps besides those that write 256 pages each */
		void (*check)(struct instance *instance);
	} runs[] = {
		{ "pages=%" PRIu64, 1, file_is_as_written },
		{ "pages=%" PRIu64 ",order=random,sync=4M", 8, file_is_as_written },
		{ "pages=%" PRIu64 ",populate=yes,sync=0", 3, file_is_as_written },
		{ "pages=%" PRIu64 ",write=word,order=random", 1, words_are_as_written },
	};
	uint64_t pages = MMAP_BYTES / page_size;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(runs); i++) {
		char options[128];
		struct drive_result r;

		snprintf(options, sizeof(options), runs[i].options, pages);
		r = driven(&(struct drive) { .workload = "mmap",
			.options = options,
			.steps = pages / 256 + runs[i].others,
			.ram_bytes = LIMIT,
			.after_steps = runs[i].check });
		/* Once when it is written, once when it is synced. */
		assert_int_equal(r.units, 2 * pages);
		assert_int_equal(r.values[0], MMAP_BYTES);
		assert_near(MMAP_BYTES, r.steps.write_bytes, options);
		assert_true(faults(&r) > 0);
		assert_int_equal(r.passes, 0);
	}
}

static void nothing_in_scratch(struct instance *instance)
{
	char path[4200];

	for (unsigned i = 0; i < instance->workers; i++) {
		snprintf(path, sizeof(path), "%s/mmap.%u", instance->place->scratch, i);
		must_hold(access(path, F_OK) < 0);
	}
}

static void a_file_larger_than_ram_ends_and_is_gone(void **state)
{
	uint64_t pages = 96 * MIB / page_size;
	char options[64];
	struct drive_result r;

	(void)state;
	snprintf(options, sizeof(options), "pages=%" PRIu64 ",iterations=2", pages);
	r = driven(&(struct drive) { .workload = "mmap",
		.options = options,
		.role = WORKLOAD_LEAD,
		.steps = TO_THE_END,
		.ram_bytes = SMALL,
		.after_steps = nothing_in_scratch });
	assert_true(r.done);
	assert_int_equal(r.passes, 2);
	assert_int_equal(r.units, 2 * 2 * pages);
	assert_true(r.steps.write_bytes >= 2 * 96 * MIB);
}

static void workers_have_a_file_each(void **state)
{
	struct drive_result r = driven(&(struct drive) { .workload = "mmap",
		.options = "pages=512",
		.workers = 2,
		.steps = 4,
		.ram_bytes = LIMIT,
		.after_steps = nothing_in_scratch });

	(void)state;
	assert_int_equal(r.passes, 2);
	assert_int_equal(r.units, 2 * 2 * 512);
	assert_int_equal(r.values[0], 2 * 512 * page_size);
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
	struct drive_result r = drive(&(struct drive) { .workload = "mmap",
		.options = "pages=3000",
		.ram_bytes = LIMIT,
		.before_setup = drive_small_disk });

	(void)state;
	assert_int_equal(r.code, -ENOSPC);
	assert_non_null(strstr(r.error.text, "needed for the files, 8.00 MiB free"));
}

/* The kernel has but a SIGBUS for it. */
static void a_disk_that_fills_up_is_an_error_of_the_step(void **state)
{
	char options[64];
	struct drive_result r;

	(void)state;
	snprintf(options, sizeof(options), "pages=%" PRIu64, (uint64_t)(6 * MIB / page_size));
	r = drive(&(struct drive) { .workload = "mmap",
		.options = options,
		.steps = TO_THE_END,
		.ram_bytes = LIMIT,
		.before_setup = drive_small_disk,
		.before_steps = fill_disk });
	assert_int_equal(r.code, -ENOSPC);
	assert_non_null(strstr(r.error.text, "cannot write page "));
	assert_non_null(strstr(r.error.text, "No space left on device"));
	assert_true(r.units <= 4 * MIB / page_size);
}

static void a_box_below_16_megabytes_is_refused(void **state)
{
	static const char *const workloads[] = { "memfill", "mmap" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(workloads); i++) {
		struct drive_result r = drive(&(struct drive) {
			.workload = workloads[i], .options = "", .ram_bytes = 12 * MIB });

		assert_int_equal(r.code, -EOPNOTSUPP);
		assert_string_equal(r.error.text,
			"the box has 12.0 MiB of RAM, 16.0 MiB is the least for this test");
	}
}

static int run(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(memfill_touches_each_page_once),
		cmocka_unit_test(workers_share_the_memory),
		cmocka_unit_test(a_load_fills_again),
		cmocka_unit_test(huge_pages_save_faults),
		cmocka_unit_test(a_fill_of_80_percent_swaps_and_nothing_is_lost),
		cmocka_unit_test(a_second_look_brings_each_page_back),
		cmocka_unit_test(more_than_the_box_is_killed),
		cmocka_unit_test(mmap_writes_each_page_to_disk),
		cmocka_unit_test(a_file_larger_than_ram_ends_and_is_gone),
		cmocka_unit_test(workers_have_a_file_each),
		cmocka_unit_test(a_disk_that_is_too_small_is_told_before),
		cmocka_unit_test(a_disk_that_fills_up_is_an_error_of_the_step),
		cmocka_unit_test(a_box_below_16_megabytes_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}

/* Swap for the tests' groups. Closing the journal takes it away again. */
static int run_with_swap(const struct root *root)
{
	struct journal *journal = NULL;
	struct error err;
	char state[4200];
	int failed, r;

	snprintf(state, sizeof(state), "%s/journal", drive_dir());
	setenv("CONTEND_JOURNAL", state, 1);
	r = journal_open(root, &journal, NULL, &err);
	if (r == 0)
		r = swap_make_file(journal, drive_dir(), SWAP_FILE, SWAP_PRIORITY_BOX, &err);
	if (r < 0) {
		fprintf(stderr, "needs swap: %s\n", err.text);
		journal_close(journal);
		return 77;
	}
	failed = run();
	journal_close(journal);
	return failed;
}

int main(void)
{
	struct root root CLEANUP(root_close) = { -1 };
	int result = 77;

	page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	if (!drive_possible() || root_open(&root, "/", NULL) < 0)
		fputs("needs a memory cgroup\n", stderr);
	else
		result = run_with_swap(&root);
	drive_done();
	return result;
}
