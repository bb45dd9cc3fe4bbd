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
	/*
	 * Fills a model that has title and facts already; the notes that every view has come after.
	 * What the store failed to give and memory that ran out need no check: view_build() does.
	 */
	int (*build)(struct results *results, struct model *model, struct error *err);
};

/* All views, in the order of `contend list views`; ends in NULL. */
extern const struct view *const view_registry[];

const struct view *view_find(const char *name);

/* *ret_model is freed with model_free(). -ENOENT: no such run. */
int view_build(const struct view *view, struct store *store, int64_t run, struct model **ret_model,
	struct error *err);

extern const struct view view_contest;
extern const struct view view_env;
extern const struct view view_trials;

#endif
