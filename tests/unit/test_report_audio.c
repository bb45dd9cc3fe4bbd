// SPDX-License-Identifier: GPL-2.0-or-later
/* What the views say of music beside a test. 1000 frames/s: a frame is a millisecond. */
#include "test_report.h"

#include "report/audio.h"

#define OPEN (5 * NS_PER_S)

/* What the player had counted at an edge of the window. */
struct edge {
	int64_t played, buffered, dropouts;
	double until_s; /* from the window's opening; NAN: nothing was played so far */
	double longest_s;
};

struct player {
	const char *role;
	struct edge open, close;
	double dropouts[16][2]; /* of the events: from the window's opening, length */
};

static int64_t at(double seconds)
{
	return OPEN + (int64_t)llround(seconds * NS_PER_S);
}

static void put(struct sink *sink, const struct player *player, const char *name,
	enum metric_kind kind, double time_s, int64_t first, int64_t last)
{
	const struct origin origin = { "audio", player->role, 1 };
	const struct metric metric = { name, "", kind };
	uint32_t id = sink_metric(sink, &metric, &origin);

	sink_sample(sink, OPEN, id, 1, &first);
	sink_sample(sink, at(time_s), id, 1, &last);
}

static int64_t until(const struct edge *edge)
{
	return isnan(edge->until_s) ? VALUE_ABSENT : at(edge->until_s);
}

static void put_player(struct sink *sink, const struct player *player, double time_s)
{
	const struct edge *a = &player->open, *b = &player->close;
	char text[48];

	put(sink, player, "frames_played", METRIC_COUNTER, time_s, a->played, b->played);
	put(sink, player, "frames_buffered", METRIC_GAUGE, time_s, a->buffered, b->buffered);
	put(sink, player, "until_ns", METRIC_GAUGE, time_s, until(a), until(b));
	put(sink, player, "dropouts", METRIC_COUNTER, time_s, a->dropouts, b->dropouts);
	put(sink, player, "dropout_longest_ns", METRIC_GAUGE, time_s,
		(int64_t)(a->longest_s * NS_PER_S), (int64_t)(b->longest_s * NS_PER_S));
	put(sink, player, "sample_rate", METRIC_GAUGE, time_s, 1000, 1000);
	for (size_t i = 0; i < ARRAY_SIZE(player->dropouts) && player->dropouts[i][1] > 0; i++) {
		snprintf(text, sizeof(text), "dropout of %.3f s", player->dropouts[i][1]);
		sink_event(sink, at(player->dropouts[i][0]), EVENT_WORKLOAD, player->role, text);
	}
}

/* A trial with up to two players. */
static void put_trial(struct made_run *run, const char *lead, const char *loads,
	const char *variant, double time_s, const struct player *players, size_t n)
{
	const struct trial_row row = {
		.run = run->run,
		.position = run->position++,
		.block = 1,
		.scenario = "music",
		.lead = lead,
		.loads = loads,
		.variant = variant,
		.assignments = "",
		.started_s = 1000000100,
	};
	const struct outcome outcome = { .open_ns = OPEN, .close_ns = at(time_s) };
	struct sink sink;

	assert_int_equal(sink_init(&sink, MIB, NULL), 0);
	for (size_t i = 0; i < n; i++)
		put_player(&sink, &players[i], time_s);
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	made_store(run, &row, &sink);
	sink_done(&sink);
}

/* The notes below the view's first table are these. */
static void assert_notes(struct made_run *run, const char *view, size_t n, const char *const *notes)
{
	struct model *model = made_model(run, view);
	size_t found = 0;

	for (const struct line *line = model->first->notes.first; line; line = line->next) {
		if (!strstr(line->text, "mp3"))
			continue;
		assert_true(found < n);
		assert_string_equal(line->text, notes[found++]);
	}
	assert_int_equal(found, n);
	model_free(model);
}

#define NOTES(run, view, ...) \
	assert_notes(run, view, ARRAY_SIZE(((const char *const[]) { __VA_ARGS__ })), \
		(const char *const[]) { __VA_ARGS__ })

static const struct player well = {
	.role = "audio",
	.open = { .played = 3050, .buffered = 450, .until_s = 0.02 },
	.close = { .played = 63050, .buffered = 450, .until_s = 60.02 },
};

static void music_without_a_gap_is_100_per_cent(void **state)
{
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	put_trial(run, "memfill", "audio", "default", 60, &well, 1);
	NOTES(run, "contest", "mp3 played 60.0 s of 60.0 s (100.0 %), no dropout");
	NOTES(run, "trials", "0: mp3 played 60.0 s of 60.0 s (100.0 %), no dropout");
	made_run_close(run);
}

/* Randy Hron's figures: 297 of 304 s. */
static const struct player gaps = {
	.role = "audio",
	.open = { .played = 1000, .buffered = 500, .until_s = 0, .longest_s = 9 },
	.close = { .played = 298000,
		.buffered = 500,
		.until_s = 304,
		.dropouts = 3,
		.longest_s = 9 },
	/* The first is over before the window opens. */
	.dropouts = { { -12, 9 }, { 10, 1.9 }, { 100, 3.1 }, { 200.5, 2 } },
};

static void dropouts_are_counted_and_the_longest_is_the_windows_own(void **state)
{
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	put_trial(run, "memfill", "audio", "default", 304, &gaps, 1);
	NOTES(run, "contest", "mp3 played 297.0 s of 304.0 s (97.7 %), 3 dropouts, longest 3.10 s");
	NOTES(run, "trials",
		"0: mp3 played 297.0 s of 304.0 s (97.7 %), 3 dropouts, longest 3.10 s: "
		"at 10.0 s for 1.90 s, 100.0 s for 3.10 s, 200.5 s for 2.00 s");
	made_run_close(run);
}

