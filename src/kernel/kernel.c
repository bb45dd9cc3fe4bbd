// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/kernel.h"

#include <glob.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/utsname.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "kernel/apt.h"

#define DEBIAN "debian:"
#define FLAVOUR "cloud" /* small, and with all that a guest needs but zswap */

static bool is_there(const char *path)
{
	return access(path, R_OK) == 0;
}

/* Fills a field if there is such a file. */
__attribute__((format(printf, 2, 3))) static bool settle(
	char field[PATH_MAX], const char *format, ...)
{
	char path[PATH_MAX];
	va_list args;
	int n;

	va_start(args, format);
	n = vsnprintf(path, sizeof(path), format, args);
	va_end(args);
	if (n < 0 || n >= (int)sizeof(path) || !is_there(path))
		return false;
	memcpy(field, path, (size_t)n + 1);
	return true;
}

/* Built where it lies: the source tree has the configuration. */
static void find_built_config(struct kernel *kernel)
{
	static const char *const places[] = { "/arch/x86/boot/bzImage", "/vmlinux" };
	size_t length = strlen(kernel->image);

	for (size_t i = 0; i < ARRAY_SIZE(places) && !kernel->config[0]; i++) {
		size_t tail = strlen(places[i]);

		if (length > tail && !strcmp(kernel->image + length - tail, places[i]))
			settle(kernel->config, "%.*s/.config", (int)(length - tail), kernel->image);
	}
}

/* Modules and configuration of an image whose tree is at `top` ("" the machine's own). */
static void find_rest(struct kernel *kernel, const char *top)
{
	if (!settle(kernel->modules, "%s/lib/modules/%s", top, kernel->release))
		settle(kernel->modules, "%s/usr/lib/modules/%s", top, kernel->release);
	if (!kernel->config[0] &&
		!settle(kernel->config, "%s/boot/config-%s", top, kernel->release))
		settle(kernel->config, "%s/config", kernel->modules);
}

static int find_file(const char *path, struct kernel *kernel, struct error *err)
{
	char top[PATH_MAX];
	const char *at;
	int r;

	if (!realpath(path, kernel->image))
		return error_errno(err, -errno, "kernel %s", path);
	r = kernel_image_read(kernel->image, kernel->release, err);
	if (r < 0 || !kernel->release[0])
		return r;
	/* In a tree that was unpacked, modules lie beside boot/; else where installed ones are. */
	strcpy(top, kernel->image);
	at = strstr(top, "/boot/");
	top[at ? at - top : 0] = '\0';
	find_built_config(kernel);
	find_rest(kernel, top);
	if (!kernel->modules[0])
		find_rest(kernel, "");
	return 0;
}

static int find_installed(const char *version, struct kernel *kernel, struct error *err)
{
	char path[PATH_MAX];

	if (strchr(version, '/') || !settle(path, "/boot/vmlinuz-%s", version))
		return error_set(err, -ENOENT,
			"no kernel \"%s\": a file (with a slash), an installed version, or "
			"debian:SUITE[:FLAVOUR]",
			version);
	return find_file(path, kernel, err);
}

static void free_glob(glob_t *found)
{
	globfree(found);
}

/* The kernel of a tree into which a package was unpacked. */
static int find_in_tree(const struct apt_tree *tree, struct kernel *kernel, struct error *err)
{
	static const char *const places[] = { "boot/vmlinuz-*", "usr/lib/modules/*/vmlinuz",
		"lib/modules/*/vmlinuz" };
	glob_t found CLEANUP(free_glob) = { 0 };
	char pattern[PATH_MAX + 64];
	int r;

	for (size_t i = 0; found.gl_pathc == 0 && i < ARRAY_SIZE(places); i++) {
		snprintf(pattern, sizeof(pattern), "%s/%s", tree->path, places[i]);
		globfree(&found);
		glob(pattern, 0, NULL, &found);
	}
	if (found.gl_pathc == 0)
		return error_set(err, -ENOEXEC, "package %s holds no kernel", tree->package);
	snprintf(kernel->image, sizeof(kernel->image), "%s", found.gl_pathv[0]);
	snprintf(kernel->package, sizeof(kernel->package), "%s", tree->package);
	r = kernel_image_read(kernel->image, kernel->release, err);
	if (r == 0)
		find_rest(kernel, tree->path);
	return r;
}

