// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * What a view has to say, apart from how it looks. A view fills a model; render.h turns it into
 * text.
 *
 * Builders take NULL and do nothing then; memory that ran out is told by model_finish(). All
 * texts are copied and made printable: a control character becomes a blank, and what is no UTF-8
 * a question mark, for some come from a guest.
 */
#ifndef REPORT_MODEL_H
#define REPORT_MODEL_H

#include <stdbool.h>
#include <stddef.h>

#include "base/error.h"
#include "report/arena.h"
#include "report/number.h"

enum cell_kind {
	CELL_ABSENT,
	CELL_TEXT,
	CELL_NUMBER,
	CELL_LIST, /* a number for each load; NAN is an absent one */
};

struct cell {
	enum cell_kind kind;
	const char *text; /* CELL_TEXT; of other kinds what a person reads instead, or NULL */
	double number;
	const double *numbers;
	size_t n;
};

enum column_flags {
	COLUMN_RIGHT = 1, /* aligned right, as numbers are */
	COLUMN_WRAP = 2, /* its text is broken where the terminal ends; others are never narrowed */
	COLUMN_PEOPLE = 4, /* not in JSON and CSV: a rendering of other columns */
	COLUMN_MACHINE = 8, /* only in JSON and CSV */
	COLUMN_OPTIONAL = 16, /* not shown to people when no table has a value in it */
};

struct column {
	const char *key; /* of JSON and CSV, with the unit: "time_s" */
	const char *heading; /* for people */
	const char *unit; /* of the machine's number; NULL: none */
	const char *definition; /* for the legend; NULL: says it all */
	enum number_style style;
	unsigned flags;
};

struct line {
	struct line *next;
	const char *term; /* of a legend line */
	const char *text;
};

struct lines {
	struct line *first, *last;
};

/* Something known of the whole: key and value for machines, a phrase for people ("": none). */
struct fact {
	struct fact *next;
	const char *key;
	struct cell cell;
	const char *phrase;
};

struct facts {
	struct fact *first, *last;
};

struct row {
	struct row *next;
	struct table *table;
	bool bad; /* worth the reader's eye: coloured */
	struct cell cells[]; /* one for each column */
};

struct table {
	struct table *next;
	struct model *model;
	const char *caption;
	struct facts facts;
	struct column *columns;
	size_t n_columns;
	struct row *first, *last;
	struct lines notes; /* below this table */
};

struct model {
	struct arena arena;
	const char *title;
	struct facts facts;
	struct table *first, *last;
	struct lines legend;
	struct lines notes;
};

int model_new(struct model **ret_model, struct error *err);
void model_free(struct model *model);
void model_cleanup(struct model **model);

/*
 * Puts the columns' definitions, each once, in front of the legend, and hides optional columns
 * that nothing stands in. -ENOMEM when any builder before it had no memory.
 */
int model_finish(struct model *model, struct error *err);

void model_title(struct model *model, const char *format, ...)
	__attribute__((format(printf, 2, 3)));
/* `phrase` is the fact for people, "" for none. */
void model_fact_text(struct model *model, const char *key, const char *text, const char *phrase);
void model_fact_number(struct model *model, const char *key, double number, const char *phrase);
void model_legend(struct model *model, const char *term, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* Has a view put such a term into the legend already? */
bool model_legend_has(const struct model *model, const char *term);
void model_note(struct model *model, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* The columns are copied, and so are their texts. */
struct table *table_new(struct model *model, const struct column *columns, size_t n,
	const char *caption, ...) __attribute__((format(printf, 4, 5)));
void table_fact_text(struct table *table, const char *key, const char *text);
void table_note(struct table *table, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* A row of absent cells; its cells are then set by key. A key that no column has is a bug: it
 * aborts. */
struct row *row_new(struct table *table);
void row_set_number(struct row *row, const char *key, double number);
void row_set_list(struct row *row, const char *key, const double *numbers, size_t n);
void row_set_text(struct row *row, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
/* What a person reads where there is no number: "> 60 s". */
void row_set_instead(struct row *row, const char *key, const char *format, ...)
	__attribute__((format(printf, 3, 4)));
void row_mark_bad(struct row *row);

/* The value for people, in the column's style. -> caller frees; NULL without memory. */
char *cell_spell(const struct column *column, const struct cell *cell);

/* Is there nothing in it, neither for people nor for machines? */
bool cell_empty(const struct cell *cell);

#endif
