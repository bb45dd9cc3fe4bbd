// SPDX-License-Identifier: GPL-2.0-or-later
/* The verdict's page, for one run and for two. */
#ifndef REPORT_VIEW_VERDICT_H
#define REPORT_VIEW_VERDICT_H

#include "report/model.h"
#include "report/verdicts.h"

/* Fills a model that has a title with tables, legend and notes of the verdicts. */
int verdicts_tell(const struct verdicts *verdicts, struct model *model, struct error *err);

/* The last of those tables: what else moved. None where nothing did. */
int pointers_tell(const struct verdicts *verdicts, struct model *model, struct error *err);

#endif
