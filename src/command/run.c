// SPDX-License-Identifier: GPL-2.0-or-later
/* contend run: carries a plan out and shows the result. */
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "base/cleanup.h"
#include "box/box.h"
#include "command/compare.h"
#include "command/progress.h"
#include "command/subcommand.h"
#include "config/words.h"
#include "runner/runner.h"
#include "store/query.h"

/* All that one run needs, taken apart in the opposite order. */
struct session {
	struct config *config;
	struct plan *plan;
	struct root root;
	struct journal *journal;
	struct store *store;
	struct box *box;
	int64_t run;
};

static void session_done(struct session *session)
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

static int store_of(const struct config *config, struct store **ret_store, struct error *err)
{
	char path[4096];
	int r;

	if (config->store[0])
		return store_open(config->store, false, ret_store, err);
	r = store_default_path(path, sizeof(path), err);
	return r < 0 ? r : store_open(path, false, ret_store, err);
}

struct resumed {
	char *command;
	uint64_t seed;
};

static int take_run(void *data, const struct run_row *row)
{
	struct resumed *resumed = data;

	resumed->command = strdup(row->command);
	resumed->seed = row->seed;
	return resumed->command ? 0 : -ENOMEM;
}

/* The configuration of the run that --resume names takes the place of the one typed. */
static int resume(struct session *session, struct error *err)
{
	struct resumed resumed = { 0 };
	char *command CLEANUP(free_text) = NULL;
	struct config *config;
	int r;

	r = store_run_visit(session->store, session->config->resume, take_run, &resumed, err);
	command = resumed.command;
	if (r < 0)
		return r;
	r = config_resume(session->config, command, resumed.seed, &config, err);
	if (r < 0)
		return r;
	session->run = session->config->resume;
	config_free(session->config);
	session->config = config;
	return 0;
}

static int run_create(struct session *session, const char *command, struct error *err)
{
	const struct config *config = session->config;
	const struct run_row row = {
		.title = config->title,
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

static void dry_run(const struct plan *plan)
{
	char line[8192];

	for (size_t i = 0; i < plan->n; i++)
		puts(trial_spell(&plan->trials[i], line, sizeof(line)));
}

static int check_part(const struct session *session, const struct part *part, struct error *err)
{
	int r = box_probe(session->box, part, err);

	/* What the machine lacks is the outcome of the trials that need it; the rest can run. */
	return r == -EOPNOTSUPP || r == -ENOSPC ? 0 : r;
}

/* Options that no trial can run with are said before the first one. */
static int check_parts(const struct session *session, struct error *err)
{
	const struct config *config = session->config;
	int r = 0;

	for (size_t i = 0; r == 0 && i < config->n_scenarios; i++) {
		const struct scenario *scenario = &config->scenarios[i];

		r = check_part(session, &scenario->lead, err);
		for (size_t k = 0; r == 0 && k < scenario->n_loads; k++)
			r = check_part(session, &scenario->loads[k], err);
		if (r < 0)
			error_prefix(err, r, "%s", scenario->name);
	}
	return r;
}

static int prepare(struct session *session, const char *command, struct error *err)
{
	const struct journal_watch watch = { .say = say };
	int r = store_of(session->config, &session->store, err);

	if (r == 0 && session->config->resume)
		r = resume(session, err);
	if (r == 0)
		r = plan_make(session->config, &session->plan, err);
	if (r == 0)
		r = journal_open(&session->root, &session->journal, &watch, err);
	if (r == 0)
		r = box_open(&session->config->box, &session->root, session->journal,
			scratch_of(session->config), &session->box, err);
	if (r == 0)
		r = check_parts(session, err);
	if (r == 0 && !session->run)
		r = run_create(session, command, err);
	return r;
}

static void announce(const struct session *session)
{
	fprintf(stderr, "contend: run %lld, %zu trial%s, %s\n", (long long)session->run,
		session->plan->n, session->plan->n == 1 ? "" : "s", box_describe(session->box));
	for (const char *const *note = box_notes(session->box); *note; note++)
		say(NULL, *note);
}

static int carry_out(struct session *session, struct runner_result *ret_result, struct error *err)
{
	struct progress_line line;
	const struct runner_watch watch = {
		.interrupted = &interrupted,
		.progress = progress_show,
		.data = &line,
	};
	int r;

	progress_start(&line);
	r = runner_run(
		session->plan, session->box, session->store, session->run, &watch, ret_result, err);
	progress_wipe(&line);
	if (r < 0)
		return r;
	return store_run_finish(session->store, session->run,
		ret_result->interrupted ? RUN_INTERRUPTED : RUN_FINISHED, err);
}

static int show(const struct session *session, struct error *err)
{
	return view_print(session->store, session->run, session->config->view, NULL,
		session->config->format, err);
}

static int take_reason(void *data, const struct trial_row *row)
{
	char *reason = data;

	snprintf(reason, sizeof(row->outcome.text), "%s", row->outcome.text);
	return 0;
}

/* Every trial was skipped: the reason of the last one. */
static int say_skipped(const struct session *session, struct error *err)
{
	char reason[sizeof(((struct outcome *)0)->text)] = "no trial was run";
	int r = store_trials(session->store, session->run, take_reason, reason, err);

	if (r == 0)
		fprintf(stderr, "contend: nothing could be measured: %s\n", reason);
	return r;
}

/*
 * Trouble is anything but ok and skipped: unless variants are compared, where failures are part of
 * the comparison, and the verdict is the answer.
 */
static int judge(const struct session *session, const struct runner_result *result,
	enum exit_code *ret_code, struct error *err)
{
	if (result->interrupted) {
		fprintf(stderr,
			"contend: interrupted; what is finished is kept: contend run --resume "
			"%lld\n",
			(long long)session->run);
		*ret_code = EXIT_TROUBLE;
		return 0;
	}
	*ret_code = result->troubled || !result->ok ? EXIT_TROUBLE : EXIT_CLEAN;
	if (!result->ok && !result->troubled)
		return say_skipped(session, err);
	if (session->config->n_variants > 1 && result->ok)
		return run_code(session->store, session->run, ret_code, err);
	return 0;
}

static int run_main(int argc, char **argv)
{
	struct session session CLEANUP(session_done) = { .root = { -1 } };
	char *command CLEANUP(free_text) = words_join(argc, argv);
	struct runner_result result;
	enum exit_code code;
	struct error err;

	if (!command)
		error_errno(&err, -ENOMEM, "the command line");
	if (!command || config_parse_run(argc, argv, &session.config, &err) < 0 ||
		root_open(&session.root, "/", &err) < 0 ||
		config_check_settings(session.config, &session.root, &err) < 0)
		return fail(&err);
	if (session.config->dry_run) {
		if (plan_make(session.config, &session.plan, &err) < 0)
			return fail(&err);
		dry_run(session.plan);
		return EXIT_CLEAN;
	}
	catch_signals();
	if (prepare(&session, command, &err) < 0)
		return fail(&err);
	announce(&session);
	if (carry_out(&session, &result, &err) < 0 || show(&session, &err) < 0 ||
		judge(&session, &result, &code, &err) < 0)
		return fail(&err);
	return code;
}

const struct subcommand subcommand_run = {
	.name = "run",
	.summary = "carry out a suite or scenarios, and show the result",
	.operands = "[SUITE | SCENARIO]...",
	.options = &run_options,
	.run = run_main,
};
