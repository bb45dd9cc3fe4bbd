// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What can be said about a run. A view is one file, everything in it static, that ends in one
 * `const struct view`, listed in view.c. docs/views.md walks through one.
 */
#ifndef REPORT_VIEW_H
#define REPORT_VIEW_H

#include "report/model.h"
#include "report/results.h"

struct view {
	const char *name;
	const char *summary; /* one line, no full stop */
	/* Is it what a reader of this run wants first? NULL: never by itself. */
	bool (*fits)(struct results *results);
	/*
	 * Fills a model that has title and facts already; the notes that every view has come after.
	 * What the store failed to give and memory that ran out need no check: view_build() does.
	 */
	int (*build)(struct results *results, struct model *model, struct error *err);
};

/* All views, in the order of `contend list views`; ends in NULL. */
extern const struct view *const view_registry[];

const struct view *view_find(const char *name);

/*
 * view NULL: the first that fits the run, else the first of all. options NULL: the defaults.
 * *ret_model is freed with model_free(). -ENOENT: no such run, or no such trial in it.
 */
int view_build(const struct view *view, struct store *store, int64_t run,
	const struct view_options *options, struct model **ret_model, struct error *err);

extern const struct view view_apps;
extern const struct view view_averages;
extern const struct view view_contest;
extern const struct view view_env;
extern const struct view view_latency;
extern const struct view view_stream;
extern const struct view view_swap;
extern const struct view view_trials;
extern const struct view view_verdict;
extern const struct view view_vmstat;

#endif
