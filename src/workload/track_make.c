// SPDX-License-Identifier: GPL-2.0-or-later
/* track_make(): the default track. */
#include <fcntl.h>
#include <lame/lame.h>
#include <math.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/random.h"
#include "workload/track.h"

#define RATE 44100
#define KBIT 128
#define CHANNELS 2

/* Of 0 (best, slow) to 9. What is decoded costs the same. */
#define QUALITY 7

/* Frames that are encoded in one go, and the room that lame.h asks for their mp3. */
#define CHUNK (RATE / 10)
#define ROOM (CHUNK * 5 / 4 + 7200)

/* A chord of notes that fade, each on its own side, every half second; noise under it. */
#define NOTES 4
#define CHUNKS_PER_CHORD 5
#define NOTE_LEVEL 6000.0
#define NOISE_LEVEL 1500

/* A note as a turning pointer: its sine is one multiplication per frame. */
struct note {
	double re, im, turn_re, turn_im;
};

struct synth {
	struct random random;
	struct note notes[NOTES];
};

static void close_lame(lame_global_flags **lame)
{
	if (*lame)
		lame_close(*lame);
}

/* Four octaves of half-tones above 110 Hz. */
static void next_chord(struct synth *synth)
{
	for (size_t i = 0; i < NOTES; i++) {
		double half_tones = (double)random_below(&synth->random, 48);
		double angle = 2 * M_PI * 110 * pow(2, half_tones / 12) / RATE;

		/* Faded to a third when the next chord begins. */
		double fade = exp(-2.0 / RATE);

		synth->notes[i] = (struct note) { 1, 0, fade * cos(angle), fade * sin(angle) };
	}
}

static double note_next(struct note *note)
{
	double re = note->re * note->turn_re - note->im * note->turn_im;

	note->im = note->re * note->turn_im + note->im * note->turn_re;
	note->re = re;
	return note->im;
}

static void synthesize(struct synth *synth, int16_t *frames)
{
	for (size_t i = 0; i < CHUNK; i++) {
		double side[CHANNELS] = { 0 };

		for (size_t n = 0; n < NOTES; n++) {
			double level = NOTE_LEVEL * note_next(&synth->notes[n]);

			side[n % CHANNELS] += level;
			side[(n + 1) % CHANNELS] += level / 4;
		}
		for (size_t c = 0; c < CHANNELS; c++) {
			int noise = (int)random_below(&synth->random, 2 * NOISE_LEVEL + 1);

			frames[i * CHANNELS + c] = (int16_t)(side[c] + noise - NOISE_LEVEL);
		}
	}
}

static lame_global_flags *lame_new(void)
{
	lame_global_flags *lame = lame_init();

	if (!lame)
		return NULL;
	lame_set_in_samplerate(lame, RATE);
	lame_set_out_samplerate(lame, RATE);
	lame_set_num_channels(lame, CHANNELS);
	lame_set_mode(lame, JOINT_STEREO);
	lame_set_VBR(lame, vbr_off);
	lame_set_brate(lame, KBIT);
	lame_set_quality(lame, QUALITY);
	lame_set_bWriteVbrTag(lame, 1);
	if (lame_init_params(lame) == 0)
		return lame;
	lame_close(lame);
	return NULL;
}

static int put(FILE *file, const unsigned char *data, int size)
{
	if (size < 0)
		return -EIO;
	return fwrite(data, 1, (size_t)size, file) == (size_t)size ? 0 : -errno;
}

/* The info frame is written last, over the room at the file's begin. */
static int put_info(FILE *file, lame_global_flags *lame, unsigned char *data)
{
	size_t size = lame_get_lametag_frame(lame, data, ROOM);

	if (size == 0 || size > ROOM)
		return -EIO;
	return fseek(file, 0, SEEK_SET) < 0 ? -errno : put(file, data, (int)size);
}

static int encode(FILE *file, lame_global_flags *lame, const struct track_plan *plan)
{
	static int16_t frames[CHUNK * CHANNELS];
	static unsigned char data[ROOM];
	struct synth synth = { .random = { plan->seed } };
	int r = 0;

	for (unsigned i = 0; r == 0 && i < plan->seconds * (RATE / CHUNK); i++) {
		if (i % CHUNKS_PER_CHORD == 0)
			next_chord(&synth);
		synthesize(&synth, frames);
		r = put(file, data,
			lame_encode_buffer_interleaved(lame, frames, CHUNK, data, sizeof(data)));
	}
	if (r == 0)
		r = put(file, data, lame_encode_flush(lame, data, sizeof(data)));
	return r < 0 ? r : put_info(file, lame, data);
}

int track_make_possible(struct error *err)
{
	(void)err;
	return 0;
}

int track_make(const char *path, const void *data, struct error *err)
{
	lame_global_flags *lame CLEANUP(close_lame) = lame_new();
	FILE *file CLEANUP(close_file) = fopen(path, "wxe");
	int r;

	if (!lame)
		return error_set(err, -ENOMEM, "cannot set up libmp3lame");
	if (!file)
		return error_errno(err, -errno, "cannot create %s", path);
	r = encode(file, lame, data);
	if (r == 0 && (fflush(file) != 0 || fdatasync(fileno(file)) < 0))
		r = -errno;
	if (r < 0)
		return error_errno(err, r, "cannot write %s", path);
	posix_fadvise(fileno(file), 0, 0, POSIX_FADV_DONTNEED);
	return 0;
}
