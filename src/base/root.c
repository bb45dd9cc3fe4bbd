// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/root.h"

#include <dirent.h>
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"

int root_open(struct root *ret_root, const char *path, struct error *err)
{
	int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0)
		return error_errno(err, -errno, "%s", path);
	ret_root->fd = fd;
	return 0;
}

void root_close(struct root *root)
{
	close_fd(&root->fd);
	root->fd = -1;
}

/* "/proc/x" -> "proc/x": openat(2) takes an absolute path for the machine's own. */
static const char *relative(const char *path)
{
	while (*path == '/')
		path++;
	return *path ? path : ".";
}

int root_openat(const struct root *root, const char *path, int flags)
{
	int fd = openat(root->fd, relative(path), flags | O_CLOEXEC, 0644);

	return fd < 0 ? -errno : fd;
}

/* A piece that ends a line and is shorter than this is the last. */
#define LAST_PIECE 2048

static ssize_t read_pieces(int fd, char *buf, size_t size, ssize_t last_piece)
{
	size_t used = 0;

	for (;;) {
		ssize_t n;

		if (used == size - 1) {
			char beyond;

			n = pread(fd, &beyond, 1, (off_t)used);
			if (n > 0)
				return -EFBIG;
		} else {
			n = pread(fd, buf + used, size - 1 - used, (off_t)used);
		}
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		if (n == 0)
			break;
		used += (size_t)n;
		if (n < last_piece && used < size - 1 && buf[used - 1] == '\n')
			break;
	}
	buf[used] = '\0';
	return (ssize_t)used;
}

ssize_t fd_read_whole(int fd, char *buf, size_t size)
{
	return read_pieces(fd, buf, size, 0);
}

ssize_t fd_read_lines(int fd, char *buf, size_t size)
{
	return read_pieces(fd, buf, size, LAST_PIECE);
}

ssize_t root_read(const struct root *root, const char *path, char *buf, size_t size)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, O_RDONLY);

	if (fd < 0)
		return fd;
	return fd_read_whole(fd, buf, size);
}

int root_read_line(const struct root *root, const char *path, char *buf, size_t size)
{
	ssize_t n = root_read(root, path, buf, size);
	size_t length;

	if (n < 0)
		return (int)n;
	length = strcspn(buf, "\n");
	while (length && (buf[length - 1] == ' ' || buf[length - 1] == '\t'))
		length--;
	buf[length] = '\0';
	return 0;
}

int root_write(const struct root *root, const char *path, const char *text)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, O_WRONLY);
	ssize_t n;

	if (fd < 0)
		return fd;
	n = write(fd, text, strlen(text));
	if (n < 0)
		return -errno;
	return (size_t)n == strlen(text) ? 0 : -EIO;
}

bool root_exists(const struct root *root, const char *path)
{
	return faccessat(root->fd, relative(path), F_OK, 0) == 0;
}

static int visible(const struct dirent *entry)
{
	return entry->d_name[0] != '.';
}

int names_visit(const struct root *root, const char *path,
	void (*visit)(void *data, const char *name), void *data)
{
	int fd CLEANUP(close_fd) = root_openat(root, path, O_RDONLY | O_DIRECTORY);
	struct dirent **entries;
	int n;

	if (fd < 0)
		return fd;
	n = scandirat(fd, ".", &entries, visible, alphasort);
	if (n < 0)
		return -errno;
	for (int i = 0; i < n; i++) {
		visit(data, entries[i]->d_name);
		free(entries[i]);
	}
	free(entries);
	return 0;
}
