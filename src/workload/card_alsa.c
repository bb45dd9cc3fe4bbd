// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/card_alsa.h"

#include <alsa/asoundlib.h>

#include "base/cleanup.h"
#include "base/clock.h"

struct alsa_card {
	snd_pcm_t *pcm;
	struct track_format format;
	snd_pcm_uframes_t size, period;
	uint64_t written; /* frames so far */
	uint64_t lost; /* in dropouts that are over */
	struct heard heard;
	void (*dropout)(void *data, int64_t start_ns, int64_t length_ns);
	void *data;
};

/* alsa-lib would print to standard error. */
__attribute__((format(printf, 5, 6))) static void be_quiet(
	const char *file, int line, const char *function, int code, const char *format, ...)
{
	(void)file;
	(void)line;
	(void)function;
	(void)code;
	(void)format;
}

static int open_pcm(const char *device, int mode, snd_pcm_t **ret_pcm, struct error *err)
{
	int r;

	snd_lib_error_set_handler(be_quiet);
	r = snd_pcm_open(ret_pcm, device, SND_PCM_STREAM_PLAYBACK, mode);
	if (r < 0)
		return error_set(err, r, "device: ALSA has no \"%s\" to play on: %s", device,
			snd_strerror(r));
	return 0;
}

int alsa_card_possible(struct error *err)
{
	(void)err;
	return 0;
}

int alsa_card_check(const char *device, struct error *err)
{
	snd_pcm_t *pcm;
	int r = open_pcm(device, SND_PCM_NONBLOCK, &pcm, err);

	if (r == 0)
		snd_pcm_close(pcm);
	snd_config_update_free_global();
	return r;
}

static int set_hardware(struct alsa_card *card, const struct alsa_plan *plan)
{
	unsigned buffer_us = (unsigned)(plan->buffer_ns / NS_PER_US);
	unsigned period_us = (unsigned)(plan->period_ns / NS_PER_US);
	snd_pcm_hw_params_t *params;
	int r;

	snd_pcm_hw_params_alloca(&params);
	r = snd_pcm_hw_params_any(card->pcm, params);
	if (r >= 0)
		r = snd_pcm_hw_params_set_access(card->pcm, params, SND_PCM_ACCESS_RW_INTERLEAVED);
	if (r >= 0)
		r = snd_pcm_hw_params_set_format(card->pcm, params, SND_PCM_FORMAT_S16);
	if (r >= 0)
		r = snd_pcm_hw_params_set_channels(card->pcm, params, plan->format.channels);
	if (r >= 0)
		r = snd_pcm_hw_params_set_rate(card->pcm, params, (unsigned)plan->format.rate, 0);
	if (r >= 0)
		r = snd_pcm_hw_params_set_buffer_time_near(card->pcm, params, &buffer_us, NULL);
	if (r >= 0)
		r = snd_pcm_hw_params_set_period_time_near(card->pcm, params, &period_us, NULL);
	if (r >= 0)
		r = snd_pcm_hw_params(card->pcm, params);
	if (r >= 0)
		r = snd_pcm_hw_params_get_buffer_size(params, &card->size);
	if (r >= 0)
		r = snd_pcm_hw_params_get_period_size(params, &card->period, NULL);
	return r;
}

/* Starts when the ring is full; stamps of CLOCK_MONOTONIC. */
static int set_software(struct alsa_card *card)
{
	snd_pcm_sw_params_t *params;
	int r;

	snd_pcm_sw_params_alloca(&params);
	r = snd_pcm_sw_params_current(card->pcm, params);
	if (r >= 0)
		r = snd_pcm_sw_params_set_start_threshold(
			card->pcm, params, card->size / card->period * card->period);
	if (r >= 0)
		r = snd_pcm_sw_params_set_tstamp_mode(card->pcm, params, SND_PCM_TSTAMP_ENABLE);
	if (r >= 0)
		r = snd_pcm_sw_params_set_tstamp_type(
			card->pcm, params, SND_PCM_TSTAMP_TYPE_MONOTONIC);
	return r < 0 ? r : snd_pcm_sw_params(card->pcm, params);
}

