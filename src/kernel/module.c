// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/module.h"

#include <archive.h>
#include <archive_entry.h>
#include <elf.h>
#include <fts.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"

_Bool module_name(const char *path, char name[64])
{
	static const char *const endings[] = { ".ko", ".ko.xz", ".ko.zst", ".ko.gz" };
	const char *slash = strrchr(path, '/');
	const char *file = slash ? slash + 1 : path;
	const char *dot = strstr(file, ".ko");
	bool known = false;

	for (size_t i = 0; dot && i < ARRAY_SIZE(endings); i++)
		known = known || !strcmp(dot, endings[i]);
	if (!known || dot - file >= 64 || dot == file)
		return false;
	for (size_t i = 0; i < (size_t)(dot - file); i++)
		name[i] = file[i] == '-' ? '_' : file[i];
	name[dot - file] = '\0';
	return true;
}

/* Bounds of a section: within data, or NULL. */
static const char *section(const char *data, size_t size, const char *name, size_t *ret_size)
{
	Elf64_Ehdr header;
	Elf64_Shdr names, each;

	if (size < sizeof(header))
		return NULL;
	memcpy(&header, data, sizeof(header));
	if (memcmp(header.e_ident, ELFMAG, SELFMAG) || header.e_ident[EI_CLASS] != ELFCLASS64 ||
		header.e_ident[EI_DATA] != ELFDATA2LSB || header.e_shstrndx >= header.e_shnum ||
		header.e_shoff > size || (size - header.e_shoff) / sizeof(each) < header.e_shnum)
		return NULL;
	memcpy(&names, data + header.e_shoff + header.e_shstrndx * sizeof(names), sizeof(names));
	if (names.sh_offset > size || names.sh_size > size - names.sh_offset)
		return NULL;
	for (size_t i = 0; i < header.e_shnum; i++) {
		size_t length = strlen(name) + 1;

		memcpy(&each, data + header.e_shoff + i * sizeof(each), sizeof(each));
		if (each.sh_name > names.sh_size || names.sh_size - each.sh_name < length ||
			memcmp(data + names.sh_offset + each.sh_name, name, length) != 0)
			continue;
		if (each.sh_offset > size || each.sh_size > size - each.sh_offset)
			return NULL;
		*ret_size = each.sh_size;
		return data + each.sh_offset;
	}
	return NULL;
}

const char *module_info(const char *data, size_t size, const char *key)
{
	size_t left, length = strlen(key);
	const char *at = section(data, size, ".modinfo", &left);

	while (at && left) {
		const char *end = memchr(at, 0, left);

		if (!end)
			return NULL;
		if ((size_t)(end - at) > length && !memcmp(at, key, length) && at[length] == '=')
			return at + length + 1;
		left -= (size_t)(end + 1 - at);
		at = end + 1;
	}
	return NULL;
}

static void close_reading(struct archive **archive)
{
	if (*archive)
		archive_read_free(*archive);
}

/* Appends what the archive has of its one entry. */
static int read_entry(struct archive *archive, char **data, size_t *used)
{
	size_t room = 0;

	for (;;) {
		la_ssize_t n;

		if (room - *used < 65536) {
			char *grown = realloc(*data, room = 2 * room + 262144);

			if (!grown)
				return -ENOMEM;
			*data = grown;
		}
		n = archive_read_data(archive, *data + *used, room - *used);
		if (n <= 0)
			return n < 0 ? -EBADMSG : 0;
		*used += (size_t)n;
	}
}

/* Reads a file, unpacked. */
static int unpack(const char *path, char **ret_data, size_t *ret_size, struct error *err)
{
	struct archive *archive CLEANUP(close_reading) = archive_read_new();
	struct archive_entry *entry;
	char *data CLEANUP(free_text) = NULL;
	size_t size = 0;
	int r;

	if (!archive)
		return error_errno(err, -ENOMEM, "%s", path);
	archive_read_support_filter_xz(archive);
	archive_read_support_filter_gzip(archive);
	archive_read_support_filter_zstd(archive);
	archive_read_support_format_raw(archive);
	if (archive_read_open_filename(archive, path, 65536) != ARCHIVE_OK ||
		archive_read_next_header(archive, &entry) != ARCHIVE_OK)
		return error_set(err, -EBADMSG, "%s: %s", path, archive_error_string(archive));
	r = read_entry(archive, &data, &size);
	if (r < 0)
		return error_errno(err, r, "%s", path);
	*ret_data = data;
	*ret_size = size;
	data = NULL;
	return 0;
}

