// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Plan files: INI, read with inih. docs/plan-files.md has the sections and keys.
 *
 * inih's handler is not told the line, the start of a section, or that a line was cut at its
 * 200 bytes; the reader that feeds it its lines knows all three.
 */
#include <ini.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/nearest.h"
#include "config/draft.h"
#include "config/params.h"

enum section {
	SECTION_NONE,
	SECTION_SUITE,
	SECTION_DEFAULTS,
	SECTION_FULL,
	SECTION_BOX,
	SECTION_VARY,
	SECTION_SCENARIO, /* these two have a name behind the word */
	SECTION_VARIANT,
};

static const char *const section_names[] = {
	[SECTION_SUITE] = "suite",
	[SECTION_DEFAULTS] = "defaults",
	[SECTION_FULL] = "full",
	[SECTION_BOX] = "box",
	[SECTION_VARY] = "vary",
	[SECTION_SCENARIO] = "scenario",
	[SECTION_VARIANT] = "variant",
};

struct plan_file {
	struct draft *draft;
	size_t source; /* this file's, in the draft */
	const char *name;
	const char *rest; /* of the text */
	unsigned line;
	enum section section;
	struct lines sections; /* seen so far: name "[scenario io]" */
	struct lines keys; /* seen in this section */
	struct box_config box;
	char title[128];
	struct error *err;
	int r; /* of the first error */
};

/* "night.ini:12" */
static const char *where(const struct plan_file *file, char *buf, size_t size)
{
	snprintf(buf, size, "%.*s:%u", (int)size - 12, file->name, file->line);
	return buf;
}

#define WHERE(file) where(file, (char[320]) { 0 }, 320)

/* Puts the file and line in front of the first error, and ends the reading. */
static void blame(struct plan_file *file, int r)
{
	if (r < 0 && file->r == 0)
		file->r = error_prefix(file->err, r, "%s", WHERE(file));
}

static int unknown_section(struct plan_file *file, const char *word)
{
	struct nearest nearest = nearest_to(word);

	for (size_t i = SECTION_SUITE; i < ARRAY_SIZE(section_names); i++)
		nearest_offer(&nearest, section_names[i]);
	return error_set(file->err, -EINVAL, "no section [%s]%s", word, nearest_hint(&nearest));
}

/* The text between the brackets: a word, and for some a name behind it. */
static int section_enter(struct plan_file *file, char *text)
{
	char *name = text + strcspn(text, " \t");
	enum section section = SECTION_SUITE;
	struct sketch *sketch;

	if (*name)
		*name++ = '\0';
	name += strspn(name, " \t");
	while (section < ARRAY_SIZE(section_names) && strcmp(section_names[section], text))
		section++;
	if (section == ARRAY_SIZE(section_names))
		return unknown_section(file, text);
	file->section = section;
	if (section < SECTION_SCENARIO)
		return *name ? error_set(file->err, -EINVAL, "section [%s] has no name of its own",
				       text)
			     : 0;
	if (!*name)
		return error_set(file->err, -EINVAL, "section [%s NAME] needs a name", text);
	if (section == SECTION_VARIANT)
		return variant_add(file->draft, name, file->err) ? 0 : -EINVAL;
	sketch = draft_sketch(file->draft, name, WHERE(file), file->err);
	if (!sketch)
		return -ENOMEM;
	sketch->source = file->source;
	return 0;
}

static int section_begin(struct plan_file *file, const char *line, size_t n)
{
	const char *end = memchr(line, ']', n);
	char text[256] = "";
	const struct line *seen;
	int r;

	if (!end || (size_t)(end - line) > sizeof(text))
		return error_set(file->err, -EINVAL, "a section's name ends with ]");
	memcpy(text, line + 1, (size_t)(end - line - 1));
	seen = lines_find(&file->sections, text);
	if (seen)
		return error_set(file->err, -EINVAL, "section [%s] is there already, in %s", text,
			seen->where);
	lines_done(&file->keys);
	r = lines_add(&file->sections, text, NULL, WHERE(file), file->err);
	return r < 0 ? r : section_enter(file, text);
}

/* As fgets(3), for inih. Blanks in front go: inih would join such a line to the one before. */
static char *read_line(char *buf, int size, void *data)
{
	struct plan_file *file = data;
	const char *line = file->rest;
	size_t n = strcspn(line, "\n");

	if (!*line || file->r < 0)
		return NULL;
	file->line++;
	file->rest += n + (line[n] == '\n');
	for (; n && (*line == ' ' || *line == '\t'); line++)
		n--;
	if (n + 2 > (size_t)size) {
		blame(file,
			error_set(file->err, -EINVAL, "line of more than %d characters", size - 2));
		return NULL;
	}
	memcpy(buf, line, n);
	memcpy(buf + n, "\n", 2);
	if (*line == '[')
		blame(file, section_begin(file, line, n));
	return file->r < 0 ? NULL : buf;
}

static int unknown_key(
	struct plan_file *file, struct option_rows rows, const char *const more[], const char *name)
{
	struct nearest nearest = nearest_to(name);

	for (size_t i = 0; i < rows.n; i++)
		nearest_offer(&nearest, rows.rows[i].name);
	for (; *more; more++)
		nearest_offer(&nearest, *more);
	return error_set(file->err, -EINVAL, "no key \"%s\" in section [%s]%s", name,
		section_names[file->section], nearest_hint(&nearest));
}

