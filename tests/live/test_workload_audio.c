// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * audio by the real clock: what its card was given against mpg123's own output of the same file,
 * and a player that is stopped. Of figures that this machine's load may move only what must add
 * up is asserted.
 */
#include "../unit/test.h"

#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "base/file.h"
#include "workload/card_alsa.h"
#include "workload/player.h"
#include "workload/workload.h"

#define SECONDS 20

static char top[] = "/var/tmp/contend-audio-XXXXXX";
static char track[64];

/* What the player's process shares with the test. */
struct table {
	_Atomic int64_t values[16];
	struct workload_events events;
	struct progress progress;
	_Atomic int result; /* of the last step */
	struct error error;
};

static struct table *table;

static int64_t value(const char *name)
{
	const struct workload *audio = workload_find("audio", WORKLOAD_LOAD);

	for (size_t i = 0; i < audio->n_metrics; i++) {
		if (!strcmp(audio->metrics[i].name, name))
			return atomic_load(&table->values[i]);
	}
	fail_msg("no metric %s", name);
	return 0;
}

static void player_main(enum workload_roles role, const char *options)
{
	const struct workload *audio = workload_find("audio", role);
	const struct place place = { .cpus = 1, .scratch = top, .shelf = top };
	struct instance instance = {
		.workload = audio,
		.place = &place,
		.params = calloc(1, audio->params_size),
		.role = role,
		.state = calloc(1, audio->state_size),
		.workers = 1,
		.values = table->values,
		.events = &table->events,
	};
	struct worker worker = { .instance = &instance, .progress = &table->progress };
	void *params = (void *)(uintptr_t)instance.params;
	int r;

	prctl(PR_SET_PDEATHSIG, SIGKILL);
	option_defaults(audio->options, params);
	r = option_set(audio->options, params, "file", track, &table->error);
	if (r == 0)
		r = option_set_list(audio->options, params, options, &table->error);
	if (r == 0)
		r = audio->setup(&instance, &table->error);
	if (r == 0) {
		do {
			r = audio->step(&worker, &table->error);
		} while (r > 0);
		audio->teardown(&instance);
	}
	atomic_store(&table->result, r);
	_exit(0);
}

static pid_t player_start(enum workload_roles role, const char *options)
{
	pid_t pid;

	memset(table, 0, sizeof(*table));
	table->result = INT_MAX;
	pid = fork();
	if (pid == 0)
		player_main(role, options);
	return pid;
}

static void player_wait(pid_t pid)
{
	int status;

	assert_int_equal(waitpid(pid, &status, 0), pid);
	if (!WIFSIGNALED(status) && table->result < 0)
		fail_msg("%s", table->error.text);
}

