// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * tar c: reads every file of a tree and writes an archive of them (pax, as restricted as ustar
 * where that will do). A unit is one file whose contents are in the archive; a step is one file,
 * or 64 KiB of it. Each pass writes a new archive. As a lead it ends after one pass.
 */
#include "base/cleanup.h"
#include "workload/registry.h"
#include "workload/tar.h"
#include "workload/tree.h"

/* Of one worker. */
struct tarc {
	struct tar_writer writer;
	uint64_t pass;
};

struct tarc_state {
	char tree[PATH_MAX];
	struct tarc *tarcs;
};

static const struct option_row options[] = { TAR_ROWS("1") };

static int tarc_setup(struct instance *instance, struct error *err)
{
	struct tarc_state *state = instance->state;
	char key[128];

	state->tarcs = calloc(instance->workers, sizeof(*state->tarcs));
	if (!state->tarcs)
		return error_errno(err, -ENOMEM, "tarc");
	return tar_find_tree(instance, state->tree, key, err);
}

static void archive_name(const struct worker *worker, uint64_t pass, char path[static PATH_MAX])
{
	snprintf(path, PATH_MAX, "%s/%u-%llu.tar", worker->instance->place->scratch, worker->index,
		(unsigned long long)pass);
}

/* A new archive, and one that is now too old. */
static int start_pass(struct worker *worker, struct tarc *tarc, struct error *err)
{
	const struct tar_params *params = worker->instance->params;
	const struct tarc_state *state = worker->instance->state;
	char path[PATH_MAX];

	if (tarc->pass > params->keep) {
		archive_name(worker, tarc->pass - params->keep - 1, path);
		if (unlink(path) < 0)
			return error_errno(err, -errno, "cannot remove %s", path);
	}
	archive_name(worker, tarc->pass++, path);
	return tar_writer_open(&tarc->writer, state->tree, path, err);
}

static int tarc_step(struct worker *worker, struct error *err)
{
	struct tarc_state *state = worker->instance->state;
	struct tarc *tarc = &state->tarcs[worker->index];
	unsigned files;
	int r;

	if (!tarc->writer.archive) {
		r = start_pass(worker, tarc, err);
		return r < 0 ? r : STEP_MORE;
	}
	r = tar_writer_step(&tarc->writer, &files, err);
	progress_add(worker->progress, files);
	if (r != 0)
		return r < 0 ? r : STEP_MORE;
	return worker->instance->role == WORKLOAD_LEAD ? STEP_DONE : STEP_PASS;
}

static void tarc_teardown(struct instance *instance)
{
	struct tarc_state *state = instance->state;

	for (unsigned i = 0; state->tarcs && i < instance->workers; i++)
		tar_writer_close(&state->tarcs[i].writer);
	free(state->tarcs);
}

static void tarc_cold_files(
	const struct instance *instance, void (*visit)(void *data, const char *path), void *data)
{
	const struct tarc_state *state = instance->state;

	tree_visit(state->tree, visit, data);
}

const struct workload workload_tarc = {
	.name = "tarc",
	.summary = "makes a tar archive of a tree of files",
	.unit = "files",
	.table_unit = "1000 files",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct tar_params),
	.state_size = sizeof(struct tarc_state),
	.probe = tar_probe,
	.setup = tarc_setup,
	.step = tarc_step,
	.teardown = tarc_teardown,
	.cold_files = tarc_cold_files,
};