/* Where each module's file is. */
struct index {
	struct place {
		char name[64];
		char *path;
	} * places;
	size_t n;
};

static void index_done(struct index *index)
{
	for (size_t i = 0; i < index->n; i++)
		free(index->places[i].path);
	free(index->places);
}

static int index_add(struct index *index, const char *name, const char *path)
{
	struct place *grown = reallocarray(index->places, index->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	index->places = grown;
	strcpy(grown[index->n].name, name);
	grown[index->n].path = strdup(path);
	return grown[index->n++].path ? 0 : -ENOMEM;
}

static void close_walk(FTS **fts)
{
	if (*fts)
		fts_close(*fts);
}

static int index_read(const char *directory, struct index *index, struct error *err)
{
	char *const roots[] = { strdupa(directory), NULL };
	FTS *fts CLEANUP(close_walk) = fts_open(roots, FTS_PHYSICAL | FTS_NOCHDIR, NULL);
	FTSENT *entry;

	if (!fts)
		return error_errno(err, -errno, "%s", directory);
	while ((entry = fts_read(fts))) {
		char name[64];

		if (entry->fts_info == FTS_F && module_name(entry->fts_path, name) &&
			index_add(index, name, entry->fts_path) < 0)
			return error_errno(err, -ENOMEM, "%s", directory);
	}
	return 0;
}

static const char *index_find(const struct index *index, const char *name)
{
	for (size_t i = 0; i < index->n; i++) {
		if (!strcmp(index->places[i].name, name))
			return index->places[i].path;
	}
	return NULL;
}

static bool has(const struct modules *modules, const char *name)
{
	for (size_t i = 0; i < modules->n; i++) {
		if (!strcmp(modules->items[i].name, name))
			return true;
	}
	return false;
}

static int append(struct modules *modules, const struct module *module)
{
	struct module *grown = reallocarray(modules->items, modules->n + 1, sizeof(*grown));

	if (!grown)
		return -ENOMEM;
	modules->items = grown;
	grown[modules->n++] = *module;
	return 0;
}

/* A chain of modules that need each other is a handful long. */
#define DEEPEST 16

static int add(const struct index *index, const char *name, unsigned depth, struct modules *modules,
	struct error *err);

/* All names of a comma list. */
static int add_needed(const struct index *index, const char *list, unsigned depth,
	struct modules *modules, struct error *err)
{
	int r = 0;

	while (r == 0 && list && *list) {
		size_t length = strcspn(list, ",");
		char name[64], file[80];

		snprintf(file, sizeof(file), "%.*s.ko", (int)length, list);
		if (length && module_name(file, name))
			r = add(index, name, depth + 1, modules, err);
		list += length + (list[length] == ',');
	}
	return r;
}

/* Adds a module behind those that it needs, once. */
static int add(const struct index *index, const char *name, unsigned depth, struct modules *modules,
	struct error *err)
{
	const char *path = index_find(index, name);
	char *data CLEANUP(free_text) = NULL;
	struct module module;
	int r;

	if (!path || has(modules, name))
		return 0;
	if (depth > DEEPEST)
		return error_set(err, -ELOOP, "%s: modules that need each other", path);
	r = unpack(path, &data, &module.size, err);
	if (r < 0)
		return r;
	if (module.size < SELFMAG || memcmp(data, ELFMAG, SELFMAG) != 0)
		return error_set(err, -EBADMSG, "%s is no module", path);
	r = add_needed(index, module_info(data, module.size, "depends"), depth, modules, err);
	if (r < 0)
		return r;
	snprintf(module.name, sizeof(module.name), "%s", name);
	module.data = data;
	if (append(modules, &module) < 0)
		return error_errno(err, -ENOMEM, "%s", path);
	data = NULL;
	return 0;
}

int modules_read(const char *directory, const char *const wanted[], struct modules *ret_modules,
	struct error *err)
{
	struct modules modules CLEANUP(modules_done) = { 0 };
	struct index index CLEANUP(index_done) = { 0 };
	int r = *directory ? index_read(directory, &index, err) : 0;

	for (; r == 0 && *wanted; wanted++)
		r = add(&index, *wanted, 0, &modules, err);
	if (r < 0)
		return r;
	*ret_modules = modules;
	modules = (struct modules) { 0 };
	return 0;
}

void modules_done(struct modules *modules)
{
	for (size_t i = 0; i < modules->n; i++)
		free(modules->items[i].data);
	free(modules->items);
	*modules = (struct modules) { 0 };
}
