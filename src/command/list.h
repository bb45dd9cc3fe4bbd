// SPDX-License-Identifier: GPL-2.0-or-later
/* What `contend list` can list: each fills a model with tables. */
#ifndef COMMAND_LIST_H
#define COMMAND_LIST_H

#include "command/subcommand.h"

/* `store`: as --store. */
int list_leads(struct model *model, const char *store, struct error *err);
int list_loads(struct model *model, const char *store, struct error *err);
int list_metrics(struct model *model, const char *store, struct error *err);
int list_runs(struct model *model, const char *store, struct error *err);
int list_settings(struct model *model, const char *store, struct error *err);

#endif
