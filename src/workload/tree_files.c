// SPDX-License-Identifier: GPL-2.0-or-later
/* The generator of file trees. A million empty files must not take long: openat, one directory. */
#include <fcntl.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/random.h"
#include "base/unit.h"
#include "workload/data.h"
#include "workload/tree.h"

#define CHUNK (256 * KIB)

/* Between half and one and a half of what would be even; the last one takes the rest. */
static uint64_t size_next(struct random *random, uint64_t bytes, uint64_t files)
{
	uint64_t mean = bytes / files;

	if (files == 1 || mean == 0)
		return files == 1 ? bytes : 0;
	return mean - mean / 2 + random_below(random, mean);
}

/* write(2) over short writes. */
static int write_whole(int fd, const char *data, size_t size)
{
	while (size) {
		ssize_t n = write(fd, data, size);

		if (n < 0 && errno == EINTR)
			continue;
		if (n < 0)
			return -errno;
		data += n;
		size -= (size_t)n;
	}
	return 0;
}

struct maker {
	struct data data;
	struct random sizes;
	uint64_t files, bytes; /* left to make */
	uint64_t file, page; /* numbers of the next ones */
	char *buf;
};

static int make_file(struct maker *maker, int directory, const char *name, uint64_t bytes)
{
	int fd CLEANUP(close_fd) =
		openat(directory, name, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644);

	if (fd < 0)
		return -errno;
	maker->files--;
	maker->bytes -= bytes;
	while (bytes) {
		size_t size = bytes < CHUNK ? (size_t)bytes : CHUNK;
		size_t pages = (size + DATA_PAGE - 1) / DATA_PAGE;
		int r;

		data_fill(&maker->data, maker->buf, pages * DATA_PAGE, maker->page);
		maker->page += pages;
		r = write_whole(fd, maker->buf, size);
		if (r < 0)
			return r;
		bytes -= size;
	}
	return 0;
}

static int directory_create(int above, const char *name)
{
	int fd;

	if (mkdirat(above, name, 0755) < 0)
		return -errno;
	fd = openat(above, name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
	return fd < 0 ? -errno : fd;
}

static int fill_directory(struct maker *maker, int top, const char *name, uint64_t files)
{
	int directory CLEANUP(close_fd) = directory_create(top, name);

	if (directory < 0)
		return directory;
	for (; files; files--) {
		char file[32];
		int r;

		snprintf(file, sizeof(file), "f%08llu", (unsigned long long)maker->file++);
		r = make_file(maker, directory, file,
			size_next(&maker->sizes, maker->bytes, maker->files));
		if (r < 0)
			return r;
	}
	return 0;
}

int tree_make_files(const char *path, const void *data, struct error *err)
{
	const struct tree_files *tree = data;
	char *buf CLEANUP(free_text) = malloc(CHUNK);
	struct maker maker = {
		.data = data_of(tree->ratio, tree->seed),
		.sizes = { tree->seed },
		.files = tree->files,
		.bytes = tree->bytes,
		.buf = buf,
	};
	int top CLEANUP(close_fd) = directory_create(AT_FDCWD, path);

	if (!buf)
		return error_errno(err, -ENOMEM, "cannot make %s", path);
	if (top < 0)
		return error_errno(err, top, "cannot make directory %s", path);
	for (uint64_t i = 0; i < tree->directories; i++) {
		char name[32];
		int r;

		snprintf(name, sizeof(name), "d%05llu", (unsigned long long)i);
		r = fill_directory(&maker, top, name, maker.files / (tree->directories - i));
		if (r < 0)
			return error_errno(err, r, "cannot make %s/%s", path, name);
	}
	return 0;
}
