// SPDX-License-Identifier: GPL-2.0-or-later
/* Writing files again and again: what `io` and `io-other` have in common. */
#ifndef WORKLOAD_WRITER_H
#define WORKLOAD_WRITER_H

#include <limits.h>

#include "workload/data.h"
#include "workload/workload.h"

struct writer_params {
	struct size size;
	uint64_t block;
	int mode;
	uint64_t keep;
	int sync;
	double compress;
	char dir[PATH_MAX]; /* "": the instance's scratch directory */
};

struct writer_state {
	struct writer *writers; /* one for each worker */
	char *pool; /* what is written, from changing offsets */
};

extern const char *const writer_modes[];
extern const char *const writer_syncs[];

/* The rows of all fields but dir. */
#define WRITER_ROWS \
	{ \
		OPTION("size", OPTION_SIZE, struct writer_params, size), \
		.fallback = "100%", \
		.help = "size of each worker's file; in per cent: of the box's RAM", \
	}, \
		{ \
			OPTION("block", OPTION_BYTES, struct writer_params, block), \
			.fallback = "64K", \
			.min = "512", \
			.max = "16M", \
			.help = "bytes that one write(2) is given", \
		}, \
		{ \
			OPTION("write", OPTION_CHOICE, struct writer_params, mode), \
			.fallback = "truncate", \
			.choices = writer_modes, \
			.help = "each pass empties the file first, makes a new file, or " \
				"overwrites in place", \
		}, \
		{ \
			OPTION("keep", OPTION_COUNT, struct writer_params, keep), \
			.fallback = "1", \
			.max = "64", \
			.help = "with write=new: finished files that stay beside the one being " \
				"written", \
		}, \
		{ \
			OPTION("fsync", OPTION_CHOICE, struct writer_params, sync), \
			.fallback = "no", \
			.choices = writer_syncs, \
			.help = "whether each pass ends with fsync(2)", \
		}, \
	{ \
		OPTION("compress", OPTION_REAL, struct writer_params, compress), \
			.fallback = "1", .min = DATA_RATIO_MIN, .max = DATA_RATIO_MAX, \
			.help = "ratio by which each 4 KiB of the data compresses; 1: not at all", \
	}

/* The functions of struct workload. */
int writer_probe(const struct place *place, const void *params, struct error *err);
int writer_setup(struct instance *instance, struct error *err);
int writer_step(struct worker *worker, struct error *err);
void writer_teardown(struct instance *instance);

#endif
