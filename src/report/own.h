// SPDX-License-Identifier: GPL-2.0-or-later
/* Figures of the lead's own over a group: what one kind of workload records and others do not. */
#ifndef REPORT_OWN_H
#define REPORT_OWN_H

#include "report/contest.h"

/* Is it this workload, with whatever options? Is it in every trial but the solo ones? */
bool own_lead(const struct result *trial, const char *workload);
bool own_leads(struct results *results, const char *workload);

/* Median and largest of a figure over the group's ok trials; NAN when none has it. */
double own_median(const struct group *group, const char *workload, const char *name);
double own_largest(const struct group *group, const char *workload, const char *name);

/* Median of the difference of two figures of the same trial. */
double own_median_difference(
	const struct group *group, const char *workload, const char *later, const char *earlier);

#endif
