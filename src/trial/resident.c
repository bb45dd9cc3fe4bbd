// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/resident.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/cleanup.h"

/* Looked at in pieces, so that a large file needs no large vector. */
#define PIECE_PAGES 4096

int64_t resident_pages(const char *path)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	unsigned char vector[PIECE_PAGES];
	struct stat st;
	int64_t resident = 0;

	if (fd < 0 || fstat(fd, &st) < 0)
		return -errno;
	for (off_t at = 0; at < st.st_size; at += (off_t)(PIECE_PAGES * page)) {
		size_t left = (size_t)(st.st_size - at);
		size_t length = left < PIECE_PAGES * page ? left : PIECE_PAGES * page;
		void *map = mmap(NULL, length, PROT_READ, MAP_SHARED, fd, at);
		int r;

		if (map == MAP_FAILED)
			return -errno;
		r = mincore(map, length, vector) < 0 ? -errno : 0;
		munmap(map, length);
		if (r < 0)
			return r;
		for (size_t i = 0; i < (length + page - 1) / page; i++)
			resident += vector[i] & 1;
	}
	return resident;
}

static void visit(void *data, const char *path)
{
	struct shared *shared = data;
	int64_t pages = resident_pages(path);

	if (pages <= 0)
		return;
	if (!shared->resident_pages)
		snprintf(shared->resident_path, sizeof(shared->resident_path), "%s", path);
	shared->resident_pages += (uint64_t)pages;
}

void resident_count(const struct instance *instance, struct shared *shared)
{
	shared->resident_pages = 0;
	shared->resident_path[0] = '\0';
	if (instance->workload->cold_files)
		instance->workload->cold_files(instance, visit, shared);
}
