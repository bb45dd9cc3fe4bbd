// SPDX-License-Identifier: GPL-2.0-or-later
#include <libsmartcols/libsmartcols.h>
#include <locale.h>
#include <stdint.h>
#include <string.h>

#include "base/cleanup.h"
#include "report/render_as.h"
#include "report/utf8.h"

#define BOLD "\033[1m"
#define PLAIN "\033[0m"

/* A legend wider than this is hard to read, however wide the terminal. */
#define PROSE_WIDTH 100

#define NO_LIMIT 100000

static void unref_table(struct libscols_table **table)
{
	scols_unref_table(*table);
}

/*
 * libsmartcols counts columns in the thread's locale. The process runs in C, where it would print
 * every byte of a dash in hexadecimal.
 */
struct locale_scope {
	locale_t utf8, before;
};

static struct locale_scope locale_enter(void)
{
	struct locale_scope scope = { .utf8 = newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0) };

	if (scope.utf8)
		scope.before = uselocale(scope.utf8);
	return scope;
}

static void locale_leave(struct locale_scope *scope)
{
	if (!scope->utf8)
		return;
	uselocale(scope->before);
	freelocale(scope->utf8);
}

static bool shown(const struct column *column)
{
	return !(column->flags & COLUMN_MACHINE);
}

static size_t prose_width(const struct render_options *options)
{
	return options->width && options->width < PROSE_WIDTH ? options->width : PROSE_WIDTH;
}

/*
 * Prints words, broken at blanks; lines after the first are indented. A word that is wider than a
 * line stands alone on one.
 */
static void print_prose(
	FILE *out, const struct render_options *options, size_t at, size_t indent, const char *text)
{
	size_t width = options->width ? prose_width(options) : SIZE_MAX;
	bool first = true;

	while (*text) {
		size_t bytes = strcspn(text, " "), columns = utf8_width(text, bytes);

		if (!first && columns + 1 > width - (at < width ? at : width)) {
			fprintf(out, "\n%*s", (int)indent, "");
			at = indent;
		} else if (!first) {
			fputc(' ', out);
			at++;
		}
		fwrite(text, 1, bytes, out);
		at += columns;
		text += bytes;
		text += strspn(text, " ");
		first = false;
	}
	fputc('\n', out);
}

static void print_heading(FILE *out, const struct render_options *options, const char *text)
{
	fprintf(out, "%s%s%s\n", options->width ? BOLD : "", text, options->width ? PLAIN : "");
}

static void print_facts(FILE *out, const struct render_options *options, const struct facts *facts)
{
	char *text CLEANUP(free_text) = NULL;
	size_t size;
	FILE *line = open_memstream(&text, &size);

	if (!line)
		return;
	for (const struct fact *fact = facts->first; fact; fact = fact->next)
		if (fact->phrase[0])
			fprintf(line, "%s%s", ftell(line) > 0 ? " · " : "", fact->phrase);
	if (fclose(line) == 0 && text[0])
		print_prose(out, options, 0, 2, text);
}

static void print_notes(FILE *out, const struct render_options *options, const struct lines *notes)
{
	for (const struct line *line = notes->first; line; line = line->next) {
		fputs("* ", out);
		print_prose(out, options, 2, 2, line->text);
	}
}

static void print_legend(
	FILE *out, const struct render_options *options, const struct lines *legend)
{
	size_t widest = 0;

	for (const struct line *line = legend->first; line; line = line->next) {
		size_t width = utf8_width(line->term, strlen(line->term));

		/* Half of a narrow line at most: a longer term pushes its own text only. */
		if (width > widest && width < prose_width(options) / 3)
			widest = width;
	}
	if (legend->first)
		fputc('\n', out);
	for (const struct line *line = legend->first; line; line = line->next) {
		size_t width = utf8_width(line->term, strlen(line->term));
		size_t blanks = width < widest ? widest - width + 2 : 2;

		fprintf(out, "%s%*s", line->term, (int)blanks, "");
		print_prose(out, options, width + blanks, widest + 2, line->text);
	}
}

/*
 * The width that column `key` needs in the widest of all tables, so that tables of one row below
 * each other read as one.
 */
