// SPDX-License-Identifier: GPL-2.0-or-later
/* A player of tracks on the null card: keeps its ring full, and sleeps until the card has taken. */
#ifndef WORKLOAD_PLAYER_H
#define WORKLOAD_PLAYER_H

#include "workload/card.h"
#include "workload/track.h"

/* The player's time: CLOCK_MONOTONIC, or a test's. */
struct player_clock {
	int64_t (*now)(void *data);
	void (*sleep_until)(void *data, int64_t ns);
	void *data;
};

extern const struct player_clock player_clock_monotonic;

struct player {
	struct track *track;
	struct card *card;
	const struct player_clock *clock;
	bool started;
	uint64_t passes; /* of the track, decoded to their end */
};

/*
 * Up to the card's next tick: decodes until the ring is full or the tick is due, and sleeps the
 * rest. The first call fills the ring and starts the card. Then the card has been told the time.
 */
int player_tick(struct player *player, struct error *err);

#endif
