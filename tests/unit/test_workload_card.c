// SPDX-License-Identifier: GPL-2.0-or-later
/* The null card under a clock that the test sets. 1000 frames/s: a frame is a millisecond. */
#include "test.h"

#include "base/unit.h"
#include "workload/card.h"

#define MS NS_PER_MS
#define BEGIN (5 * NS_PER_S)

struct taken {
	uint64_t frames;
	uint16_t next; /* the frame that should come */
	bool in_order;
	unsigned dropouts;
	int64_t start_ns, length_ns; /* of the last one */
};

static void take(void *data, const void *frames, uint64_t n)
{
	struct taken *taken = data;
	const uint16_t *frame = frames;

	for (uint64_t i = 0; i < n; i++)
		taken->in_order &= frame[i] == taken->next++;
	taken->frames += n;
}

static void dropout(void *data, int64_t start_ns, int64_t length_ns)
{
	struct taken *taken = data;

	taken->dropouts++;
	taken->start_ns = start_ns;
	taken->length_ns = length_ns;
}

static void card_set_up(struct card *card, struct taken *taken, uint64_t period, uint64_t size)
{
	*taken = (struct taken) { .in_order = true };
	assert_int_equal(card_init(card, 1000, sizeof(uint16_t), period, size, NULL), 0);
	card->take = take;
	card->dropout = dropout;
	card->data = taken;
}

/* Adds numbered frames until there are so many, or the ring is full. */
static uint64_t feed(struct card *card, uint64_t most)
{
	uint64_t added = 0, room;
	uint16_t *at;

	while (added < most && (at = card_room(card, &room)) && room) {
		uint64_t n = room < most - added ? room : most - added;

		for (uint64_t i = 0; i < n; i++)
			at[i] = (uint16_t)(card->written + i);
		card_add(card, n);
		added += n;
	}
	return added;
}

static void assert_adds_up(const struct card *card)
{
	assert_int_equal(card->heard.played + card->heard.lost, card->ticks * card->period);
	assert_int_equal(card->heard.played + card->heard.buffered, card->written);
}

static void a_fed_card_takes_a_period_every_period(void **state)
{
	struct card card;
	struct taken taken;

	(void)state;
	card_set_up(&card, &taken, 50, 500);
	assert_int_equal(feed(&card, UINT64_MAX), 500);
	card_start(&card, BEGIN);
	for (unsigned i = 0; i < 100000; i++) {
		assert_int_equal(card_next(&card), BEGIN + i * 50 * MS);
		card_advance(&card, card_next(&card));
		assert_int_equal(feed(&card, UINT64_MAX), 50);
	}
	assert_int_equal(card.heard.played, 100000 * 50);
	assert_int_equal(card.heard.lost, 0);
	assert_int_equal(card.heard.dropouts, 0);
	assert_int_equal(card.heard.until_ns, BEGIN + 100000 * 50 * MS);
	assert_int_equal(taken.frames, card.heard.played);
	assert_true(taken.in_order);
	assert_adds_up(&card);
	card_done(&card);
}

static void nothing_is_taken_before_it_is_due(void **state)
{
	struct card card;
	struct taken taken;

	(void)state;
	card_set_up(&card, &taken, 50, 500);
	feed(&card, UINT64_MAX);
	card_start(&card, BEGIN);
	card_advance(&card, BEGIN - 1);
	assert_int_equal(card.heard.played, 0);
	card_advance(&card, BEGIN);
	card_advance(&card, BEGIN + 50 * MS - 1);
	assert_int_equal(card.heard.played, 50);
	card_advance(&card, BEGIN + 50 * MS);
	assert_int_equal(card.heard.played, 100);
	card_done(&card);
}

