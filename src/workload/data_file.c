// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/data_file.h"

#include <fcntl.h>

#include "base/cleanup.h"
#include "base/unit.h"

#define CHUNK MIB

static int chunk_write(int fd, const char *chunk, size_t size)
{
	while (size) {
		ssize_t n = write(fd, chunk, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		chunk += n;
		size -= (size_t)n;
	}
	return 0;
}

int data_file_make(const char *path, uint64_t size, const struct data *data,
	void (*patch)(char *buf, size_t size), struct error *err)
{
	char *chunk CLEANUP(free_text) = aligned_alloc(DATA_PAGE, CHUNK);
	int fd CLEANUP(close_fd) = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (!chunk)
		return error_errno(err, -ENOMEM, "%s", path);
	if (fd < 0)
		return error_errno(err, -errno, "cannot create %s", path);
	for (uint64_t done = 0; done < size; done += CHUNK) {
		uint64_t rest = size - done;
		int r;

		data_fill(data, chunk, CHUNK, done / DATA_PAGE);
		if (patch)
			patch(chunk, CHUNK);
		r = chunk_write(fd, chunk, rest < CHUNK ? rest : CHUNK);
		if (r < 0)
			return error_errno(err, r, "cannot write %s", path);
	}
	if (fdatasync(fd) < 0)
		return error_errno(err, -errno, "cannot write %s", path);
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}

void data_file_forget(const char *path)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);

	/* Dirty pages stay: there are none, the maker has written them. */
	if (fd >= 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}
