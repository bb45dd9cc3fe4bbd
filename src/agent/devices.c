// SPDX-License-Identifier: GPL-2.0-or-later
/* Filesystems, modules, and the memory shared with the host. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "agent/inside.h"
#include "base/cleanup.h"
#include "vm/initramfs.h"

#define PCI "/sys/bus/pci/devices"

int agent_mount(struct error *err)
{
	static const struct {
		const char *type, *path, *options;
	} mounts[] = {
		{ "devtmpfs", "/dev", NULL },
		{ "proc", "/proc", NULL },
		{ "sysfs", "/sys", NULL },
		{ "cgroup2", "/sys/fs/cgroup", NULL },
		{ "tmpfs", "/run", "mode=755" },
		{ "tmpfs", "/tmp", NULL },
	};

	for (size_t i = 0; i < ARRAY_SIZE(mounts); i++) {
		if (mount(mounts[i].type, mounts[i].path, mounts[i].type, 0, mounts[i].options) < 0)
			return error_errno(err, -errno, "cannot mount %s", mounts[i].path);
	}
	/* The setting preempt lies in it; a kernel may have none (CONFIG_DEBUG_FS). */
	mount("debugfs", "/sys/kernel/debug", "debugfs", 0, NULL);
	return 0;
}

static int load(const char *name, struct error *err)
{
	char path[PATH_MAX];
	int fd CLEANUP(close_fd) = -1;

	snprintf(path, sizeof(path), "%s/%s", INITRAMFS_MODULES, name);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, -errno, "%s", path);
	/* -ENODEV: there is no such device; -EEXIST: built in after all. */
	if (syscall(SYS_finit_module, fd, "", 0) < 0 && errno != EEXIST && errno != ENODEV)
		return error_errno(err, -errno, "module %s", name);
	return 0;
}

static void free_names(struct dirent ***names)
{
	free(*names);
}

static int is_module(const struct dirent *entry)
{
	return strstr(entry->d_name, ".ko") != NULL;
}

/* Their memory is the guest's: once loaded, the files go. */
int agent_load_modules(struct error *err)
{
	struct dirent **names CLEANUP(free_names) = NULL;
	int n = scandir(INITRAMFS_MODULES, &names, is_module, alphasort);
	int r = 0;

	if (n < 0)
		return error_errno(err, -errno, "%s", INITRAMFS_MODULES);
	for (int i = 0; i < n; i++) {
		char path[PATH_MAX];

		if (r == 0)
			r = load(names[i]->d_name, err);
		snprintf(path, sizeof(path), "%s/%s", INITRAMFS_MODULES, names[i]->d_name);
		unlink(path);
		free(names[i]);
	}
	return r;
}

static bool is(const char *device, const char *file, const char *value)
{
	char path[PATH_MAX], text[16] = "";
	int fd CLEANUP(close_fd) = -1;

	snprintf(path, sizeof(path), PCI "/%s/%s", device, file);
	fd = open(path, O_RDONLY | O_CLOEXEC);
	return fd >= 0 && read(fd, text, sizeof(text) - 1) > 0 &&
	       !strncmp(text, value, strlen(value));
}

static void close_directory(DIR **directory)
{
	if (*directory)
		closedir(*directory);
}

static int find_region(char path[PATH_MAX], struct error *err)
{
	DIR *directory CLEANUP(close_directory) = opendir(PCI);
	struct dirent *entry;

	while (directory && (entry = readdir(directory))) {
		if (!is(entry->d_name, "vendor", REGION_VENDOR) ||
			!is(entry->d_name, "device", REGION_DEVICE))
			continue;
		snprintf(path, PATH_MAX, PCI "/%s/resource2", entry->d_name);
		return 0;
	}
	return error_set(err, -ENODEV, "no memory shared with the host");
}

int agent_map_region(struct region **ret_region, size_t *ret_size, struct error *err)
{
	char path[PATH_MAX], enable[PATH_MAX];
	int fd CLEANUP(close_fd) = -1;
	struct region *region;
	struct stat st;
	int r = find_region(path, err);

	if (r < 0)
		return r;
	/* No driver has it, so nobody has enabled its memory. */
	snprintf(enable, sizeof(enable), "%.*senable", (int)(strrchr(path, '/') + 1 - path), path);
	fd = open(enable, O_WRONLY | O_CLOEXEC);
	if (fd < 0 || write(fd, "1", 1) != 1)
		return error_errno(err, -errno, "%s", enable);
	close_fd(&fd);
	fd = open(path, O_RDWR | O_CLOEXEC);
	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, -errno, "%s", path);
	region = mmap(NULL, (size_t)st.st_size, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
	if (region == MAP_FAILED)
		return error_errno(err, -errno, "%s", path);
	if (st.st_size < REGION_STREAM_AT ||
		memcmp(region->magic, REGION_MAGIC, sizeof(region->magic)) != 0)
		return error_set(err, -EBADMSG, "the memory shared with the host is another's");
	*ret_region = region;
	*ret_size = (size_t)st.st_size;
	return 0;
}
