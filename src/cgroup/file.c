// SPDX-License-Identifier: GPL-2.0-or-later
#include "cgroup/file.h"

#include <string.h>

#include "base/cleanup.h"

int group_path(char path[PATH_MAX], const char *dir, const char *name)
{
	size_t length = strlen(dir), behind = strlen(name);

	if (length + 1 + behind >= PATH_MAX)
		return -ENAMETOOLONG;
	memcpy(path, dir, length);
	path[length] = '/';
	memcpy(path + length + 1, name, behind + 1);
	return 0;
}

void group_parent(char path[PATH_MAX])
{
	char *slash = strrchr(path, '/');

	*(slash ? slash : path) = '\0';
}

const char *group_relative(const char *path)
{
	while (*path == '/')
		path++;
	return *path ? path : ".";
}

int group_write(const struct root *root, const char *dir, const char *file, const char *text)
{
	char path[PATH_MAX];
	int r = group_path(path, dir, file);

	return r < 0 ? r : root_write(root, path, text);
}

ssize_t group_read(
	const struct root *root, const char *dir, const char *file, char *buf, size_t size)
{
	char path[PATH_MAX];
	int r = group_path(path, dir, file);

	return r < 0 ? r : root_read(root, path, buf, size);
}

int group_number(const struct root *root, const char *dir, const char *file, uint64_t *ret_number)
{
	char text[64], *end;
	unsigned long long number;
	ssize_t n = group_read(root, dir, file, text, sizeof(text));

	if (n < 0)
		return (int)n;
	if (!strncmp(text, "max", 3)) {
		*ret_number = UINT64_MAX;
		return 0;
	}
	errno = 0;
	number = strtoull(text, &end, 10);
	if (end == text)
		return -EBADMSG;
	*ret_number = errno || number >= UNLIMITED_BYTES ? UINT64_MAX : number;
	return 0;
}

bool group_file_exists(const struct root *root, const char *dir, const char *file)
{
	char path[PATH_MAX];

	return group_path(path, dir, file) == 0 && root_exists(root, path);
}

bool group_lists(const struct root *root, const char *dir, const char *file, const char *word)
{
	char text[4096];

	return group_read(root, dir, file, text, sizeof(text)) >= 0 && words_have(text, word);
}

enum group_holds group_holds(const struct root *root, const char *dir)
{
	char text[64], own[24];

	if (group_read(root, dir, "cgroup.procs", text, sizeof(text)) < 0)
		return GROUP_OTHERS;
	if (!*text)
		return GROUP_EMPTY;
	snprintf(own, sizeof(own), "%d\n", (int)getpid());
	return strcmp(text, own) ? GROUP_OTHERS : GROUP_SELF;
}

bool words_have(const char *list, const char *word)
{
	static const char between[] = ", \t\n";
	size_t length = strlen(word);

	while (*list) {
		size_t n = strcspn(list, between);

		if (n == length && !memcmp(list, word, n))
			return true;
		list += n;
		list += strspn(list, between);
	}
	return false;
}

uint64_t text_value(const char *text, const char *key)
{
	size_t length = strlen(key);

	for (;;) {
		if (!strncmp(text, key, length) && text[length] == ' ')
			return strtoull(text + length + 1, NULL, 10);
		text = strchr(text, '\n');
		if (!text)
			return UINT64_MAX;
		text++;
	}
}
