// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/card.h"

#include "base/cleanup.h"
#include "base/unit.h"

int64_t frames_ns(uint64_t n, uint64_t rate)
{
	/* Whole seconds apart: no product overflows, and nothing adds up over hours. */
	return (int64_t)(n / rate) * NS_PER_S + (int64_t)(n % rate * NS_PER_S / rate);
}

uint64_t ns_frames(int64_t ns, uint64_t rate)
{
	return (uint64_t)((unsigned __int128)ns * rate / NS_PER_S);
}

static void heard_longest(struct heard *heard, int64_t now_ns)
{
	if (now_ns - heard->silent_ns > heard->longest_ns)
		heard->longest_ns = now_ns - heard->silent_ns;
}

void heard_silence(struct heard *heard, int64_t now_ns)
{
	if (heard->silent)
		return;
	heard->silent = true;
	heard->silent_ns = now_ns;
	heard->dropouts++;
}

int64_t heard_sound(struct heard *heard, int64_t now_ns)
{
	if (!heard->silent)
		return 0;
	heard->silent = false;
	heard_longest(heard, now_ns);
	return now_ns - heard->silent_ns;
}

int card_init(struct card *card, uint64_t rate, size_t frame_size, uint64_t period, uint64_t size,
	struct error *err)
{
	*card = (struct card) {
		.rate = rate,
		.period = period,
		.size = size,
		.frame_size = frame_size,
		.ring = malloc(size * frame_size),
	};
	return card->ring ? 0 : error_errno(err, -ENOMEM, "ring buffer");
}

void card_done(struct card *card)
{
	free(card->ring);
	card->ring = NULL;
}

void card_start(struct card *card, int64_t now_ns)
{
	card->start_ns = card->heard.until_ns = now_ns;
}

int64_t card_next(const struct card *card)
{
	return card->start_ns + frames_ns(card->ticks * card->period, card->rate);
}

/* From the ring to whoever looks. */
static void hand_over(const struct card *card, uint64_t n)
{
	uint64_t at = card->heard.played % card->size;
	uint64_t first = n < card->size - at ? n : card->size - at;

	if (!card->take)
		return;
	if (first)
		card->take(card->data, card->ring + at * card->frame_size, first);
	if (n > first)
		card->take(card->data, card->ring, n - first);
}

static void tick(struct card *card)
{
	struct heard *heard = &card->heard;
	uint64_t n = heard->buffered < card->period ? heard->buffered : card->period;
	int64_t now = card_next(card);

	if (n && heard->silent) {
		int64_t start = heard->silent_ns, length = heard_sound(heard, now);

		if (card->dropout)
			card->dropout(card->data, start, length);
	}
	hand_over(card, n);
	heard->played += n;
	heard->buffered -= n;
	card->ticks++;
	heard->until_ns = card_next(card);
	if (n == card->period)
		return;
	heard_silence(heard, now + frames_ns(n, card->rate));
	heard_longest(heard, heard->until_ns);
	heard->lost += card->period - n;
}

void card_advance(struct card *card, int64_t now_ns)
{
	while (card_next(card) <= now_ns)
		tick(card);
}

void *card_room(const struct card *card, uint64_t *ret_room)
{
	uint64_t at = card->written % card->size, free_frames = card->size - card->heard.buffered;

	*ret_room = free_frames < card->size - at ? free_frames : card->size - at;
	return card->ring + at * card->frame_size;
}

void card_add(struct card *card, uint64_t frames)
{
	card->written += frames;
	card->heard.buffered += frames;
}
