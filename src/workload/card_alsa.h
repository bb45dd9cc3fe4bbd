// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A sound card of this machine, through ALSA. Where its ring runs empty the stream stops, and
 * starts again when the ring is full. Built without libasound, it fails with -EOPNOTSUPP.
 */
#ifndef WORKLOAD_CARD_ALSA_H
#define WORKLOAD_CARD_ALSA_H

#include "workload/card.h"
#include "workload/track.h"

struct alsa_card;

/* As asked for; the card may take other lengths that are near. */
struct alsa_plan {
	const char *device; /* a PCM's name: "default", "hw:0" */
	struct track_format format;
	int64_t buffer_ns, period_ns;
	/* As the null card's. */
	void (*dropout)(void *data, int64_t start_ns, int64_t length_ns);
	void *data;
};

int alsa_card_possible(struct error *err);

/* Is there such a device, and is it free? It is opened and closed. */
int alsa_card_check(const char *device, struct error *err);

int alsa_card_open(const struct alsa_plan *plan, struct alsa_card **ret_card, struct error *err);
void alsa_card_close(struct alsa_card *card);

/* Blocks until the card has room for it. */
int alsa_card_write(struct alsa_card *card, const void *frames, uint64_t n, struct error *err);

/* Up to now. */
const struct heard *alsa_card_heard(struct alsa_card *card);

/* Frames of ring and period, as the card took them. */
void alsa_card_sizes(const struct alsa_card *card, uint64_t *ret_size, uint64_t *ret_period);

#endif