static int find_package(
	const char *deb, const char *cache, struct kernel *kernel, struct error *err)
{
	struct apt_tree tree;
	int r = apt_unpack(cache, deb, &tree, err);

	return r < 0 ? r : find_in_tree(&tree, kernel, err);
}

/* "bookworm", "sid:amd64", "trixie-backports:rt". "amd64" is the one for all machines. */
static int find_debian(
	const char *text, const char *cache, struct kernel *kernel, struct error *err)
{
	static const char *const follow[] = { "linux-image-", "linux-binary-", "linux-modules-",
		NULL };
	size_t length = strcspn(text, ":");
	const char *flavour = text[length] ? text + length + 1 : FLAVOUR;
	char suite[64], package[128];
	struct apt_tree tree;
	int r;

	if (length >= sizeof(suite) ||
		strspn(flavour, "abcdefghijklmnopqrstuvwxyz0123456789-") != strlen(flavour))
		return error_set(
			err, -EINVAL, "kernel \"debian:%s\" is not debian:SUITE[:FLAVOUR]", text);
	snprintf(suite, sizeof(suite), "%.*s", (int)length, text);
	if (!strcmp(flavour, "amd64"))
		snprintf(package, sizeof(package), "linux-image-amd64");
	else
		snprintf(package, sizeof(package), "linux-image-%.64s-amd64", flavour);
	r = apt_fetch(cache, suite, (const char *[]) { package, NULL }, follow, &tree, err);
	return r < 0 ? r : find_in_tree(&tree, kernel, err);
}

static int find_default(const char *cache, struct kernel *kernel, struct error *err)
{
	struct apt_mirror mirror;
	struct utsname name;
	char path[PATH_MAX];
	int r;

	if (uname(&name) == 0 && settle(path, "/boot/vmlinuz-%s", name.release))
		return find_file(path, kernel, err);
	r = apt_mirror_read("/etc/apt", &mirror, err);
	return r < 0 ? r : find_debian(mirror.suite, cache, kernel, err);
}

int kernel_find(const char *name, const char *cache, struct kernel *ret_kernel, struct error *err)
{
	size_t length = strlen(name);
	struct kernel kernel = { 0 };
	int r;

	if (!length)
		r = find_default(cache, &kernel, err);
	else if (!strncmp(name, DEBIAN, strlen(DEBIAN)))
		r = find_debian(name + strlen(DEBIAN), cache, &kernel, err);
	else if (length > 4 && !strcmp(name + length - 4, ".deb"))
		r = find_package(name, cache, &kernel, err);
	else if (strchr(name, '/'))
		r = find_file(name, &kernel, err);
	else
		r = find_installed(name, &kernel, err);
	if (r < 0)
		return r;
	*ret_kernel = kernel;
	return 0;
}

int kernel_cache_path(char *buf, size_t size, struct error *err)
{
	const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
	int n;

	if (cache && *cache == '/')
		n = snprintf(buf, size, "%s/contend", cache);
	else if (home && *home == '/')
		n = snprintf(buf, size, "%s/.cache/contend", home);
	else if (geteuid() == 0)
		n = snprintf(buf, size, "/var/cache/contend");
	else
		return error_set(err, -ENOENT, "no cache directory: set HOME or XDG_CACHE_HOME");
	if (n < 0 || n >= (int)size)
		return error_set(err, -ENAMETOOLONG, "the cache directory's path is too long");
	return 0;
}
