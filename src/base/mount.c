// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/mount.h"

#include <fcntl.h>
#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"

/* Undoes the kernel's octal escapes of blanks and backslashes ("\040"), in place. */
static void unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		unsigned code;

		if (from[0] == '\\' && sscanf(from + 1, "%3o", &code) == 1 && strlen(from) >= 4) {
			*to = (char)code;
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

static FILE *text_open(const struct root *root, const char *path)
{
	int fd = root_openat(root, path, O_RDONLY);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "re");

	if (!file && fd >= 0)
		close(fd);
	return file;
}

/* Length of the mount point when it is the path or above it, else -1. */
static ssize_t covers(const char *point, const char *path)
{
	size_t length = strlen(point);

	if (!strcmp(point, "/"))
		return 1;
	if (strncmp(point, path, length) != 0 || (path[length] && path[length] != '/'))
		return -1;
	return (ssize_t)length;
}

/* "27 1 254:0 / /mnt rw,relatime shared:1 - ext4 /dev/vda rw,discard" */
static bool mount_parse(char *line, char **ret_point, struct mount *ret_mount)
{
	char *optional = strstr(line, " - ");
	char *fields[6], *type, *source, *options;

	if (!optional)
		return false;
	*optional = '\0';
	for (unsigned i = 0; i < ARRAY_SIZE(fields); i++) {
		fields[i] = strsep(&line, " ");
		if (!fields[i])
			return false;
	}
	optional += strlen(" - ");
	type = strsep(&optional, " ");
	source = strsep(&optional, " ");
	options = strsep(&optional, "\n");
	if (!source || !options ||
		sscanf(fields[2], "%u:%u", &ret_mount->major, &ret_mount->minor) != 2)
		return false;
	unescape(fields[4]);
	unescape(source);
	*ret_point = fields[4];
	snprintf(ret_mount->type, sizeof(ret_mount->type), "%s", type);
	snprintf(ret_mount->source, sizeof(ret_mount->source), "%s", source);
	snprintf(ret_mount->options, sizeof(ret_mount->options), "%s %s", fields[5], options);
	return true;
}

int mount_find(const struct root *root, const char *path, struct mount *ret_mount)
{
	FILE *file CLEANUP(close_file) = text_open(root, "/proc/self/mountinfo");
	char *line CLEANUP(free_text) = NULL;
	size_t size = 0;
	ssize_t best = -1;

	while (file && getline(&line, &size, file) > 0) {
		struct mount mount;
		char *point;
		ssize_t length;

		if (!mount_parse(line, &point, &mount))
			continue;
		length = covers(point, path);
		/* Of two mounts on one point the later one is on top. */
		if (length >= 0 && length >= best) {
			best = length;
			*ret_mount = mount;
		}
	}
	return best < 0 ? -ENOENT : 0;
}

int swap_areas_visit(
	const struct root *root, int (*visit)(void *data, const struct swap_area *area), void *data)
{
	FILE *file CLEANUP(close_file) = text_open(root, "/proc/swaps");
	char *line CLEANUP(free_text) = NULL;
	size_t size = 0;
	int r = 0;

	while (r == 0 && file && getline(&line, &size, file) > 0) {
		struct swap_area area;
		long long kib, used_kib;

		/* The first line, the heading, has no numbers. */
		if (sscanf(line, "%4095s %15s %lld %lld %d", area.path, area.type, &kib, &used_kib,
			    &area.priority) != 5)
			continue;
		unescape(area.path);
		area.bytes = kib * (int64_t)KIB;
		area.used_bytes = used_kib * (int64_t)KIB;
		r = visit(data, &area);
	}
	return r;
}