static void card_cleanup(struct alsa_card **card)
{
	alsa_card_close(*card);
}

int alsa_card_open(const struct alsa_plan *plan, struct alsa_card **ret_card, struct error *err)
{
	struct alsa_card *card CLEANUP(card_cleanup) = calloc(1, sizeof(*card));
	int r;

	if (!card)
		return error_errno(err, -ENOMEM, "device: %s", plan->device);
	card->format = plan->format;
	card->dropout = plan->dropout;
	card->data = plan->data;
	r = open_pcm(plan->device, 0, &card->pcm, err);
	if (r < 0)
		return r;
	r = set_hardware(card, plan);
	if (r >= 0)
		r = set_software(card);
	if (r < 0)
		return error_set(err, r, "device: %s does not play %u channels at %llu Hz: %s",
			plan->device, plan->format.channels, (unsigned long long)plan->format.rate,
			snd_strerror(r));
	*ret_card = card;
	card = NULL;
	return 0;
}

void alsa_card_close(struct alsa_card *card)
{
	if (!card)
		return;
	if (card->pcm)
		snd_pcm_close(card->pcm);
	free(card);
}

/* The stream ran empty: since when? A driver that does not say is taken at its discovery. */
static int underrun(struct alsa_card *card)
{
	snd_pcm_status_t *status;
	snd_htimestamp_t stamp;
	int64_t now = clock_now(), since;

	snd_pcm_status_alloca(&status);
	if (snd_pcm_status(card->pcm, status) == 0)
		snd_pcm_status_get_trigger_htstamp(status, &stamp);
	else
		stamp = ns_timespec(now);
	since = timespec_ns(stamp);
	heard_silence(&card->heard, since > 0 && since < now ? since : now);
	return snd_pcm_prepare(card->pcm);
}

int alsa_card_write(struct alsa_card *card, const void *frames, uint64_t n, struct error *err)
{
	const char *at = frames;

	while (n) {
		snd_pcm_sframes_t done = snd_pcm_writei(card->pcm, at, n);
		int r = 0;

		if (done == -EPIPE)
			r = underrun(card);
		else if (done < 0)
			r = snd_pcm_recover(card->pcm, (int)done, 1);
		if (r < 0)
			return error_set(err, r, "device: %s", snd_strerror(r));
		if (done <= 0)
			continue;
		card->written += (uint64_t)done;
		at += (size_t)done * card->format.frame_size;
		n -= (uint64_t)done;
	}
	return 0;
}

const struct heard *alsa_card_heard(struct alsa_card *card)
{
	struct heard *heard = &card->heard;
	snd_pcm_state_t state = snd_pcm_state(card->pcm);
	snd_pcm_sframes_t delay = 0;
	int64_t now = clock_now();

	if (state == SND_PCM_STATE_RUNNING && heard->silent) {
		int64_t start = heard->silent_ns, length = heard_sound(heard, now);

		card->lost += ns_frames(length, card->format.rate);
		if (card->dropout)
			card->dropout(card->data, start, length);
	}
	if (state != SND_PCM_STATE_XRUN && snd_pcm_delay(card->pcm, &delay) < 0)
		delay = 0;
	heard->buffered = delay > 0 ? (uint64_t)delay : 0;
	if (heard->buffered > card->written)
		heard->buffered = card->written;
	heard->played = card->written - heard->buffered;
	heard->lost = card->lost;
	if (heard->silent)
		heard->lost += ns_frames(now - heard->silent_ns, card->format.rate);
	heard->until_ns = now;
	return heard;
}

void alsa_card_sizes(const struct alsa_card *card, uint64_t *ret_size, uint64_t *ret_period)
{
	*ret_size = card->size;
	*ret_period = card->period;
}
