// SPDX-License-Identifier: GPL-2.0-or-later
/* One kernel over the seeds, once: what was measured of it before is read from the store. */
#include <math.h>
#include <string.h>

#include "base/cleanup.h"
#include "command/bisect.h"
#include "kernel/kernel.h"
#include "runner/worth.h"

void measured_done(struct measured *measured)
{
	free(measured->values);
	memset(measured, 0, sizeof(*measured));
}

static void free_values(double **values)
{
	free(*values);
}

static int check(const struct config *config, struct error *err)
{
	if (config->n_scenarios != 1 || config->scenarios[0].solo)
		return error_set(err, -EINVAL,
			"bisect measures one scenario: that of --lead and --load, or LEAD+LOAD");
	if (config->box.kind != BOX_VM)
		return error_set(err, -EINVAL, "bisect boots kernels: --box vm:...");
	if (config->box.kernel[0])
		return error_set(err, -EINVAL,
			"--box: kernel=%s: which kernels is what bisect chooses itself",
			config->box.kernel);
	if (config->n_variants > 1)
		return error_set(err, -EINVAL, "bisect compares kernels: one --variant is enough");
	for (size_t i = 0; i < config->variants[0].n; i++) {
		if (!strcmp(config->variants[0].assignments[i].key, "kernel"))
			return error_set(err, -EINVAL,
				"--variant: kernel: which kernels is what bisect chooses itself");
	}
	return 0;
}

static int check_level(const struct bisect *bisect, struct error *err)
{
	const struct config *config = bisect->session.config;
	double least = bisect_least_p(config->box.exact, config->runs);
	unsigned runs = config->runs;

	if (least <= bisect->params.level)
		return 0;
	while (bisect_least_p(config->box.exact, runs) > bisect->params.level)
		runs++;
	return error_set(err, -EINVAL,
		"--runs %u: so few cannot tell at --level %g (p is %.3g at least): --runs %u, or a "
		"higher level",
		config->runs, bisect->params.level, least, runs);
}

/* The variant's last assignment is the kernel: room for it. */
static int make_slot(struct variant *variant, struct error *err)
{
	struct assignment *grown =
		reallocarray(variant->assignments, variant->n + 1, sizeof(*grown));

	if (!grown)
		return error_errno(err, -ENOMEM, "bisect");
	variant->assignments = grown;
	grown[variant->n++] = (struct assignment) { .key = "kernel" };
	return 0;
}

int bisect_open(struct bisect *bisect, struct error *err)
{
	struct session *session = &bisect->session;
	int r;

	r = config_parse_run((int)bisect->words.n, bisect->words.items, &session->config, err);
	if (r == 0)
		r = check(session->config, err);
	if (r == 0)
		r = check_level(bisect, err);
	if (r == 0)
		r = root_open(&session->root, "/", err);
	if (r == 0)
		r = config_check_settings(session->config, &session->root, err);
	if (r == 0)
		r = kernel_cache_path(bisect->cache, sizeof(bisect->cache), err);
	if (r == 0)
		r = session_open_store(session, err);
	if (r == 0)
		r = session_stand(session, err);
	return r < 0 ? r : make_slot(&session->config->variants[0], err);
}

/* A variant's name has no colon and no comma in it: `compare` and --variant read those. */
static int set_variant(
	struct bisect *bisect, const char *kernel, const char *label, struct error *err)
{
	struct variant *variant = &bisect->session.config->variants[0];
	struct assignment *slot = &variant->assignments[variant->n - 1];

	if (strlen(kernel) >= sizeof(slot->value))
		return error_set(err, -ENAMETOOLONG,
			"kernel %.60s...: the path has more than %zu characters", kernel,
			sizeof(slot->value) - 1);
	strcpy(slot->value, kernel);
	snprintf(variant->name, sizeof(variant->name), "%.*s", (int)sizeof(variant->name) - 1,
		label);
	for (char *at = variant->name; *at; at++) {
		if (strchr(":,\\ ", *at))
			*at = '-';
	}
	return 0;
}

/* The newest run with that title. */
struct search {
	const char *title;
	int64_t run; /* 0: none */
};

