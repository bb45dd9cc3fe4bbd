// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/track.h"

#include <mpg123.h>

#include "base/cleanup.h"
#include "base/unit.h"

struct track {
	mpg123_handle *handle;
	const char *path;
	struct track_format format;
	uint64_t frames; /* since its begin */
};

int track_possible(struct error *err)
{
	(void)err;
	return 0;
}

static int failure(const struct track *track, struct error *err)
{
	if (mpg123_errcode(track->handle) == MPG123_OUT_OF_MEM)
		return error_errno(err, -ENOMEM, "%s", track->path);
	return error_set(err, -EIO, "%s: %s", track->path, mpg123_strerror(track->handle));
}

/* Native rate and channels, as 16 bits. */
static int open_native(struct track *track, struct error *err)
{
	mpg123_handle *handle = track->handle;
	const long *rates;
	size_t n;
	long rate;
	int channels, encoding;

	mpg123_param(handle, MPG123_ADD_FLAGS, MPG123_QUIET, 0);
	mpg123_format_none(handle);
	mpg123_rates(&rates, &n);
	for (size_t i = 0; i < n; i++)
		mpg123_format(handle, rates[i], MPG123_MONO | MPG123_STEREO, MPG123_ENC_SIGNED_16);
	if (mpg123_open(handle, track->path) != MPG123_OK ||
		mpg123_getformat(handle, &rate, &channels, &encoding) != MPG123_OK)
		return failure(track, err);
	/* A track that changes its rate on the way is converted, as the card cannot follow. */
	mpg123_format_none(handle);
	mpg123_format(handle, rate, channels, encoding);
	track->format = (struct track_format) {
		.rate = (uint64_t)rate,
		.channels = (unsigned)channels,
		.frame_size = (size_t)channels * sizeof(int16_t),
	};
	return 0;
}

int track_open(const char *path, struct track **ret_track, struct error *err)
{
	struct track *track CLEANUP(track_cleanup) = calloc(1, sizeof(*track));
	int r;

	if (!track)
		return error_errno(err, -ENOMEM, "%s", path);
	mpg123_init();
	track->path = path;
	track->handle = mpg123_new(NULL, NULL);
	if (!track->handle)
		return error_errno(err, -ENOMEM, "%s", path);
	r = open_native(track, err);
	if (r < 0)
		return r;
	*ret_track = track;
	track = NULL;
	return 0;
}

void track_close(struct track *track)
{
	if (!track)
		return;
	mpg123_delete(track->handle);
	free(track);
}

void track_cleanup(struct track **track)
{
	track_close(*track);
}

const struct track_format *track_format(const struct track *track)
{
	return &track->format;
}

int track_read(struct track *track, void *frames, uint64_t room, uint64_t *ret_n, struct error *err)
{
	size_t bytes = 0;
	int r;

	do {
		r = mpg123_read(track->handle, frames, room * track->format.frame_size, &bytes);
	} while (r == MPG123_NEW_FORMAT && !bytes);
	*ret_n = bytes / track->format.frame_size;
	track->frames += *ret_n;
	if (r == MPG123_OK || r == MPG123_NEW_FORMAT || *ret_n)
		return 1;
	if (r != MPG123_DONE)
		return failure(track, err);
	if (!track->frames)
		return error_set(err, -EINVAL, "%s holds no music", track->path);
	track->frames = 0;
	mpg123_close(track->handle);
	return mpg123_open(track->handle, track->path) == MPG123_OK ? 0 : failure(track, err);
}
