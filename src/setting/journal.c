// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/journal.h"

#include <inttypes.h>
#include <stdarg.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "setting/home.h"
#include "setting/line.h"
#include "setting/log.h"
#include "setting/undo.h"

struct entry {
	uint64_t seq;
	enum undo_kind kind;
	bool inherited; /* of a dead owner */
	bool stale; /* of an earlier boot */
	bool settled; /* undone, or forgotten */
	char *path;
	char *value; /* "" for none */
};

struct journal {
	const struct root *root;
	struct journal_watch watch;
	struct log log;
	pid_t owner;
	char boot[64]; /* id of this boot; "" where the kernel gives none */
	bool headed; /* the last header line in the file is of this boot */
	struct entry *entries; /* not settled, in the order in which they were made */
	size_t n, room;
	uint64_t seq; /* of the next entry */
	size_t undone; /* entries of a dead owner */
};

/* The process that has a journal open: it may have only one (see log_open()). */
static pid_t holder;

static void say(const struct journal_watch *watch, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

static void say(const struct journal_watch *watch, const char *format, ...)
{
	char line[1024];
	va_list args;

	if (!watch || !watch->say)
		return;
	va_start(args, format);
	vsnprintf(line, sizeof(line), format, args);
	va_end(args);
	watch->say(watch->data, line);
}

static void entry_done(struct entry *entry)
{
	free(entry->path);
	free(entry->value);
}

static int entry_add(struct journal *journal, const struct line *line, bool stale)
{
	struct entry entry = { .seq = line->seq, .kind = line->undo, .stale = stale };

	if (journal->n == journal->room) {
		size_t room = journal->room ? 2 * journal->room : 16;
		struct entry *grown = reallocarray(journal->entries, room, sizeof(*grown));

		if (!grown)
			return -ENOMEM;
		journal->entries = grown;
		journal->room = room;
	}
	entry.path = strdup(line->path);
	entry.value = strdup(line->value);
	if (!entry.path || !entry.value) {
		entry_done(&entry);
		return -ENOMEM;
	}
	journal->entries[journal->n++] = entry;
	if (line->seq >= journal->seq)
		journal->seq = line->seq + 1;
	return 0;
}

static void entries_sweep(struct journal *journal)
{
	size_t kept = 0;

	for (size_t i = 0; i < journal->n; i++) {
		if (journal->entries[i].settled)
			entry_done(&journal->entries[i]);
		else
			journal->entries[kept++] = journal->entries[i];
	}
	journal->n = kept;
}

static int append_header(struct journal *journal, struct error *err)
{
	struct line line = { .kind = LINE_JOURNAL, .path = journal->boot };
	int r = log_append(&journal->log, &line, true, err);

	if (r == 0)
		journal->headed = true;
	return r;
}

/* Takes one line of the file in. */
static int load_line(void *data, char *text, unsigned number)
{
	struct journal *journal = data;
	char shown[160];
	struct line line;

	snprintf(shown, sizeof(shown), "%s", text);
	if (line_parse(text, &line) < 0) {
		say(&journal->watch, "%s, line %u is damaged and was not acted on: %s",
			journal->log.path, number, shown);
		return 0;
	}
	switch (line.kind) {
	case LINE_JOURNAL:
		journal->headed = *journal->boot && !strcmp(line.path, journal->boot);
		break;
	case LINE_NOTE: return entry_add(journal, &line, !journal->headed);
	case LINE_UNDONE:
		for (size_t i = 0; i < journal->n; i++)
			journal->entries[i].settled |= journal->entries[i].seq == line.seq;
		break;
	}
	return 0;
}

static void journal_drop(struct journal **journal)
{
	if (!*journal)
		return;
	for (size_t i = 0; i < (*journal)->n; i++)
		entry_done(&(*journal)->entries[i]);
	free((*journal)->entries);
	log_close(&(*journal)->log);
	free(*journal);
}

static struct journal *journal_new(const struct root *root, const struct journal_watch *watch)
{
	struct journal *journal = calloc(1, sizeof(*journal));

	if (!journal)
		return NULL;
	journal->root = root;
	if (watch)
		journal->watch = *watch;
	journal->log.fd = -1;
	journal->owner = getpid();
	journal->seq = 1;
	if (root_read_line(root, "/proc/sys/kernel/random/boot_id", journal->boot,
		    sizeof(journal->boot)) < 0)
		journal->boot[0] = '\0';
	return journal;
}

/* Opens, locks and reads the journal in a directory; undoes nothing yet. */
static int open_at(const char *directory, bool create, const struct root *root,
	struct journal **ret_journal, const struct journal_watch *watch, struct error *err)
{
	struct journal *journal CLEANUP(journal_drop) = journal_new(root, watch);
	bool torn;
	int r;

	if (!journal)
		return error_errno(err, -ENOMEM, "undo journal");
	r = log_open(&journal->log, directory, create, err);
	if (r == 0)
		r = log_read(&journal->log, load_line, journal, &torn, err);
	if (r < 0)
		return r;
	/* What it announced was not begun: journal_note() had not returned. */
	if (torn)
		say(&journal->watch, "%s: the last line is torn and was ignored",
			journal->log.path);
	entries_sweep(journal);
	for (size_t i = 0; i < journal->n; i++)
		journal->entries[i].inherited = true;
	*ret_journal = journal;
	journal = NULL;
	return 0;
}

/* Undoes one entry, or learns that there is nothing to undo. */
static int entry_undo(struct journal *journal, struct entry *entry, struct error *err)
{
	struct line line = { .kind = LINE_UNDONE, .seq = entry->seq };
	struct error why = { 0 };
	char what[512];
	int r = 0;

	if (!entry->stale || entry->kind == UNDO_REMOVE)
		r = undo_act(journal->root, entry->kind, entry->path, entry->value, &why);
	if (r < 0) {
		say(&journal->watch, "could not undo: %s (kept in %s)", why.text,
			journal->log.path);
		return error_set(err, r, "%s", why.text);
	}
	if (r > 0 && entry->inherited) {
		undo_render(entry->kind, entry->path, entry->value, what, sizeof(what));
		say(&journal->watch, "%s, left by a contend that was killed", what);
		journal->undone++;
	}
	entry->settled = true;
	/*
	 * Not synced: it is for a later process, and after a power failure only UNDO_REMOVE is acted
	 * on, which does no harm twice.
	 */
	if (log_append(&journal->log, &line, false, &why) < 0)
		say(&journal->watch, "%s", why.text);
	return 0;
}

/* When nothing is left to undo, the file starts anew. */
static void truncate_settled(struct journal *journal)
{
	if (!journal->n && log_clear(&journal->log) == 0)
		journal->headed = false;
}

int journal_undo(struct journal *journal, size_t mark, struct error *err)
{
	int first = 0;

	if (journal->owner != getpid())
		return error_set(err, -EPERM, "the undo journal is another process's");
	for (size_t i = journal->n; i-- > 0 && journal->entries[i].seq >= mark;) {
		int r = entry_undo(journal, &journal->entries[i], first ? NULL : err);

		if (r < 0 && !first)
			first = r;
	}
	entries_sweep(journal);
	truncate_settled(journal);
	return first;
}

size_t journal_mark(const struct journal *journal)
{
	return journal->seq;
}

void journal_forget(struct journal *journal, size_t mark)
{
	struct line line = { .kind = LINE_UNDONE };

	if (journal->owner != getpid())
		return;
	for (size_t i = 0; i < journal->n; i++) {
		if (journal->entries[i].seq < mark)
			continue;
		line.seq = journal->entries[i].seq;
		journal->entries[i].settled = true;
		log_append(&journal->log, &line, true, NULL);
	}
	entries_sweep(journal);
	truncate_settled(journal);
}

int journal_note(struct journal *journal, enum undo_kind kind, const char *path, const char *value,
	struct error *err)
{
	struct line line = {
		.kind = LINE_NOTE,
		.seq = journal->seq,
		.undo = kind,
		.path = path,
		.value = value ? value : "",
	};
	int r;

	if (journal->owner != getpid())
		return error_set(err, -EPERM, "the undo journal is another process's");
	r = journal->headed ? 0 : append_header(journal, err);
	if (r < 0)
		return r;
	r = entry_add(journal, &line, false);
	if (r < 0)
		return error_errno(err, r, "undo journal");
	r = log_append(&journal->log, &line, true, err);
	if (r < 0)
		entry_done(&journal->entries[--journal->n]);
	return r;
}

/*
 * Undoes what a journal in a directory holds, if there is one. Returns the entries undone or
 * -errno.
 */
static int repair_at(const char *directory, const struct root *root,
	const struct journal_watch *watch, struct error *err)
{
	struct journal *journal CLEANUP(journal_drop) = NULL;
	char path[PATH_MAX];
	struct stat st;
	int r;

	if (snprintf(path, sizeof(path), "%s/journal", directory) >= PATH_MAX ||
		stat(path, &st) < 0 || !st.st_size)
		return 0;
	r = open_at(directory, false, root, &journal, watch, err);
	if (r == 0)
		r = journal_undo(journal, 0, err);
	return r < 0 ? r : (int)journal->undone;
}

static int find_homes(struct journal_homes *ret_homes, struct error *err)
{
	if (holder == getpid())
		return error_set(err, -EBUSY, "this process has the undo journal open already");
	return journal_homes_find(ret_homes, err);
}

/* Opens the first journal that can be written to: its header is written to find that out. */
static int open_first(const struct journal_homes *homes, const struct root *root,
	struct journal **ret_journal, const struct journal_watch *watch, size_t *ret_index,
	struct error *err)
{
	int first = 0;

	for (size_t i = 0; i < homes->n; i++) {
		struct journal *journal CLEANUP(journal_drop) = NULL;
		struct error why;
		int r = open_at(homes->directory[i], true, root, &journal, watch, &why);

		if (r == 0 && !journal->headed)
			r = append_header(journal, &why);
		if (r == 0) {
			*ret_journal = journal;
			*ret_index = i;
			journal = NULL;
			return 0;
		}
		if (!first || r == -EBUSY)
			first = error_set(err, r, "%s", why.text);
		if (r == -EBUSY)
			break;
	}
	return first;
}

int journal_open(const struct root *root, struct journal **ret_journal,
	const struct journal_watch *watch, struct error *err)
{
	struct journal_homes homes;
	struct journal *journal = NULL;
	size_t chosen = 0;
	int r = find_homes(&homes, err);

	if (r == 0)
		r = open_first(&homes, root, &journal, watch, &chosen, err);
	if (r < 0)
		return r;
	journal_undo(journal, 0, NULL);
	/* One that was written when the better place could not be. */
	for (size_t i = chosen + 1; i < homes.n; i++)
		repair_at(homes.directory[i], root, watch, NULL);
	holder = getpid();
	*ret_journal = journal;
	return 0;
}

void journal_close(struct journal *journal)
{
	if (!journal)
		return;
	if (journal->owner == getpid()) {
		journal_undo(journal, 0, NULL);
		holder = 0;
	}
	journal_drop(&journal);
}

int journal_repair(const struct root *root, const struct journal_watch *watch, struct error *err)
{
	struct journal_homes homes;
	int r = find_homes(&homes, err), undone = 0, first = 0;

	if (r < 0)
		return r;
	for (size_t i = 0; i < homes.n; i++) {
		r = repair_at(homes.directory[i], root, watch, first ? NULL : err);
		if (r < 0)
			first = first ? first : r;
		else
			undone += r;
	}
	return first ? first : undone;
}
