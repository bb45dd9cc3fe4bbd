// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/log.h"

#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/root.h"

/* Whoever can write the journal decides what its owner writes and removes. */
static int check_owner(const struct log *log, struct error *err)
{
	struct stat st;

	if (fstat(log->fd, &st) < 0)
		return error_errno(err, -errno, "%s", log->path);
	if (!S_ISREG(st.st_mode) || st.st_uid != geteuid() || st.st_mode & (S_IWGRP | S_IWOTH))
		return error_set(err, -EPERM,
			"%s is not a file that only this user can write: not used as undo journal",
			log->path);
	return 0;
}

/*
 * A POSIX record lock belongs to a process: it dies with it, however it dies, and forked children
 * do not have it. (An OFD lock would live on in every child that has the descriptor, so that a
 * load which outlives contend would keep the next one out.) The price: closing any descriptor of
 * the file drops the process's lock.
 */
static int lock(const struct log *log, struct error *err)
{
	struct flock whole = { .l_type = F_WRLCK, .l_whence = SEEK_SET };
	struct flock other = whole;
	int r = fcntl(log->fd, F_SETLK, &whole) < 0 ? -errno : 0;

	if (r != -EAGAIN && r != -EACCES)
		return r < 0 ? error_errno(err, r, "cannot lock %s", log->path) : 0;
	/* l_pid is 0 for a process of another pid namespace. */
	if (fcntl(log->fd, F_GETLK, &other) == 0 && other.l_type != F_UNLCK && other.l_pid > 0)
		return error_set(err, -EBUSY,
			"another contend is at work, process %d (it holds %s)", (int)other.l_pid,
			log->path);
	return error_set(err, -EBUSY, "another contend is at work (it holds %s)", log->path);
}

/* Has the file's name on disk, too. */
static int sync_directory(const char *directory, struct error *err)
{
	int fd CLEANUP(close_fd) = open(directory, O_RDONLY | O_DIRECTORY | O_CLOEXEC);

	if (fd < 0 || fsync(fd) < 0)
		return error_errno(err, -errno, "%s", directory);
	return 0;
}

int log_open(struct log *ret_log, const char *directory, bool create, struct error *err)
{
	int r = create ? directory_make(directory, err) : 0;
	struct stat st;

	ret_log->fd = -1;
	if (r < 0)
		return r;
	if (snprintf(ret_log->path, PATH_MAX, "%s/journal", directory) >= PATH_MAX)
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", directory);
	ret_log->fd =
		open(ret_log->path, O_RDWR | O_NOFOLLOW | O_CLOEXEC | (create ? O_CREAT : 0), 0600);
	if (ret_log->fd < 0)
		return error_errno(err, -errno, "cannot open the undo journal %s", ret_log->path);
	r = check_owner(ret_log, err);
	if (r == 0)
		r = lock(ret_log, err);
	if (r == 0 && create)
		r = sync_directory(directory, err);
	if (r < 0)
		return r;
	if (fstat(ret_log->fd, &st) < 0)
		return error_errno(err, -errno, "%s", ret_log->path);
	ret_log->size = st.st_size;
	return 0;
}

void log_close(struct log *log)
{
	close_fd(&log->fd);
	log->fd = -1;
}

int log_read(struct log *log, int (*visit)(void *data, char *text, unsigned number), void *data,
	bool *ret_torn, struct error *err)
{
	char *text CLEANUP(free_text) = malloc((size_t)log->size + 2), *at, *end;
	unsigned number = 0;
	ssize_t n;
	int r = 0;

	if (!text)
		return error_errno(err, -ENOMEM, "%s", log->path);
	n = fd_read_whole(log->fd, text, (size_t)log->size + 2);
	if (n < 0)
		return error_errno(err, (int)n, "cannot read %s", log->path);
	for (at = text; !r && (end = memchr(at, '\n', (size_t)(text + n - at))); at = end + 1) {
		*end = '\0';
		r = visit(data, at, ++number);
	}
	if (r)
		return error_errno(err, r, "%s", log->path);
	*ret_torn = at < text + n;
	log->size = at - text;
	if (*ret_torn && ftruncate(log->fd, log->size) < 0)
		return error_errno(err, -errno, "cannot write the undo journal %s", log->path);
	return 0;
}

int log_append(struct log *log, const struct line *line, bool sync, struct error *err)
{
	char *text CLEANUP(free_text) = line_spell(line);
	size_t length = text ? strlen(text) : 0;
	ssize_t n;
	int r = 0;

	if (!text)
		return error_errno(err, -ENOMEM, "%s", log->path);
	n = pwrite(log->fd, text, length, log->size);
	if (n != (ssize_t)length)
		r = n < 0 ? -errno : -ENOSPC;
	else if (sync && fsync(log->fd) < 0)
		r = -errno;
	if (r < 0) {
		(void)!ftruncate(log->fd, log->size);
		return error_errno(err, r, "cannot write the undo journal %s", log->path);
	}
	log->size += n;
	return 0;
}

int log_clear(struct log *log)
{
	if (ftruncate(log->fd, 0) < 0)
		return -errno;
	log->size = 0;
	return 0;
}
