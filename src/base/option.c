// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/option.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"

/* Large enough for any field but text, which is parsed in place. */
union value {
	uint64_t count;
	int64_t ns;
	double real;
	struct size size;
	bool yes;
	int choice;
};

static int bool_parse(const char *text, bool *ret_yes, struct error *err)
{
	static const char *const words[] = { "no", "yes", "off", "on", "0", "1", "false", "true" };

	for (size_t i = 0; i < ARRAY_SIZE(words); i++) {
		if (!strcmp(text, words[i])) {
			*ret_yes = i % 2;
			return 0;
		}
	}
	return error_set(err, -EINVAL, "\"%s\" is neither yes nor no", text);
}

static int real_parse(const char *text, double *ret_real, struct error *err)
{
	char *end;
	double real = strtod(text, &end);

	if (end == text || *end || !isfinite(real))
		return error_set(err, -EINVAL, "\"%s\" is not a number", text);
	*ret_real = real;
	return 0;
}

static int choice_parse(
	const struct option_row *row, const char *text, int *ret_choice, struct error *err)
{
	char list[256] = "";

	for (int i = 0; row->choices[i]; i++) {
		size_t used = strlen(list);

		if (!strcmp(row->choices[i], text)) {
			*ret_choice = i;
			return 0;
		}
		snprintf(list + used, sizeof(list) - used, "%s%s", i ? ", " : "", row->choices[i]);
	}
	return error_set(err, -EINVAL, "\"%s\" is not one of %s", text, list);
}

static int value_parse(
	const struct option_row *row, const char *text, union value *ret_value, struct error *err)
{
	switch (row->type) {
	case OPTION_COUNT: return count_parse(text, &ret_value->count, err);
	case OPTION_BYTES: return bytes_parse(text, &ret_value->count, err);
	case OPTION_SIZE: return size_parse(text, &ret_value->size, err);
	case OPTION_DURATION: return duration_parse(text, &ret_value->ns, err);
	case OPTION_REAL: return real_parse(text, &ret_value->real, err);
	case OPTION_BOOL: return bool_parse(text, &ret_value->yes, err);
	case OPTION_CHOICE: return choice_parse(row, text, &ret_value->choice, err);
	case OPTION_TEXT: break;
	}
	return -EINVAL;
}

/* -1, 0, 1; a size in per cent and one in bytes do not compare: 0. */
static int value_compare(const struct option_row *row, const union value *a, const union value *b)
{
	switch (row->type) {
	case OPTION_COUNT:
	case OPTION_BYTES: return (a->count > b->count) - (a->count < b->count);
	case OPTION_DURATION: return (a->ns > b->ns) - (a->ns < b->ns);
	case OPTION_REAL: return (a->real > b->real) - (a->real < b->real);
	case OPTION_SIZE:
		if (!a->size.permille != !b->size.permille)
			return 0;
		if (a->size.permille)
			return (a->size.permille > b->size.permille) -
			       (a->size.permille < b->size.permille);
		return (a->size.bytes > b->size.bytes) - (a->size.bytes < b->size.bytes);
	default: return 0;
	}
}

static bool value_inside(const struct option_row *row, const union value *value)
{
	union value limit = { 0 };

	if (row->min && value_parse(row, row->min, &limit, NULL) == 0 &&
		value_compare(row, value, &limit) < 0)
		return false;
	if (row->max && value_parse(row, row->max, &limit, NULL) == 0 &&
		value_compare(row, value, &limit) > 0)
		return false;
	return true;
}

static size_t field_size(const struct option_row *row)
{
	switch (row->type) {
	case OPTION_COUNT:
	case OPTION_BYTES: return sizeof(uint64_t);
	case OPTION_DURATION: return sizeof(int64_t);
	case OPTION_REAL: return sizeof(double);
	case OPTION_SIZE: return sizeof(struct size);
	case OPTION_BOOL: return sizeof(bool);
	case OPTION_CHOICE: return sizeof(int);
	case OPTION_TEXT: break;
	}
	return row->size;
}

static int row_set(const struct option_row *row, void *params, const char *text, struct error *err)
{
	char *field = (char *)params + row->offset;
	union value value = { 0 };
	int r;

	if (row->type == OPTION_TEXT) {
		if (strlen(text) >= row->size)
			return error_set(err, -ERANGE, "%s: text of more than %zu characters",
				row->name, row->size - 1);
		memset(field, 0, row->size);
		memcpy(field, text, strlen(text));
		return 0;
	}
	r = value_parse(row, text, &value, err);
	if (r < 0)
		return error_prefix(err, r, "%s", row->name);
	if (!value_inside(row, &value))
		return error_set(err, -ERANGE, "%s: %s is out of range (%s to %s)", row->name, text,
			row->min ? row->min : "any", row->max ? row->max : "any");
	memcpy(field, &value, field_size(row));
	return 0;
}

