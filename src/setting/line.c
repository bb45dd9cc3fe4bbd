// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/line.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"

#define VERSION "1"
#define CHECKSUM 16 /* hex digits */

static const char *const undo_names[UNDO_KINDS] = {
	[UNDO_WRITE] = "write",
	[UNDO_SWAPOFF] = "swapoff",
	[UNDO_ZRAM] = "zram",
	[UNDO_UNMOUNT] = "unmount",
	[UNDO_CGROUP] = "cgroup",
	[UNDO_REMOVE] = "remove",
};

const char *undo_name(enum undo_kind kind)
{
	return (unsigned)kind < UNDO_KINDS ? undo_names[kind] : "?";
}

/* FNV-1a, 64 bits: it guards against torn and edited lines, not against an enemy. */
static uint64_t checksum(const char *text)
{
	uint64_t sum = 0xcbf29ce484222325ULL;

	for (; *text; text++)
		sum = (sum ^ (unsigned char)*text) * 0x100000001b3ULL;
	return sum;
}

static void put_field(FILE *out, const char *text)
{
	fputc(' ', out);
	for (; *text; text++) {
		unsigned char c = (unsigned char)*text;

		if (c <= ' ' || c == '%' || c == 0x7f)
			fprintf(out, "%%%02X", c);
		else
			fputc(c, out);
	}
}

static char *body_spell(const struct line *line)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	switch (line->kind) {
	case LINE_JOURNAL:
		fputs("journal " VERSION, out);
		put_field(out, line->path);
		break;
	case LINE_NOTE:
		fprintf(out, "note %" PRIu64 " %s", line->seq, undo_name(line->undo));
		put_field(out, line->path);
		put_field(out, line->value);
		break;
	case LINE_UNDONE: fprintf(out, "undone %" PRIu64, line->seq); break;
	}
	if (fclose(out) == 0)
		return text;
	free(text);
	return NULL;
}

char *line_spell(const struct line *line)
{
	char *body CLEANUP(free_text) = body_spell(line);
	char *text = NULL;

	if (!body || asprintf(&text, "%016" PRIx64 " %s\n", checksum(body), body) < 0)
		return NULL;
	return text;
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
}

/* Undoes put_field() in place. False where '%' is not followed by two digits. */
static bool unescape(char *text)
{
	char *to = text;

	for (const char *from = text; *from; to++) {
		int high, low;

		if (*from != '%') {
			*to = *from++;
			continue;
		}
		high = digit(from[1]);
		low = high < 0 ? -1 : digit(from[2]);
		if (low < 0)
			return false;
		*to = (char)(high << 4 | low);
		from += 3;
	}
	*to = '\0';
	return true;
}

static bool parse_number(const char *text, uint64_t *ret_number)
{
	char *end;

	if (!text || *text < '0' || *text > '9')
		return false;
	*ret_number = strtoull(text, &end, 10);
	return !*end;
}

static bool parse_undo(const char *text, enum undo_kind *ret_kind)
{
	for (unsigned kind = 0; text && kind < UNDO_KINDS; kind++) {
		if (!strcmp(undo_names[kind], text)) {
			*ret_kind = kind;
			return true;
		}
	}
	return false;
}

static bool parse_note(char *rest, struct line *line)
{
	char *path, *value;

	if (!parse_number(strsep(&rest, " "), &line->seq) ||
		!parse_undo(strsep(&rest, " "), &line->undo))
		return false;
	path = strsep(&rest, " ");
	value = strsep(&rest, " ");
	line->path = path;
	line->value = value;
	return path && value && !rest && unescape(path) && unescape(value);
}

int line_parse(char *text, struct line *ret_line)
{
	struct line line = { 0 };
	char spelled[CHECKSUM + 1], *rest, *word;
	bool ok = false;

	if (strlen(text) <= CHECKSUM || text[CHECKSUM] != ' ')
		return -EBADMSG;
	rest = text + CHECKSUM + 1;
	snprintf(spelled, sizeof(spelled), "%016" PRIx64, checksum(rest));
	if (memcmp(spelled, text, CHECKSUM) != 0)
		return -EBADMSG;
	word = strsep(&rest, " ");
	if (!strcmp(word, "journal")) {
		line.kind = LINE_JOURNAL;
		word = strsep(&rest, " ");
		line.path = rest;
		ok = word && !strcmp(word, VERSION) && rest && unescape(rest);
	} else if (!strcmp(word, "note")) {
		line.kind = LINE_NOTE;
		ok = parse_note(rest, &line);
	} else if (!strcmp(word, "undone")) {
		line.kind = LINE_UNDONE;
		ok = parse_number(rest, &line.seq);
	}
	if (!ok)
		return -EBADMSG;
	*ret_line = line;
	return 0;
}
