// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * The files have no name: they take their space with them when the process ends, however it
 * ends, on a disk that nobody else cleans, too. A pass opens its file again through /proc, so
 * that O_TRUNC and the last close do what they do to a file with a name (ext4 starts writeback
 * at the close of a file that was truncated: fs/ext4/file.c, auto_da_alloc).
 */
#include "workload/writer.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "workload/extent.h"

enum writer_mode {
	WRITE_TRUNCATE,
	WRITE_NEW,
	WRITE_OVERWRITE,
};

const char *const writer_modes[] = { "truncate", "new", "overwrite", NULL };

enum writer_sync {
	SYNC_NO,
	SYNC_PASS,
};

const char *const writer_syncs[] = { "no", "pass", NULL };

/* One worker's. */
struct writer {
	_Alignas(64) int *files; /* keep + 1 of them with WRITE_NEW, else one; -1: not yet there */
	size_t n_files;
	int fd; /* of the pass; -1 between passes */
	uint64_t size;
	uint64_t offset; /* in the file */
	uint64_t blocks, passes;
};

/* The pool is small, so that it stays in cache as dd's buffer does: a step costs the kernel's
 * copy. 64 offsets keep neighbouring blocks different. */
#define POOL_OFFSETS 64

static const char *directory(const struct place *place, const struct writer_params *params)
{
	return params->dir[0] ? params->dir : place->scratch;
}

static size_t files_each(const struct writer_params *params)
{
	return params->mode == WRITE_NEW ? params->keep + 1 : 1;
}

static int space_check(const struct place *place, const struct writer_params *params,
	unsigned workers, struct error *err)
{
	return extent_check_space(directory(place, params),
		size_of(&params->size, place->ram_bytes), (unsigned)files_each(params) * workers,
		err);
}

int writer_probe(const struct place *place, const void *data, struct error *err)
{
	const struct writer_params *params = data;

	/* The instance's own directory is not made yet: setup looks again. */
	return space_check(place, params, 1, err);
}

