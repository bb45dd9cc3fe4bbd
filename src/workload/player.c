// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/player.h"

#include "base/cleanup.h"
#include "base/clock.h"

static int64_t monotonic_now(void *data)
{
	(void)data;
	return clock_now();
}

static void monotonic_sleep(void *data, int64_t ns)
{
	(void)data;
	clock_sleep_until(ns);
}

const struct player_clock player_clock_monotonic = { monotonic_now, monotonic_sleep, NULL };

static int64_t now(const struct player *player)
{
	return player->clock->now(player->clock->data);
}

/* Decodes a chunk into the ring. Returns 1, or 0 when the ring is full. */
static int decode(struct player *player, struct error *err)
{
	struct card *card = player->card;
	uint64_t room, n;
	void *at = card_room(card, &room);
	int r;

	if (!room)
		return 0;
	r = track_read(player->track, at, room < TRACK_CHUNK ? room : TRACK_CHUNK, &n, err);
	if (r < 0)
		return r;
	player->passes += r == 0;
	/* However long the decoder took: ticks that came meanwhile did not find these frames. */
	if (player->started)
		card_advance(card, now(player));
	card_add(card, n);
	return 1;
}

static int start(struct player *player, struct error *err)
{
	int r;

	while ((r = decode(player, err)) > 0)
		;
	if (r < 0)
		return r;
	card_start(player->card, now(player));
	player->started = true;
	return 0;
}

int player_tick(struct player *player, struct error *err)
{
	struct card *card = player->card;
	int64_t due;
	int r;

	if (!player->started) {
		r = start(player, err);
		if (r < 0)
			return r;
	}
	due = card_next(card);
	/* One chunk at least: a decoder that takes longer than a period comes forward, too. */
	do {
		r = decode(player, err);
	} while (r > 0 && now(player) < due);
	if (r < 0)
		return r;
	player->clock->sleep_until(player->clock->data, due);
	card_advance(card, now(player));
	return 0;
}
