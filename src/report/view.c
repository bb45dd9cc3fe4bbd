// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/view.h"

#include <string.h>

#include "base/cleanup.h"

const struct view *const view_registry[] = {
	&view_contest,
	&view_verdict,
	&view_averages,
	&view_apps,
	&view_stream,
	&view_vmstat,
	&view_latency,
	&view_swap,
	&view_trials,
	&view_env,
	NULL,
};

const struct view *view_find(const char *name)
{
	for (const struct view *const *view = view_registry; *view; view++)
		if (!strcmp((*view)->name, name))
			return *view;
	return NULL;
}

static const struct view *fitting(struct results *results)
{
	for (const struct view *const *view = view_registry; *view; view++)
		if ((*view)->fits && (*view)->fits(results))
			return *view;
	return view_registry[0];
}

static int build(const struct view *view, struct results *results, struct model **ret_model,
	struct error *err)
{
	struct model *model CLEANUP(model_cleanup) = NULL;
	int r;

	r = model_new(&model, err);
	if (r < 0)
		return r;
	model_fact_text(model, "view", view->name, "");
	results_title(results, model);
	r = view->build(results, model, err);
	if (r < 0)
		return r;
	results_notes(results, model);
	r = results_check(results, err);
	if (r < 0)
		return r;
	r = model_finish(model, err);
	if (r < 0)
		return r;
	*ret_model = model;
	model = NULL;
	return 0;
}

int view_build(const struct view *view, struct store *store, int64_t run,
	const struct view_options *options, struct model **ret_model, struct error *err)
{
	struct results results CLEANUP(results_done) = { 0 };
	int r;

	r = results_open(store, run, &results, err);
	if (r < 0)
		return r;
	if (options)
		results.options = *options;
	return build(view ? view : fitting(&results), &results, ret_model, err);
}
