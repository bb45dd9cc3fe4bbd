// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/pack.h"

#include <archive.h>
#include <archive_entry.h>
#include <limits.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"

void pack_done(struct pack *pack)
{
	if (pack->archive)
		archive_write_free(pack->archive);
	for (size_t i = 0; i < pack->n; i++)
		free(pack->names[i]);
	free(pack->names);
	*pack = (struct pack) { 0 };
}

static int fail(const struct pack *pack, const char *what, struct error *err)
{
	return error_set(err, -EIO, "%s: %s", what, archive_error_string(pack->archive));
}

int pack_open(const char *path, enum pack_format format, struct pack *ret_pack, struct error *err)
{
	struct pack pack CLEANUP(pack_done) = { archive_write_new(), NULL, 0 };
	int r;

	if (!pack.archive)
		return error_errno(err, -ENOMEM, "%s", path);
	/* Neither is compressed: unpacking would take a guest's time, and the host has the room. */
	if (format == PACK_INITRAMFS)
		r = archive_write_set_format_cpio_newc(pack.archive);
	else
		r = archive_write_set_format_iso9660(pack.archive);
	if (r == ARCHIVE_OK)
		r = archive_write_open_filename(pack.archive, path);
	if (r != ARCHIVE_OK)
		return fail(&pack, path, err);
	*ret_pack = pack;
	pack = (struct pack) { 0 };
	return 0;
}

int pack_close(struct pack *pack, struct error *err)
{
	return archive_write_close(pack->archive) == ARCHIVE_OK ? 0 : fail(pack, "archive", err);
}

static bool has(const struct pack *pack, const char *name)
{
	for (size_t i = 0; i < pack->n; i++) {
		if (!strcmp(pack->names[i], name))
			return true;
	}
	return false;
}

/* 1: it is new. 0: it is in already. */
static int note(struct pack *pack, const char *name, struct error *err)
{
	char **grown;

	if (has(pack, name))
		return 0;
	grown = reallocarray(pack->names, pack->n + 1, sizeof(*grown));
	if (!grown)
		return error_errno(err, -ENOMEM, "%s", name);
	pack->names = grown;
	grown[pack->n] = strdup(name);
	if (!grown[pack->n])
		return error_errno(err, -ENOMEM, "%s", name);
	pack->n++;
	return 1;
}

static void entry_done(struct archive_entry **entry)
{
	archive_entry_free(*entry);
}

/* What an entry is. */
struct content {
	mode_t mode;
	dev_t device;
	const char *target, *data;
	size_t size;
};

static int put(
	struct pack *pack, const char *name, const struct content *content, struct error *err)
{
	struct archive_entry *entry CLEANUP(entry_done) = archive_entry_new();

	if (!entry)
		return error_errno(err, -ENOMEM, "%s", name);
	/* No times, owners or inode numbers. */
	archive_entry_set_pathname(entry, name + (*name == '/'));
	archive_entry_set_mode(entry, content->mode);
	archive_entry_set_nlink(entry, 1);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_size(entry, (la_int64_t)content->size);
	if (S_ISCHR(content->mode))
		archive_entry_set_rdev(entry, content->device);
	if (content->target)
		archive_entry_set_symlink(entry, content->target);
	if (archive_write_header(pack->archive, entry) != ARCHIVE_OK ||
		(content->size && archive_write_data(pack->archive, content->data, content->size) !=
					  (la_ssize_t)content->size))
		return fail(pack, name, err);
	return 0;
}

int pack_directory(struct pack *pack, const char *name, struct error *err)
{
	static const struct content directory = { .mode = S_IFDIR | 0755 };
	char partial[PATH_MAX];
	int r = 1;

	for (const char *slash = strchr(name + 1, '/'); r >= 0; slash = strchr(slash + 1, '/')) {
		snprintf(partial, sizeof(partial), "%.*s",
			slash ? (int)(slash - name) : (int)strlen(name), name);
		r = note(pack, partial, err);
		if (r > 0)
			r = put(pack, partial, &directory, err);
		if (!slash)
			break;
	}
	return r < 0 ? r : 0;
}

/* Puts it where the name is new, below directories that are there. */
static int put_new(
	struct pack *pack, const char *name, const struct content *content, struct error *err)
{
	const char *slash = strrchr(name, '/');
	char above[PATH_MAX];
	int r = note(pack, name, err);

	if (r <= 0)
		return r;
	snprintf(above, sizeof(above), "%.*s", (int)(slash - name), name);
	r = *above ? pack_directory(pack, above, err) : 0;
	return r < 0 ? r : put(pack, name, content, err);
}

int pack_device(struct pack *pack, const char *name, dev_t device, struct error *err)
{
	const struct content content = { .mode = S_IFCHR | 0600, .device = device };

	return put_new(pack, name, &content, err);
}

int pack_data(struct pack *pack, const char *name, mode_t mode, const char *data, size_t size,
	struct error *err)
{
	const struct content content = { .mode = S_IFREG | mode, .data = data, .size = size };

	return put_new(pack, name, &content, err);
}

int pack_file(struct pack *pack, const char *path, const char *name, mode_t mode, struct error *err)
{
	char *data CLEANUP(free_text) = NULL;
	size_t size;
	int r;

	if (has(pack, name))
		return 0;
	r = file_read(path, &data, &size, err);
	return r < 0 ? r : pack_data(pack, name, mode, data, size, err);
}

int pack_link(struct pack *pack, const char *name, const char *target, struct error *err)
{
	const struct content content = { .mode = S_IFLNK | 0777, .target = target };

	return put_new(pack, name, &content, err);
}
