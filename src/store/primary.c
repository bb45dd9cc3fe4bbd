// SPDX-License-Identifier: GPL-2.0-or-later
#include <math.h>

#include "store/query.h"

/* CPU time by getrusage(2) is recorded of a lead that ended, and of no other. */
static int lead_ended(struct store *store, int64_t trial, bool *ret_ended, struct error *err)
{
	int64_t value;
	int r = store_value(store, trial, "trial", "lead", "user_ns", &value, err);

	if (r < 0 && r != -ENOENT)
		return r;
	*ret_ended = r == 0;
	return 0;
}

static int time_of(
	struct store *store, const struct trial_row *trial, double *ret_value, struct error *err)
{
	double time_s = outcome_time_s(&trial->outcome);
	bool ended = false;
	int r = 0;

	if (trial->outcome.code == OUTCOME_KILLED)
		r = lead_ended(store, trial->id, &ended, err);
	if (r == 0)
		*ret_value = ended ? NAN : time_s;
	return r;
}

int store_primary(struct store *store, const struct trial_row *trial, const struct primary *primary,
	double *ret_value, struct error *err)
{
	int64_t value;
	int r;

	if (primary_is_time(primary))
		return time_of(store, trial, ret_value, err);
	*ret_value = NAN;
	if (trial->outcome.code != OUTCOME_OK)
		return 0;
	r = store_value(
		store, trial->id, primary->source, primary->role, primary->name, &value, err);
	if (r == 0 && value != VALUE_ABSENT)
		*ret_value = (double)value;
	return r == -ENOENT ? 0 : r;
}
