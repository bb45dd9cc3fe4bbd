// SPDX-License-Identifier: GPL-2.0-or-later
/* What was measured of a kernel, as the store has it. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "command/bisect.h"
#include "store/query.h"

struct reading {
	struct bisect *bisect;
	struct measured *measured;
	bool *stored; /* by seed */
	struct error *err;
};

/*
 * What is a value: the time of a lead that ended, or was still running at its deadline. A kernel
 * that died or hung says nothing of how fast it is.
 */
static bool says_something(const struct outcome *outcome)
{
	return outcome->code == OUTCOME_OK ||
	       (outcome->code == OUTCOME_TIMEOUT && outcome->open_ns);
}

static bool is_planned(const struct trial *trial, const struct trial_row *row)
{
	char loads[4096];

	return !row->solo && row->seed == trial->seed && row->cold == trial->scenario->cold &&
	       !strcmp(row->lead, trial->scenario->lead.spelled) &&
	       !strcmp(row->loads, loads_spell(trial->scenario, loads, sizeof(loads)));
}

/* Later tries come later, and count. */
static int read_trial(void *data, const struct trial_row *row)
{
	struct reading *reading = data;
	const struct session *session = &reading->bisect->session;
	struct measured *measured = reading->measured;
	int r = 0;

	for (size_t i = 0; r == 0 && i < session->plan->n; i++) {
		if (!is_planned(&session->plan->trials[i], row))
			continue;
		measured->values[i] = NAN;
		reading->stored[i] = row->outcome.code != OUTCOME_INTERRUPTED &&
				     row->outcome.code != OUTCOME_VOID;
		if (says_something(&row->outcome))
			r = store_primary(session->store, row, &session->config->primary,
				&measured->values[i], reading->err);
		else
			snprintf(measured->why, sizeof(measured->why), "%s: %s",
				outcome_name(row->outcome.code), row->outcome.text);
	}
	return r;
}

static void free_flags(bool **flags)
{
	free(*flags);
}

int bisect_read(struct bisect *bisect, int64_t run, struct measured *measured, size_t *ret_stored,
	struct error *err)
{
	size_t n = bisect->session.plan->n;
	double *values = calloc(n + 1, sizeof(*values));
	bool *stored CLEANUP(free_flags) = calloc(n + 1, sizeof(*stored));
	struct reading reading = {
		.bisect = bisect, .measured = measured, .stored = stored, .err = err
	};
	int r;

	free(measured->values);
	measured->values = values;
	measured->n = n;
	measured->known = 0;
	if (!values || !stored)
		return error_errno(err, -ENOMEM, "bisect");
	for (size_t i = 0; i < n; i++)
		values[i] = NAN;
	r = store_trials(bisect->session.store, run, read_trial, &reading, err);
	if (r < 0)
		return r;
	*ret_stored = 0;
	for (size_t i = 0; i < n; i++) {
		*ret_stored += stored[i];
		measured->known += !isnan(values[i]);
	}
	return 0;
}

/* What --good RUN must have in common with what is to be measured. */
struct fit {
	struct bisect *bisect;
	struct error *err;
};

static int check_run(void *data, const struct run_row *row)
{
	const struct fit *fit = data;
	struct config *config = fit->bisect->session.config;
	const char *box = box_describe(fit->bisect->session.box);

	if (strcmp(row->box, box) != 0)
		return error_set(fit->err, -EINVAL, "--good: run %lld was in %s; now it is %s",
			(long long)row->id, row->box, box);
	config->seed = row->seed;
	return 0;
}

int bisect_take_run(
	struct bisect *bisect, int64_t run, struct measured *ret_measured, struct error *err)
{
	struct session *session = &bisect->session;
	struct measured measured CLEANUP(measured_done) = { .run = run, .reused = true };
	struct fit fit = { bisect, err };
	size_t stored;
	int r;

	r = store_run_visit(session->store, run, check_run, &fit, err);
	if (r < 0)
		return r;
	plan_free(session->plan);
	session->plan = NULL;
	r = plan_make(session->config, &session->plan, err);
	if (r == 0)
		r = bisect_read(bisect, run, &measured, &stored, err);
	if (r < 0)
		return r;
	if (stored < session->plan->n)
		return error_set(err, -EINVAL,
			"--good: run %lld has %zu of the %zu trials: %s, seeds and all. Was it "
			"made "
			"with the same --lead, --load and --runs?",
			(long long)run, stored, session->plan->n,
			session->config->scenarios[0].name);
	snprintf(measured.label, sizeof(measured.label), "run %lld", (long long)run);
	*ret_measured = measured;
	measured.values = NULL;
	return 0;
}
