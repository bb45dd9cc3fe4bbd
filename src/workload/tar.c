// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/tar.h"

#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/shelf.h"
#include "workload/tree.h"

/* The mean size of a file in a source tree, and about how many of them a directory has. */
#define MEAN_FILE (16 * KIB)
#define PER_DIRECTORY 64

int tar_failure(struct archive *archive, const char *what, struct error *err)
{
	int code = archive_errno(archive);
	const char *words = archive_error_string(archive);

	/* libarchive has numbers of its own for what no system call said: negative ones. */
	return error_set(
		err, code > 0 ? -code : -EIO, "%s: %s", what, words ? words : strerror(EIO));
}

int tar_probe(const struct place *place, const void *data, struct error *err)
{
	const struct tar_params *params = data;

	(void)place;
	if (*params->dir && access(params->dir, R_OK | X_OK) < 0)
		return error_errno(err, -errno, "dir: %s", params->dir);
	return 0;
}

static struct tree_files tree_of(const struct place *place, const struct tar_params *params)
{
	struct tree_files tree = {
		.files = params->files,
		.bytes = size_of(&params->size, place->ram_bytes),
		.directories = params->directories,
		.seed = params->seed,
		.ratio = params->compress,
	};

	if (!tree.files)
		tree.files = (tree.bytes + MEAN_FILE - 1) / MEAN_FILE;
	if (!tree.files)
		tree.files = 1;
	if (!tree.directories)
		tree.directories = (tree.files + PER_DIRECTORY - 1) / PER_DIRECTORY;
	return tree;
}

static int check_space(
	const struct instance *instance, const struct tree_files *tree, struct error *err)
{
	const struct tar_params *params = instance->params;
	/* A file fills its last block by half, and has an inode or a header. */
	uint64_t pass = tree->bytes + tree->files * 3 * KIB, have, need;
	char have_text[32], need_text[32];
	int r;

	need = pass * (params->keep + 1) * instance->workers;
	r = space_free(instance->place->scratch, &have, err);
	if (r < 0 || have >= need)
		return r;
	return error_set(err, -ENOSPC,
		"%s needs %s in %s, which has %s left; a smaller size= or keep= needs less",
		instance->workload->name, bytes_render(need, need_text, sizeof(need_text)),
		instance->place->scratch, bytes_render(have, have_text, sizeof(have_text)));
}

int tar_find_tree(const struct instance *instance, char tree[static PATH_MAX], char key[static 128],
	struct error *err)
{
	const struct tar_params *params = instance->params;
	struct tree_files files = tree_of(instance->place, params);
	int r;

	if (*params->dir) {
		snprintf(key, 128, "dir");
		return realpath(params->dir, tree) ? 0
						   : error_errno(err, -errno, "%s", params->dir);
	}
	snprintf(key, 128, "files-%llu-%llu-%llu-%llu-%g-%u", (unsigned long long)files.files,
		(unsigned long long)files.bytes, (unsigned long long)files.directories,
		(unsigned long long)files.seed, files.ratio, TREE_REVISION);
	r = check_space(instance, &files, err);
	return r < 0 ? r
		     : shelf_find(
			       instance->place, key, tree_make_files, &files, tree, PATH_MAX, err);
}

void tar_writer_close(struct tar_writer *writer)
{
	if (!writer->archive)
		return;
	archive_write_free(writer->archive);
	archive_entry_free(writer->entry);
	tree_close(&writer->fts);
	close_fd(&writer->out_fd);
	close_fd(&writer->in_fd);
	free(writer->buf);
	*writer = (struct tar_writer) { 0 };
}

int tar_writer_open(
	struct tar_writer *writer, const char *tree, const char *path, struct error *err)
{
	*writer = (struct tar_writer) {
		.archive = archive_write_new(),
		.entry = archive_entry_new(),
		.fts = tree_open(tree, err),
		.top = strlen(tree),
		.out_fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0644),
		.in_fd = -1,
		.buf = malloc(TAR_CHUNK),
	};
	int r = 0;

	if (writer->out_fd < 0)
		r = error_errno(err, -errno, "cannot create %s", path);
	else if (!writer->archive || !writer->entry || !writer->fts || !writer->buf)
		r = error_errno(err, -ENOMEM, "cannot write %s", path);
	else if (archive_write_set_format_pax_restricted(writer->archive) != ARCHIVE_OK ||
		 archive_write_open_fd(writer->archive, writer->out_fd) != ARCHIVE_OK)
		r = tar_failure(writer->archive, path, err);
	if (r < 0)
		tar_writer_close(writer);
	return r;
}

/* Copies the next piece of the open file; at its end closes it. */
static int copy_piece(struct tar_writer *writer, unsigned *ret_files, struct error *err)
{
	ssize_t n = read(writer->in_fd, writer->buf, TAR_CHUNK);

	if (n < 0)
		return errno == EINTR ? 1 : error_errno(err, -errno, "cannot read a file");
	if (n > 0 && archive_write_data(writer->archive, writer->buf, (size_t)n) < 0)
		return tar_failure(writer->archive, "cannot write the archive", err);
	if (n == TAR_CHUNK)
		return 1;
	close_fd(&writer->in_fd);
	writer->in_fd = -1;
	*ret_files = 1;
	return 1;
}

/* Writes the header of a file, a directory or a link; nothing for others, and none for the top. */
static int put_entry(
	struct tar_writer *writer, FTSENT *found, unsigned *ret_files, struct error *err)
{
	const char *name = found->fts_path + writer->top;
	char target[PATH_MAX];
	ssize_t n;

	name += strspn(name, "/");
	if (!*name)
		return 1;
	archive_entry_clear(writer->entry);
	archive_entry_copy_stat(writer->entry, found->fts_statp);
	archive_entry_set_pathname(writer->entry, name);
	if (found->fts_info == FTS_SL) {
		n = readlink(found->fts_path, target, sizeof(target) - 1);
		if (n < 0)
			return 1;
		target[n] = '\0';
		archive_entry_set_symlink(writer->entry, target);
	} else if (found->fts_info == FTS_F && S_ISREG(found->fts_statp->st_mode)) {
		writer->in_fd = open(found->fts_path, O_RDONLY | O_CLOEXEC);
		if (writer->in_fd < 0)
			return error_errno(err, -errno, "cannot open %s", found->fts_path);
	} else if (found->fts_info != FTS_D) {
		return 1;
	}
	if (archive_write_header(writer->archive, writer->entry) < ARCHIVE_WARN)
		return tar_failure(writer->archive, "cannot write the archive", err);
	return writer->in_fd >= 0 ? copy_piece(writer, ret_files, err) : 1;
}

int tar_writer_step(struct tar_writer *writer, unsigned *ret_files, struct error *err)
{
	FTSENT *found;

	*ret_files = 0;
	if (writer->in_fd >= 0)
		return copy_piece(writer, ret_files, err);
	errno = 0;
	found = fts_read(writer->fts);
	if (found)
		return put_entry(writer, found, ret_files, err);
	if (errno)
		return error_errno(err, -errno, "cannot walk the tree");
	if (archive_write_close(writer->archive) != ARCHIVE_OK)
		return tar_failure(writer->archive, "cannot write the archive", err);
	tar_writer_close(writer);
	return 0;
}