/* A file without a name. */
static int unnamed_file(const char *dir, struct error *err)
{
	int fd = open(dir, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
	char path[PATH_MAX];

	if (fd >= 0)
		return fd;
	/* Not every filesystem has O_TMPFILE: NFS, FAT, overlayfs before 6.3. */
	if (snprintf(path, sizeof(path), "%s/contend-XXXXXX", dir) >= (int)sizeof(path))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", dir);
	fd = mkostemp(path, O_CLOEXEC);
	if (fd < 0)
		return error_errno(err, -errno, "cannot make a file in %s", dir);
	unlink(path);
	return fd;
}

static int pass_open(struct writer *writer, const struct writer_params *params, const char *dir,
	struct error *err)
{
	int *file = &writer->files[writer->passes % writer->n_files];
	char path[32];

	if (params->mode == WRITE_NEW)
		close_fd(file);
	if (params->mode == WRITE_NEW || *file < 0) {
		int fd = *file = unnamed_file(dir, err);

		if (fd < 0) {
			*file = -1;
			return fd;
		}
	}
	snprintf(path, sizeof(path), "/proc/self/fd/%d", *file);
	writer->fd =
		open(path, O_WRONLY | O_CLOEXEC | (params->mode == WRITE_TRUNCATE ? O_TRUNC : 0));
	if (writer->fd < 0)
		return error_errno(err, -errno, "cannot open the file in %s again", dir);
	writer->offset = 0;
	return 0;
}

static int pass_close(struct writer *writer, bool sync, struct error *err)
{
	int fd CLEANUP(close_fd) = take_fd(&writer->fd);

	writer->passes++;
	if (sync && fsync(fd) < 0)
		return error_errno(err, -errno, "fsync");
	return STEP_PASS;
}

/* Bytes written, at most a block; negative on failure. */
static ssize_t block_write(const struct writer_state *state, struct writer *writer,
	const struct writer_params *params, struct error *err)
{
	const char *from = state->pool + writer->blocks % POOL_OFFSETS * DATA_PAGE;
	uint64_t rest = writer->size - writer->offset;
	ssize_t n = write(writer->fd, from, rest < params->block ? rest : params->block);
	char buf[32];

	if (n < 0 && errno == EINTR)
		return 0;
	if (n < 0)
		return error_errno(err, -errno, "cannot write on after %s of pass %llu",
			bytes_render(writer->offset, buf, sizeof(buf)),
			(unsigned long long)writer->passes + 1);
	writer->offset += (uint64_t)n;
	writer->blocks++;
	return n;
}

/* Overwriting in place needs something in place, on disk. */
static int fill(const struct writer_state *state, struct writer *writer,
	const struct writer_params *params, const char *dir, struct error *err)
{
	int r = pass_open(writer, params, dir, err);

	if (r < 0)
		return r;
	while (writer->offset < writer->size) {
		ssize_t n = block_write(state, writer, params, err);

		if (n < 0)
			return (int)n;
	}
	r = pass_close(writer, true, err);
	return r < 0 ? r : 0;
}

static int writer_init(
	struct writer *writer, const struct writer_params *params, uint64_t size, struct error *err)
{
	*writer = (struct writer) { .fd = -1, .size = size };
	writer->files = malloc(files_each(params) * sizeof(*writer->files));
	if (!writer->files)
		return error_errno(err, -ENOMEM, "files");
	writer->n_files = files_each(params);
	for (size_t i = 0; i < writer->n_files; i++)
		writer->files[i] = -1;
	return 0;
}

static int pool_init(struct writer_state *state, const struct place *place,
	const struct writer_params *params, struct error *err)
{
	struct data data = data_of(params->compress, place->seed);
	size_t size = (params->block + DATA_PAGE - 1) / DATA_PAGE * DATA_PAGE +
		      (size_t)POOL_OFFSETS * DATA_PAGE;

	state->pool = aligned_alloc(DATA_PAGE, size);
	if (!state->pool)
		return error_errno(err, -ENOMEM, "data to write");
	data_fill(&data, state->pool, size, 0);
	return 0;
}

int writer_setup(struct instance *instance, struct error *err)
{
	const struct writer_params *params = instance->params;
	const struct place *place = instance->place;
	struct writer_state *state = instance->state;
	uint64_t size = size_of(&params->size, place->ram_bytes);
	int r = space_check(place, params, instance->workers, err);

	if (r < 0)
		return r;
	r = pool_init(state, place, params, err);
	if (r < 0)
		return r;
	state->writers =
		aligned_alloc(_Alignof(struct writer), instance->workers * sizeof(*state->writers));
	if (!state->writers)
		return error_errno(err, -ENOMEM, "writers");
	memset(state->writers, 0, instance->workers * sizeof(*state->writers));
	for (unsigned i = 0; i < instance->workers; i++) {
		struct writer *writer = &state->writers[i];

		r = writer_init(writer, params, size, err);
		if (r == 0 && params->mode == WRITE_OVERWRITE)
			r = fill(state, writer, params, directory(place, params), err);
		if (r < 0)
			return r;
	}
	return 0;
}

int writer_step(struct worker *worker, struct error *err)
{
	const struct instance *instance = worker->instance;
	const struct writer_params *params = instance->params;
	struct writer_state *state = instance->state;
	struct writer *writer = &state->writers[worker->index];
	ssize_t n;

	if (writer->fd < 0) {
		int r = pass_open(writer, params, directory(instance->place, params), err);

		if (r < 0)
			return r;
	}
	n = block_write(state, writer, params, err);
	if (n < 0)
		return (int)n;
	progress_add(worker->progress, (uint64_t)n);
	return writer->offset < writer->size ? STEP_MORE
					     : pass_close(writer, params->sync == SYNC_PASS, err);
}

void writer_teardown(struct instance *instance)
{
	struct writer_state *state = instance->state;

	for (unsigned i = 0; state->writers && i < instance->workers; i++) {
		struct writer *writer = &state->writers[i];

		close_fd(&writer->fd);
		for (size_t j = 0; j < writer->n_files; j++)
			close_fd(&writer->files[j]);
		free(writer->files);
	}
	free(state->writers);
	free(state->pool);
	*state = (struct writer_state) { 0 };
}
