// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/feed.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"

/* No file of this kind is larger: 4096 CPUs make 2 MB of /proc/stat. */
#define LARGEST (64 * MIB)

/* Reads the file with as much room as it takes. */
static ssize_t length_read(int fd)
{
	for (size_t size = 8 * KIB; size <= LARGEST; size *= 2) {
		char *buf CLEANUP(free_text) = malloc(size);
		ssize_t n;

		if (!buf)
			return -ENOMEM;
		n = fd_read_whole(fd, buf, size);
		if (n != -EFBIG)
			return n;
	}
	return -EFBIG;
}

int feed_open(struct feed *ret_feed, const struct root *root, const char *path, struct error *err)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, O_RDONLY);
	ssize_t n = fd < 0 ? fd : length_read(fd);
	size_t size = 2 * (size_t)(n < 0 ? 0 : n) + 4 * KIB;
	char *text CLEANUP(free_text) = malloc(size);
	int r;

	if (n < 0)
		return error_errno(err, (int)n, "%s", path);
	if (!text)
		return error_errno(err, -ENOMEM, "%s", path);
	/* Touched now, so that no read takes a page fault. */
	memset(text, 0, size);
	r = feed_read(&(struct feed) { fd, text, size });
	if (r < 0)
		return error_errno(err, r, "%s", path);
	*ret_feed = (struct feed) { take_fd(&fd), text, size };
	text = NULL;
	return 0;
}

int feed_read(struct feed *feed)
{
	ssize_t n = fd_read_lines(feed->fd, feed->text, feed->size);

	return n < 0 ? (int)n : 0;
}

void feed_close(struct feed *feed)
{
	if (!feed->text)
		return;
	close_fd(&feed->fd);
	free(feed->text);
	*feed = (struct feed) { 0 };
}
