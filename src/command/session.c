// SPDX-License-Identifier: GPL-2.0-or-later
#include "command/session.h"

#include <stdlib.h>
#include <time.h>

#include "command/subcommand.h"

void session_done(struct session *session)
{
	box_close(session->box);
	store_close(session->store);
	journal_close(session->journal);
	root_close(&session->root);
	plan_free(session->plan);
	config_free(session->config);
}

static const char *scratch_of(const struct config *config)
{
	const char *temporary = getenv("TMPDIR");

	if (config->scratch[0])
		return config->scratch;
	return temporary && *temporary ? temporary : "/var/tmp";
}

static int check_part(const struct session *session, const struct part *part, struct error *err)
{
	int r = box_probe(session->box, part, err);

	/* What the machine lacks is the outcome of the trials that need it; the rest can run. */
	return r == -EOPNOTSUPP || r == -ENOSPC ? 0 : r;
}

static int check_scenarios(
	const struct session *session, const struct scenario *scenarios, struct error *err)
{
	int r = 0;

	for (size_t i = 0; scenarios && r == 0 && i < session->config->n_scenarios; i++) {
		const struct scenario *scenario = &scenarios[i];

		r = check_part(session, &scenario->lead, err);
		for (size_t k = 0; r == 0 && k < scenario->n_loads; k++)
			r = check_part(session, &scenario->loads[k], err);
		if (r < 0)
			error_prefix(err, r, "%s", scenario->name);
	}
	return r;
}

/* As they are, and as variants have them. */
static int check_parts(const struct session *session, struct error *err)
{
	const struct config *config = session->config;
	int r = check_scenarios(session, config->scenarios, err);

	for (size_t i = 0; r == 0 && i < config->n_variants; i++)
		r = check_scenarios(session, config->variants[i].scenarios, err);
	return r;
}

int session_stand(struct session *session, struct error *err)
{
	const struct journal_watch watch = { .say = say };
	int r = plan_make(session->config, &session->plan, err);

	if (r == 0)
		r = journal_open(&session->root, &session->journal, &watch, err);
	if (r == 0)
		r = box_open(&session->config->box, &session->root, session->journal,
			scratch_of(session->config), &session->box, err);
	r = r < 0 ? r : check_parts(session, err);
	if (r == 0)
		box_prepare(session->box, session->plan, say, NULL);
	return r;
}

int session_open_store(struct session *session, struct error *err)
{
	const char *named = session->config->store;
	char path[4096];
	int r;

	if (*named)
		return store_open(named, false, &session->store, err);
	r = store_default_path(path, sizeof(path), err);
	return r < 0 ? r : store_open(path, false, &session->store, err);
}

int session_create_run(
	struct session *session, const char *title, const char *command, struct error *err)
{
	const struct config *config = session->config;
	const struct run_row row = {
		.title = title ? title : config->title,
		.command = command,
		.version = CONTEND_VERSION,
		.box = box_describe(session->box),
		.reference = config->variants[config->reference].name,
		.seed = config->seed,
		.delta = config->delta,
		.primary = config->primary.text,
		.blocks = session->plan->blocks,
		.started_s = time(NULL),
		.state = RUN_RUNNING,
	};
	int r;

	r = store_run_create(session->store, &row, &session->run, err);
	for (const char *const *note = box_notes(session->box); r == 0 && *note; note++)
		r = store_run_note(session->store, session->run, *note, err);
	return r;
}

int session_carry_out(struct session *session, struct progress_line *line,
	struct runner_result *ret_result, struct error *err)
{
	const struct runner_watch watch = {
		.interrupted = &interrupted,
		.progress = line ? progress_show : NULL,
		.data = line,
	};
	int r;

	if (line)
		progress_start(line);
	r = runner_run(
		session->plan, session->box, session->store, session->run, &watch, ret_result, err);
	if (line)
		progress_wipe(line);
	if (r < 0)
		return r;
	return store_run_finish(session->store, session->run,
		ret_result->interrupted ? RUN_INTERRUPTED : RUN_FINISHED, err);
}
