// SPDX-License-Identifier: GPL-2.0-or-later
/* Swap and scratch on the part of the guest's memory that stands for a disk. */
#include <fcntl.h>
#include <linux/fs.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mount.h>
#include <sys/swap.h>

#include "agent/inside.h"
#include "base/cleanup.h"
#include "base/file.h"
#include "base/unit.h"

#define PAGE 4096

/* The first page of a swap area: union swap_header, include/linux/swap.h. */
static int format_swap(const char *device, uint64_t bytes, struct error *err)
{
	struct {
		char boot[1024];
		uint32_t version, last_page, bad_pages;
		unsigned char uuid[16];
		char rest[PAGE - 1024 - 12 - 16 - 10];
		char magic[10];
	} header = { .version = 1, .last_page = (uint32_t)(bytes / PAGE - 1) };
	int fd CLEANUP(close_fd) = open(device, O_WRONLY | O_CLOEXEC);

	_Static_assert(sizeof(header) == PAGE, "one page");
	memcpy(header.magic, "SWAPSPACE2", sizeof(header.magic));
	if (fd < 0)
		return error_errno(err, -errno, "%s", device);
	if (pwrite(fd, &header, sizeof(header), 0) != sizeof(header) || fsync(fd) < 0)
		return error_errno(err, -errno, "cannot write to %s", device);
	return 0;
}

static int start_swap(const char *device, uint64_t bytes, struct error *err)
{
	int r = format_swap(device, bytes, err);

	if (r == 0 && swapon(device, 0) < 0)
		r = error_errno(err, -errno, "swapon %s", device);
	return r;
}

static int make_zram(uint64_t bytes, struct error *err)
{
	static const char file[] = "/sys/block/zram0/disksize";
	char text[32];
	int fd CLEANUP(close_fd) = open(file, O_WRONLY | O_CLOEXEC);

	if (fd < 0)
		return error_set(err, -EOPNOTSUPP, "this kernel has no zram (%s)", file);
	snprintf(text, sizeof(text), "%llu", (unsigned long long)bytes);
	if (write(fd, text, strlen(text)) < 0)
		return error_errno(err, -errno, "%s", file);
	return start_swap("/dev/zram0", bytes, err);
}

static int mount_tmpfs(struct agent_notes *notes, const char *why, struct error *err)
{
	agent_note(notes, "scratch is a tmpfs: %s", why);
	if (mount("tmpfs", AGENT_SCRATCH, "tmpfs", 0, NULL) < 0)
		return error_errno(err, -errno, "cannot mount a tmpfs on %s", AGENT_SCRATCH);
	return 0;
}

/*
 * The disk is new memory, all zeros, so that tables and journal need not be cleared: not here, nor,
 * with noinit_itable, by the kernel while the trial runs. A small file each 8 KiB: lslr has 50000.
 */
static int make_filesystem(const char *device, struct error *err)
{
	static const char *argv[] = { "mkfs.ext4", "-q", "-F", "-i", "8192", "-U",
		"c0047e4d-0000-4000-8000-000000000001", "-E",
		"lazy_itable_init=1,lazy_journal_init=1,nodiscard,"
		"hash_seed=c0047e4d-0000-4000-8000-000000000002",
		NULL, NULL };
	char output[512];
	int status;

	argv[ARRAY_SIZE(argv) - 2] = device;
	status = program_run(argv, output, sizeof(output));
	if (status != 0)
		return error_set(err, -EOPNOTSUPP, "mkfs.ext4: %.*s", (int)strcspn(output, "\n"),
			status < 0 ? strerror(-status) : output);
	return 0;
}

static int make_scratch(const char *device, struct agent_notes *notes, struct error *err)
{
	struct error why;
	int r;

	if (!program_exists("mkfs.ext4"))
		return mount_tmpfs(notes, "the host has no mkfs.ext4 (package e2fsprogs)", err);
	r = make_filesystem(device, &why);
	if (r < 0)
		return mount_tmpfs(notes, why.text, err);
	if (mount(device, AGENT_SCRATCH, "ext4", MS_NOATIME, "noinit_itable") < 0) {
		snprintf(why.text, sizeof(why.text), "ext4: %s", strerror(errno));
		return mount_tmpfs(notes, why.text, err);
	}
	return 0;
}

static int map_part(const struct job_disk *disk, const char *name, uint64_t start, uint64_t bytes,
	char path[static 64], struct error *err)
{
	const struct mapping mapping = {
		.name = name,
		.device = AGENT_DISK,
		.start = start / SECTOR,
		.sectors = bytes / SECTOR,
		.delay_ms = (unsigned)(disk->model.delay_ns / NS_PER_MS),
	};

	return mapping_make(&mapping, path, err);
}

int agent_make_disk(const struct job_disk *disk, struct agent_notes *notes, struct error *err)
{
	bool zram = disk->model.kind == VM_DISK_ZRAM;
	char path[64];
	int r = 0;

	if (access(AGENT_DISK, F_OK) < 0) {
		if (disk->swap_bytes && !zram)
			return error_set(err, -EOPNOTSUPP,
				"this kernel makes no disk of memory (%s: modules nd_e820 and "
				"nd_pmem), so there is no swap",
				AGENT_DISK);
		r = mount_tmpfs(notes, "this kernel makes no disk of memory", err);
	} else {
		r = map_part(disk, "scratch", disk->swap_bytes, disk->scratch_bytes, path, err);
		r = r < 0 ? r : make_scratch(path, notes, err);
	}
	if (r < 0 || !disk->swap_bytes)
		return r;
	if (zram)
		return make_zram(disk->swap_bytes, err);
	r = map_part(disk, "swap", 0, disk->swap_bytes, path, err);
	return r < 0 ? r : start_swap(path, disk->swap_bytes, err);
}
