// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * An mp3 track: decoded by libmpg123, which reads the file frame by frame through the page cache,
 * and the default one, encoded by libmp3lame. Built without the library, these fail with
 * -EOPNOTSUPP and say so.
 */
#ifndef WORKLOAD_TRACK_H
#define WORKLOAD_TRACK_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

struct track;

struct track_format {
	uint64_t rate; /* frames per second */
	unsigned channels;
	size_t frame_size; /* bytes: signed 16 bits, native order, each channel */
};

/* Can this contend play one? -EOPNOTSUPP: it was built without libmpg123. */
int track_possible(struct error *err);

/*
 * Walks the whole file and leaves nothing of it in the page cache. -EINVAL: it is empty, no mp3,
 * or truncated; -ENOENT, ...: it cannot be read. The text says which.
 */
int track_check(const char *path, struct error *err);

/* path must outlive the track. */
int track_open(const char *path, struct track **ret_track, struct error *err);
void track_close(struct track *track);
void track_cleanup(struct track **track);

const struct track_format *track_format(const struct track *track);

/* Frames that players decode in one go: those of one frame of an mp3. */
#define TRACK_CHUNK 1152

/*
 * Decodes up to `room` frames. Returns 1, or 0 at the track's end, behind which the next call
 * begins it again.
 */
int track_read(
	struct track *track, void *frames, uint64_t room, uint64_t *ret_n, struct error *err);

/* What a made track follows from. */
struct track_plan {
	unsigned seconds;
	uint64_t seed;
};

/* Raised when track_make() makes something else from the same plan: part of its shelf key. */
#define TRACK_REVISION 1

/* Can this contend make one? As track_possible(). */
int track_make_possible(struct error *err);

/*
 * Encodes chords and noise at 128 kbit/s, constant, 44.1 kHz stereo: a decoder has as much to do
 * as with music. Leaves nothing of it in the page cache. data: const struct track_plan *.
 */
int track_make(const char *path, const void *data, struct error *err);

#endif