static int set_up(void **state)
{
	static const struct track_plan plan = { .seconds = SECONDS, .seed = 3 };

	(void)state;
	table = mmap(
		NULL, sizeof(*table), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (table == MAP_FAILED || !mkdtemp(top))
		return -1;
	snprintf(track, sizeof(track), "%s/track.mp3", top);
	return track_make(track, &plan, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	return tree_remove(top, NULL);
}

static void as_a_lead_it_plays_what_it_should_and_ends(void **state)
{
	int64_t start = clock_now();
	uint64_t played;

	(void)state;
	player_wait(player_start(WORKLOAD_LEAD, "seconds=5"));
	played = (uint64_t)value("frames_played");
	assert_in_range(played, 5 * 44100, 5 * 44100 + 22050);
	assert_true(value("frames_due") >= value("frames_played"));
	/* All that was not played is silence, to the frame. */
	assert_int_equal(value("dropout_ns"),
		frames_ns((uint64_t)(value("frames_due") - value("frames_played")), 44100));
	assert_int_equal(!value("dropouts"), !value("dropout_ns"));
	assert_true(clock_now() - start >= 5 * NS_PER_S);
	assert_int_equal(table->progress.units, played * 1000 / 44100);
	assert_int_equal(value("sample_rate"), 44100);
	assert_int_equal(value("buffer"), 22050);
	assert_int_equal(value("period"), 2205);
}

/* Half a second is in the ring: a stop of 3 s loses 2.5 s. */
static void a_stopped_player_loses_what_its_ring_does_not_hold(void **state)
{
	pid_t pid = player_start(WORKLOAD_LOAD, "");
	int64_t lost, stopped_ns;
	uint64_t dropouts;

	(void)state;
	while (value("frames_played") < 44100 && table->result == INT_MAX)
		clock_sleep_until(clock_now() + NS_PER_MS);
	lost = value("dropout_ns");
	dropouts = (uint64_t)value("dropouts");
	stopped_ns = clock_now();
	kill(pid, SIGSTOP);
	clock_sleep_until(clock_now() + 3 * NS_PER_S);
	kill(pid, SIGCONT);
	stopped_ns = clock_now() - stopped_ns;
	clock_sleep_until(clock_now() + NS_PER_S);
	kill(pid, SIGKILL);
	player_wait(pid);
	lost = value("dropout_ns") - lost;
	assert_in_range(
		lost, stopped_ns - 500 * NS_PER_MS - NS_PER_S / 10, stopped_ns - 400 * NS_PER_MS);
	assert_int_equal(value("dropouts") - (int64_t)dropouts, 1);
	assert_true(value("dropout_longest_ns") >= lost);
	/* The card's clock went on: up to the last tick all is accounted for. */
	assert_int_equal(value("frames_due") % value("period"), 0);
	assert_true(table->events.n >= 1);
	assert_non_null(strstr(table->events.events[table->events.n - 1].text, "dropout of "));
}

/* An own clock lets the minutes of a track pass at once. */
struct fast {
	int64_t now_ns;
	FILE *out;
};

static int64_t fast_now(void *data)
{
	return ((struct fast *)data)->now_ns;
}

static void fast_sleep(void *data, int64_t ns)
{
	((struct fast *)data)->now_ns = ns;
}

static void take(void *data, const void *frames, uint64_t n)
{
	assert_int_equal(fwrite(frames, 4, n, ((struct fast *)data)->out), n);
}

static void play_into(const char *path)
{
	struct fast fast = { NS_PER_S, fopen(path, "we") };
	const struct player_clock clock = { fast_now, fast_sleep, &fast };
	struct card card;
	struct player player = { .card = &card, .clock = &clock };

	assert_non_null(fast.out);
	assert_int_equal(track_open(track, &player.track, NULL), 0);
	assert_int_equal(card_init(&card, 44100, 4, 2205, 22050, NULL), 0);
	card.take = take;
	card.data = &fast;
	while (card.ticks < SECONDS * 20)
		assert_int_equal(player_tick(&player, NULL), 0);
	card_done(&card);
	track_close(player.track);
	fclose(fast.out);
}

static void the_card_is_given_what_mpg123_would_give_it(void **state)
{
	char ours[96], theirs[96], output[4096];
	const char *const argv[] = { "mpg123", "-q", "-r", "44100", "--stereo", "-e", "s16", "-O",
		theirs, track, NULL };
	char *a CLEANUP(free_text) = NULL, *b CLEANUP(free_text) = NULL;
	size_t size_a, size_b;

	(void)state;
	snprintf(ours, sizeof(ours), "%s/ours", top);
	snprintf(theirs, sizeof(theirs), "%s/theirs", top);
	play_into(ours);
	if (program_run(argv, output, sizeof(output)) != 0)
		fail_msg("mpg123: %s", output);
	assert_int_equal(file_read(ours, &a, &size_a, NULL), 0);
	assert_int_equal(file_read(theirs, &b, &size_b, NULL), 0);
	assert_int_equal(size_a, SECONDS * 44100 * 4);
	assert_int_equal(size_b, size_a);
	assert_memory_equal(a, b, size_a);
}

/* alsa-lib's own device "null" takes everything at once. */
static void an_alsa_device_is_played_on(void **state)
{
	(void)state;
	player_wait(player_start(WORKLOAD_LEAD, "device=null,seconds=2"));
	assert_true(value("frames_played") >= 2 * 44100);
	assert_true(value("buffer") >= 2 * value("period"));
}

static void an_alsa_device_that_is_not_there_is_refused_in_one_line(void **state)
{
	const struct workload *audio = workload_find("audio", WORKLOAD_LOAD);
	const struct place place = { .cpus = 1 };
	void *params = calloc(1, audio->params_size);
	struct error err;

	(void)state;
	option_defaults(audio->options, params);
	assert_int_equal(option_set(audio->options, params, "device", "hw:nowhere", NULL), 0);
	assert_true(audio->probe(&place, params, &err) < 0);
	assert_non_null(strstr(err.text, "hw:nowhere"));
	assert_null(strchr(err.text, '\n'));
	free(params);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(as_a_lead_it_plays_what_it_should_and_ends),
		cmocka_unit_test(a_stopped_player_loses_what_its_ring_does_not_hold),
		cmocka_unit_test(the_card_is_given_what_mpg123_would_give_it),
		cmocka_unit_test(an_alsa_device_is_played_on),
		cmocka_unit_test(an_alsa_device_that_is_not_there_is_refused_in_one_line),
	};

	if (track_possible(NULL) < 0 || track_make_possible(NULL) < 0 ||
		alsa_card_possible(NULL) < 0 || !program_exists("mpg123"))
		return 77;
	return cmocka_run_group_tests(tests, set_up, tear_down);
}
