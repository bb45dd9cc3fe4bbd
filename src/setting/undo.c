// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/undo.h"

#include <fcntl.h>
#include <limits.h>
#include <string.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/swap.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "cgroup/cgroup.h"
#include "setting/swaps.h"
#include "setting/value.h"

/* Is it absolute, of two components or more, without ".."? What else must not be removed. */
static bool path_sane(const char *path)
{
	unsigned components = 0;

	if (*path != '/')
		return false;
	while (*path) {
		size_t length;

		path += strspn(path, "/");
		length = strcspn(path, "/");
		if (length == 2 && path[0] == '.' && path[1] == '.')
			return false;
		components += length && !(length == 1 && *path == '.');
		path += length;
	}
	return components >= 2;
}

static int undo_write(
	const struct root *root, const char *path, const char *value, struct error *err)
{
	char text[8192];
	int r;

	if (strncmp(path, "/proc/", 6) && strncmp(path, "/sys/", 5))
		return error_set(err, -EINVAL, "%s is no setting", path);
	r = (int)root_read(root, path, text, sizeof(text));
	if (r == -ENOENT || (r >= 0 && value_equal(value_trim(text), value)))
		return 0;
	/* An empty write does not reach the kernel's handler. */
	r = root_write(root, path, *value ? value : "\n");
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return error_errno(err, r, "cannot write %s to %s", value, path);
	r = (int)root_read(root, path, text, sizeof(text));
	if (r < 0)
		return error_errno(err, r, "cannot read %s back", path);
	if (!value_equal(value_trim(text), value))
		return error_set(
			err, -EIO, "%s is still %.80s, not %s", path, value_trim(text), value);
	return 1;
}

static int undo_swapoff(const struct root *root, const char *path, struct error *err)
{
	int r = swaps_find(root, path);

	if (r == -ENOENT) /* a kernel without swap */
		return 0;
	if (r < 0)
		return error_errno(err, r, "/proc/swaps");
	if (r == 0)
		return 0;
	/* A signal ends swapoff(2) early; what it had moved stays moved. */
	while (swapoff(path) < 0) {
		if (errno != EINTR)
			return error_errno(err, -errno, "swapoff %s", path);
	}
	r = swaps_find(root, path);
	if (r)
		return error_set(err, -EIO, "%s is still in /proc/swaps", path);
	return 1;
}

/* Reset refuses while anyone has the device open (-EBUSY), which udev may for a moment. */
static int zram_reset(const struct root *root, const char *path)
{
	int r = -EBUSY;

	for (unsigned i = 0; i < 50 && (r = root_write(root, path, "1")) == -EBUSY; i++)
		usleep(20000);
	return r;
}

static int undo_zram(
	const struct root *root, const char *path, const char *value, struct error *err)
{
	char file[64], size[32];
	unsigned number;
	int length = 0, r;

	if (sscanf(path, "/dev/zram%5u%n", &number, &length) != 1 || path[length])
		return error_set(err, -EINVAL, "%s is no zram device", path);
	snprintf(file, sizeof(file), "/sys/block/zram%u/disksize", number);
	r = root_read_line(root, file, size, sizeof(size));
	if (r == -ENOENT)
		return 0;
	if (r < 0)
		return error_errno(err, r, "%s", file);
	if (*value && strcmp(size, "0") && strcmp(size, value))
		return 0; /* another's, who took the number */
	r = undo_swapoff(root, path, err);
	if (r < 0)
		return r;
	snprintf(file, sizeof(file), "/sys/block/zram%u/reset", number);
	r = zram_reset(root, file);
	if (r < 0 && r != -ENOENT)
		return error_errno(err, r, "cannot reset %s", path);
	snprintf(file, sizeof(file), "%u", number);
	r = root_write(root, "/sys/class/zram-control/hot_remove", file);
	if (r < 0 && r != -ENODEV)
		return error_errno(err, r, "cannot remove %s", path);
	return 1;
}

/* Is path a mount point? 1, 0 or -errno. */
static int mount_point_find(const struct root *root, const char *path)
{
	int fd CLEANUP(close_fd) = root_openat(root, "/proc/self/mountinfo", O_RDONLY);
	FILE *in CLEANUP(close_file) = fd < 0 ? NULL : fdopen(fd, "r");
	char *line CLEANUP(free_text) = NULL;
	size_t room = 0;

	if (!in)
		return fd < 0 ? fd : -errno;
	take_fd(&fd);
	while (getline(&line, &room, in) > 0) {
		char *rest = line, *point = NULL;

		/* id, parent, major:minor, root, mount point: proc_pid_mountinfo(5) */
		for (unsigned i = 0; i < 5; i++)
			point = strsep(&rest, " ");
		if (!point)
			continue;
		octal_unescape(point);
		if (!strcmp(point, path))
			return 1;
	}
	return 0;
}

static int undo_unmount(const struct root *root, const char *path, struct error *err)
{
	int r = mount_point_find(root, path);

	if (r < 0)
		return error_errno(err, r, "/proc/self/mountinfo");
	if (r == 0)
		return 0;
	if (umount2(path, UMOUNT_NOFOLLOW) < 0)
		return error_errno(err, -errno, "cannot unmount %s", path);
	if (mount_point_find(root, path))
		return error_set(err, -EBUSY, "%s is still mounted", path);
	return 1;
}

static int undo_cgroup(const struct root *root, const char *path, struct error *err)
{
	int r;

	if (!root_exists(root, path))
		return 0;
	r = cgroup_remove_path(root, path, err);
	if (r < 0)
		return r;
	if (root_exists(root, path))
		return error_set(err, -EBUSY, "%s is still there", path);
	return 1;
}

static int undo_remove(const char *path, struct error *err)
{
	struct stat st;
	int r;

	if (lstat(path, &st) < 0 && (errno == ENOENT || errno == ENOTDIR))
		return 0;
	r = tree_remove(path, err);
	if (r < 0)
		return r;
	if (lstat(path, &st) == 0)
		return error_set(err, -EBUSY, "%s is still there", path);
	return 1;
}

int undo_act(const struct root *root, enum undo_kind kind, const char *path, const char *value,
	struct error *err)
{
	if (!path_sane(path))
		return error_set(err, -EINVAL, "refused to undo anything at \"%s\"", path);
	switch (kind) {
	case UNDO_WRITE: return undo_write(root, path, value, err);
	case UNDO_SWAPOFF: return undo_swapoff(root, path, err);
	case UNDO_ZRAM: return undo_zram(root, path, value, err);
	case UNDO_UNMOUNT: return undo_unmount(root, path, err);
	case UNDO_CGROUP: return undo_cgroup(root, path, err);
	case UNDO_REMOVE: return undo_remove(path, err);
	case UNDO_KINDS: break;
	}
	return error_set(err, -EINVAL, "no such kind of undo: %d", (int)kind);
}

const char *undo_render(
	enum undo_kind kind, const char *path, const char *value, char *buf, size_t size)
{
	static const char *const done[UNDO_KINDS] = {
		[UNDO_WRITE] = "put back",
		[UNDO_SWAPOFF] = "switched off the swap",
		[UNDO_ZRAM] = "removed the zram device",
		[UNDO_UNMOUNT] = "unmounted",
		[UNDO_CGROUP] = "removed the cgroup",
		[UNDO_REMOVE] = "removed",
	};
	bool write = kind == UNDO_WRITE;

	snprintf(buf, size, "%s %s%s%s", done[kind], path, write ? " to " : "", write ? value : "");
	return buf;
}