static int match(void *data, const struct run_row *row)
{
	struct search *search = data;

	if (!strcmp(row->title, search->title) && row->id > search->run)
		search->run = row->id;
	return 0;
}

static int carry_out(struct bisect *bisect, struct error *err)
{
	struct progress_line line;
	struct runner_result result;
	int r = session_carry_out(&bisect->session, &line, &result, err);

	if (r == 0 && result.interrupted)
		return error_set(err, -EINTR,
			"interrupted; what was measured is kept, and the same command goes on");
	return r;
}

static int replan(struct session *session, unsigned runs, struct error *err)
{
	unsigned all = session->config->runs;
	struct plan *plan;
	int r;

	session->config->runs = runs;
	r = plan_make(session->config, &plan, err);
	session->config->runs = all;
	if (r < 0)
		return r;
	plan_free(session->plan);
	session->plan = plan;
	return 0;
}

/*
 * The first seed alone, and then the others: a kernel that hangs as it boots does so once. A plan
 * begins with the trials of a shorter one.
 */
static int measure(struct bisect *bisect, struct measured *measured, struct error *err)
{
	struct session *session = &bisect->session;
	size_t stored;
	int r = replan(session, 1, err);

	if (r == 0)
		r = carry_out(bisect, err);
	if (r == 0)
		r = bisect_read(bisect, session->run, measured, &stored, err);
	if (r < 0 || !measured->known)
		return r;
	r = replan(session, session->config->runs, err);
	if (r == 0)
		r = carry_out(bisect, err);
	return r < 0 ? r : bisect_read(bisect, session->run, measured, &stored, err);
}

/* What is stored under that title, all of it; else what is lacking is measured. */
static int find_or_measure(
	struct bisect *bisect, const char *title, struct measured *measured, struct error *err)
{
	struct session *session = &bisect->session;
	struct search search = { .title = title };
	size_t stored = 0;
	int r;

	r = store_runs(session->store, match, &search, err);
	if (r == 0)
		r = replan(session, session->config->runs, err);
	if (r == 0 && search.run)
		r = bisect_read(bisect, search.run, measured, &stored, err);
	if (r < 0)
		return r;
	session->run = search.run;
	if (stored == session->plan->n && measured->known) {
		measured->run = search.run;
		measured->reused = true;
		return 0;
	}
	if (!search.run || !measured->known)
		r = session_create_run(session, title, bisect->command, err);
	measured->run = session->run;
	return r < 0 ? r : measure(bisect, measured, err);
}

/* Trials that are ok and none of which has the metric: nothing can be found by it. */
static int check_metric(struct bisect *bisect, const struct measured *measured, struct error *err)
{
	const struct session *session = &bisect->session;
	double *values CLEANUP(free_values) = calloc(session->config->runs, sizeof(*values));

	if (measured->known || !measured->run)
		return 0;
	if (!values)
		return error_errno(err, -ENOMEM, "bisect");
	return worth_read(session->store, measured->run, &session->config->primary, values,
		session->config->runs, err);
}

static void set_why(struct measured *measured, const char *text)
{
	snprintf(measured->why, sizeof(measured->why), "%s", text);
}

int bisect_measure(struct bisect *bisect, const char *name, const char *label,
	struct measured *ret_measured, struct error *err)
{
	struct measured measured CLEANUP(measured_done) = { 0 };
	struct kernel kernel = { 0 };
	struct error why;
	char title[128];
	int r = kernel_find(name, bisect->cache, &kernel, &why);

	/* What was being fetched has been interrupted, too. */
	if (interrupted)
		return error_set(err, -EINTR, "interrupted");
	if (!label)
		label = kernel.release[0] ? kernel.release : name;
	snprintf(measured.label, sizeof(measured.label), "%s", label);
	if (r < 0) {
		set_why(&measured, why.text);
	} else {
		r = set_variant(bisect, name, label, err);
		if (r == 0)
			r = bisect_title(bisect, &kernel, title, sizeof(title), err);
		if (r == 0)
			r = find_or_measure(bisect, title, &measured, err);
		if (r == 0)
			r = check_metric(bisect, &measured, err);
		if (r < 0)
			return r;
	}
	measured_done(ret_measured);
	*ret_measured = measured;
	measured.values = NULL;
	return 0;
}
