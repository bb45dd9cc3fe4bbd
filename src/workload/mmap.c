// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Maps a new file of 500,000 pages, writes to every page through the mapping, syncs it and unmaps
 * it, again and again.
 *
 * LTP's mmap001 did this, once in a process. As there, the file is sparse: it gets its length by
 * ftruncate(2) and its blocks from the writes to the mapping, and every iteration has a new one.
 * The file is synced range after range, so that progress can be seen; the ranges make up the whole
 * file.
 */
#include <fcntl.h>
#include <inttypes.h>
#include <limits.h>
#include <setjmp.h>
#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "workload/data.h"
#include "workload/extent.h"
#include "workload/registry.h"
#include "workload/shuffle.h"

enum mmap_write {
	WRITE_PAGE,
	WRITE_WORD,
};

static const char *const writes[] = { "page", "word", NULL };

enum mmap_order {
	ORDER_SEQ,
	ORDER_RANDOM,
};

static const char *const orders[] = { "seq", "random", NULL };

struct mmap_params {
	uint64_t pages;
	int write;
	double compress;
	int order;
	bool populate;
	uint64_t sync;
	uint64_t iterations;
};

/* One worker's file. */
struct mapping {
	_Alignas(64) char *pages; /* NULL: between iterations */
	int fd;
	uint64_t populated; /* bytes */
	uint64_t touched; /* pages */
	volatile uint64_t page; /* being written: the refuge from SIGBUS must know */
	uint64_t synced; /* bytes */
	uint64_t iterations; /* that have ended */
	struct shuffle shuffle;
	char path[PATH_MAX];
};

struct mmap_state {
	struct data data;
	uint64_t page_size;
	uint64_t size; /* of each file */
	uint64_t sync;
	struct mapping *mappings;
};

static const struct metric metrics[] = {
	{ "bytes_allocated", "bytes", METRIC_GAUGE },
};

static const struct option_row options[] = {
	{
		OPTION("pages", OPTION_COUNT, struct mmap_params, pages),
		.fallback = "500000",
		.min = "1",
		.help = "pages of the file that each worker maps",
	},
	{
		OPTION("write", OPTION_CHOICE, struct mmap_params, write),
		.fallback = "page",
		.choices = writes,
		.help = "whole pages, or one word of each, which leaves the rest zero",
	},
	{
		OPTION("compress", OPTION_REAL, struct mmap_params, compress),
		.fallback = "1",
		.min = DATA_RATIO_MIN,
		.max = DATA_RATIO_MAX,
		.help = "with write=page: ratio by which each 4 KiB compresses; 1: not at all",
	},
	{
		OPTION("order", OPTION_CHOICE, struct mmap_params, order),
		.fallback = "seq",
		.choices = orders,
		.help = "of the pages when they are written",
	},
	{
		OPTION("populate", OPTION_BOOL, struct mmap_params, populate),
		.fallback = "no",
		.help = "have the kernel map all pages first (MAP_POPULATE)",
	},
	{
		OPTION("sync", OPTION_BYTES, struct mmap_params, sync),
		.fallback = "64M",
		.help = "bytes that one msync(2) is given; 0: the whole file",
	},
	{
		OPTION("iterations", OPTION_COUNT, struct mmap_params, iterations),
		.fallback = "5",
		.min = "1",
		.help = "files until a lead ends; a load goes on",
	},
};

/* Pages that a step writes. */
#define BATCH 256
/* Bytes that a step has mapped by MAP_POPULATE. */
#define POPULATE (16 * MIB)

/*
 * Where a worker goes on when the kernel finds no block for a page, or cannot read it: it then
 * sends SIGBUS.
 */
static _Thread_local sigjmp_buf *refuge;

static void on_bus_error(int sig)
{
	if (refuge)
		siglongjmp(*refuge, 1);
	/* Not in a mapping: the instruction is tried again, and then it kills. */
	signal(sig, SIG_DFL);
}

static int mmap_probe(const struct place *place, const void *data, struct error *err)
{
	const struct mmap_params *params = data;
	uint64_t size;
	int r = extent_check_ram(place, err);

	if (r == 0)
		r = extent_of_pages(params->pages, (uint64_t)sysconf(_SC_PAGESIZE), &size, err);
	return r < 0 ? r : extent_check_space(place->scratch, size, 1, err);
}

