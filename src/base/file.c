// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/file.h"

#include <fcntl.h>
#include <ftw.h>
#include <limits.h>
#include <spawn.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/statvfs.h>
#include <sys/wait.h>

#include "base/cleanup.h"

extern char **environ;

int directory_make(const char *path, struct error *err)
{
	char partial[PATH_MAX];
	size_t length = strlen(path);

	if (length >= sizeof(partial))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", path);
	memcpy(partial, path, length + 1);
	for (size_t i = 1; i <= length; i++) {
		if (partial[i] != '/' && partial[i] != '\0')
			continue;
		partial[i] = '\0';
		if (mkdir(partial, 0755) < 0 && errno != EEXIST)
			return error_errno(err, -errno, "cannot make directory %s", partial);
		if (i < length)
			partial[i] = '/';
	}
	return 0;
}

static int remove_entry(const char *path, const struct stat *st, int type, struct FTW *ftw)
{
	(void)st;
	(void)ftw;
	return (type == FTW_DP ? rmdir(path) : unlink(path)) < 0 ? -1 : 0;
}

int tree_remove(const char *path, struct error *err)
{
	if (nftw(path, remove_entry, 64, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) < 0 && errno != ENOENT)
		return error_errno(err, -errno, "cannot remove %s", path);
	return 0;
}

int file_write(const char *path, const char *data, size_t size, struct error *err)
{
	int fd CLEANUP(close_fd) = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);

	if (fd < 0)
		return error_errno(err, -errno, "cannot create %s", path);
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, -errno, "cannot write %s", path);
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

int file_read(const char *path, char **ret_data, size_t *ret_size, struct error *err)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);
	char *data CLEANUP(free_text) = NULL;
	size_t used = 0, room = 0;

	if (fd < 0)
		return error_errno(err, -errno, "cannot open %s", path);
	for (;;) {
		ssize_t n;

		if (room - used < 2) {
			char *grown = realloc(data, room = room ? 2 * room : 65536);

			if (!grown)
				return error_errno(err, -ENOMEM, "cannot read %s", path);
			data = grown;
		}
		n = read(fd, data + used, room - used - 1);
		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return error_errno(err, -errno, "cannot read %s", path);
		if (n == 0)
			break;
		used += (size_t)n;
	}
	data[used] = '\0';
	*ret_data = data;
	data = NULL;
	if (ret_size)
		*ret_size = used;
	return 0;
}

int space_free(const char *path, uint64_t *ret_bytes, struct error *err)
{
	struct statvfs fs;

	if (statvfs(path, &fs) < 0)
		return error_errno(err, -errno, "%s", path);
	*ret_bytes = (uint64_t)fs.f_bavail * fs.f_frsize;
	return 0;
}

static void spawn_actions_done(posix_spawn_file_actions_t **actions)
{
	posix_spawn_file_actions_destroy(*actions);
}

int program_run(const char *const argv[], char *buf, size_t size)
{
	posix_spawn_file_actions_t storage;
	posix_spawn_file_actions_t *actions CLEANUP(spawn_actions_done) = &storage;
	int pipe_read CLEANUP(close_fd) = -1, pipe_write CLEANUP(close_fd) = -1;
	int ends[2], status, r;
	size_t used = 0;
	pid_t pid;

	posix_spawn_file_actions_init(actions);
	if (size)
		buf[0] = '\0';
	if (pipe2(ends, O_CLOEXEC) < 0)
		return -errno;
	pipe_read = ends[0];
	pipe_write = ends[1];
	posix_spawn_file_actions_addopen(actions, 0, "/dev/null", O_RDONLY, 0);
	posix_spawn_file_actions_adddup2(actions, pipe_write, 1);
	posix_spawn_file_actions_adddup2(actions, pipe_write, 2);
	/* argv is not written to: POSIX keeps the old type for callers of the 1980s. */
	r = posix_spawnp(&pid, argv[0], actions, NULL, (char *const *)(uintptr_t)argv, environ);
	if (r)
		return -r;
	close_fd(&pipe_write);
	pipe_write = -1;
	for (;;) {
		char rest[4096];
		bool fits = used + 1 < size;
		ssize_t n = read(
			pipe_read, fits ? buf + used : rest, fits ? size - 1 - used : sizeof(rest));

		if (n < 0 && errno == EINTR)
			continue;
		if (n <= 0)
			break;
		if (fits)
			buf[used += (size_t)n] = '\0';
	}
	while (waitpid(pid, &status, 0) < 0) {
		if (errno != EINTR)
			return -errno;
	}
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

bool program_find(const char *name, char ret_path[PATH_MAX])
{
	const char *path = getenv("PATH");

	if (strchr(name, '/'))
		return access(name, X_OK) == 0 &&
		       snprintf(ret_path, PATH_MAX, "%s", name) < PATH_MAX;
	while (path && *path) {
		size_t length = strcspn(path, ":");

		if (snprintf(ret_path, PATH_MAX, "%.*s/%s", (int)length, path, name) < PATH_MAX &&
			access(ret_path, X_OK) == 0)
			return true;
		path += length + (path[length] == ':');
	}
	return false;
}

bool program_exists(const char *name)
{
	char path[PATH_MAX];

	return program_find(name, path);
}
