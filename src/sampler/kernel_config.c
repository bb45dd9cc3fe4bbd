// SPDX-License-Identifier: GPL-2.0-or-later
/* How the running kernel was configured, where it says so. */
#include <archive.h>
#include <archive_entry.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "sampler/environment.h"

#define KEY "kernel.config"

/* All options at their longest are some 300 KiB. */
#define TEXT_LARGEST (4 * MIB)

static void archive_cleanup(struct archive **archive)
{
	if (*archive)
		archive_read_free(*archive);
}

/* A file as it is, or what is packed in it. NULL: none, or one that cannot be read. */
static char *read_text(int fd)
{
	struct archive *archive CLEANUP(archive_cleanup) = archive_read_new();
	char *text CLEANUP(free_text) = malloc(TEXT_LARGEST + 1);
	struct archive_entry *entry;
	char *read = text;
	ssize_t n;

	if (!archive || !text || archive_read_support_filter_gzip(archive) != ARCHIVE_OK ||
		archive_read_support_format_raw(archive) != ARCHIVE_OK ||
		archive_read_open_fd(archive, fd, 64 * KIB) != ARCHIVE_OK ||
		archive_read_next_header(archive, &entry) != ARCHIVE_OK)
		return NULL;
	n = archive_read_data(archive, text, TEXT_LARGEST);
	if (n < 0)
		return NULL;
	text[n] = '\0';
	text = NULL;
	return read;
}

/* Leaves the lines "CONFIG_A=y": an option that is not set is missing or a remark. */
static void keep_options(char *text)
{
	char *to = text, *rest = text, *line;

	while ((line = strsep(&rest, "\n"))) {
		size_t n = strlen(line);

		if (strncmp(line, "CONFIG_", 7) != 0)
			continue;
		if (to > text)
			*to++ = '\n';
		memmove(to, line, n);
		to += n;
	}
	*to = '\0';
}

void environment_read_config(const struct root *root,
	void (*put)(void *data, const char *key, const char *text), void *data)
{
	char release[256] = "", boot[300];
	const char *paths[] = { "/proc/config.gz", boot };

	root_read_line(root, "/proc/sys/kernel/osrelease", release, sizeof(release));
	snprintf(boot, sizeof(boot), "/boot/config-%s", release);
	for (size_t i = 0; i < ARRAY_SIZE(paths); i++) {
		int fd CLEANUP(close_fd) = root_openat(root, paths[i], O_RDONLY);
		char *text CLEANUP(free_text) = fd < 0 ? NULL : read_text(fd);

		if (!text)
			continue;
		keep_options(text);
		if (!*text)
			continue;
		put(data, KEY, text);
		return;
	}
}
