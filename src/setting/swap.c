// SPDX-License-Identifier: GPL-2.0-or-later
/* A swap file of contend's own. */
#include "setting/swap.h"

#include <fcntl.h>
#include <limits.h>
#include <linux/fs.h>
#include <linux/magic.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/statfs.h>
#include <sys/swap.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/unit.h"

static int format(const char *path, struct error *err)
{
	/* Debian's users have no sbin on their PATH, and su without "-" keeps that for root. */
	static const char *const programs[] = { "mkswap", "/sbin/mkswap", "/usr/sbin/mkswap" };
	char output[256];
	int status = -ENOENT;

	for (size_t i = 0; status == -ENOENT && i < ARRAY_SIZE(programs); i++)
		status = program_run(
			(const char *[]) { programs[i], path, NULL }, output, sizeof(output));
	if (status == -ENOENT)
		return error_set(err, -EOPNOTSUPP, "no program mkswap (package util-linux)");
	if (status < 0)
		return error_errno(err, status, "cannot run mkswap");
	if (status > 0)
		return error_set(err, -EIO, "mkswap %s failed: %.*s", path,
			(int)strcspn(output, "\n"), output);
	return 0;
}

int swap_start(struct journal *journal, const char *path, int priority, struct error *err)
{
	int r = format(path, err);

	if (r == 0)
		r = journal_note(journal, UNDO_SWAPOFF, path, NULL, err);
	if (r < 0)
		return r;
	if (swapon(path, SWAP_FLAG_PREFER | (priority & SWAP_FLAG_PRIO_MASK)) < 0)
		return error_errno(err, -errno, "swapon %s", path);
	return 0;
}

static int no_swap_file(const char *directory, const char *filesystem, struct error *err)
{
	return error_set(err, -EOPNOTSUPP,
		"no swap file can be on this %s (%s): --scratch DIR chooses another place, --box "
		"cgroup:swap=zram does without a file",
		filesystem, directory);
}

/*
 * Filesystems whose files have no blocks at fixed places on a disk: asked before a file is filled,
 * which on tmpfs would take the RAM that swap is to relieve.
 */
static int check_filesystem(const char *directory, struct error *err)
{
	static const struct {
		uint32_t magic;
		const char *name;
	} without[] = {
		{ OVERLAYFS_SUPER_MAGIC, "overlay" },
		{ TMPFS_MAGIC, "tmpfs" },
		{ RAMFS_MAGIC, "ramfs" },
		{ FUSE_SUPER_MAGIC, "fuse" },
		{ V9FS_MAGIC, "9p" },
		{ 0x2fc12fc1, "zfs" },
	};
	struct statfs fs;

	if (statfs(directory, &fs) < 0)
		return error_errno(err, -errno, "%s", directory);
	for (size_t i = 0; i < ARRAY_SIZE(without); i++) {
		if (without[i].magic == (uint32_t)fs.f_type)
			return no_swap_file(directory, without[i].name, err);
	}
	return 0;
}

static int write_zeroes(int fd, uint64_t bytes)
{
	char *zeroes CLEANUP(free_text) = calloc(1, MIB);

	if (!zeroes)
		return -ENOMEM;
	for (uint64_t done = 0; done < bytes;) {
		size_t size = bytes - done < MIB ? (size_t)(bytes - done) : MIB;
		ssize_t n = pwrite(fd, zeroes, size, (off_t)done);

		if (n < 0 && errno != EINTR)
			return -errno;
		done += n < 0 ? 0 : (uint64_t)n;
	}
	return fsync(fd) < 0 ? -errno : 0;
}

/* Swap files may have no holes; copy-on-write must be off (btrfs(5)), which others refuse. */
static int fill(int fd, uint64_t bytes)
{
	int flags = FS_NOCOW_FL, r;

	(void)ioctl(fd, FS_IOC_SETFLAGS, &flags);
	do
		r = fallocate(fd, 0, 0, (off_t)bytes) < 0 ? -errno : 0;
	while (r == -EINTR);
	return r == -EOPNOTSUPP ? write_zeroes(fd, bytes) : r;
}

/* The text names the place that was given: the run's directory in it is gone when it is read. */
static int check_space(const char *directory, uint64_t bytes, struct error *err)
{
	char wanted[32], there[32];
	uint64_t free_bytes;
	int r = space_free(directory, &free_bytes, err);

	if (r < 0 || free_bytes >= bytes)
		return r;
	return error_set(err, -ENOSPC,
		"the box's swap file takes %s, but %.*s has only %s free: --scratch DIR chooses "
		"another place, --box cgroup:swap=SIZE another size",
		bytes_render(bytes, wanted, sizeof(wanted)),
		(int)(strrchr(directory, '/') - directory), directory,
		bytes_render(free_bytes, there, sizeof(there)));
}

static int make_file(
	struct journal *journal, const char *path, uint64_t bytes, int priority, struct error *err)
{
	int fd CLEANUP(close_fd) = open(path, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
	int r;

	if (fd < 0)
		return error_errno(err, -errno, "cannot create %s", path);
	r = fill(fd, bytes);
	if (r < 0)
		return error_errno(err, r, "cannot write %s", path);
	r = swap_start(journal, path, priority, err);
	if (r != -EINVAL)
		return r;
	/* Some take blocks that were only reserved for holes (ext3's code, XFS before 4.18). */
	r = write_zeroes(fd, bytes);
	if (r == 0)
		r = swap_start(journal, path, priority, err);
	return r == -EINVAL ? no_swap_file(path, "filesystem", err) : r;
}

int swap_make_file(struct journal *journal, const char *directory, uint64_t bytes, int priority,
	struct error *err)
{
	size_t mark = journal_mark(journal);
	char path[PATH_MAX];
	int r;

	/* The first page is the header's. */
	bytes += (uint64_t)sysconf(_SC_PAGESIZE);
	r = check_filesystem(directory, err);
	if (r == 0)
		r = check_space(directory, bytes, err);
	if (r < 0)
		return r;
	if (snprintf(path, sizeof(path), "%s/swap", directory) >= PATH_MAX)
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", directory);
	r = journal_note(journal, UNDO_REMOVE, path, NULL, err);
	if (r == 0)
		r = make_file(journal, path, bytes, priority, err);
	if (r < 0)
		journal_undo(journal, mark, NULL);
	return r;
}