void option_defaults(struct option_rows rows, void *params)
{
	for (size_t i = 0; i < rows.n; i++) {
		const struct option_row *row = &rows.rows[i];
		struct error err;

		if (!row->fallback)
			memset((char *)params + row->offset, 0, field_size(row));
		else if (row_set(row, params, row->fallback, &err) < 0)
			abort();
	}
}

const struct option_row *option_find(struct option_rows rows, const char *name)
{
	for (size_t i = 0; i < rows.n; i++) {
		if (!strcmp(rows.rows[i].name, name))
			return &rows.rows[i];
	}
	return NULL;
}

static int unknown(struct option_rows rows, const char *name, struct error *err)
{
	struct nearest nearest = nearest_to(name);

	for (size_t i = 0; i < rows.n; i++)
		nearest_offer(&nearest, rows.rows[i].name);
	return error_set(err, -ENOENT, "no option \"%s\"%s", name, nearest_hint(&nearest));
}

int option_set(struct option_rows rows, void *params, const char *name, const char *value,
	struct error *err)
{
	const struct option_row *row = option_find(rows, name);

	if (!row)
		return unknown(rows, name, err);
	if (!value && row->type != OPTION_BOOL)
		return error_set(err, -EINVAL, "option \"%s\" needs a value: %s=...", name, name);
	return row_set(row, params, value ? value : "yes", err);
}

char *option_next(char **rest)
{
	char *item = *rest, *out = item, *in = item;

	if (!item)
		return NULL;
	while (*in && *in != ',') {
		if (in[0] == '\\' && (in[1] == ',' || in[1] == '\\'))
			in++;
		*out++ = *in++;
	}
	*rest = *in ? in + 1 : NULL;
	*out = '\0';
	return item;
}

int option_set_list(struct option_rows rows, void *params, const char *text, struct error *err)
{
	char *copy CLEANUP(free_text) = strdup(text);
	char *rest = copy && *copy ? copy : NULL;
	char *item;

	if (!copy)
		return error_errno(err, -ENOMEM, "options");
	while ((item = option_next(&rest))) {
		char *equals = strchr(item, '=');
		int r;

		if (equals)
			*equals = '\0';
		r = option_set(rows, params, item, equals ? equals + 1 : NULL, err);
		if (r < 0)
			return r;
	}
	return 0;
}

static const char *text_escape(const char *text, char *buf, size_t size)
{
	size_t used = 0;

	for (; *text && used + 2 < size; text++) {
		if (*text == ',' || *text == '\\')
			buf[used++] = '\\';
		buf[used++] = *text;
	}
	buf[used] = '\0';
	return buf;
}

const char *option_spell(const struct option_row *row, const void *params, char *buf, size_t size)
{
	const char *field = (const char *)params + row->offset;
	union value value = { 0 };

	if (row->type == OPTION_TEXT) {
		snprintf(buf, size, "%s", field);
		return buf;
	}
	memcpy(&value, field, field_size(row));
	switch (row->type) {
	case OPTION_COUNT: snprintf(buf, size, "%llu", (unsigned long long)value.count); break;
	case OPTION_BYTES: return bytes_spell(value.count, buf, size);
	case OPTION_SIZE:
		if (!value.size.permille)
			return bytes_spell(value.size.bytes, buf, size);
		snprintf(buf, size, "%g%%", value.size.permille / 10.0);
		break;
	case OPTION_DURATION: return duration_spell(value.ns, buf, size);
	case OPTION_REAL: snprintf(buf, size, "%.17g", value.real); break;
	case OPTION_BOOL: snprintf(buf, size, "%s", value.yes ? "yes" : "no"); break;
	case OPTION_CHOICE: snprintf(buf, size, "%s", row->choices[value.choice]); break;
	case OPTION_TEXT: break;
	}
	return buf;
}

static bool is_default(const struct option_row *row, const void *params)
{
	const char *field = (const char *)params + row->offset;
	union value value = { 0 };

	if (row->type == OPTION_TEXT)
		return !strcmp(field, row->fallback ? row->fallback : "");
	if (row->fallback && value_parse(row, row->fallback, &value, NULL) < 0)
		return false;
	return !memcmp(field, &value, field_size(row));
}

const char *option_spell_list(struct option_rows rows, const void *params, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < rows.n && used < size; i++) {
		char value[4096], escaped[4096];

		if (is_default(&rows.rows[i], params))
			continue;
		option_spell(&rows.rows[i], params, value, sizeof(value));
		text_escape(value, escaped, sizeof(escaped));
		used += (size_t)snprintf(buf + used, size - used, "%s%s=%s", used ? "," : "",
			rows.rows[i].name, escaped);
	}
	return buf;
}
