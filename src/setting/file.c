// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/file.h"

#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "setting/value.h"

int setting_file_read(
	const struct root *root, const char *path, char *buf, size_t size, struct error *err)
{
	char text[SETTING_VALUE_SIZE], *value;
	ssize_t n = root_read(root, path, text, sizeof(text));

	if (n == -ENOENT || n == -ENOTDIR)
		return error_set(err, -EOPNOTSUPP, "this kernel has no %s", path);
	if (n < 0)
		return error_set(err, -EOPNOTSUPP,
			"%s cannot be read, so it could not be put back: %s", path,
			strerror((int)-n));
	value = value_trim(text);
	if (strlen(value) >= size)
		return error_set(err, -EOPNOTSUPP, "%s: value too long", path);
	memmove(buf, value, strlen(value) + 1);
	return 0;
}

/*
 * Two spellings of one limit: writing one sets the other to 0, and 0 is not accepted back by all
 * of them (vm.dirty_bytes: mm/page-writeback.c). What puts both back is to write the one that
 * was in force.
 */
static const char *const pairs[][2] = {
	{ "/proc/sys/vm/dirty_bytes", "/proc/sys/vm/dirty_ratio" },
	{ "/proc/sys/vm/dirty_background_bytes", "/proc/sys/vm/dirty_background_ratio" },
	{ "/proc/sys/vm/overcommit_kbytes", "/proc/sys/vm/overcommit_ratio" },
};

static const char *partner(const char *path)
{
	for (size_t i = 0; i < ARRAY_SIZE(pairs); i++) {
		if (!strcmp(path, pairs[i][0]))
			return pairs[i][1];
		if (!strcmp(path, pairs[i][1]))
			return pairs[i][0];
	}
	return NULL;
}

static int note_old(
	const struct setting_place *place, const char *path, const char *old, struct error *err)
{
	const char *other = partner(path);
	char value[SETTING_VALUE_SIZE];

	if (!place->journal)
		return error_set(
			err, -EOPNOTSUPP, "%s is not changed without an undo journal", path);
	if (other && setting_file_read(place->root, other, value, sizeof(value), NULL) == 0 &&
		!value_equal(value, "0"))
		return journal_note(place->journal, UNDO_WRITE, other, value, err);
	return journal_note(place->journal, UNDO_WRITE, path, old, err);
}

int setting_file_note(const struct setting_place *place, const char *path, struct error *err)
{
	char value[SETTING_VALUE_SIZE];

	if (setting_file_read(place->root, path, value, sizeof(value), NULL) < 0)
		return 0;
	return note_old(place, path, value, err);
}

struct notes {
	const struct setting_place *place;
	const char *directory;
	struct error *err;
	int r;
};

static void note_name(void *data, const char *name)
{
	struct notes *notes = data;
	char path[PATH_MAX];

	snprintf(path, sizeof(path), "%.3800s/%.255s", notes->directory, name);
	if (notes->r == 0)
		notes->r = setting_file_note(notes->place, path, notes->err);
}

int setting_directory_note(const struct setting_place *place, const char *path, struct error *err)
{
	struct notes notes = { .place = place, .directory = path, .err = err };

	names_visit(place->root, path, note_name, &notes);
	return notes.r;
}

/* A codec or a scheduler that there is not is -ENOENT, from the write: the file itself is there. */
static int write_text(
	const struct root *root, const char *path, const char *text, struct error *err)
{
	int r = root_write(root, path, *text ? text : "\n");

	if (r == -EINVAL || r == -ERANGE || r == -ENOENT)
		return error_set(
			err, -EOPNOTSUPP, "the kernel does not accept %s for %s", text, path);
	if (r < 0)
		return error_set(err, -EOPNOTSUPP, "%s cannot be set here: %s", path, strerror(-r));
	return 0;
}

int setting_file_write(
	const struct setting_place *place, const char *path, const char *text, struct error *err)
{
	char old[SETTING_VALUE_SIZE];
	int r = setting_file_read(place->root, path, old, sizeof(old), err);

	if (r == 0)
		r = note_old(place, path, old, err);
	return r < 0 ? r : write_text(place->root, path, text, err);
}

int setting_file_apply(
	const struct setting_place *place, const char *path, const char *value, struct error *err)
{
	char taken[SETTING_VALUE_SIZE];
	int r = setting_file_read(place->root, path, taken, sizeof(taken), err);

	if (r < 0 || value_equal(taken, value))
		return r;
	r = note_old(place, path, taken, err);
	if (r == 0)
		r = write_text(place->root, path, value, err);
	if (r == 0)
		r = setting_file_read(place->root, path, taken, sizeof(taken), err);
	if (r < 0)
		return r;
	if (!value_equal(taken, value))
		return error_set(err, -EOPNOTSUPP, "%s was set to %s, but the kernel made it %s",
			path, value, taken);
	return 0;
}
