// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/mount.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "cgroup/file.h"

/* Names in /proc/self/cgroup and in a v1 mount's options; v2 has none. */
static const char *const controllers[CGROUP_HIERARCHIES] = {
	[CGROUP_MEMORY] = "memory",
	[CGROUP_CPUACCT] = "cpuacct",
	[CGROUP_BLKIO] = "blkio",
};

static FILE *root_stream(const struct root *root, const char *path)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, O_RDONLY);
	FILE *stream = fd < 0 ? NULL : fdopen(fd, "r");

	if (stream)
		take_fd(&fd);
	return stream;
}

/* proc_pid_mountinfo(5) writes blank, tab, newline and backslash as \ooo. */
static void unescape(char *text)
{
	char *to = text;

	while (*text) {
		if (text[0] == '\\' && text[1] >= '0' && text[1] <= '3' && text[2] >= '0' &&
			text[2] <= '7' && text[3] >= '0' && text[3] <= '7') {
			*to++ = (char)((text[1] - '0') << 6 | (text[2] - '0') << 3 |
				       (text[3] - '0'));
			text += 4;
		} else {
			*to++ = *text++;
		}
	}
	*to = '\0';
}

struct line {
	char *root, *point, *options; /* what is mounted, where, how */
	char *type, *super; /* filesystem, and its options */
};

/* "36 35 98:0 /root /point rw,noatime [optional]... - type source super" */
static bool line_parse(char *text, struct line *ret_line)
{
	char *field[6];
	char *word;

	text[strcspn(text, "\n")] = '\0';
	for (size_t i = 0; i < ARRAY_SIZE(field); i++) {
		field[i] = strsep(&text, " ");
		if (!field[i])
			return false;
	}
	do
		word = strsep(&text, " ");
	while (word && strcmp(word, "-"));
	*ret_line = (struct line) { field[3], field[4], field[5] };
	ret_line->type = strsep(&text, " ");
	strsep(&text, " ");
	ret_line->super = strsep(&text, " ");
	if (!ret_line->super)
		return false;
	unescape(ret_line->root);
	unescape(ret_line->point);
	return true;
}

/*
 * The group `own` (as /proc/self/cgroup names it) in a mount that shows the hierarchy from `root`
 * on. In a cgroup namespace both are relative to the namespace and start with "/.." when they lie
 * outside: such a group is not seen. False: not seen.
 */
static bool group_in_mount(char path[PATH_MAX], const struct line *line, const char *own)
{
	size_t length = strcmp(line->root, "/") ? strlen(line->root) : 0;

	if (!*own || !strncmp(own, "/..", 3) || strncmp(own, line->root, length))
		return false;
	own += length;
	if (*own && *own != '/')
		return false;
	return group_path(path, line->point, group_relative(own)) == 0;
}

static void offer(const struct root *root, struct cgroup_mounts *mounts, int hierarchy,
	const struct line *line, const char *own)
{
	bool writable = !words_have(line->options, "ro") && !words_have(line->super, "ro");
	char *kept = mounts->self[hierarchy];
	char self[PATH_MAX] = "";
	size_t length;

	if (strlen(line->point) >= PATH_MAX)
		return;
	if (!group_in_mount(self, line, own) || !root_exists(root, self))
		self[0] = '\0';
	length = strlen(self);
	if (length > 2 && !strcmp(self + length - 2, "/."))
		self[length - 2] = '\0';
	if (mounts->point[hierarchy][0] &&
		2 * writable + !!*self <= 2 * mounts->writable[hierarchy] + !!*kept)
		return;
	strcpy(mounts->point[hierarchy], line->point);
	strcpy(kept, self);
	mounts->writable[hierarchy] = writable;
}

/* "4:cpu,cpuacct:/path", v2 "0::/path" */
static void own_groups(const struct root *root, char own[CGROUP_HIERARCHIES][PATH_MAX])
{
	FILE *stream CLEANUP(close_file) = root_stream(root, "/proc/self/cgroup");
	char *text CLEANUP(free_text) = NULL;
	size_t room = 0;

	while (stream && getline(&text, &room, stream) >= 0) {
		char *rest = text;
		const char *number = strsep(&rest, ":");
		const char *names = strsep(&rest, ":");

		if (!rest || strlen(rest) >= PATH_MAX)
			continue;
		rest[strcspn(rest, "\n")] = '\0';
		for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
			if (controllers[i] ? words_have(names, controllers[i])
					   : !strcmp(number, "0") && !*names)
				strcpy(own[i], rest);
		}
	}
}

void cgroup_mounts_read(const struct root *root, struct cgroup_mounts *ret_mounts)
{
	FILE *stream CLEANUP(close_file) = root_stream(root, "/proc/self/mountinfo");
	char own[CGROUP_HIERARCHIES][PATH_MAX] = { "" };
	char *text CLEANUP(free_text) = NULL;
	size_t room = 0;

	memset(ret_mounts, 0, sizeof(*ret_mounts));
	own_groups(root, own);
	while (stream && getline(&text, &room, stream) >= 0) {
		struct line line;
		bool v2;

		if (!line_parse(text, &line))
			continue;
		v2 = !strcmp(line.type, "cgroup2");
		if (!v2 && strcmp(line.type, "cgroup"))
			continue;
		for (int i = 0; i < CGROUP_HIERARCHIES; i++) {
			if (controllers[i] ? !v2 && words_have(line.super, controllers[i]) : v2)
				offer(root, ret_mounts, i, &line, own[i]);
		}
	}
}
