// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/own.h"

#include <math.h>
#include <string.h>

#define ROLE "lead"

bool own_lead(const struct result *trial, const char *workload)
{
	size_t n = strcspn(trial->row.lead, ":");

	return strlen(workload) == n && !strncmp(trial->row.lead, workload, n);
}

bool own_leads(struct results *results, const char *workload)
{
	bool any = false;

	for (size_t i = 0; i < results->n; i++) {
		if (results->trials[i].row.solo)
			continue;
		if (!own_lead(&results->trials[i], workload))
			return false;
		any = true;
	}
	return any;
}

static bool counts(const struct group *group, const struct result *trial)
{
	return group_has(group, trial) && result_counts(trial);
}

double own_median_difference(
	const struct group *group, const char *workload, const char *later, const char *earlier)
{
	struct contest *contest = group->contest;
	struct results *results = contest->results;
	size_t n = 0;

	for (size_t i = 0; i < results->n; i++) {
		const struct result *trial = &results->trials[i];

		if (!counts(group, trial))
			continue;
		contest->scratch[n] = results_value(results, trial, workload, ROLE, later);
		if (earlier)
			contest->scratch[n] -=
				results_value(results, trial, workload, ROLE, earlier);
		n++;
	}
	return number_median(contest->scratch, n);
}

double own_median(const struct group *group, const char *workload, const char *name)
{
	return own_median_difference(group, workload, name, NULL);
}

double own_largest(const struct group *group, const char *workload, const char *name)
{
	struct results *results = group->contest->results;
	double largest = NAN;

	for (size_t i = 0; i < results->n; i++)
		if (counts(group, &results->trials[i]))
			largest = fmax(largest,
				results_value(results, &results->trials[i], workload, ROLE, name));
	return largest;
}
