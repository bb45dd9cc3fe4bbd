// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A configuration in the making: everything that was said, in layers, before the layers are laid
 * over each other. Later layers win: defaults of contend, of each plan file, the scenario's own,
 * the command line's.
 */
#ifndef CONFIG_DRAFT_H
#define CONFIG_DRAFT_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "config/config.h"
#include "config/lines.h"

struct run_params;

/* The lead where none is named: contest's. */
#define DEFAULT_LEAD "compile"

/* What one plan file says for all of its scenarios. */
struct source {
	struct lines defaults;
	struct lines full; /* with --full only */
	struct lines box;
};

/* A scenario as written. */
struct sketch {
	char *name;
	char *where; /* "night.ini:12"; NULL: the command line */
	size_t source; /* index; SIZE_MAX: none */
	struct lines parts; /* "lead" once, "load" for each */
	struct lines options;
};

struct draft {
	struct source *sources;
	size_t n_sources;
	struct sketch *sketches;
	size_t n_sketches;
	struct variant *variants;
	size_t n_variants;
	struct lines vary; /* key = "a,b,c" */
	struct lines typed; /* options of the command line */
	struct lines lead, loads; /* --lead, --load */
	struct lines plans; /* --plan: the value is the path */
	char title[sizeof(((struct config *)0)->title)];
};

void draft_done(struct draft *draft);

/* NULL: no memory. Valid until the next is added. */
struct source *draft_source(struct draft *draft, struct error *err);
struct sketch *draft_sketch(
	struct draft *draft, const char *name, const char *where, struct error *err);

/* Joins the names of what was asked for with blanks. */
void draft_title(struct draft *draft, const char *name);

/*
 * Adds what an operand of `contend run` names: a suite, "lead+load", one of contest's own names,
 * a lead alone, or a load, which then is beside `compile`.
 */
int draft_operand(struct draft *draft, const char *text, struct error *err);

/* Adds a plan file (INI); `name` is what errors call it. */
int plan_file_parse(struct draft *draft, const char *name, const char *text, struct error *err);

/* Adds "NAME" or "NAME:key=val,...". */
int variant_parse(struct draft *draft, const char *text, struct error *err);
struct variant *variant_add(struct draft *draft, const char *name, struct error *err);
int variant_assign(struct variant *variant, const char *key, const char *value, const char *where,
	struct error *err);

/* Adds "key=a,b,c", or the same in two texts, to what varies. */
int vary_parse(struct draft *draft, const char *text, struct error *err);
int vary_add(struct draft *draft, const char *key, const char *values, const char *where,
	struct error *err);

/*
 * The variants of the run: those of the draft (or the one without settings) times all
 * combinations of what varies.
 */
int variants_make(struct draft *draft, struct config *config, struct error *err);
void variants_free(struct variant *variants, size_t n);

/*
 * Takes the options of workloads ("lead.rounds") out of the variants' settings, and gives each
 * variant that has some scenarios of its own. An option that no lead or no load has is an error.
 */
int variants_override(struct config *config, struct error *err);

/*
 * The scenarios of the run, from the draft's sketches; behind them what their figures refer to:
 * each lead without loads, each load alone.
 */
int scenarios_make(const struct draft *draft, const struct run_params *params,
	struct config *config, struct error *err);
void scenarios_free(struct scenario *scenarios, size_t n);

#endif