/* The ring's half second is played, the rest of the three is not. */
static void a_player_stopped_for_3_s_loses_2_5_s_in_one_dropout(void **state)
{
	struct card card;
	struct taken taken;

	(void)state;
	card_set_up(&card, &taken, 50, 500);
	feed(&card, UINT64_MAX);
	card_start(&card, BEGIN);
	card_advance(&card, BEGIN);
	feed(&card, UINT64_MAX);
	card_advance(&card, BEGIN + 3000 * MS);
	assert_int_equal(card.heard.played, 550);
	assert_int_equal(card.heard.lost, 2500);
	assert_int_equal(card.heard.dropouts, 1);
	assert_true(card.heard.silent);
	assert_int_equal(card.heard.longest_ns, 2500 * MS);
	/* It goes on at the first tick that finds frames, and only then is the dropout over. */
	feed(&card, UINT64_MAX);
	assert_int_equal(taken.dropouts, 0);
	card_advance(&card, BEGIN + 3050 * MS);
	assert_false(card.heard.silent);
	assert_int_equal(taken.dropouts, 1);
	assert_int_equal(taken.start_ns, BEGIN + 550 * MS);
	assert_int_equal(taken.length_ns, 2500 * MS);
	assert_true(taken.in_order);
	assert_adds_up(&card);
	card_done(&card);
}

static void what_is_left_of_a_period_is_played(void **state)
{
	struct card card;
	struct taken taken;

	(void)state;
	card_set_up(&card, &taken, 50, 100);
	feed(&card, 70);
	card_start(&card, BEGIN);
	card_advance(&card, BEGIN + 50 * MS);
	assert_int_equal(card.heard.played, 70);
	assert_int_equal(card.heard.lost, 30);
	assert_int_equal(card.heard.silent_ns, BEGIN + 70 * MS);
	assert_int_equal(card.heard.longest_ns, 30 * MS);
	assert_adds_up(&card);
	card_done(&card);
}

static void a_player_that_trickles_has_a_dropout_each_time(void **state)
{
	struct card card;
	struct taken taken;

	(void)state;
	card_set_up(&card, &taken, 50, 100);
	card_start(&card, BEGIN);
	for (unsigned i = 0; i < 10; i++) {
		feed(&card, 20);
		card_advance(&card, BEGIN + i * 50 * MS);
	}
	assert_int_equal(card.heard.played, 200);
	assert_int_equal(card.heard.lost, 300);
	assert_int_equal(card.heard.dropouts, 10);
	assert_int_equal(taken.dropouts, 9);
	assert_int_equal(taken.length_ns, 30 * MS);
	assert_true(taken.in_order);
	assert_adds_up(&card);
	card_done(&card);
}

/* 44100/s and 1/3 s do not divide: the error must not grow. */
static void ticks_do_not_drift_over_days(void **state)
{
	struct card card = { .rate = 44100, .period = 1001, .start_ns = BEGIN };
	uint64_t seconds = 10 * 86400;

	(void)state;
	/* After so many ticks exactly 1001 · 44100 frames have passed: 1001 s each time. */
	card.ticks = 44100 * seconds;
	assert_int_equal(card_next(&card), BEGIN + (int64_t)(1001 * seconds) * NS_PER_S);
}

static void frames_and_time_turn_into_each_other(void **state)
{
	(void)state;
	assert_int_equal(frames_ns(44100, 44100), NS_PER_S);
	assert_int_equal(frames_ns(0, 44100), 0);
	assert_int_equal(ns_frames(500 * MS, 44100), 22050);
	assert_int_equal(ns_frames(50 * MS, 48000), 2400);
	/* A year of music. */
	assert_int_equal(ns_frames(365 * 86400 * NS_PER_S, 192000), 365ULL * 86400 * 192000);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fed_card_takes_a_period_every_period),
		cmocka_unit_test(nothing_is_taken_before_it_is_due),
		cmocka_unit_test(a_player_stopped_for_3_s_loses_2_5_s_in_one_dropout),
		cmocka_unit_test(what_is_left_of_a_period_is_played),
		cmocka_unit_test(a_player_that_trickles_has_a_dropout_each_time),
		cmocka_unit_test(ticks_do_not_drift_over_days),
		cmocka_unit_test(frames_and_time_turn_into_each_other),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
