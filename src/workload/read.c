// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Reads a file as large as the box's RAM, again and again, so that it throws everything else out
 * of the page cache. The file is made once for all trials of a run.
 *
 * contest's read_load did this with cat and counted whole files. Here every block counts, several
 * readers may follow each other through the file, and the order may be random or the page cache
 * left out.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/data_file.h"
#include "workload/registry.h"
#include "workload/shelf.h"

enum read_order {
	ORDER_SEQ,
	ORDER_RANDOM,
};

static const char *const orders[] = { "seq", "random", NULL };

enum read_cache {
	CACHE_PAGE,
	CACHE_DIRECT,
};

static const char *const caches[] = { "page", "direct", NULL };

struct read_params {
	struct size size;
	uint64_t block;
	int order;
	int cache;
	double compress;
};

/* One worker's. */
struct reader {
	_Alignas(64) char *buf;
	uint64_t block; /* the next one, with ORDER_SEQ */
	uint64_t left; /* blocks of this pass */
};

struct read_state {
	int fd;
	uint64_t blocks; /* of the file */
	struct reader *readers;
	char path[PATH_MAX];
};

static const struct option_row options[] = {
	{
		OPTION("size", OPTION_SIZE, struct read_params, size),
		.fallback = "100%",
		.help = "size of the file; in per cent: of the box's RAM",
	},
	{
		OPTION("block", OPTION_BYTES, struct read_params, block),
		.fallback = "64K",
		.min = "512",
		.max = "16M",
		.help = "bytes that one read asks for",
	},
	{
		OPTION("order", OPTION_CHOICE, struct read_params, order),
		.fallback = "seq",
		.choices = orders,
		.help = "order of the blocks",
	},
	{
		OPTION("cache", OPTION_CHOICE, struct read_params, cache),
		.fallback = "page",
		.choices = caches,
		.help = "through the page cache, or direct (O_DIRECT)",
	},
	{
		OPTION("compress", OPTION_REAL, struct read_params, compress),
		.fallback = "1",
		.min = DATA_RATIO_MIN,
		.max = DATA_RATIO_MAX,
		.help = "ratio by which each 4 KiB of the file compresses; 1: not at all",
	},
};

/* Every trial of a run reads the same file, whatever the trial's seed. */
#define FILE_SEED 1

struct file_plan {
	uint64_t size;
	double compress;
};

static uint64_t file_blocks(const struct place *place, const struct read_params *params)
{
	uint64_t blocks = size_of(&params->size, place->ram_bytes) / params->block;

	return blocks ? blocks : 1;
}

static const char *file_key(
	const struct place *place, const struct read_params *params, char *buf, size_t size)
{
	snprintf(buf, size, "read-%" PRIu64 "-%g-r1", file_blocks(place, params) * params->block,
		params->compress);
	return buf;
}

static int read_probe(const struct place *place, const void *data, struct error *err)
{
	const struct read_params *params = data;
	uint64_t need = file_blocks(place, params) * params->block, available;
	char path[PATH_MAX], key[128], need_text[32], available_text[32];

	snprintf(path, sizeof(path), "%s/%s", place->shelf,
		file_key(place, params, key, sizeof(key)));
	/* It is there, or nothing is and setup will see. */
	if (access(path, F_OK) == 0 || access(place->shelf, F_OK) < 0)
		return 0;
	if (space_free(place->shelf, &available, err) < 0 || need + need / 64 <= available)
		return 0;
	return error_set(err, -ENOSPC, "%s: %s needed for the file, %s free", place->shelf,
		bytes_render(need, need_text, sizeof(need_text)),
		bytes_render(available, available_text, sizeof(available_text)));
}

static int file_make(const char *path, const void *data, struct error *err)
{
	const struct file_plan *plan = data;
	struct data content = data_of(plan->compress, FILE_SEED);

	return data_file_make(path, plan->size, &content, NULL, err);
}

