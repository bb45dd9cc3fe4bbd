// SPDX-License-Identifier: GPL-2.0-or-later
#include "runner/worth.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/nearest.h"

struct worth {
	struct store *store;
	const struct primary *primary;
	double *values;
	size_t n;
	int64_t ok; /* a trial that is; 0: none */
	bool known; /* a trial has the metric */
	struct error *err;
};

static int read_trial(void *data, const struct trial_row *row)
{
	struct worth *worth = data;
	double value;
	int r;

	if (row->position >= worth->n)
		return 0;
	r = store_primary(worth->store, row, worth->primary, &value, worth->err);
	if (r < 0)
		return r;
	if (row->outcome.code == OUTCOME_OK)
		worth->ok = row->id;
	worth->known |= !isnan(value);
	/* Later tries come later, and count. */
	worth->values[row->position] = value;
	return 0;
}

struct offers {
	struct nearest nearest;
	char name[512]; /* the nearest so far: texts of a row do not last */
};

static int offer(void *data, const struct metric *metric, const struct origin *origin)
{
	struct offers *offers = data;
	char name[sizeof(offers->name)];

	if (metric->kind == METRIC_GAUGE)
		return 0;
	snprintf(name, sizeof(name), "%s/%s/%s", origin->source, origin->role, metric->name);
	nearest_offer(&offers->nearest, name);
	if (offers->nearest.name != name)
		return 0;
	memcpy(offers->name, name, sizeof(name));
	offers->nearest.name = offers->name;
	return 0;
}

static int unknown(const struct worth *worth, struct error *err)
{
	char word[sizeof(worth->primary->text)] = "";
	struct offers offers = { .nearest = nearest_to(word) };
	int r;

	snprintf(word, sizeof(word), "%s", worth->primary->text);
	if (worth->primary->more_is_better)
		word[strlen(word) - 1] = '\0';
	r = store_metrics(worth->store, worth->ok, offer, &offers, err);
	if (r < 0)
		return r;
	return error_set(err, -ENOENT, "no trial has a counter or a figure \"%s\"%s", word,
		nearest_hint(&offers.nearest));
}

int worth_read(struct store *store, int64_t run, const struct primary *primary, double *ret_values,
	size_t n, struct error *err)
{
	struct worth worth = {
		.store = store,
		.primary = primary,
		.values = ret_values,
		.n = n,
		.err = err,
	};
	int r;

	for (size_t i = 0; i < n; i++)
		ret_values[i] = NAN;
	r = store_trials(store, run, read_trial, &worth, err);
	if (r < 0)
		return r;
	return worth.ok && !worth.known && !primary_is_time(primary) ? unknown(&worth, err) : 0;
}
