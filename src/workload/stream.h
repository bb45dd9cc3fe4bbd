// SPDX-License-Identifier: GPL-2.0-or-later
/* The parts of `stream`. */
#ifndef WORKLOAD_STREAM_H
#define WORKLOAD_STREAM_H

#include <limits.h>

#include "base/root.h"
#include "workload/app.h"

struct stream_params {
	struct size size;
	bool sparse;
	uint64_t block;
	struct size reread;
	uint64_t readers;
	struct set_params set;
};

/* What one worker reads: a part of the file, in order. */
struct streamer {
	_Alignas(64) char *buf;
	uint64_t block, end;
	uint64_t again; /* bytes that are due to be read again */
	bool through;
};

struct stream_state {
	struct root root;
	int fd;
	uint64_t blocks;
	uint64_t reread; /* bytes of each block, on average */
	struct set_plan plans[SET_KINDS];
	struct app apps[SET_KINDS];
	struct streamer *streamers;
	_Atomic bool begun;
	_Atomic unsigned reading; /* workers that are not through */
	int64_t begun_ns;
	char path[PATH_MAX];
};

/* The metrics: counters of /proc/vmstat at three moments, then figures of each kind, then sums. */
enum stream_when {
	STREAM_BEGIN, /* reading has begun */
	STREAM_END, /* all is read */
	STREAM_RESTORE, /* the set has been touched again */
	STREAM_WHENS
};

#define STREAM_COUNTERS 6
#define STREAM_FIGURES 6 /* of each kind */

enum {
	STREAM_KINDS = STREAM_WHENS * STREAM_COUNTERS,
	STREAM_READ_NS = STREAM_KINDS + SET_KINDS * STREAM_FIGURES,
	STREAM_RESTORE_NS,
	STREAM_RESTORE_MAJORS,
	STREAM_METRICS
};

extern const struct metric stream_metrics[STREAM_METRICS];

/* stream_file.c: the file, sparse or data of a stated compressibility, made on the shelf. */
struct stream_file {
	uint64_t size;
	bool sparse;
	double compress;
};

int stream_file_check(const struct place *place, const struct stream_file *file, struct error *err);
int stream_file_find(const struct place *place, const struct stream_file *file, char *path,
	size_t size, struct error *err);

/* stream_set.c: the set, a process for each kind. */
void stream_plans(struct set_plan plans[SET_KINDS], const struct place *place,
	const struct stream_params *params);
int stream_set_start(struct instance *instance, struct error *err);

/* Touches it twice: a page that is in use was touched more than once. */
int stream_set_use(struct instance *instance, struct error *err);

/* Touches it again, and notes what that cost. */
int stream_set_restore(struct instance *instance, struct error *err);

/* Ends its processes, if they run. */
void stream_set_end(struct instance *instance);

/* Notes the counters of /proc/vmstat. */
void stream_note_counters(struct instance *instance, enum stream_when when);

#endif
