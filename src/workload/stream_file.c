// SPDX-License-Identifier: GPL-2.0-or-later
/* What `stream` reads. */
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "workload/data_file.h"
#include "workload/extent.h"
#include "workload/shelf.h"
#include "workload/stream.h"

#define FILE_SEED 3

static const char *file_key(const struct stream_file *file, char *buf, size_t size)
{
	if (file->sparse)
		snprintf(buf, size, "stream-sparse-%" PRIu64 "-r1", file->size);
	else
		snprintf(buf, size, "stream-%" PRIu64 "-%g-r1", file->size, file->compress);
	return buf;
}

int stream_file_check(const struct place *place, const struct stream_file *file, struct error *err)
{
	char path[PATH_MAX], key[128];

	snprintf(path, sizeof(path), "%s/%s", place->shelf, file_key(file, key, sizeof(key)));
	if (file->sparse || access(path, F_OK) == 0)
		return 0;
	return extent_check_space(place->shelf, file->size, 1, err);
}

static int sparse_make(const char *path, uint64_t size, struct error *err)
{
	int fd CLEANUP(close_fd) = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		return error_errno(err, -errno, "cannot create %s", path);
	if (ftruncate(fd, (off_t)size) < 0)
		return error_errno(err, -errno, "cannot make %s as large as it must be", path);
	return 0;
}

static int file_make(const char *path, const void *data, struct error *err)
{
	const struct stream_file *file = data;
	struct data content;

	if (file->sparse)
		return sparse_make(path, file->size, err);
	content = data_of(file->compress, FILE_SEED);
	return data_file_make(path, file->size, &content, NULL, err);
}

int stream_file_find(const struct place *place, const struct stream_file *file, char *path,
	size_t size, struct error *err)
{
	char key[128];
	int r = shelf_find(
		place, file_key(file, key, sizeof(key)), file_make, file, path, size, err);

	if (r == 0)
		data_file_forget(path);
	return r;
}
