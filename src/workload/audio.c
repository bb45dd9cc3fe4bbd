// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plays an mp3 from disk, as a desktop does while something else goes on: Randy Hron's listening
 * test of 2001. The file is read through the page cache, a frame at a time, decoded, and put into
 * a sound card's ring, from which the card takes it at its own pace; where the ring is empty the
 * listener hears nothing. A unit is a millisecond of music that was heard.
 *
 * Nothing is locked in memory: a player is not. Nothing of the track is in the page cache when it
 * begins, whether the trial is cold or warm.
 */
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/card_alsa.h"
#include "workload/player.h"
#include "workload/registry.h"
#include "workload/shelf.h"

struct audio_params {
	char file[PATH_MAX]; /* "": the default track */
	char device[128]; /* "": the null card */
	int64_t buffer_ns, period_ns;
	int64_t seconds_ns;
};

struct audio_state {
	char path[PATH_MAX];
	struct track *track;
	struct card card;
	struct player player;
	/* With a device in place of card and player. */
	struct alsa_card *alsa;
	char *chunk;
};

static const struct option_row options[] = {
	{
		OPTION("file", OPTION_TEXT, struct audio_params, file),
		.fallback = "",
		.argument = "FILE",
		.help = "the mp3, played again and again; empty: one of 4 minutes at 128 kbit/s is "
			"made",
	},
	{
		OPTION("device", OPTION_TEXT, struct audio_params, device),
		.fallback = "",
		.argument = "NAME",
		.help = "ALSA device to play on; empty: a null card that keeps time",
	},
	{
		OPTION("buffer", OPTION_DURATION, struct audio_params, buffer_ns),
		.fallback = "500ms",
		.min = "2ms",
		.max = "60s",
		.help = "music that the card's ring holds",
	},
	{
		OPTION("period", OPTION_DURATION, struct audio_params, period_ns),
		.fallback = "50ms",
		.min = "1ms",
		.max = "250ms",
		.help = "music that the card takes in one go",
	},
	{
		OPTION("seconds", OPTION_DURATION, struct audio_params, seconds_ns),
		.fallback = "30",
		.min = "1ms",
		.max = "1000h",
		.help = "as a lead: how much music is to be heard",
	},
};

enum {
	VALUE_PLAYED,
	VALUE_DUE,
	VALUE_BUFFERED,
	VALUE_UNTIL,
	VALUE_DROPOUTS,
	VALUE_SILENCE,
	VALUE_LONGEST,
	VALUE_RATE,
	VALUE_BUFFER,
	VALUE_PERIOD,
};

static const struct metric metrics[] = {
	[VALUE_PLAYED] = { "frames_played", "frames", METRIC_COUNTER },
	[VALUE_DUE] = { "frames_due", "frames", METRIC_COUNTER },
	[VALUE_BUFFERED] = { "frames_buffered", "frames", METRIC_GAUGE },
	[VALUE_UNTIL] = { "until_ns", "ns", METRIC_GAUGE },
	[VALUE_DROPOUTS] = { "dropouts", "events", METRIC_COUNTER },
	[VALUE_SILENCE] = { "dropout_ns", "ns", METRIC_COUNTER },
	[VALUE_LONGEST] = { "dropout_longest_ns", "ns", METRIC_GAUGE },
	[VALUE_RATE] = { "sample_rate", "frames/s", METRIC_GAUGE },
	[VALUE_BUFFER] = { "buffer", "frames", METRIC_GAUGE },
	[VALUE_PERIOD] = { "period", "frames", METRIC_GAUGE },
};

/* The default track: longer than the page cache of a small box likes to keep. */
static const struct track_plan default_track = { .seconds = 240, .seed = 1 };

static int audio_probe(const struct place *place, const void *data, struct error *err)
{
	const struct audio_params *params = data;
	int r;

	(void)place;
	if (params->period_ns > params->buffer_ns / 2)
		return error_set(
			err, -EINVAL, "period: the ring (buffer=) must hold at least two of them");
	r = params->device[0] ? alsa_card_check(params->device, err) : 0;
	if (r < 0)
		return r;
	if (params->file[0])
		return track_check(params->file, err);
	r = track_possible(err);
	return r < 0 ? r : track_make_possible(err);
}

static int find_track(const struct instance *instance, struct error *err)
{
	const struct audio_params *params = instance->params;
	struct audio_state *state = instance->state;
	char key[64];

	if (params->file[0]) {
		snprintf(state->path, sizeof(state->path), "%s", params->file);
		return 0;
	}
	snprintf(key, sizeof(key), "audio-%us-r%d.mp3", default_track.seconds, TRACK_REVISION);
	return shelf_find(instance->place, key, track_make, &default_track, state->path,
		sizeof(state->path), err);
}

/* A dropout is over. */
static void say_dropout(void *data, int64_t start_ns, int64_t length_ns)
{
	instance_event(data, start_ns, "dropout of %.3f s", (double)length_ns / 1e9);
}

static int card_open(struct instance *instance, struct error *err)
{
	const struct audio_params *params = instance->params;
	struct audio_state *state = instance->state;
	const struct track_format *format = track_format(state->track);
	int r;

	r = card_init(&state->card, format->rate, format->frame_size,
		ns_frames(params->period_ns, format->rate),
		ns_frames(params->buffer_ns, format->rate), err);
	if (r < 0)
		return r;
	state->card.dropout = say_dropout;
	state->card.data = instance;
	state->player = (struct player) {
		.track = state->track,
		.card = &state->card,
		.clock = &player_clock_monotonic,
	};
	atomic_store(&instance->values[VALUE_BUFFER], (int64_t)state->card.size);
	atomic_store(&instance->values[VALUE_PERIOD], (int64_t)state->card.period);
	return 0;
}

