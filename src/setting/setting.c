// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/setting.h"

#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "setting/value.h"

#define VALUE_SIZE 4096

static bool below(const char *path, const char *directory)
{
	return !strncmp(path, directory, strlen(directory)) && path[strlen(directory)];
}

/* sysctl(8): when the first separator is a dot, dots part and a slash stands for a dot. */
static void dots_to_slashes(char *path)
{
	size_t first = strcspn(path, "./");

	if (path[first] != '.')
		return;
	for (; *path; path++) {
		if (*path == '.')
			*path = '/';
		else if (*path == '/')
			*path = '.';
	}
}

int setting_path(const char *key, char *buf, size_t size, struct error *err)
{
	const char *prefix = *key == '/' ? "" : "/proc/sys/";
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s%s", prefix, key);

	if (n < 0 || n >= PATH_MAX || (size_t)n >= size)
		return error_set(err, -ENAMETOOLONG, "%.60s...: name too long", key);
	if (*key != '/')
		dots_to_slashes(path + strlen(prefix));
	if (strstr(path, "/../") || (!below(path, "/proc/sys/") && !below(path, "/sys/")) ||
		(*key != '/' && !strpbrk(key, "./")))
		return error_set(err, -EINVAL,
			"\"%s\" is no setting: a sysctl such as vm.swappiness, or a path below "
			"/proc/sys or /sys",
			key);
	memcpy(buf, path, (size_t)n + 1);
	return 0;
}

static int read_path(
	const struct root *root, const char *path, char *buf, size_t size, struct error *err)
{
	char text[VALUE_SIZE], *value;
	ssize_t n = root_read(root, path, text, sizeof(text));

	if (n == -ENOENT || n == -ENOTDIR)
		return error_set(err, -EOPNOTSUPP, "this kernel has no %s", path);
	if (n < 0)
		return error_set(err, -EOPNOTSUPP,
			"%s cannot be read, so it could not be put back: %s", path,
			strerror((int)-n));
	value = value_trim(text);
	if (strlen(value) >= size)
		return error_set(err, -EOPNOTSUPP, "%s: value too long", path);
	memcpy(buf, value, strlen(value) + 1);
	return 0;
}

int setting_read(
	const struct root *root, const char *key, char *buf, size_t size, struct error *err)
{
	char path[PATH_MAX];
	int r = setting_path(key, path, sizeof(path), err);

	return r < 0 ? r : read_path(root, path, buf, size, err);
}

/*
 * Two spellings of one limit: writing one sets the other to 0, and 0 is not accepted back by all
 * of them (vm.dirty_bytes: mm/page-writeback.c). What puts both back is to write the one that
 * was in force.
 */
static const char *const pairs[][2] = {
	{ "/proc/sys/vm/dirty_bytes", "/proc/sys/vm/dirty_ratio" },
	{ "/proc/sys/vm/dirty_background_bytes", "/proc/sys/vm/dirty_background_ratio" },
	{ "/proc/sys/vm/overcommit_kbytes", "/proc/sys/vm/overcommit_ratio" },
};

static const char *partner(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		if (!strcmp(path, pairs[i][0]))
			return pairs[i][1];
		if (!strcmp(path, pairs[i][1]))
			return pairs[i][0];
	}
	return NULL;
}

static int note_old(struct journal *journal, const struct root *root, const char *path,
	const char *old, struct error *err)
{
	const char *other = partner(path);
	char value[VALUE_SIZE];

	if (other && read_path(root, other, value, sizeof(value), NULL) == 0 &&
		!value_equal(value, "0"))
		return journal_note(journal, UNDO_WRITE, other, value, err);
	return journal_note(journal, UNDO_WRITE, path, old, err);
}

static int write_new(
	const struct root *root, const char *path, const char *value, struct error *err)
{
	char taken[VALUE_SIZE];
	int r = root_write(root, path, *value ? value : "\n");

	if (r == -EINVAL || r == -ERANGE)
		return error_set(
			err, -EOPNOTSUPP, "the kernel does not accept %s for %s", value, path);
	if (r < 0)
		return error_set(err, -EOPNOTSUPP, "%s cannot be set here: %s", path, strerror(-r));
	r = read_path(root, path, taken, sizeof(taken), err);
	if (r < 0)
		return r;
	if (!value_equal(taken, value))
		return error_set(err, -EOPNOTSUPP, "%s was set to %s, but the kernel made it %s",
			path, value, taken);
	return 0;
}

int setting_apply(struct journal *journal, const struct root *root, const char *key,
	const char *value, struct error *err)
{
	char path[PATH_MAX], old[VALUE_SIZE];
	int r = setting_path(key, path, sizeof(path), err);

	if (r == -EINVAL)
		return -EOPNOTSUPP;
	if (r == 0)
		r = read_path(root, path, old, sizeof(old), err);
	if (r < 0)
		return r;
	if (value_equal(old, value))
		return 0;
	if (!journal)
		return error_set(
			err, -EOPNOTSUPP, "%s is not changed without an undo journal", path);
	r = note_old(journal, root, path, old, err);
	return r < 0 ? r : write_new(root, path, value, err);
}
