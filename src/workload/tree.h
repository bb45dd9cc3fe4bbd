// SPDX-License-Identifier: GPL-2.0-or-later
/* Trees of files: made from a seed, the same on every machine; walked; pruned. */
#ifndef WORKLOAD_TREE_H
#define WORKLOAD_TREE_H

#include <fts.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* Raised when a generator makes something else from the same numbers: part of every shelf key. */
#define TREE_REVISION 1

/* Directories d00000 .. of files f00000000 .. whose sizes vary about the mean. */
struct tree_files {
	uint64_t files;
	uint64_t bytes; /* of all files together, exactly; 0: empty files */
	uint64_t directories; /* at least 1 */
	uint64_t seed;
	double ratio; /* of compression: 1 is random, see workload/data.h */
};

/* Makes the tree: path is its new top directory. data: const struct tree_files *. */
int tree_make_files(const char *path, const void *data, struct error *err);

/*
 * A program in C: `files` sources, one of them its main, headers and a Makefile. Functions of
 * real shape (hashing, sorting, parsing, I/O, threads) with seeded differences, so that no two
 * files are the same. Build it anywhere out of the tree, with "TREE" not to contain blanks:
 * make -f TREE/Makefile TREE=TREE. It prints one line for each object, after that is made, and
 * nothing else.
 */
struct tree_sources {
	uint64_t files; /* at least 1 */
	uint64_t seed;
};

/* data: const struct tree_sources *. */
int tree_make_sources(const char *path, const void *data, struct error *err);

/* Opens it for a walk in the order of its directories, never through a symbolic link. */
FTS *tree_open(const char *path, struct error *err);
void tree_close(FTS **fts);

/* Gives every regular file's path to visit(). What cannot be read is passed over. */
void tree_visit(const char *path, void (*visit)(void *data, const char *path), void *data);

/* What a tree held at one moment: its paths, sorted. */
struct tree_list {
	char **paths;
	size_t n;
};

int tree_list(const char *path, struct tree_list *ret_list, struct error *err);
void tree_list_done(struct tree_list *list);

/* Removes what has come since: every path that the list lacks. */
int tree_prune(const char *path, const struct tree_list *list, struct error *err);

/* Copies it with modes and times, as cp -a. `to` must not exist. */
int tree_copy(const char *from, const char *to, struct error *err);

#endif
