// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/initramfs.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "vm/pack.h"

static int put_library(void *data, const char *path, struct error *err)
{
	return pack_file(data, path, path, 0755, err);
}

static int put_program(struct pack *pack, const char *path, const char *name, struct error *err)
{
	int r = pack_file(pack, path, name, 0755, err);

	return r < 0 ? r : libraries_visit(path, put_library, pack, err);
}

bool initramfs_maker(const char *name, char ret_path[PATH_MAX])
{
	static const char *const directories[] = { "/sbin", "/usr/sbin" };

	for (size_t i = 0; i < ARRAY_SIZE(directories); i++) {
		snprintf(ret_path, PATH_MAX, "%s/%s", directories[i], name);
		if (access(ret_path, X_OK) == 0)
			return true;
	}
	return false;
}

static int put_modules(struct pack *pack, const struct modules *modules, struct error *err)
{
	int r = pack_directory(pack, INITRAMFS_MODULES, err);

	for (size_t i = 0; r == 0 && i < modules->n; i++) {
		const struct module *module = &modules->items[i];
		char name[128];

		snprintf(name, sizeof(name), INITRAMFS_MODULES "/%03zu-%s.ko", i, module->name);
		r = pack_data(pack, name, 0644, module->data, module->size, err);
	}
	return r;
}

static int put_self(struct pack *pack, struct error *err)
{
	/* The loader, which is asked for the libraries, has another /proc/self/exe. */
	char *self CLEANUP(free_text) = realpath("/proc/self/exe", NULL);

	if (!self)
		return error_errno(err, -errno, "/proc/self/exe");
	return put_program(pack, self, INITRAMFS_PROGRAM, err);
}

/*
 * What makes scratch's filesystem, and a variant's zram a swap device. Without mkfs.ext4 scratch is a
 * tmpfs, and the guest says so; without mkswap the setting zram does.
 */
static int put_makers(struct pack *pack, struct error *err)
{
	static const char *const names[] = { "mkfs.ext4", "mkswap" };
	char from[PATH_MAX], to[64];
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(names); i++) {
		snprintf(to, sizeof(to), "/sbin/%s", names[i]);
		if (initramfs_maker(names[i], from))
			r = put_program(pack, from, to, err);
	}
	if (r == 0 && access("/etc/mke2fs.conf", R_OK) == 0)
		r = pack_file(pack, "/etc/mke2fs.conf", "/etc/mke2fs.conf", 0644, err);
	return r;
}

static int fill(struct pack *pack, const struct modules *modules, const char *config,
	const char *release, struct error *err)
{
	static const char *const directories[] = { "/proc", "/sys", "/dev", "/run", "/tmp",
		"/scratch", INITRAMFS_TOOLS };
	char name[PATH_MAX];
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(directories); i++)
		r = pack_directory(pack, directories[i], err);
	/* The kernel opens it for the first process before anything is mounted. */
	if (r == 0)
		r = pack_device(pack, "/dev/console", makedev(5, 1), err);
	if (r == 0)
		r = put_self(pack, err);
	if (r == 0)
		r = put_makers(pack, err);
	if (r == 0)
		r = put_modules(pack, modules, err);
	snprintf(name, sizeof(name), "/boot/config-%s", release);
	if (r == 0 && *config)
		r = pack_file(pack, config, name, 0644, err);
	return r;
}

int initramfs_write(const char *path, const struct modules *modules, const char *config,
	const char *release, struct error *err)
{
	struct pack pack CLEANUP(pack_done) = { 0 };
	int r = pack_open(path, PACK_INITRAMFS, &pack, err);

	r = r < 0 ? r : fill(&pack, modules, config, release, err);
	return r < 0 ? r : pack_close(&pack, err);
}
