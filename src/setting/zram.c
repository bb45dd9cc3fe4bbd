// SPDX-License-Identifier: GPL-2.0-or-later
/* Swap to a zram device of contend's own: Documentation/admin-guide/blockdev/zram.rst. */
#include "setting/swap.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/unit.h"
#include "setting/file.h"

#define HOT_ADD "/sys/class/zram-control/hot_add"

static int load_module(const struct root *root, struct error *err)
{
	static const char *const argv[] = { "modprobe", "zram", "num_devices=0", NULL };
	char output[256];

	if (root_exists(root, HOT_ADD))
		return 0;
	program_run(argv, output, sizeof(output));
	if (root_exists(root, HOT_ADD))
		return 0;
	return error_set(err, -EOPNOTSUPP,
		"this kernel has no zram (no %s, and modprobe zram: %.*s)", HOT_ADD,
		(int)strcspn(output, "\n"), output);
}

/* The number that hot_add will give: the lowest that is free (zram_add(), zram_drv.c). */
static unsigned next_number(const struct root *root)
{
	char path[64];

	for (unsigned number = 0;; number++) {
		snprintf(path, sizeof(path), "/sys/block/zram%u", number);
		if (!root_exists(root, path))
			return number;
	}
}

static int add_device(const struct root *root, unsigned number, struct error *err)
{
	char text[32];
	int r = root_read_line(root, HOT_ADD, text, sizeof(text));

	if (r < 0)
		return error_errno(err, r, "cannot add a zram device (%s)", HOT_ADD);
	if (strtoul(text, NULL, 10) == number)
		return 0;
	/* Somebody added one at the same time: this one is not in the journal. */
	root_write(root, "/sys/class/zram-control/hot_remove", text);
	return error_set(err, -EAGAIN, "zram devices are being added by another program");
}

/* Its compressor, which can be chosen only while the device has no size. */
static int set_algorithm(const struct root *root, unsigned number, const char *wanted,
	char ret_algorithm[32], struct error *err)
{
	char file[64], list[512];
	int r = 0;

	snprintf(file, sizeof(file), "/sys/block/zram%u/comp_algorithm", number);
	if (root_read_line(root, file, list, sizeof(list)) < 0)
		return error_set(err, -EOPNOTSUPP, "cannot read %s", file);
	if (*wanted)
		r = root_write(root, file, wanted);
	if (r < 0)
		return error_set(
			err, -EOPNOTSUPP, "this kernel's zram has no %s, but %s", wanted, list);
	r = setting_file_read(root, file, ret_algorithm, 32, err);
	if (r == 0 && *wanted && strcmp(ret_algorithm, wanted) != 0)
		return error_set(err, -EOPNOTSUPP, "%s was set to %s, but the kernel made it %s",
			file, wanted, ret_algorithm);
	return r;
}

static int make_device(const struct root *root, struct journal *journal, const struct zram *zram,
	char ret_algorithm[32], struct error *err)
{
	unsigned number = next_number(root);
	char device[32], file[64], size[32];
	int r;

	snprintf(device, sizeof(device), "/dev/zram%u", number);
	snprintf(file, sizeof(file), "/sys/block/zram%u/disksize", number);
	snprintf(size, sizeof(size), "%llu", (unsigned long long)zram->bytes);
	r = journal_note(journal, UNDO_ZRAM, device, size, err);
	if (r == 0)
		r = add_device(root, number, err);
	if (r == 0)
		r = set_algorithm(root, number, zram->algorithm, ret_algorithm, err);
	if (r < 0)
		return r;
	r = root_write(root, file, size);
	if (r < 0)
		return error_errno(err, r, "cannot set %s to %s", file, size);
	return swap_start(journal, device, zram->priority, err);
}

int swap_make_zram(const struct root *root, struct journal *journal, const struct zram *zram,
	char ret_algorithm[32], struct error *err)
{
	uint64_t page = (uint64_t)sysconf(_SC_PAGESIZE);
	size_t mark = journal_mark(journal);
	struct zram own = *zram;
	int r = load_module(root, err);

	if (r < 0)
		return r;
	/* A size that nobody else has marks the device as this process's: see UNDO_ZRAM. */
	own.bytes = (zram->bytes / page + 2 + (uint64_t)getpid() % 61) * page;
	r = make_device(root, journal, &own, ret_algorithm, err);
	if (r < 0)
		journal_undo(journal, mark, NULL);
	return r;
}
