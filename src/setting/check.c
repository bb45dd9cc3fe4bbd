// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/check.h"

#include <fcntl.h>
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "base/unit.h"

int check_number(const char *value, uint64_t least, uint64_t most, struct error *err)
{
	uint64_t number;

	if (count_parse(value, &number, NULL) == 0 && number >= least && number <= most)
		return 0;
	if (most == UINT64_MAX)
		return error_set(
			err, -EINVAL, "\"%s\" is no number from %" PRIu64 " on", value, least);
	return error_set(err, -EINVAL, "\"%s\" is no number from %" PRIu64 " to %" PRIu64, value,
		least, most);
}

/* The nearest name in a directory, whose names do not outlive the visit. */
struct search {
	struct nearest nearest;
	char name[256];
};

static void offer(void *data, const char *name)
{
	struct search *search = data;

	nearest_offer(&search->nearest, name);
	if (search->nearest.name != name)
		return;
	snprintf(search->name, sizeof(search->name), "%s", name);
	search->nearest.name = search->name;
}

/* "/proc/sys/net/ipv4/conf/eth0.7" -> "net.ipv4.conf.eth0/7", when that is how the key is spelled. */
static void path_to_key(const char *key, char *path)
{
	size_t prefix = strlen("/proc/sys/");

	if (*key == '/')
		return;
	memmove(path, path + prefix, strlen(path + prefix) + 1);
	if (key[strcspn(key, "./")] == '/')
		return;
	for (; *path; path++) {
		if (*path == '/')
			*path = '.';
		else if (*path == '.')
			*path = '/';
	}
}

/* The part of the path at `from` up to `to` is not there: the key with the nearest in its place. */
static int missing(const struct root *root, const char *key, const char *path, size_t from,
	size_t to, struct error *err)
{
	struct nearest rows = nearest_to(key);
	struct search search = { 0 };
	char directory[PATH_MAX], part[256], whole[PATH_MAX];

	snprintf(directory, sizeof(directory), "%.*s", (int)from, path);
	snprintf(part, sizeof(part), "%.*s", (int)(to - from), path + from);
	search.nearest = nearest_to(part);
	names_visit(root, directory, offer, &search);
	for (const struct setting *const *each = setting_registry; *each; each++)
		nearest_offer(&rows, (*each)->name);
	if (rows.distance <= search.nearest.distance && *nearest_hint(&rows))
		return error_set(err, -EINVAL, "no setting \"%s\"%s", key, nearest_hint(&rows));
	if (!*nearest_hint(&search.nearest))
		return error_set(err, -EINVAL,
			"no setting \"%s\": there is no %.*s (contend list settings)", key, (int)to,
			path);
	snprintf(whole, sizeof(whole), "%s%s%s", directory, search.nearest.name, path + to);
	path_to_key(key, whole);
	return error_set(err, -EINVAL, "no setting \"%s\"; did you mean \"%s\"?", key, whole);
}

int check_path(const struct root *root, const char *key, const char *path, struct error *err)
{
	size_t base = strncmp(path, "/sys/", 5) ? strlen("/proc/sys/") : strlen("/sys/");
	char partial[PATH_MAX];
	int fd CLEANUP(close_fd) = -1;

	snprintf(partial, sizeof(partial), "%.*s", (int)base, path);
	/* Where it is not mounted, the trial will say so. */
	if (!root_exists(root, partial))
		return 0;
	for (size_t from = base, to; path[from]; from = to + (path[to] == '/')) {
		to = from + strcspn(path + from, "/");
		snprintf(partial, sizeof(partial), "%.*s", (int)to, path);
		if (!root_exists(root, partial))
			return missing(root, key, path, from, to, err);
	}
	fd = root_openat(root, path, O_PATH | O_DIRECTORY);
	if (fd >= 0)
		return error_set(
			err, -EINVAL, "\"%s\" is no setting, but a directory of them", key);
	return 0;
}