static int set_suite(struct plan_file *file, const char *name, const char *value)
{
	static const char *const keys[] = { "title", "summary", NULL };

	if (!strcmp(name, "title")) {
		snprintf(file->title, sizeof(file->title), "%s", value);
		return 0;
	}
	if (!strcmp(name, "summary"))
		return 0; /* suite_summary() reads it */
	return unknown_key(file, (struct option_rows) { 0 }, keys, name);
}

/* Keeps a line of options, whose value must be right even where no layer will use it. */
static int keep(struct plan_file *file, struct lines *lines, struct option_rows rows,
	const char *const more[], const char *name, const char *value)
{
	struct run_params params;
	int r;

	if (!option_find(rows, name))
		return unknown_key(file, rows, more, name);
	params_init(&params);
	r = params_set(&params, name, value, file->err);
	return r < 0 ? r : lines_add(lines, name, value, WHERE(file), file->err);
}

static int set_box(struct plan_file *file, const char *name, const char *value)
{
	static const char *const keys[] = { "kind", NULL };
	int r;

	if (strcmp(name, keys[0]) && !option_find(box_options, name))
		return unknown_key(file, box_options, keys, name);
	r = box_set(&file->box, name, value, file->err);
	return r < 0 ? r
		     : lines_add(&file->draft->sources[file->source].box, name, value, WHERE(file),
			       file->err);
}

/* "load", "load1", "load2", ... */
static bool is_load(const char *name)
{
	return !strncmp(name, "load", 4) && !name[4 + strspn(name + 4, "0123456789")];
}

static int set_scenario(struct plan_file *file, const char *name, const char *value)
{
	static const char *const keys[] = { "lead", "load", NULL };
	struct sketch *sketch = &file->draft->sketches[file->draft->n_sketches - 1];

	if (is_load(name))
		return lines_add(&sketch->parts, "load", value, WHERE(file), file->err);
	if (!strcmp(name, "lead"))
		return lines_add(&sketch->parts, "lead", value, WHERE(file), file->err);
	return keep(file, &sketch->options, scenario_options, keys, name, value);
}

static int set_key(struct plan_file *file, const char *name, const char *value)
{
	static const char *const none[] = { NULL };
	struct draft *draft = file->draft;
	struct source *source = &draft->sources[file->source];
	bool repeats = file->section == SECTION_SCENARIO && !strcmp(name, "load");
	int r;

	if (!repeats && lines_find(&file->keys, name))
		return error_set(file->err, -EINVAL, "key \"%s\" is there twice", name);
	r = lines_add(&file->keys, name, NULL, NULL, file->err);
	if (r < 0)
		return r;
	switch (file->section) {
	case SECTION_NONE: break;
	case SECTION_SUITE: return set_suite(file, name, value);
	case SECTION_DEFAULTS:
		return keep(file, &source->defaults, file_options, none, name, value);
	case SECTION_FULL: return keep(file, &source->full, file_options, none, name, value);
	case SECTION_BOX: return set_box(file, name, value);
	case SECTION_VARY: return vary_add(draft, name, value, WHERE(file), file->err);
	case SECTION_SCENARIO: return set_scenario(file, name, value);
	case SECTION_VARIANT:
		return variant_assign(&draft->variants[draft->n_variants - 1], name, value,
			WHERE(file), file->err);
	}
	return error_set(file->err, -EINVAL, "key \"%s\" before any section", name);
}

/* inih's handler: 0 is failure. */
static int handle(void *data, const char *section, const char *name, const char *value)
{
	struct plan_file *file = data;

	if (file->r == 0)
		blame(file, set_key(file, name, value));
	return file->r == 0;
}

/* What can be said about a scenario only when all of it has been read. */
static int sketch_check(struct sketch *sketch, struct error *err)
{
	if (!sketch->parts.n)
		return error_set(err, -EINVAL, "%s: scenario \"%s\" has neither lead nor load",
			sketch->where, sketch->name);
	if (lines_find(&sketch->parts, "lead"))
		return 0;
	return lines_add(&sketch->parts, "lead", DEFAULT_LEAD, sketch->where, err);
}

static int read_all(struct plan_file *file)
{
	int bad = ini_parse_stream(read_line, file, handle, file);

	/* The first line that was wrong, also when inih alone found it so. */
	if (bad > 0 && (file->r == 0 || (unsigned)bad < file->line)) {
		file->line = (unsigned)bad;
		return error_set(
			file->err, -EINVAL, "%s: neither [section] nor key = value", WHERE(file));
	}
	for (size_t i = 0; i < file->draft->n_sketches && file->r == 0; i++) {
		struct sketch *sketch = &file->draft->sketches[i];

		if (sketch->source == file->source)
			file->r = sketch_check(sketch, file->err);
	}
	return file->r;
}

int plan_file_parse(struct draft *draft, const char *name, const char *text, struct error *err)
{
	const char *base = strrchr(name, '/');
	struct plan_file file = {
		.draft = draft,
		.source = draft->n_sources,
		.name = name,
		.rest = text + (strncmp(text, "\xef\xbb\xbf", 3) ? 0 : 3), /* byte order mark */
		.err = err,
	};
	int r;

	base = base ? base + 1 : name;
	snprintf(file.title, sizeof(file.title), "%.*s", (int)strcspn(base, "."), base);
	if (!draft_source(draft, err))
		return -ENOMEM;
	r = read_all(&file);
	lines_done(&file.sections);
	lines_done(&file.keys);
	if (r == 0)
		draft_title(draft, file.title);
	return r;
}