static int device_open(struct instance *instance, struct error *err)
{
	const struct audio_params *params = instance->params;
	struct audio_state *state = instance->state;
	const struct alsa_plan plan = {
		.device = params->device,
		.format = *track_format(state->track),
		.buffer_ns = params->buffer_ns,
		.period_ns = params->period_ns,
		.dropout = say_dropout,
		.data = instance,
	};
	uint64_t size, period;
	int r;

	state->chunk = malloc(TRACK_CHUNK * plan.format.frame_size);
	if (!state->chunk)
		return error_errno(err, -ENOMEM, "audio");
	r = alsa_card_open(&plan, &state->alsa, err);
	if (r < 0)
		return r;
	alsa_card_sizes(state->alsa, &size, &period);
	atomic_store(&instance->values[VALUE_BUFFER], (int64_t)size);
	atomic_store(&instance->values[VALUE_PERIOD], (int64_t)period);
	return 0;
}

/* What opening the track has read. */
static void forget_pages(const char *path)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);

	if (fd >= 0)
		posix_fadvise(fd, 0, 0, POSIX_FADV_DONTNEED);
}

static int audio_setup(struct instance *instance, struct error *err)
{
	const struct audio_params *params = instance->params;
	struct audio_state *state = instance->state;
	int r;

	if (instance->workers > 1)
		return error_set(err, -EINVAL,
			"audio has one worker; give the load more than once for more players");
	r = find_track(instance, err);
	if (r == 0)
		r = track_open(state->path, &state->track, err);
	if (r < 0)
		return r;
	forget_pages(state->path);
	atomic_store(&instance->values[VALUE_RATE], (int64_t)track_format(state->track)->rate);
	return params->device[0] ? device_open(instance, err) : card_open(instance, err);
}

/* Tells the trial what the listener heard so far. */
static void publish(struct worker *worker, const struct heard *heard)
{
	struct instance *instance = worker->instance;
	struct audio_state *state = instance->state;
	uint64_t rate = track_format(state->track)->rate;
	uint64_t ms = heard->played / rate * 1000 + heard->played % rate * 1000 / rate;
	const int64_t values[] = {
		[VALUE_PLAYED] = (int64_t)heard->played,
		[VALUE_DUE] = (int64_t)(heard->played + heard->lost),
		[VALUE_BUFFERED] = (int64_t)heard->buffered,
		[VALUE_DROPOUTS] = (int64_t)heard->dropouts,
		[VALUE_SILENCE] = frames_ns(heard->lost, rate),
		[VALUE_LONGEST] = heard->longest_ns,
		[VALUE_UNTIL] = heard->until_ns,
	};

	for (size_t i = 0; i < ARRAY_SIZE(values); i++)
		atomic_store_explicit(&instance->values[i], values[i], memory_order_relaxed);
	/* A device's own count of what it played may go back by a little. */
	if (ms > atomic_load(&worker->progress->units))
		progress_add(worker->progress, ms - atomic_load(&worker->progress->units));
}

static int device_step(struct audio_state *state, struct error *err)
{
	uint64_t n;
	int r = track_read(state->track, state->chunk, TRACK_CHUNK, &n, err);

	if (r < 0)
		return r;
	state->player.passes += r == 0;
	return alsa_card_write(state->alsa, state->chunk, n, err);
}

static int audio_step(struct worker *worker, struct error *err)
{
	struct instance *instance = worker->instance;
	const struct audio_params *params = instance->params;
	struct audio_state *state = instance->state;
	uint64_t rate = track_format(state->track)->rate;
	uint64_t passes = state->player.passes;
	const struct heard *heard;
	int r = state->alsa ? device_step(state, err) : player_tick(&state->player, err);
	if (r < 0)
		return r;
	heard = state->alsa ? alsa_card_heard(state->alsa) : &state->card.heard;
	publish(worker, heard);
	if (instance->role == WORKLOAD_LEAD &&
		heard->played >= ns_frames(params->seconds_ns, rate)) {
		/* What the card took last is still to be heard. */
		clock_sleep_until(heard->until_ns);
		return STEP_DONE;
	}
	return state->player.passes > passes ? STEP_PASS : STEP_MORE;
}

static void audio_teardown(struct instance *instance)
{
	struct audio_state *state = instance->state;

	alsa_card_close(state->alsa);
	card_done(&state->card);
	track_close(state->track);
	free(state->chunk);
	*state = (struct audio_state) { 0 };
}

static void audio_cold_files(
	const struct instance *instance, void (*visit)(void *data, const char *path), void *data)
{
	const struct audio_state *state = instance->state;

	visit(data, state->path);
}

const struct workload workload_audio = {
	.name = "audio",
	.summary = "plays an mp3 from disk at the pace of a sound card",
	.unit = "ms of music",
	.table_unit = "s of music",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct audio_params),
	.state_size = sizeof(struct audio_state),
	.metrics = metrics,
	.n_metrics = ARRAY_SIZE(metrics),
	.probe = audio_probe,
	.setup = audio_setup,
	.step = audio_step,
	.teardown = audio_teardown,
	.cold_files = audio_cold_files,
};
