// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/listing.h"

#include <stdbool.h>
#include <string.h>

#include "base/cleanup.h"
#include "sampler/number.h"

struct listing_line {
	char *name;
	size_t length;
	const struct listing_field *fields;
	size_t n; /* fields; 0: left out, remembered only for its place */
	size_t first; /* place of its first metric */
};

/* "name 1" and "name: 1" */
#define NAME_ENDS " \t:\n"

static bool name_ends(char c)
{
	return c == ' ' || c == ':' || c == '\t' || c == '\n';
}

static const char *line_next(const char *at)
{
	/* Mostly the last number has just been read. */
	if (*at != '\n')
		at = strchrnul(at, '\n');
	return *at ? at + 1 : at;
}

static const char *name_start(const char *at, unsigned column)
{
	at += strspn(at, " \t");
	while (column--) {
		at += strcspn(at, " \t\n");
		at += strspn(at, " \t");
	}
	return at;
}

/* Behind the name, when the line that begins at `at` has it; else NULL. */
static const char *line_match(
	const struct listing *listing, const struct listing_line *line, const char *at)
{
	if (listing->column || *at == ' ' || *at == '\t')
		at = name_start(at, listing->column);
	if (strncmp(at, line->name, line->length) != 0)
		return NULL;
	at += line->length;
	return name_ends(*at) ? at + (*at == ':') : NULL;
}

static const char *line_search(const struct listing *listing, const struct listing_line *line)
{
	const char *found = NULL;

	for (const char *at = listing->feed.text; *at && !found; at = line_next(at))
		found = line_match(listing, line, at);
	return found;
}

static void line_clear(const struct listing_line *line, int64_t *values)
{
	for (size_t i = 0; i < line->n; i++)
		values[line->first + i] = VALUE_ABSENT;
}

/* Returns where the last number ends. */
static const char *line_parse(const struct listing_line *line, const char *at, int64_t *values)
{
	for (size_t i = 0; i < line->n; i++) {
		int64_t *value = &values[line->first + i];

		/* Where one is missing, so are those behind it: `at` stays. */
		if (number_parse(&at, value))
			*value = number_scale(*value, line->fields[i].scale);
		else
			*value = VALUE_ABSENT;
	}
	return at;
}

int listing_read(struct listing *listing, int64_t *values)
{
	int r = feed_read(&listing->feed);
	const char *at = listing->feed.text;

	for (size_t i = 0; i < listing->n; i++) {
		const struct listing_line *line = &listing->lines[i];
		const char *found = r < 0 ? NULL : line_match(listing, line, at);

		if (!found && line->n && r == 0)
			found = line_search(listing, line);
		if (found)
			at = line_next(line_parse(line, found, values));
		else
			line_clear(line, values);
	}
	return r;
}

static const struct listing_field *rules_describe(
	const struct listing_rule *rules, const char *name, size_t *ret_n)
{
	while (strncmp(name, rules->begins, strlen(rules->begins)) != 0)
		rules++;
	*ret_n = 1;
	return rules->field.unit ? &rules->field : NULL;
}

static size_t numbers_count(const char *at, size_t most)
{
	size_t n = 0;
	int64_t value;

	while (n < most && number_parse(&at, &value))
		n++;
	return n;
}

static bool name_known(const struct listing *listing, const char *name)
{
	for (size_t i = 0; i < listing->n; i++) {
		if (!strcmp(listing->lines[i].name, name))
			return true;
	}
	return false;
}

/* Settles what the line's metrics are. `name` is cut out of it; `rest` is what follows. */
static int line_learn(struct listing *listing, const struct listing_layout *layout,
	const char *name, const char *rest, struct metric_list *list, struct error *err)
{
	struct listing_line *grown = reallocarray(listing->lines, listing->n + 1, sizeof(*grown));
	struct listing_line line = { .length = strlen(name), .first = list->n };
	size_t n = 0;

	if (!grown)
		return error_errno(err, -ENOMEM, "%s", name);
	listing->lines = grown;
	if (!name_known(listing, name))
		line.fields = layout->rules ? rules_describe(layout->rules, name, &n)
					    : layout->describe(layout->data, name, rest, &n);
	line.n = line.fields ? numbers_count(rest, n) : 0;
	line.name = strdup(name);
	if (!line.name)
		return error_errno(err, -ENOMEM, "%s", name);
	grown[listing->n++] = line;
	for (size_t i = 0; i < line.n; i++) {
		const struct listing_field *field = &line.fields[i];
		bool of_line = !field->name || field->name[0] == '.';
		int r = metric_list_add(list, field->unit, field->kind, err, "%s%s%s",
			layout->prefix ? layout->prefix : "", of_line ? name : "",
			field->name ? field->name : "");

		if (r < 0)
			return r;
	}
	return 0;
}

int listing_open(struct listing *ret_listing, const struct root *root, const char *path,
	const struct listing_layout *layout, struct metric_list *list, struct error *err)
{
	char *at, *line;
	int r = feed_open(&ret_listing->feed, root, path, err);

	if (r < 0)
		return r;
	ret_listing->column = layout->column;
	/* The text may be cut to pieces: it is read anew before it is looked at again. */
	at = ret_listing->feed.text;
	while (r == 0 && (line = strsep(&at, "\n"))) {
		char *name = line + (name_start(line, layout->column) - line);
		char *rest = name + strcspn(name, NAME_ENDS);

		if (rest == name)
			continue;
		if (*rest)
			*rest++ = '\0';
		r = line_learn(ret_listing, layout, name, rest, list, err);
	}
	return r;
}

void listing_close(struct listing *listing)
{
	for (size_t i = 0; i < listing->n; i++)
		free(listing->lines[i].name);
	free(listing->lines);
	feed_close(&listing->feed);
	*listing = (struct listing) { 0 };
}

int listing_state_open(struct listing_state *state, const struct root *root, const char *path,
	const struct listing_layout *layout, struct error *err)
{
	int r = listing_open(&state->listing, root, path, layout, &state->list, err);

	if (r == 0 && state->list.n == 0)
		return error_set(err, -EOPNOTSUPP, "%s has nothing that is known here", path);
	return r;
}

size_t listing_state_metrics(const void *state, const struct metric **ret_metrics)
{
	const struct listing_state *listing = state;

	*ret_metrics = listing->list.metrics;
	return listing->list.n;
}

int listing_state_read(void *state, int64_t *values)
{
	struct listing_state *listing = state;

	return listing_read(&listing->listing, values);
}

void listing_state_close(void *state)
{
	struct listing_state *listing = state;

	listing_close(&listing->listing);
	metric_list_done(&listing->list);
}
