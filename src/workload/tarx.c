// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tar x: extracts an archive, made on the shelf, to a new directory in each pass, so that nothing
 * is deleted until keep= passes are there. Then each pass begins with the removal of the oldest,
 * in one step. A unit is one file that is on disk; a step is a header, or a block of contents as
 * the archive is read, up to 64 KiB. As a lead it ends after one pass.
 */
#include <fcntl.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/registry.h"
#include "workload/shelf.h"
#include "workload/tar.h"

/* Of one worker. */
struct tarx {
	struct archive *in, *disk; /* NULL: between passes */
	int in_fd;
	bool in_file; /* the header is written, the contents are not */
	uint64_t pass;
	char top[PATH_MAX];
};

struct tarx_state {
	char archive[PATH_MAX];
	struct tarx *tarxs;
};

static const struct option_row options[] = { TAR_ROWS("3") };

/* The shelf's maker. data: the tree's path. */
static int make_archive(const char *path, const void *data, struct error *err)
{
	struct tar_writer writer;
	unsigned files;
	int r = tar_writer_open(&writer, data, path, err);

	if (r < 0)
		return r;
	while ((r = tar_writer_step(&writer, &files, err)) > 0)
		;
	tar_writer_close(&writer);
	return r;
}

static int tarx_setup(struct instance *instance, struct error *err)
{
	struct tarx_state *state = instance->state;
	const struct tar_params *params = instance->params;
	char key[128], tree[PATH_MAX];
	struct place own = *instance->place;
	int r;

	state->tarxs = calloc(instance->workers, sizeof(*state->tarxs));
	if (!state->tarxs)
		return error_errno(err, -ENOMEM, "tarx");
	r = tar_find_tree(instance, tree, key, err);
	if (r < 0)
		return r;
	/* The user's directory may change from trial to trial: its archive is this trial's own. */
	if (*params->dir)
		own.shelf = own.scratch;
	snprintf(key + strlen(key), sizeof(key) - strlen(key), ".tar");
	return shelf_find(
		&own, key, make_archive, tree, state->archive, sizeof(state->archive), err);
}

static void pass_name(const struct worker *worker, uint64_t pass, char path[static PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%u-%llu", worker->instance->place->scratch, worker->index,
		(unsigned long long)pass);
}

static void close_pass(struct tarx *tarx)
{
	if (tarx->in) {
		archive_read_free(tarx->in);
		close_fd(&tarx->in_fd);
	}
	if (tarx->disk)
		archive_write_free(tarx->disk);
	tarx->in = tarx->disk = NULL;
	tarx->in_file = false;
}

static int start_pass(struct worker *worker, struct tarx *tarx, struct error *err)
{
	const struct tar_params *params = worker->instance->params;
	const struct tarx_state *state = worker->instance->state;
	int r;

	if (tarx->pass > params->keep) {
		pass_name(worker, tarx->pass - params->keep - 1, tarx->top);
		r = tree_remove(tarx->top, err);
		if (r < 0)
			return r;
	}
	pass_name(worker, tarx->pass++, tarx->top);
	tarx->in_fd = open(state->archive, O_RDONLY | O_CLOEXEC);
	if (tarx->in_fd < 0)
		return error_errno(err, -errno, "cannot open %s", state->archive);
	tarx->in = archive_read_new();
	tarx->disk = archive_write_disk_new();
	if (!tarx->in || !tarx->disk)
		return error_errno(err, -ENOMEM, "cannot read %s", state->archive);
	if (archive_read_support_format_tar(tarx->in) != ARCHIVE_OK ||
		archive_read_open_fd(tarx->in, tarx->in_fd, TAR_CHUNK) != ARCHIVE_OK)
		return tar_failure(tarx->in, state->archive, err);
	archive_write_disk_set_options(tarx->disk, ARCHIVE_EXTRACT_TIME | ARCHIVE_EXTRACT_PERM);
	return 0;
}

/* Creates what the next entry of the archive says. Returns 0 at its end. */
static int extract_entry(struct tarx *tarx, struct progress *progress, struct error *err)
{
	char path[2 * PATH_MAX];
	struct archive_entry *entry;
	int r = archive_read_next_header(tarx->in, &entry);

	if (r == ARCHIVE_EOF)
		return 0;
	if (r < ARCHIVE_WARN)
		return tar_failure(tarx->in, "cannot read the archive", err);
	snprintf(path, sizeof(path), "%s/%s", tarx->top, archive_entry_pathname(entry));
	archive_entry_set_pathname(entry, path);
	if (archive_write_header(tarx->disk, entry) < ARCHIVE_WARN)
		return tar_failure(tarx->disk, path, err);
	tarx->in_file = archive_entry_filetype(entry) == AE_IFREG && archive_entry_size(entry) > 0;
	if (!tarx->in_file && archive_entry_filetype(entry) == AE_IFREG)
		progress_add(progress, 1);
	return 1;
}

/* Writes the next block of the open file; at its end closes it. */
static int extract_piece(struct tarx *tarx, struct progress *progress, struct error *err)
{
	const void *data;
	size_t size;
	la_int64_t offset;
	int r = archive_read_data_block(tarx->in, &data, &size, &offset);

	if (r == ARCHIVE_EOF) {
		if (archive_write_finish_entry(tarx->disk) < ARCHIVE_WARN)
			return tar_failure(tarx->disk, tarx->top, err);
		tarx->in_file = false;
		progress_add(progress, 1);
		return 1;
	}
	if (r < ARCHIVE_WARN)
		return tar_failure(tarx->in, "cannot read the archive", err);
	if (archive_write_data_block(tarx->disk, data, size, offset) < ARCHIVE_WARN)
		return tar_failure(tarx->disk, tarx->top, err);
	return 1;
}

static int tarx_step(struct worker *worker, struct error *err)
{
	struct tarx_state *state = worker->instance->state;
	struct tarx *tarx = &state->tarxs[worker->index];
	int r;

	if (!tarx->in) {
		r = start_pass(worker, tarx, err);
		return r < 0 ? r : STEP_MORE;
	}
	r = tarx->in_file ? extract_piece(tarx, worker->progress, err)
			  : extract_entry(tarx, worker->progress, err);
	if (r != 0)
		return r < 0 ? r : STEP_MORE;
	if (archive_write_close(tarx->disk) < ARCHIVE_WARN)
		return tar_failure(tarx->disk, tarx->top, err);
	close_pass(tarx);
	return worker->instance->role == WORKLOAD_LEAD ? STEP_DONE : STEP_PASS;
}

static void tarx_teardown(struct instance *instance)
{
	struct tarx_state *state = instance->state;

	for (unsigned i = 0; state->tarxs && i < instance->workers; i++)
		close_pass(&state->tarxs[i]);
	free(state->tarxs);
}

static void tarx_cold_files(
	const struct instance *instance, void (*visit)(void *data, const char *path), void *data)
{
	const struct tarx_state *state = instance->state;

	visit(data, state->archive);
}

const struct workload workload_tarx = {
	.name = "tarx",
	.summary = "extracts a tar archive, to new names each time",
	.unit = "files",
	.table_unit = "1000 files",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct tar_params),
	.state_size = sizeof(struct tarx_state),
	.probe = tar_probe,
	.setup = tarx_setup,
	.step = tarx_step,
	.teardown = tarx_teardown,
	.cold_files = tarx_cold_files,
};
