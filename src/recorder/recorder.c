// SPDX-License-Identifier: GPL-2.0-or-later
#include "recorder/recorder.h"

#include <stdbool.h>
#include <stdio.h>

/* What is known of a stream when it has been read as far as it goes. */
struct reception {
	struct outcome outcome;
	bool has_outcome, ended;
};

/* The record is not whole: what the trial said of itself becomes part of the text. */
static void reception_break(struct reception *reception, const struct error *why)
{
	struct outcome broken = {
		.code = OUTCOME_BROKEN,
		.open_ns = reception->outcome.open_ns,
		.close_ns = reception->outcome.close_ns,
	};

	/* A text that is too long is cut: the first words matter. */
	if (reception->has_outcome)
		snprintf(broken.text, sizeof(broken.text), "%.160s (until then: %s%s%.60s)",
			why->text, outcome_name(reception->outcome.code),
			reception->outcome.text[0] ? ", " : "", reception->outcome.text);
	else
		snprintf(broken.text, sizeof(broken.text), "%.255s", why->text);
	reception->outcome = broken;
	reception->has_outcome = true;
}

/*
 * Puts records into the store until the stream ends or is no longer one. -EBADMSG: it is not
 * whole, and the error says why; other errors are the store's.
 */
static int stream_put(struct store *store, int64_t trial, struct wire *wire,
	struct reception *reception, struct error *err)
{
	struct record record;
	int r;

	for (;;) {
		size_t at = wire->used;

		r = wire_next(wire, &record, err);
		if (r < 0)
			return r;
		if (r == 0)
			break;
		if (reception->ended)
			return error_set(
				err, -EBADMSG, "record goes on at byte %zu, behind its end", at);
		r = store_trial_put(store, trial, &record, err);
		if (r == -EBADMSG)
			return error_prefix(err, r, "no valid record at byte %zu", at);
		if (r < 0)
			return r;
		if (record.type == RECORD_OUTCOME) {
			reception->outcome = record.outcome;
			reception->has_outcome = true;
		}
		reception->ended = record.type == RECORD_END;
	}
	if (!reception->ended)
		return error_set(
			err, -EBADMSG, "record cut off at byte %zu: no closing frame", wire->used);
	if (!reception->has_outcome)
		return error_set(err, -EBADMSG, "record of %zu bytes has no outcome", wire->used);
	return 0;
}

int recorder_save(struct store *store, const struct trial_row *row, const unsigned char *data,
	size_t size, struct outcome *ret_outcome, struct error *err)
{
	struct wire wire = { .data = data, .size = size };
	struct reception reception = { .ended = false };
	struct record verdict = { .type = RECORD_OUTCOME };
	struct error why;
	int64_t trial;
	int r = store_trial_begin(store, row, &trial, err);

	if (r < 0)
		return r;
	r = stream_put(store, trial, &wire, &reception, &why);
	if (r == -EBADMSG) {
		reception_break(&reception, &why);
		verdict.outcome = reception.outcome;
		r = store_trial_put(store, trial, &verdict, &why);
	}
	if (r < 0) {
		store_trial_abort(store, trial);
		return error_set(err, r, "%s", why.text);
	}
	r = store_trial_commit(store, trial, err);
	if (r == 0)
		*ret_outcome = reception.outcome;
	return r;
}
