// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the run ran. What is the same in every trial is said once, what differs is said first. */
#include <string.h>

#include "base/cleanup.h"
#include "report/differences.h"
#include "report/view.h"

/* Every variant of the run, in order of appearance. */
static struct arm *arms_of(struct results *results, size_t *ret_n)
{
	struct arm *arms = arena_alloc(&results->arena, results->n, sizeof(*arms));
	size_t n = 0;

	for (size_t i = 0; arms && i < results->n; i++) {
		const char *variant = results->trials[i].row.variant;
		size_t k = 0;

		while (k < n && strcmp(arms[k].variant, variant) != 0)
			k++;
		if (k == n)
			arms[n++] = (struct arm) { results, variant };
	}
	*ret_n = n;
	return arms;
}

static int build(struct results *results, struct model *model, struct error *err)
{
	struct differences differences CLEANUP(differences_done) = { 0 };
	size_t n;
	struct arm *arms = arms_of(results, &n);
	int r;

	if (!arms)
		return 0;
	r = differences_read(&results->arena, arms, n, &differences, err);
	if (r < 0)
		return r;
	differences_tell(&differences, model);
	differences_tell_config(&differences, model);
	differences_tell_same(&differences, model);
	return 0;
}

const struct view view_env = {
	.name = "env",
	.summary = "where the run ran: what differs between variants, and what is the same",
	.build = build,
};
