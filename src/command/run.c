// SPDX-License-Identifier: GPL-2.0-or-later
/* contend run: carries a plan out and shows the result. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "command/compare.h"
#include "command/session.h"
#include "command/subcommand.h"
#include "config/words.h"
#include "store/query.h"

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

static void dry_run(const struct plan *plan)
{
	char line[8192];

	for (size_t i = 0; i < plan->n; i++)
		puts(trial_spell(&plan->trials[i], line, sizeof(line)));
}

static int prepare(struct session *session, const char *command, struct error *err)
{
	int r = session_open_store(session, err);

	if (r == 0 && session->config->resume)
		r = resume(session, err);
	if (r == 0)
		r = session_stand(session, err);
	if (r == 0 && !session->run)
		r = session_create_run(session, NULL, command, err);
	return r;
}

static void announce(const struct session *session)
{
	fprintf(stderr, "contend: run %lld, %zu trial%s, %s\n", (long long)session->run,
		session->plan->n, session->plan->n == 1 ? "" : "s", box_describe(session->box));
	for (const char *const *note = box_notes(session->box); *note; note++)
		say(NULL, *note);
}

/* Variants have their figures first, then the verdict; to a machine, which asks, one document. */
static int show(const struct session *session, struct error *err)
{
	const struct config *config = session->config;
	bool read = config->format == FORMAT_TABLE || config->format == FORMAT_MD;
	int r = 0;

	if (read && config->n_variants > 1 && !*config->view) {
		r = view_print(session->store, session->run, "contest", NULL, config->format, err);
		putchar('\n');
	}
	return r < 0 ? r
		     : view_print(session->store, session->run, config->view, NULL, config->format,
			       err);
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
	struct progress_line line;
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
	if (session_carry_out(&session, &line, &result, &err) < 0 || show(&session, &err) < 0 ||
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
