// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * wordfill BYTES ITERATIONS [FILE]: what LTP's mtest01 -w and mmap001 do, and nothing else. Maps
 * memory, or a new file of that size, writes every word of every page, syncs the file, unmaps it;
 * prints the nanoseconds that all iterations took together.
 */
#include <fcntl.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/clock.h"

static char *map(size_t size, const char *path)
{
	int fd CLEANUP(close_fd) =
		path ? open(path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600) : -1;

	if (path && (fd < 0 || ftruncate(fd, (off_t)size) < 0))
		return MAP_FAILED;
	return mmap(NULL, size, PROT_READ | PROT_WRITE,
		path ? MAP_SHARED : MAP_PRIVATE | MAP_ANONYMOUS, fd, 0);
}

static int fill(size_t size, unsigned long iteration, const char *path)
{
	char *pages = map(size, path);
	volatile unsigned long *words = (volatile unsigned long *)(void *)pages;

	if (pages == MAP_FAILED)
		return -1;
	for (size_t i = 0; i < size / sizeof(*words); i++)
		words[i] = iteration + i;
	if (path && msync(pages, size, MS_SYNC) < 0)
		return -1;
	return munmap(pages, size);
}

int main(int argc, char *argv[])
{
	uint64_t size = 0, iterations = 0;
	const char *path = argc > 3 ? argv[3] : NULL;
	int64_t start = clock_now();

	if (argc < 3 || bytes_parse(argv[1], &size, NULL) < 0 ||
		count_parse(argv[2], &iterations, NULL) < 0 || !size) {
		fprintf(stderr, "usage: wordfill BYTES ITERATIONS [FILE]\n");
		return 2;
	}
	for (uint64_t i = 0; i < iterations; i++) {
		if (fill(size, i, path) < 0) {
			perror("wordfill");
			return 1;
		}
	}
	/* Each file's pages are freed in the time measured, the last one's, too. */
	if (path)
		unlink(path);
	printf("%lld\n", (long long)(clock_now() - start));
	return 0;
}