static int file_open(struct read_state *state, const struct read_params *params, struct error *err)
{
	bool direct = params->cache == CACHE_DIRECT;

	state->fd = open(state->path, O_RDONLY | O_CLOEXEC | (direct ? O_DIRECT : 0));
	if (state->fd >= 0)
		return 0;
	return error_errno(
		err, -errno, "cannot open %s%s", state->path, direct ? " past the page cache" : "");
}

/* The readers start evenly spread over the file. */
static int readers_init(const struct instance *instance, struct read_state *state)
{
	const struct read_params *params = instance->params;

	state->readers =
		aligned_alloc(_Alignof(struct reader), instance->workers * sizeof(*state->readers));
	if (!state->readers)
		return -ENOMEM;
	for (unsigned i = 0; i < instance->workers; i++) {
		void *buf = mmap(NULL, params->block, PROT_READ | PROT_WRITE,
			MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);

		if (buf == MAP_FAILED)
			return -errno;
		state->readers[i] = (struct reader) {
			.buf = buf,
			.block = state->blocks / instance->workers * i,
			.left = state->blocks,
		};
	}
	return 0;
}

static int read_setup(struct instance *instance, struct error *err)
{
	const struct read_params *params = instance->params;
	const struct place *place = instance->place;
	struct read_state *state = instance->state;
	struct file_plan plan = {
		.size = file_blocks(place, params) * params->block,
		.compress = params->compress,
	};
	char key[128];
	int r;

	state->fd = -1;
	state->blocks = file_blocks(place, params);
	r = read_probe(place, params, err);
	if (r < 0)
		return r;
	r = shelf_find(place, file_key(place, params, key, sizeof(key)), file_make, &plan,
		state->path, sizeof(state->path), err);
	if (r < 0)
		return r;
	r = file_open(state, params, err);
	if (r < 0)
		return r;
	r = readers_init(instance, state);
	return r < 0 ? error_errno(err, r, "readers") : 0;
}

static int read_step(struct worker *worker, struct error *err)
{
	const struct read_params *params = worker->instance->params;
	struct read_state *state = worker->instance->state;
	struct reader *reader = &state->readers[worker->index];
	uint64_t block = reader->block;
	ssize_t n;

	if (params->order == ORDER_RANDOM)
		block = random_below(&worker->random, state->blocks);
	n = pread(state->fd, reader->buf, params->block, (off_t)(block * params->block));
	if (n < 0 && errno == EINTR)
		return STEP_MORE;
	if (n < 0)
		return error_errno(err, -errno, "cannot read %s", state->path);
	if (n == 0)
		return error_set(err, -EIO, "%s has become shorter", state->path);
	progress_add(worker->progress, (uint64_t)n);
	reader->block = block + 1 < state->blocks ? block + 1 : 0;
	if (--reader->left)
		return STEP_MORE;
	reader->left = state->blocks;
	return STEP_PASS;
}

static void read_teardown(struct instance *instance)
{
	const struct read_params *params = instance->params;
	struct read_state *state = instance->state;

	for (unsigned i = 0; state->readers && i < instance->workers; i++)
		munmap(state->readers[i].buf, params->block);
	free(state->readers);
	state->readers = NULL;
	close_fd(&state->fd);
	state->fd = -1;
}

static void read_cold_files(
	const struct instance *instance, void (*visit)(void *data, const char *path), void *data)
{
	const struct read_state *state = instance->state;

	visit(data, state->path);
}

const struct workload workload_read = {
	.name = "read",
	.summary = "reads a file of RAM size, again and again",
	.unit = "bytes",
	.table_unit = "100 MB",
	.table_divisor = 100000000,
	.revision = 1,
	.roles = WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct read_params),
	.state_size = sizeof(struct read_state),
	.probe = read_probe,
	.setup = read_setup,
	.step = read_step,
	.teardown = read_teardown,
	.cold_files = read_cold_files,
};
