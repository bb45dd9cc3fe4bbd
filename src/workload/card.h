// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The clocked null card: a sound card that takes one period of frames from a ring buffer at every
 * tick. Ticks come exactly at the sample rate and never stop. What the ring lacks at a tick is
 * lost time: silence. A dropout lasts until the next tick that finds frames in the ring.
 *
 * It reads no clock: it is told the time, and what it did since it was told last follows from
 * that. A player that was stopped so learns on its return what its listener heard meanwhile: the
 * ring's frames, then nothing.
 *
 * Real cards differ in one thing: ALSA stops a stream that ran empty, and the player starts it
 * again when it has filled the ring up to its start threshold. The null card goes on by itself,
 * as sound servers do, so that a dropout's length is the kernel's doing and not a player's choice.
 */
#ifndef WORKLOAD_CARD_H
#define WORKLOAD_CARD_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

/* What its listener heard. A frame is one sample of each channel. */
struct heard {
	uint64_t played; /* frames that the card took */
	uint64_t lost; /* frames that were due while there was none */
	uint64_t buffered; /* frames in the ring */
	int64_t until_ns; /* when the last of played and lost is over: buffered ones come next */
	uint64_t dropouts; /* begun */
	int64_t longest_ns; /* of them, the one under way included */
	bool silent; /* one is under way, since silent_ns */
	int64_t silent_ns;
};

/* Begins and ends a dropout; the end takes none under way. Returns its length. */
void heard_silence(struct heard *heard, int64_t now_ns);
int64_t heard_sound(struct heard *heard, int64_t now_ns);

struct card {
	uint64_t rate; /* frames per second */
	uint64_t period, size; /* frames: of a tick, of the ring */
	size_t frame_size; /* bytes */
	char *ring;
	uint64_t written; /* frames so far */
	uint64_t ticks;
	int64_t start_ns;
	struct heard heard;
	/* What the card takes, in one or two pieces a tick. NULL: nobody looks, as no CPU does. */
	void (*take)(void *data, const void *frames, uint64_t n);
	/* A dropout is over. NULL: nobody asks. */
	void (*dropout)(void *data, int64_t start_ns, int64_t length_ns);
	void *data;
};

/* period and size are in frames, size at least period. All else in the card is zeroed. */
int card_init(struct card *card, uint64_t rate, size_t frame_size, uint64_t period, uint64_t size,
	struct error *err);
void card_done(struct card *card);

/* The first tick is now. */
void card_start(struct card *card, int64_t now_ns);

/* When the next tick is due. */
int64_t card_next(const struct card *card);

/* Makes all ticks that are due at now_ns. Must be called before frames are added at that time. */
void card_advance(struct card *card, int64_t now_ns);

/* Free room in one piece; *ret_room 0: the ring is full. Written to, then added. */
void *card_room(const struct card *card, uint64_t *ret_room);
void card_add(struct card *card, uint64_t frames);

/* How long n frames last, and how many whole frames last so long. */
int64_t frames_ns(uint64_t n, uint64_t rate);
uint64_t ns_frames(int64_t ns, uint64_t rate);

#endif
