// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/closure.h"

#include <elf.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "vm/initramfs.h"

/* As the kernel: fs/namei.c, MAXSYMLINKS. */
#define LINKS_MOST 40

void closure_done(struct closure *closure)
{
	for (size_t i = 0; i < closure->n; i++) {
		free(closure->entries[i].path);
		free(closure->entries[i].target);
	}
	free(closure->entries);
	*closure = (struct closure) { 0 };
}

/* 1: it is new. 0: it is in already. */
static int add(struct closure *closure, const char *path, const char *target, const struct stat *st,
	struct error *err)
{
	struct closure_entry entry = { .st = *st }, *grown;

	for (size_t i = 0; i < closure->n; i++) {
		if (!strcmp(closure->entries[i].path, path))
			return 0;
	}
	grown = reallocarray(closure->entries, closure->n + 1, sizeof(*grown));
	if (!grown)
		return error_errno(err, -ENOMEM, "%s", path);
	closure->entries = grown;
	entry.path = strdup(path);
	entry.target = target ? strdup(target) : NULL;
	if (!entry.path || (target && !entry.target)) {
		free(entry.path);
		free(entry.target);
		return error_errno(err, -ENOMEM, "%s", path);
	}
	grown[closure->n++] = entry;
	return 1;
}

static int add_library(void *data, const char *path, struct error *err)
{
	return closure_add(data, path, err);
}

/* What a regular file itself names: libraries, or "#!/bin/sh". */
static int add_needed(struct closure *closure, const char *path, struct error *err)
{
	unsigned char head[256] = "";
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);
	ssize_t n = fd < 0 ? 0 : read(fd, head, sizeof(head) - 1);
	const Elf64_Ehdr *header = (const Elf64_Ehdr *)head;

	if (n >= (ssize_t)sizeof(*header) && !memcmp(head, ELFMAG, SELFMAG)) {
		if (header->e_type != ET_EXEC && header->e_type != ET_DYN)
			return 0;
		return libraries_visit(path, add_library, closure, err);
	}
	if (n > 2 && !memcmp(head, "#!", 2)) {
		char *interpreter = (char *)head + 2;

		interpreter += strspn(interpreter, " \t");
		interpreter[strcspn(interpreter, " \t\n")] = '\0';
		if (*interpreter == '/')
			return closure_add(closure, interpreter, err);
	}
	return 0;
}

/* Where the walk along a path stands. */
struct walk {
	char done[PATH_MAX]; /* without links */
	char rest[PATH_MAX];
	unsigned links;
};

/* Takes the next component to the end of `done`. False: there is none. */
static bool walk_on(struct walk *walk)
{
	char *start = walk->rest + strspn(walk->rest, "/");
	size_t length = strcspn(start, "/"), used = strlen(walk->done);

	if (!length)
		return false;
	if (length == 2 && !memcmp(start, "..", 2)) {
		char *slash = strrchr(walk->done, '/');

		*(slash ? slash : walk->done) = '\0';
	} else if (!(length == 1 && *start == '.') && used + length + 2 < sizeof(walk->done)) {
		walk->done[used] = '/';
		memcpy(walk->done + used + 1, start, length);
		walk->done[used + 1 + length] = '\0';
	}
	memmove(walk->rest, start + length, strlen(start + length) + 1);
	return true;
}

/* Goes where a link points. */
static int follow(
	struct closure *closure, struct walk *walk, const struct stat *st, struct error *err)
{
	char target[PATH_MAX], rest[PATH_MAX];
	ssize_t n = readlink(walk->done, target, sizeof(target) - 1);
	int r;

	if (n < 0)
		return error_errno(err, -errno, "%s", walk->done);
	target[n] = '\0';
	r = add(closure, walk->done, target, st, err);
	if (r < 0)
		return r;
	memcpy(rest, walk->rest, sizeof(rest));
	if (++walk->links > LINKS_MOST || snprintf(walk->rest, sizeof(walk->rest), "%s%s", target,
						  rest) >= (int)sizeof(walk->rest))
		return error_errno(err, -ELOOP, "%s", walk->done);
	*(*target == '/' ? walk->done : strrchr(walk->done, '/')) = '\0';
	return 0;
}

int closure_add(struct closure *closure, const char *path, struct error *err)
{
	struct walk walk = { .done = "" };
	struct stat st = { 0 };
	int r;

	if (snprintf(walk.rest, sizeof(walk.rest), "%s", path) >= (int)sizeof(walk.rest))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", path);
	while (walk_on(&walk)) {
		if (lstat(*walk.done ? walk.done : "/", &st) < 0)
			return 0;
		r = S_ISLNK(st.st_mode) ? follow(closure, &walk, &st, err) : 0;
		if (r < 0)
			return r;
	}
	if (!S_ISREG(st.st_mode))
		return 0;
	r = add(closure, walk.done, NULL, &st, err);
	return r > 0 ? add_needed(closure, walk.done, err) : r;
}

static int compare(const void *a, const void *b)
{
	const struct closure_entry *first = a, *second = b;

	return strcmp(first->path, second->path);
}

void closure_sort(struct closure *closure)
{
	if (closure->n)
		qsort(closure->entries, closure->n, sizeof(*closure->entries), compare);
}