static int file_make(const struct mmap_state *state, struct mapping *mapping, struct error *err)
{
	char buf[32];

	mapping->fd = open(mapping->path, O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
	if (mapping->fd < 0)
		return error_errno(err, -errno, "cannot create %s", mapping->path);
	if (ftruncate(mapping->fd, (off_t)state->size) < 0)
		return error_errno(err, -errno, "%s cannot have %s", mapping->path,
			bytes_render(state->size, buf, sizeof(buf)));
	return 0;
}

static int iteration_begin(struct worker *worker, struct mapping *mapping, struct error *err)
{
	const struct instance *instance = worker->instance;
	const struct mmap_params *params = instance->params;
	const struct mmap_state *state = instance->state;
	int r = file_make(state, mapping, err);
	char *pages, buf[32];

	if (r < 0)
		return r;
	pages = mmap(NULL, state->size, PROT_READ | PROT_WRITE, MAP_SHARED, mapping->fd, 0);
	if (pages == MAP_FAILED)
		return error_errno(err, -errno, "cannot map %s of %s",
			bytes_render(state->size, buf, sizeof(buf)), mapping->path);
	mapping->pages = pages;
	mapping->populated = params->populate ? 0 : state->size;
	mapping->touched = mapping->synced = 0;
	shuffle_begin(&mapping->shuffle, &worker->random);
	if (mapping->iterations == 0)
		atomic_fetch_add(&instance->values[0], (int64_t)state->size);
	return 0;
}

static uint64_t piece(uint64_t from, uint64_t to, uint64_t most)
{
	return to - from < most ? to - from : most;
}

/* The same mapping once more, in its place: so a part of it at a time is populated. */
static int populate(const struct mmap_state *state, struct mapping *mapping, struct error *err)
{
	uint64_t size = piece(mapping->populated, state->size, POPULATE);

	if (mmap(mapping->pages + mapping->populated, size, PROT_READ | PROT_WRITE,
		    MAP_SHARED | MAP_FIXED | MAP_POPULATE, mapping->fd,
		    (off_t)mapping->populated) == MAP_FAILED)
		return error_errno(err, -errno, "cannot map %s", mapping->path);
	mapping->populated += size;
	return STEP_MORE;
}

static void page_write(const struct mmap_state *state, const struct mmap_params *params,
	const struct mapping *mapping, uint64_t page)
{
	uint64_t *words = (uint64_t *)(void *)(mapping->pages + page * state->page_size);
	uint64_t per_page = state->page_size / DATA_PAGE;
	uint64_t number =
		(mapping->iterations * (state->size / state->page_size) + page) * per_page;

	if (params->write == WRITE_PAGE)
		data_fill(&state->data, words, state->page_size, number);
	else
		*words = data_word(&state->data, number);
}

static void pages_write(struct worker *worker, struct mapping *mapping)
{
	const struct mmap_params *params = worker->instance->params;
	const struct mmap_state *state = worker->instance->state;
	uint64_t pages = state->size / state->page_size;
	uint64_t end = mapping->touched + piece(mapping->touched, pages, BATCH);

	while (mapping->touched < end) {
		mapping->page = params->order == ORDER_RANDOM ? shuffle_next(&mapping->shuffle)
							      : mapping->touched;
		page_write(state, params, mapping, mapping->page);
		mapping->touched++;
		progress_add(worker->progress, 1);
	}
}

/* A write(2) is told the reason that a SIGBUS does not have. */
static int bus_error(
	const struct mmap_state *state, const struct mapping *mapping, struct error *err)
{
	uint64_t pages = state->size / state->page_size;
	char byte = 0;
	int r = -EIO;

	if (pwrite(mapping->fd, &byte, 1, (off_t)(mapping->page * state->page_size)) < 0)
		r = -errno;
	return error_errno(err, r, "cannot write page %" PRIu64 " of %" PRIu64 " of %s",
		mapping->page + 1, pages, mapping->path);
}

static int touch(struct worker *worker, struct mapping *mapping, struct error *err)
{
	const struct mmap_state *state = worker->instance->state;
	sigjmp_buf here;

	/* The handler is entered with SIGBUS unblocked: there is no mask to restore. */
	if (sigsetjmp(here, 0)) {
		refuge = NULL;
		return bus_error(state, mapping, err);
	}
	refuge = &here;
	pages_write(worker, mapping);
	refuge = NULL;
	return STEP_MORE;
}

static int sync_range(struct worker *worker, struct mapping *mapping, struct error *err)
{
	const struct mmap_state *state = worker->instance->state;
	uint64_t size = piece(mapping->synced, state->size, state->sync);
	char buf[32];

	if (msync(mapping->pages + mapping->synced, size, MS_SYNC) < 0)
		return error_errno(err, -errno, "cannot sync %s after %s", mapping->path,
			bytes_render(mapping->synced, buf, sizeof(buf)));
	mapping->synced += size;
	progress_add(worker->progress, size / state->page_size);
	return STEP_MORE;
}

static void mapping_close(const struct mmap_state *state, struct mapping *mapping)
{
	if (mapping->pages)
		munmap(mapping->pages, state->size);
	mapping->pages = NULL;
	close_fd(&mapping->fd);
	mapping->fd = -1;
	unlink(mapping->path);
}

static int mmap_step(struct worker *worker, struct error *err)
{
	const struct instance *instance = worker->instance;
	const struct mmap_params *params = instance->params;
	const struct mmap_state *state = instance->state;
	struct mapping *mapping = &state->mappings[worker->index];

	if (!mapping->pages) {
		int r = iteration_begin(worker, mapping, err);

		if (r < 0)
			return r;
	}
	if (mapping->populated < state->size)
		return populate(state, mapping, err);
	if (mapping->touched < state->size / state->page_size)
		return touch(worker, mapping, err);
	if (mapping->synced < state->size)
		return sync_range(worker, mapping, err);
	mapping_close(state, mapping);
	mapping->iterations++;
	return instance->role == WORKLOAD_LEAD && mapping->iterations == params->iterations
		       ? STEP_DONE
		       : STEP_PASS;
}

static int sizes_choose(
	struct mmap_state *state, const struct instance *instance, struct error *err)
{
	const struct mmap_params *params = instance->params;
	int r;

	state->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	r = extent_of_pages(params->pages, state->page_size, &state->size, err);
	if (r == 0)
		r = extent_check_space(
			instance->place->scratch, state->size, instance->workers, err);
	if (r < 0)
		return r;
	state->sync = params->sync ? extent_whole(params->sync, state->page_size) : state->size;
	return 0;
}

static int mmap_setup(struct instance *instance, struct error *err)
{
	const struct mmap_params *params = instance->params;
	struct mmap_state *state = instance->state;
	struct sigaction action = { .sa_handler = on_bus_error, .sa_flags = SA_NODEFER };
	int r = sizes_choose(state, instance, err);

	if (r < 0)
		return r;
	state->data = data_of(params->compress, instance->place->seed);
	state->mappings = aligned_alloc(
		_Alignof(struct mapping), instance->workers * sizeof(*state->mappings));
	if (!state->mappings)
		return error_errno(err, -ENOMEM, "mmap");
	for (unsigned i = 0; i < instance->workers; i++) {
		struct mapping *mapping = &state->mappings[i];

		*mapping = (struct mapping) {
			.fd = -1,
			.shuffle = shuffle_of(params->pages),
		};
		if (snprintf(mapping->path, PATH_MAX, "%s/mmap.%u", instance->place->scratch, i) >=
			PATH_MAX)
			return error_set(err, -ENAMETOOLONG, "%.60s...: path too long",
				instance->place->scratch);
	}
	atomic_store(&instance->values[0], 0);
	sigaction(SIGBUS, &action, NULL);
	return 0;
}

static void mmap_teardown(struct instance *instance)
{
	struct mmap_state *state = instance->state;

	for (unsigned i = 0; state->mappings && i < instance->workers; i++)
		mapping_close(state, &state->mappings[i]);
	free(state->mappings);
	state->mappings = NULL;
}

const struct workload workload_mmap = {
	.name = "mmap",
	.summary = "writes a file through a shared mapping, syncs and unmaps it, again and again",
	.unit = "pages",
	.table_unit = "1000 pages",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct mmap_params),
	.state_size = sizeof(struct mmap_state),
	.metrics = metrics,
	.n_metrics = ARRAY_SIZE(metrics),
	.probe = mmap_probe,
	.setup = mmap_setup,
	.step = mmap_step,
	.teardown = mmap_teardown,
};
