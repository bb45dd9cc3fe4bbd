// SPDX-License-Identifier: GPL-2.0-or-later
/* Tracks: made, checked, and played on the null card under a clock that the test sets. */
#include "test.h"

#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/unit.h"
#include "workload/player.h"
#include "workload/workload.h"

#define SECONDS 3
#define RATE 44100

static char directory[] = "/tmp/contend-audio-XXXXXX";
static char track[64];
static const struct track_plan plan = { .seconds = SECONDS, .seed = 7 };

static int set_up(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(track, sizeof(track), "%s/track.mp3", directory);
	return track_make(track, &plan, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	return tree_remove(directory, NULL);
}

/* A new file of the track's first bytes, something behind them. */
static const char *cut(size_t length, const char *behind, size_t behind_length)
{
	static char path[64];
	char *data CLEANUP(free_text) = NULL;
	size_t size;

	snprintf(path, sizeof(path), "%s/cut.mp3", directory);
	assert_int_equal(file_read(track, &data, &size, NULL), 0);
	if (length > size)
		length = size;
	data = realloc(data, length + behind_length + 1);
	memcpy(data + length, behind, behind_length);
	assert_int_equal(file_write(path, data, length + behind_length, NULL), 0);
	return path;
}

static void assert_refused(const char *path, int code, const char *why)
{
	struct error err = { "" };

	assert_int_equal(track_check(path, &err), code);
	if (!strstr(err.text, why) || !strstr(err.text, path) || strchr(err.text, '\n'))
		fail_msg("%s", err.text);
}

static void a_made_track_is_whole_and_has_its_bit_rate(void **state)
{
	struct stat st;
	struct error err;

	(void)state;
	assert_int_equal(track_check(track, &err), 0);
	assert_int_equal(stat(track, &st), 0);
	/* 128000 bits/s; the info frame and the encoder's own delay are some frames more. */
	assert_in_range(st.st_size, SECONDS * 16000, SECONDS * 16000 + 6 * 418);
}

static void the_same_plan_makes_the_same_track(void **state)
{
	char *a CLEANUP(free_text) = NULL, *b CLEANUP(free_text) = NULL;
	char path[64];
	size_t size_a, size_b;

	(void)state;
	snprintf(path, sizeof(path), "%s/again.mp3", directory);
	assert_int_equal(track_make(path, &plan, NULL), 0);
	assert_int_equal(file_read(track, &a, &size_a, NULL), 0);
	assert_int_equal(file_read(path, &b, &size_b, NULL), 0);
	assert_int_equal(size_a, size_b);
	assert_memory_equal(a, b, size_a);
}

static void what_is_no_mp3_is_refused_in_one_line(void **state)
{
	char text[5000], path[64];

	(void)state;
	assert_refused("/no/such.mp3", -ENOENT, "No such file");
	assert_refused(directory, -EINVAL, "not a file");
	assert_refused(cut(0, "", 0), -EINVAL, "empty");
	memset(text, 'x', sizeof(text));
	assert_refused(cut(0, text, sizeof(text)), -EINVAL, "not an mp3");
	memset(text, 0, sizeof(text));
	assert_refused(cut(0, text, sizeof(text)), -EINVAL, "not an mp3");
	assert_refused(cut(0, "RIFF", 4), -EINVAL, "not an mp3");
	snprintf(path, sizeof(path), "%s/self", directory);
	assert_int_equal(symlink("/proc/self/exe", path), 0);
	assert_refused(path, -EINVAL, "not an mp3");
}

/* Wherever it is cut: in a header, in a body, between two frames. */
static void a_truncated_track_is_refused(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(stat(track, &st), 0);
	for (off_t i = 1; i < 900; i += 7)
		assert_refused(cut((size_t)(st.st_size - i), "", 0), -EINVAL, "truncated");
	assert_refused(cut((size_t)st.st_size / 2, "", 0), -EINVAL, "truncated");
	assert_refused(cut(418, "", 0), -EINVAL, "not an mp3");
	assert_refused(cut(10, "", 0), -EINVAL, "not an mp3");
}

/* Without the info frame nothing but a frame that is cut tells. */
static void a_truncated_track_without_an_info_frame_is_refused(void **state)
{
	char *data CLEANUP(free_text) = NULL;
	char path[64];
	size_t size, info;
	struct error err;

	(void)state;
	assert_int_equal(file_read(track, &data, &size, NULL), 0);
	for (info = 4; memcmp(data + info, data, 2); info++)
		;
	snprintf(path, sizeof(path), "%s/plain.mp3", directory);
	assert_int_equal(file_write(path, data + info, size - info, NULL), 0);
	assert_int_equal(track_check(path, &err), 0);
	for (size_t i = 1; i < 400; i += 9) {
		assert_int_equal(file_write(path, data + info, size - info - i, NULL), 0);
		assert_refused(path, -EINVAL, "truncated");
	}
}

static void tags_behind_the_music_are_no_truncation(void **state)
{
	char tag[128] = "TAGa song";
	struct error err;

	(void)state;
	assert_int_equal(track_check(cut(SIZE_MAX, tag, sizeof(tag)), &err), 0);
	assert_int_equal(track_check(cut(SIZE_MAX, "APETAGEX and more", 17), &err), 0);
}

/* The player's clock: sleeping is what makes time go by. */
struct fake_clock {
	int64_t now_ns;
	int64_t read_ns; /* what each look at the clock takes */
	int64_t stop_at_ns, stop_ns; /* the player is stopped once, in its sleep */
};

static int64_t fake_now(void *data)
{
	struct fake_clock *clock = data;

	clock->now_ns += clock->read_ns;
	return clock->now_ns;
}

static void fake_sleep(void *data, int64_t until_ns)
{
	struct fake_clock *clock = data;

	if (clock->stop_ns && until_ns > clock->stop_at_ns) {
		clock->now_ns = clock->stop_at_ns + clock->stop_ns;
		clock->stop_ns = 0;
	}
	if (until_ns > clock->now_ns)
		clock->now_ns = until_ns;
}

struct fixture {
	struct fake_clock fake;
	struct player_clock clock;
	struct card card;
	struct player player;
	char *data; /* all that the card took */
	size_t size;
	FILE *out;
};

static void take(void *data, const void *frames, uint64_t n)
{
	struct fixture *fixture = data;

	assert_int_equal(fwrite(frames, 4, n, fixture->out), n);
}

static int player_set_up(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	fixture->fake = (struct fake_clock) { .now_ns = NS_PER_S };
	fixture->clock = (struct player_clock) { fake_now, fake_sleep, &fixture->fake };
	fixture->player.clock = &fixture->clock;
	fixture->player.card = &fixture->card;
	fixture->out = open_memstream(&fixture->data, &fixture->size);
	*state = fixture;
	if (track_open(track, &fixture->player.track, NULL) < 0)
		return -1;
	/* 500 ms and 50 ms. */
	if (card_init(&fixture->card, RATE, 4, RATE / 20, RATE / 2, NULL) < 0)
		return -1;
	fixture->card.take = take;
	fixture->card.data = fixture;
	return 0;
}

static int player_tear_down(void **state)
{
	struct fixture *fixture = *state;

	fclose(fixture->out);
	free(fixture->data);
	card_done(&fixture->card);
	track_close(fixture->player.track);
	free(fixture);
	return 0;
}

static void play(struct fixture *fixture, uint64_t ticks)
{
	while (fixture->card.ticks < ticks)
		assert_int_equal(player_tick(&fixture->player, NULL), 0);
	fflush(fixture->out);
}

static void tracks_say_their_format(void **state)
{
	struct fixture *fixture = *state;

	assert_int_equal(track_format(fixture->player.track)->rate, RATE);
	assert_int_equal(track_format(fixture->player.track)->channels, 2);
	assert_int_equal(track_format(fixture->player.track)->frame_size, 4);
}

static void a_player_loses_nothing_and_plays_the_track_again(void **state)
{
	struct fixture *fixture = *state;
	const size_t once = SECONDS * RATE * 4;

	play(fixture, 7 * 20);
	assert_int_equal(fixture->card.heard.lost, 0);
	assert_int_equal(fixture->card.heard.dropouts, 0);
	assert_int_equal(fixture->player.passes, 2);
	assert_int_equal(fixture->size, 7 * RATE * 4);
	/* Sample for sample: an encoder's delay is cut off, so that a pass is as long as it was. */
	assert_memory_equal(fixture->data, fixture->data + once, once);
	assert_memory_equal(fixture->data, fixture->data + 2 * once, RATE * 4);
}

static void a_track_is_not_silent(void **state)
{
	struct fixture *fixture = *state;
	const int16_t *samples;
	int loudest = 0;

	play(fixture, 20);
	samples = (const int16_t *)fixture->data;
	for (size_t i = 0; i < fixture->size / 2; i++)
		loudest = abs(samples[i]) > loudest ? abs(samples[i]) : loudest;
	assert_in_range(loudest, 8000, 32766);
}

static void a_stop_costs_time_and_no_frames(void **state)
{
	struct fixture *fixture = *state;
	const struct heard *heard = &fixture->card.heard;
	char *stopped CLEANUP(free_text) = NULL;
	size_t size;

	fixture->fake.stop_at_ns = 2 * NS_PER_S + 20 * NS_PER_MS;
	fixture->fake.stop_ns = 3 * NS_PER_S;
	play(fixture, 7 * 20);
	assert_int_equal(heard->dropouts, 1);
	assert_int_equal(heard->played + heard->lost, 7 * RATE);
	assert_int_equal(heard->lost, RATE * 5 / 2);
	assert_int_equal(fixture->player.passes, 1);
	/* The music goes on where it stopped. */
	size = fixture->size;
	stopped = memcpy(malloc(size), fixture->data, size);
	player_tear_down(state);
	assert_int_equal(player_set_up(state), 0);
	fixture = *state;
	play(fixture, 5 * 20);
	assert_memory_equal(stopped, fixture->data, size);
}

/* Frames that the decoder brings after a tick were not there at that tick. */
static void a_decoder_that_is_too_slow_is_heard(void **state)
{
	struct fixture *fixture = *state;
	const struct heard *heard = &fixture->card.heard;

	/* Two looks at the clock for a chunk of 26 ms. */
	fixture->fake.read_ns = 20 * NS_PER_MS;
	play(fixture, 400);
	assert_true(heard->dropouts > 10);
	assert_true(heard->lost > 2 * RATE);
	assert_int_equal(heard->played + heard->lost, fixture->card.ticks * (RATE / 20));
	assert_int_equal(fixture->size, heard->played * 4);
}

static void audio_refuses_a_ring_of_less_than_two_periods(void **state)
{
	const struct workload *audio = workload_find("audio", WORKLOAD_LEAD | WORKLOAD_LOAD);
	const struct place place = { .cpus = 1 };
	void *params = calloc(1, audio->params_size);
	struct error err;

	(void)state;
	option_defaults(audio->options, params);
	assert_int_equal(option_set(audio->options, params, "file", track, NULL), 0);
	assert_int_equal(audio->probe(&place, params, &err), 0);
	assert_int_equal(option_set(audio->options, params, "buffer", "99ms", NULL), 0);
	assert_int_equal(audio->probe(&place, params, &err), -EINVAL);
	assert_non_null(strstr(err.text, "period"));
	free(params);
}

#define player_test(function) \
	cmocka_unit_test_setup_teardown(function, player_set_up, player_tear_down)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_made_track_is_whole_and_has_its_bit_rate),
		cmocka_unit_test(the_same_plan_makes_the_same_track),
		cmocka_unit_test(what_is_no_mp3_is_refused_in_one_line),
		cmocka_unit_test(a_truncated_track_is_refused),
		cmocka_unit_test(a_truncated_track_without_an_info_frame_is_refused),
		cmocka_unit_test(tags_behind_the_music_are_no_truncation),
		player_test(tracks_say_their_format),
		player_test(a_player_loses_nothing_and_plays_the_track_again),
		player_test(a_track_is_not_silent),
		player_test(a_stop_costs_time_and_no_frames),
		player_test(a_decoder_that_is_too_slow_is_heard),
		cmocka_unit_test(audio_refuses_a_ring_of_less_than_two_periods),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
