// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/initramfs.h"

#include <archive.h>
#include <archive_entry.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "base/cleanup.h"
#include "base/file.h"

struct writer {
	struct archive *archive;
	char **names; /* that are in it already */
	size_t n;
};

static void writer_done(struct writer *writer)
{
	if (writer->archive)
		archive_write_free(writer->archive);
	for (size_t i = 0; i < writer->n; i++)
		free(writer->names[i]);
	free(writer->names);
}

/* 1: it is new. 0: it is in already. */
static int note(struct writer *writer, const char *name, struct error *err)
{
	char **grown;

	for (size_t i = 0; i < writer->n; i++) {
		if (!strcmp(writer->names[i], name))
			return 0;
	}
	grown = reallocarray(writer->names, writer->n + 1, sizeof(*grown));
	if (!grown)
		return error_errno(err, -ENOMEM, "initramfs");
	writer->names = grown;
	grown[writer->n] = strdup(name);
	if (!grown[writer->n])
		return error_errno(err, -ENOMEM, "initramfs");
	writer->n++;
	return 1;
}

static void entry_done(struct archive_entry **entry)
{
	archive_entry_free(*entry);
}

static int put(struct writer *writer, const char *name, mode_t mode, dev_t device, const char *data,
	size_t size, struct error *err)
{
	struct archive_entry *entry CLEANUP(entry_done) = archive_entry_new();

	if (!entry)
		return error_errno(err, -ENOMEM, "initramfs");
	/* No times, owners or inode numbers: the same content is the same archive. */
	archive_entry_set_pathname(entry, name + (*name == '/'));
	archive_entry_set_mode(entry, mode);
	archive_entry_set_nlink(entry, 1);
	archive_entry_set_mtime(entry, 0, 0);
	archive_entry_set_size(entry, (la_int64_t)size);
	if (S_ISCHR(mode))
		archive_entry_set_rdev(entry, device);
	if (archive_write_header(writer->archive, entry) != ARCHIVE_OK ||
		(size && archive_write_data(writer->archive, data, size) != (la_ssize_t)size))
		return error_set(err, -EIO, "initramfs: %s", archive_error_string(writer->archive));
	return 0;
}

/* A directory with those above it, once. */
static int put_directory(struct writer *writer, const char *name, struct error *err)
{
	char partial[PATH_MAX];
	int r = 1;

	for (const char *slash = strchr(name + 1, '/'); r >= 0; slash = strchr(slash + 1, '/')) {
		snprintf(partial, sizeof(partial), "%.*s",
			slash ? (int)(slash - name) : (int)strlen(name), name);
		r = note(writer, partial, err);
		if (r > 0)
			r = put(writer, partial, S_IFDIR | 0755, 0, NULL, 0, err);
		if (!slash)
			break;
	}
	return r < 0 ? r : 0;
}

static int put_above(struct writer *writer, const char *name, struct error *err)
{
	const char *slash = strrchr(name, '/');
	char above[PATH_MAX];

	if (slash == name)
		return 0;
	snprintf(above, sizeof(above), "%.*s", (int)(slash - name), name);
	return put_directory(writer, above, err);
}

static int put_file(
	struct writer *writer, const char *path, const char *name, mode_t mode, struct error *err)
{
	char *data CLEANUP(free_text) = NULL;
	size_t size;
	int r = note(writer, name, err);

	if (r <= 0)
		return r;
	r = file_read(path, &data, &size, err);
	r = r < 0 ? r : put_above(writer, name, err);
	return r < 0 ? r : put(writer, name, S_IFREG | mode, 0, data, size, err);
}

static int put_library(void *data, const char *path, struct error *err)
{
	return put_file(data, path, path, 0755, err);
}

static int put_program(struct writer *writer, const char *path, const char *name, struct error *err)
{
	int r = put_file(writer, path, name, 0755, err);

	return r < 0 ? r : libraries_visit(path, put_library, writer, err);
}

static int put_modules(struct writer *writer, const struct modules *modules, struct error *err)
{
	int r = put_directory(writer, INITRAMFS_MODULES, err);

	for (size_t i = 0; r == 0 && i < modules->n; i++) {
		const struct module *module = &modules->items[i];
		char name[128];

		snprintf(name, sizeof(name), INITRAMFS_MODULES "/%03zu-%s.ko", i, module->name);
		r = put(writer, name, S_IFREG | 0644, 0, module->data, module->size, err);
	}
	return r;
}

static int put_self(struct writer *writer, struct error *err)
{
	/* The loader, which is asked for the libraries, has another /proc/self/exe. */
	char *self CLEANUP(free_text) = realpath("/proc/self/exe", NULL);

	if (!self)
		return error_errno(err, -errno, "/proc/self/exe");
	return put_program(writer, self, INITRAMFS_PROGRAM, err);
}

/* Makes scratch's filesystem in the guest. Without it scratch is a tmpfs, and the guest says so. */
static int put_mkfs(struct writer *writer, struct error *err)
{
	static const char *const places[] = { "/sbin/mkfs.ext4", "/usr/sbin/mkfs.ext4" };

	for (size_t i = 0; i < ARRAY_SIZE(places); i++) {
		int r;

		if (!program_exists(places[i]))
			continue;
		r = put_program(writer, places[i], "/sbin/mkfs.ext4", err);
		if (r == 0 && access("/etc/mke2fs.conf", R_OK) == 0)
			r = put_file(writer, "/etc/mke2fs.conf", "/etc/mke2fs.conf", 0644, err);
		return r;
	}
	return 0;
}

static int fill(struct writer *writer, const struct modules *modules, const char *config,
	const char *release, struct error *err)
{
	static const char *const directories[] = { "/proc", "/sys", "/dev", "/run", "/tmp",
		"/scratch" };
	char name[PATH_MAX];
	int r = 0;

	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(directories); i++)
		r = put_directory(writer, directories[i], err);
	/* The kernel opens it for the first process before anything is mounted. */
	if (r == 0)
		r = put(writer, "/dev/console", S_IFCHR | 0600, makedev(5, 1), NULL, 0, err);
	if (r == 0)
		r = put_self(writer, err);
	if (r == 0)
		r = put_mkfs(writer, err);
	if (r == 0)
		r = put_modules(writer, modules, err);
	snprintf(name, sizeof(name), "/boot/config-%s", release);
	if (r == 0 && *config)
		r = put_file(writer, config, name, 0644, err);
	return r;
}

int initramfs_write(const char *path, const struct modules *modules, const char *config,
	const char *release, struct error *err)
{
	struct writer writer CLEANUP(writer_done) = { archive_write_new(), NULL, 0 };
	int r;

	if (!writer.archive)
		return error_errno(err, -ENOMEM, "initramfs");
	/* Not compressed: unpacking would take a guest's time, and the host has the room. */
	archive_write_set_format_cpio_newc(writer.archive);
	if (archive_write_open_filename(writer.archive, path) != ARCHIVE_OK)
		return error_set(err, -EIO, "%s: %s", path, archive_error_string(writer.archive));
	r = fill(&writer, modules, config, release, err);
	if (r == 0 && archive_write_close(writer.archive) != ARCHIVE_OK)
		r = error_set(err, -EIO, "%s: %s", path, archive_error_string(writer.archive));
	return r;
}
