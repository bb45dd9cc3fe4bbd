// SPDX-License-Identifier: GPL-2.0-or-later
/* What `tarc` and `tarx` have in common: the tree, and the writing of an archive of it. */
#ifndef WORKLOAD_TAR_H
#define WORKLOAD_TAR_H

#include <archive.h>
#include <archive_entry.h>
#include <fts.h>
#include <limits.h>

#include "workload/data.h"
#include "workload/workload.h"

#define TAR_CHUNK (64 * KIB)

struct tar_params {
	struct size size;
	uint64_t files, directories;
	double compress;
	uint64_t seed;
	uint64_t keep;
	char dir[PATH_MAX]; /* "": a generated tree */
};

#define TAR_ROWS(kept) \
	{ \
		OPTION("size", OPTION_SIZE, struct tar_params, size), \
		.fallback = "50%", \
		.min = "1", \
		.help = "size of the generated tree; in per cent: of the box's RAM", \
	}, \
		{ \
			OPTION("files", OPTION_COUNT, struct tar_params, files), \
			.fallback = "0", \
			.max = "100M", \
			.help = "files in it; 0: one for each 16K of its size", \
		}, \
		{ \
			OPTION("directories", OPTION_COUNT, struct tar_params, directories), \
			.fallback = "0", \
			.help = "directories in it; 0: one for each 64 files", \
		}, \
		{ \
			OPTION("compress", OPTION_REAL, struct tar_params, compress), \
			.fallback = "1", \
			.min = DATA_RATIO_MIN, \
			.max = DATA_RATIO_MAX, \
			.help = "ratio by which each 4 KiB of its data compresses; 1: not at all", \
		}, \
		{ \
			OPTION("seed", OPTION_COUNT, struct tar_params, seed), \
			.fallback = "1", \
			.help = "what the generated tree follows from", \
		}, \
		{ \
			OPTION("keep", OPTION_COUNT, struct tar_params, keep), \
			.fallback = (kept), \
			.max = "1000", \
			.help = "finished passes of which the files stay; then the oldest is " \
				"removed", \
		}, \
	{ \
		OPTION("dir", OPTION_TEXT, struct tar_params, dir), \
			.fallback = "", .argument = "DIR", \
			.help = "take this directory in place of a generated tree", \
	}

/* The function of struct workload. */
int tar_probe(const struct place *place, const void *params, struct error *err);

/*
 * Finds the tree: a generated one on the shelf, whose key is written to key, or `dir`. Makes
 * sure that scratch has room for keep + 1 passes of a generated one.
 */
int tar_find_tree(const struct instance *instance, char tree[static PATH_MAX], char key[static 128],
	struct error *err);

/* Writes an archive of a tree step by step. All zero: none is being written. */
struct tar_writer {
	struct archive *archive; /* NULL: none is being written */
	struct archive_entry *entry;
	FTS *fts;
	size_t top; /* length of the tree's path: names in the archive are relative to it */
	int out_fd, in_fd; /* in_fd -1: between files */
	char *buf;
};

int tar_writer_open(
	struct tar_writer *writer, const char *tree, const char *path, struct error *err);

/*
 * Writes one entry's header with up to TAR_CHUNK of its file, or the next TAR_CHUNK of it.
 * Returns 1, or 0 when the archive is whole and closed. *ret_files: files that were finished.
 */
int tar_writer_step(struct tar_writer *writer, unsigned *ret_files, struct error *err);

void tar_writer_close(struct tar_writer *writer);

/* -errno of an archive's last failure, and its words. */
int tar_failure(struct archive *archive, const char *what, struct error *err);

#endif