static void trials_of_a_variant_are_added_up(void **state)
{
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	put_trial(run, "memfill", "audio", "default", 304, &gaps, 1);
	put_trial(run, "memfill", "audio", "other", 60, &well, 1);
	put_trial(run, "memfill", "audio", "default", 60, &well, 1);
	NOTES(run, "contest",
		"default: mp3 played 357.0 s of 364.0 s (98.1 %) in 2 trials, 3 dropouts, "
		"longest 3.10 s",
		"other: mp3 played 60.0 s of 60.0 s (100.0 %), no dropout");
	made_run_close(run);
}

/* It counted up to 4 s; its ring held half a second; the window went on for 5.5 s more. */
static void a_player_that_is_stalled_at_the_end_is_heard_until_its_ring_is_empty(void **state)
{
	const struct player stalled = {
		.role = "audio",
		.open = { .played = 1000, .buffered = 500, .until_s = 0 },
		.close = { .played = 5000, .buffered = 500, .until_s = 4 },
	};
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	put_trial(run, "memfill", "audio", "default", 10, &stalled, 1);
	NOTES(run, "contest", "mp3 played 4.50 s of 10.0 s (45.0 %), 1 dropout, longest 5.50 s");
	made_run_close(run);
}

/* Stalled since 3 s before the window, it goes on 2 s into it. */
static void a_player_that_is_stalled_at_the_begin_owes_the_window_its_part_only(void **state)
{
	const struct player stalled = {
		.role = "audio",
		.open = { .played = 1000, .buffered = 500, .until_s = -3 },
		.close = { .played = 9500,
			.buffered = 500,
			.until_s = 10,
			.dropouts = 1,
			.longest_s = 4.5 },
		.dropouts = { { -2.5, 4.5 } },
	};
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	put_trial(run, "memfill", "audio", "default", 10, &stalled, 1);
	NOTES(run, "contest", "mp3 played 8.00 s of 10.0 s (80.0 %), 1 dropout, longest 2.00 s");
	made_run_close(run);
}

static void a_short_gap_is_never_100_per_cent(void **state)
{
	struct player player = well;
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	player.close.played -= 10;
	player.close.dropouts = 1;
	put_trial(run, "memfill", "audio", "default", 60, &player, 1);
	NOTES(run, "contest", "mp3 played 60.0 s of 60.0 s (99.9 %), 1 dropout, longest 0.01 s");
	made_run_close(run);
}

static void a_lead_plays_from_its_release(void **state)
{
	const struct player lead = {
		.role = "lead",
		.open = { .until_s = NAN },
		.close = { .played = 30000, .buffered = 500, .until_s = 30.02 },
	};
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	put_trial(run, "audio:seconds=30", "io", "default", 30.02, &lead, 1);
	NOTES(run, "contest", "mp3 played 30.0 s of 30.0 s (99.9 %), no dropout");
	made_run_close(run);
}

static void several_players_have_a_note_each(void **state)
{
	struct player players[] = { well, well };
	struct made_run *run = made_run_open("music", "default");

	(void)state;
	players[1].role = "audio-2";
	players[1].close.played -= 6000;
	players[1].close.dropouts = 1;
	put_trial(run, "memfill", "audio + io + audio:period=10ms", "default", 60, players, 2);
	NOTES(run, "contest", "audio: mp3 played 60.0 s of 60.0 s (100.0 %), no dropout",
		"audio-2: mp3 played 54.0 s of 60.0 s (90.0 %), 1 dropout, longest 6.00 s");
	made_run_close(run);
}

static void more_dropouts_than_a_line_holds_are_only_counted(void **state)
{
	struct player player = gaps;
	struct made_run *run = made_run_open("music", "default");
	struct model *model;

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(player.dropouts); i++) {
		player.dropouts[i][0] = (double)i * 10;
		player.dropouts[i][1] = 0.25;
	}
	player.close.dropouts = 16;
	player.close.played -= 3000;
	put_trial(run, "memfill", "audio", "default", 304, &player, 1);
	model = made_model(run, "trials");
	assert_true(lines_contain(&model->first->notes, "16 dropouts, longest 0.25 s: at 0.0 s"));
	assert_true(lines_contain(&model->first->notes, "110.0 s for 0.25 s, ..."));
	model_free(model);
	made_run_close(run);
}

static void scenarios_without_music_have_no_note(void **state)
{
	struct made_run *run = made_run_open("quiet", "default");

	(void)state;
	put_trial(run, "memfill", "io:dir=/audio", "default", 10, NULL, 0);
	/* A player that never came to record anything. */
	put_trial(run, "memfill", "audio", "default", 10, NULL, 0);
	assert_notes(run, "contest", 0, NULL);
	assert_notes(run, "trials", 0, NULL);
	made_run_close(run);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(music_without_a_gap_is_100_per_cent),
		cmocka_unit_test(dropouts_are_counted_and_the_longest_is_the_windows_own),
		cmocka_unit_test(trials_of_a_variant_are_added_up),
		cmocka_unit_test(
			a_player_that_is_stalled_at_the_end_is_heard_until_its_ring_is_empty),
		cmocka_unit_test(
			a_player_that_is_stalled_at_the_begin_owes_the_window_its_part_only),
		cmocka_unit_test(a_short_gap_is_never_100_per_cent),
		cmocka_unit_test(a_lead_plays_from_its_release),
		cmocka_unit_test(several_players_have_a_note_each),
		cmocka_unit_test(more_dropouts_than_a_line_holds_are_only_counted),
		cmocka_unit_test(scenarios_without_music_have_no_note),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
