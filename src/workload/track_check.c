// SPDX-License-Identifier: GPL-2.0-or-later
/* track_check(): is a file a whole mp3? */
#include <endian.h>
#include <fcntl.h>
#include <inttypes.h>
#include <mpg123.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/unit.h"
#include "workload/track.h"

#define HEADER 4 /* bytes of a frame's header */

/* A file as its frames say. */
struct walk {
	const char *path;
	int fd;
	uint64_t size; /* of the file */
	uint64_t frames; /* without the info frame */
	uint64_t bytes; /* of all frames */
	bool other; /* a frame is of another layer: an mp2, or no sound at all */
	uint64_t first, end; /* offsets of the first frame, and behind the last one */
	unsigned long header; /* of the last frame */
	/* What the info frame (Xing, LAME) says of the whole; 0: it does not. */
	uint64_t frames_told, bytes_told;
};

static void delete_handle(mpg123_handle **handle)
{
	mpg123_delete(*handle);
}

static uint32_t number_at(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, sizeof(value));
	return be32toh(value);
}

/*
 * The first frame of most files is silent, and holds a table in place of music: behind the side
 * information "Xing" or "Info", flags, and where flags 1 and 2 are set frames and bytes.
 */
static bool take_info(struct walk *walk, const struct mpg123_frameinfo2 *info,
	const unsigned char *body, size_t size)
{
	bool mono = info->mode == MPG123_M_MONO;
	size_t at = info->version == MPG123_1_0 ? (mono ? 17 : 32) : (mono ? 9 : 17);
	uint32_t flags;

	at += info->flags & MPG123_CRC ? 2 : 0;
	if (size < at + 16 || (memcmp(body + at, "Xing", 4) && memcmp(body + at, "Info", 4)))
		return false;
	flags = number_at(body + at + 4);
	at += 8;
	if (flags & 1) {
		walk->frames_told = number_at(body + at);
		at += 4;
	}
	if (flags & 2)
		walk->bytes_told = number_at(body + at);
	return true;
}

static int take_frame(struct walk *walk, mpg123_handle *handle, struct error *err)
{
	uint64_t at = (uint64_t)mpg123_framepos(handle);
	struct mpg123_frameinfo2 info;
	unsigned char *body;
	size_t size;

	if (mpg123_framedata(handle, &walk->header, &body, &size) != MPG123_OK ||
		mpg123_info2(handle, &info) != MPG123_OK)
		return error_set(err, -EINVAL, "file: %s: %s", walk->path, mpg123_strerror(handle));
	walk->other |= info.layer != 3;
	if (!walk->end)
		walk->first = at;
	if (walk->end || !take_info(walk, &info, body, size))
		walk->frames++;
	walk->bytes += HEADER + size;
	walk->end = at + HEADER + size;
	return 0;
}

/*
 * Is what follows the last frame the begin of another one, cut before its end? Sync, version and
 * layer are in the header's first byte and a half, the protection bit behind them aside.
 */
static bool begins_frame(const struct walk *walk)
{
	unsigned char rest[2];
	ssize_t n = pread(walk->fd, rest, sizeof(rest), (off_t)walk->end);

	return n > 0 && rest[0] == (walk->header >> 24 & 0xff) &&
	       (n == 1 || (rest[1] & 0xfe) == (walk->header >> 16 & 0xfe));
}

/* Some programs look like a few frames, with much between them that does not. */
static bool is_mp3(const struct walk *walk)
{
	return walk->frames && !walk->other && walk->bytes > (walk->size - walk->first) / 2;
}

static int judge(const struct walk *walk, struct error *err)
{
	uint64_t bytes = walk->size - walk->first;

	if (walk->end > walk->size || begins_frame(walk))
		return error_set(err, -EINVAL,
			"file: %s is truncated: its last frame goes beyond its %" PRIu64 " bytes",
			walk->path, walk->size);
	if (walk->bytes_told > bytes)
		return error_set(err, -EINVAL,
			"file: %s is truncated: %" PRIu64 " of the %" PRIu64
			" bytes that it should have",
			walk->path, bytes, walk->bytes_told);
	/* Some encoders count the info frame, too. */
	if (walk->frames_told > walk->frames + 1)
		return error_set(err, -EINVAL,
			"file: %s is truncated: %" PRIu64 " of the %" PRIu64
			" frames that it should have",
			walk->path, walk->frames, walk->frames_told);
	return 0;
}

static int walk_frames(struct walk *walk, struct error *err)
{
	mpg123_handle *handle CLEANUP(delete_handle) = mpg123_new(NULL, NULL);
	int r;

	if (!handle)
		return error_errno(err, -ENOMEM, "file: %s", walk->path);
	mpg123_param(handle, MPG123_ADD_FLAGS, MPG123_QUIET | MPG123_IGNORE_INFOFRAME, 0);
	r = mpg123_open_fd(handle, walk->fd);
	while (r == MPG123_OK || r == MPG123_NEW_FORMAT) {
		r = mpg123_framebyframe_next(handle);
		if (r == MPG123_OK || r == MPG123_NEW_FORMAT) {
			int code = take_frame(walk, handle, err);

			if (code < 0)
				return code;
		}
	}
	if (!is_mp3(walk))
		return error_set(err, -EINVAL, "file: %s is not an mp3", walk->path);
	if (r != MPG123_DONE)
		return error_set(err, -EINVAL, "file: %s is damaged behind byte %" PRIu64 ": %s",
			walk->path, walk->end, mpg123_strerror(handle));
	return judge(walk, err);
}

int track_check(const char *path, struct error *err)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
	struct walk walk = { .path = path, .fd = fd };
	struct stat st;
	int r;

	if (fd < 0 || fstat(fd, &st) < 0)
		return error_errno(err, -errno, "file: %s", path);
	if (!S_ISREG(st.st_mode))
		return error_set(err, -EINVAL, "file: %s is not a file", path);
	if (!st.st_size)
		return error_set(err, -EINVAL, "file: %s is empty", path);
	mpg123_init();
	walk.size = (uint64_t)st.st_size;
	r = walk_frames(&walk, err);
	/* Its pages would be this process's, outside of the box, and never make I/O in it. */
	posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
	return r;
}
