// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/swaps.h"

#include <string.h>

#include "base/cleanup.h"

void octal_unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		if (from[0] == '\\' && from[1] >= '0' && from[1] <= '3' && from[2] >= '0' &&
			from[2] <= '7' && from[3] >= '0' && from[3] <= '7') {
			*to = (char)((from[1] - '0') << 6 | (from[2] - '0') << 3 | (from[3] - '0'));
			from += 4;
		} else {
			*to = *from++;
		}
	}
	*to = '\0';
}

int swaps_visit(const struct root *root,
	int (*visit)(void *data, const char *path, const char *kind), void *data)
{
	char text[32768]; /* the kernel has at most 32 areas: MAX_SWAPFILES, linux/swap.h */
	char *rest = text, *line;
	ssize_t n = root_read(root, "/proc/swaps", text, sizeof(text));
	int r = 0;

	if (n < 0)
		return (int)n;
	strsep(&rest, "\n"); /* the titles */
	while (!r && (line = strsep(&rest, "\n"))) {
		char *path = strsep(&line, " \t");
		const char *kind = line ? line + strspn(line, " \t") : "";

		if (!*path)
			continue;
		octal_unescape(path);
		if (!strncmp(path, "/dev/zram", 9))
			kind = "zram";
		else
			kind = strncmp(kind, "file", 4) ? "partition" : "file";
		r = visit(data, path, kind);
	}
	return r;
}

static int is_path(void *data, const char *path, const char *kind)
{
	(void)kind;
	return !strcmp(path, data);
}

int swaps_find(const struct root *root, const char *path)
{
	char wanted[PATH_MAX];

	if (strlen(path) >= sizeof(wanted))
		return -ENAMETOOLONG;
	strcpy(wanted, path);
	return swaps_visit(root, is_path, wanted);
}
