// SPDX-License-Identifier: GPL-2.0-or-later
/* The stated ratio is what this kernel's own codecs make of the data, page by page, in zram. */
#include "../unit/test.h"

#include <fcntl.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>

#include "base/clock.h"
#include "base/root.h"
#include "base/unit.h"
#include "workload/data.h"

#define CONTROL "/sys/class/zram-control/"
#define SIZE (8 * MIB)

static struct root root = { -1 };
static char number[16]; /* of a device of this test's own */

static char *attribute(const char *name, char path[static 96])
{
	snprintf(path, 96, "/sys/block/zram%s/%s", number, name);
	return path;
}

static void set(const char *name, const char *value)
{
	char path[96];
	int r = root_write(&root, attribute(name, path), value);

	if (r < 0)
		fail_msg("%s: %s: %s", path, value, strerror(-r));
}

/* udev may have it open for a moment. */
static int reset(void)
{
	char path[96];
	int r;

	for (int i = 0; (r = root_write(&root, attribute("reset", path), "1")) == -EBUSY && i < 100;
		i++)
		clock_sleep_until(clock_now() + 20 * NS_PER_MS);
	return r;
}

static void write_device(double ratio)
{
	struct data data = data_of(ratio, 7);
	char *pages = aligned_alloc(DATA_PAGE, SIZE);
	char path[32];
	int fd;

	snprintf(path, sizeof(path), "/dev/zram%s", number);
	fd = open(path, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || !pages)
		fail_msg("%s: %s", path, strerror(errno));
	data_fill(&data, pages, SIZE, 0);
	assert_int_equal(pwrite(fd, pages, SIZE, 0), SIZE);
	assert_int_equal(fsync(fd), 0);
	close(fd);
	free(pages);
}

/* Documentation/admin-guide/blockdev/zram.rst: orig_data_size and compr_data_size are first. */
static double ratio_measured(void)
{
	uint64_t original, compressed;
	char path[96], line[256];

	assert_int_equal(root_read_line(&root, attribute("mm_stat", path), line, sizeof(line)), 0);
	assert_int_equal(sscanf(line, "%" SCNu64 " %" SCNu64, &original, &compressed), 2);
	assert_int_equal(original, SIZE);
	return (double)original / (double)compressed;
}

static void ratio_holds(const char *codec, double ratio)
{
	char size[32];
	double measured;

	snprintf(size, sizeof(size), "%llu", (unsigned long long)SIZE);
	assert_int_equal(reset(), 0);
	set("comp_algorithm", codec);
	set("disksize", size);
	write_device(ratio);
	measured = ratio_measured();
	print_message("# %s: %g is %.3f\n", codec, ratio, measured);
	if (fabs(measured / ratio - 1) > 0.1)
		fail_msg("%s: ratio %g is %g", codec, ratio, measured);
}

static void pages_compress_by_the_ratio_with_the_kernels_codecs(void **state)
{
	static const char *const codecs[] = { "lzo-rle", "lzo", "lz4", "zstd" };
	char path[96], offered[256];
	unsigned tried = 0;

	(void)state;
	assert_int_equal(
		root_read_line(&root, attribute("comp_algorithm", path), offered, sizeof(offered)),
		0);
	for (char *name = strtok(offered, " []"); name; name = strtok(NULL, " []")) {
		for (size_t i = 0; i < ARRAY_SIZE(codecs); i++) {
			if (strcmp(name, codecs[i]))
				continue;
			tried++;
			for (double ratio = 1; ratio <= 8; ratio *= 2)
				ratio_holds(name, ratio);
		}
	}
	assert_true(tried > 0);
}

static int leave(void **state)
{
	(void)state;
	reset();
	return root_write(&root, CONTROL "hot_remove", number);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(pages_compress_by_the_ratio_with_the_kernels_codecs),
	};

	if (sysconf(_SC_PAGESIZE) != DATA_PAGE || geteuid() != 0 ||
		root_open(&root, "/", NULL) < 0 ||
		root_read_line(&root, CONTROL "hot_add", number, sizeof(number)) < 0) {
		fputs("needs root, zram with hot_add, and pages of 4 KiB\n", stderr);
		return 77;
	}
	return cmocka_run_group_tests(tests, NULL, leave);
}