static int common_width(const struct model *model, const char *key, size_t *ret_width)
{
	size_t widest = 0;

	for (const struct table *table = model->first; table; table = table->next)
		for (size_t i = 0; i < table->n_columns; i++) {
			const struct column *column = &table->columns[i];

			if (strcmp(column->key, key))
				continue;
			for (const struct row *row = table->first; row; row = row->next) {
				char *text CLEANUP(free_text) = cell_spell(column, &row->cells[i]);
				size_t width;

				if (!text)
					return -ENOMEM;
				width = utf8_width(text, strlen(text));
				widest = width > widest ? width : widest;
			}
		}
	*ret_width = widest;
	return 0;
}

static int add_columns(struct libscols_table *to, const struct model *model,
	const struct table *table, const struct render_options *options)
{
	for (size_t i = 0; i < table->n_columns; i++) {
		const struct column *column = &table->columns[i];
		int flags = (column->flags & COLUMN_RIGHT ? SCOLS_FL_RIGHT : 0) |
			    (column->flags & COLUMN_WRAP && options->width ? SCOLS_FL_WRAP : 0);
		struct libscols_column *added;
		size_t width = 0;
		int r;

		if (!shown(column))
			continue;
		if (!(column->flags & COLUMN_WRAP)) {
			r = common_width(model, column->key, &width);
			if (r < 0)
				return r;
		}
		/*
		 * libsmartcols takes a hint only where the heading is not the widest, and then
		 * only of a column that is strict (2.38, libsmartcols/src/calculate.c).
		 */
		if (width > utf8_width(column->heading, strlen(column->heading)))
			flags |= SCOLS_FL_STRICTWIDTH;
		else
			width = 0;
		added = scols_table_new_column(to, column->heading, (double)width, flags);
		if (!added)
			return -ENOMEM;
		scols_cell_set_color(scols_column_get_header(added), "bold");
	}
	return 0;
}

static int add_row(struct libscols_table *to, const struct table *table, const struct row *row,
	const struct render_options *options)
{
	struct libscols_line *line = scols_table_new_line(to, NULL);
	size_t at = 0;

	if (!line)
		return -ENOMEM;
	for (size_t i = 0; i < table->n_columns; i++) {
		char *text CLEANUP(free_text) = NULL;

		if (!shown(&table->columns[i]))
			continue;
		text = cell_spell(&table->columns[i], &row->cells[i]);
		if (!text || scols_line_set_data(line, at++, text))
			return -ENOMEM;
	}
	if (row->bad && options->colour)
		scols_line_set_color(line, "red");
	return 0;
}

static int print_table(FILE *out, const struct model *model, const struct table *table,
	const struct render_options *options)
{
	struct libscols_table *to CLEANUP(unref_table) = scols_new_table();
	int r;

	if (!to)
		return -ENOMEM;
	scols_table_set_stream(to, out);
	scols_table_set_termforce(
		to, options->width ? SCOLS_TERMFORCE_ALWAYS : SCOLS_TERMFORCE_NEVER);
	/* Where there is no terminal libsmartcols believes in one of 80 columns. */
	scols_table_set_termwidth(to, options->width ? options->width : NO_LIMIT);
	scols_table_enable_colors(to, options->width || options->colour);
	r = add_columns(to, model, table, options);
	for (const struct row *row = table->first; row && r == 0; row = row->next)
		r = add_row(to, table, row, options);
	return r < 0 ? r : scols_print_table(to);
}

static int print_model(FILE *out, const struct model *model, const struct render_options *options)
{
	print_heading(out, options, model->title);
	print_facts(out, options, &model->facts);
	for (const struct table *table = model->first; table; table = table->next) {
		int r;

		fputc('\n', out);
		if (table->caption[0])
			print_heading(out, options, table->caption);
		r = print_table(out, model, table, options);
		if (r < 0)
			return r;
		print_notes(out, options, &table->notes);
	}
	print_legend(out, options, &model->legend);
	if (model->notes.first)
		fputc('\n', out);
	print_notes(out, options, &model->notes);
	return 0;
}

int render_table(const struct model *model, const struct render_options *options, FILE *out)
{
	struct locale_scope scope = locale_enter();
	int r = print_model(out, model, options);

	locale_leave(&scope);
	return r;
}
