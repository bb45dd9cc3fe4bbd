// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Allocates 80 % of RAM and swap, chunk after chunk, writes to every page, and gives it all back.
 *
 * LTP's mtest01 -p 80 -w did this, once in a process. It took what was in use, page cache
 * included, off its target; here the target follows from the box alone. What it wrote was one byte
 * again and again; here each page is other data, of a stated compressibility, and bears a word by
 * which a second pass over the memory can tell that it is still the one that was written.
 */
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/root.h"
#include "workload/data.h"
#include "workload/extent.h"
#include "workload/registry.h"

enum memfill_write {
	WRITE_PAGE,
	WRITE_WORD,
};

static const char *const writes[] = { "page", "word", NULL };

enum memfill_thp {
	THP_DEFAULT,
	THP_YES,
	THP_NO,
};

static const char *const thps[] = { "default", "yes", "no", NULL };

struct memfill_params {
	double percent;
	uint64_t bytes;
	uint64_t chunk;
	int write;
	double compress;
	bool reread;
	int thp;
	uint64_t iterations;
};

/* One worker's share of the memory. All sizes are in bytes, whole pages. */
struct filler {
	_Alignas(64) char *area; /* reserved addresses; NULL: between iterations */
	size_t area_size;
	char *pages; /* in it */
	uint64_t share;
	uint64_t target; /* the share, or what could be had of it */
	uint64_t allocated, written, reread;
	uint64_t first; /* number of its first page: no two iterations write the same */
	uint64_t iterations; /* that have ended */
};

struct memfill_state {
	struct data data;
	uint64_t page_size;
	uint64_t align; /* of the memory: a huge page, where there are any */
	uint64_t chunk;
	uint64_t total;
	struct filler *fillers;
};

enum {
	ALLOCATED,
	WANTED,
};

static const struct metric metrics[] = {
	[ALLOCATED] = { "bytes_allocated", "bytes", METRIC_GAUGE },
	[WANTED] = { "bytes_wanted", "bytes", METRIC_FIGURE },
};

static const struct option_row options[] = {
	{
		OPTION("percent", OPTION_REAL, struct memfill_params, percent),
		.fallback = "80",
		.min = "0.1",
		.max = "1000",
		.help = "memory, all workers together, in per cent of the box's RAM and swap",
	},
	{
		OPTION("bytes", OPTION_BYTES, struct memfill_params, bytes),
		.fallback = "0",
		.help = "the same as a size; 0: percent= holds",
	},
	{
		OPTION("chunk", OPTION_BYTES, struct memfill_params, chunk),
		.fallback = "2M",
		.min = "1",
		.help = "that much is allocated at a time, then written; with thp=yes whole huge "
			"pages",
	},
	{
		OPTION("write", OPTION_CHOICE, struct memfill_params, write),
		.fallback = "page",
		.choices = writes,
		.help = "whole pages, or one word of each, which leaves the rest zero",
	},
	{
		OPTION("compress", OPTION_REAL, struct memfill_params, compress),
		.fallback = "2",
		.min = DATA_RATIO_MIN,
		.max = DATA_RATIO_MAX,
		.help = "with write=page: ratio by which each 4 KiB compresses; 1: not at all",
	},
	{
		OPTION("reread", OPTION_BOOL, struct memfill_params, reread),
		.fallback = "no",
		.help = "look at each page once more when all are written: is it what was written",
	},
	{
		OPTION("thp", OPTION_CHOICE, struct memfill_params, thp),
		.fallback = "default",
		.choices = thps,
		.help = "transparent huge pages: as the system has it, wherever possible, or never",
	},
	{
		OPTION("iterations", OPTION_COUNT, struct memfill_params, iterations),
		.fallback = "10",
		.min = "1",
		.help = "fillings until a lead ends; a load goes on",
	},
};

/* A step writes no more than this, however large a chunk is. */
#define STEP_BYTES MIB

static int memfill_probe(const struct place *place, const void *params, struct error *err)
{
	(void)params;
	return extent_check_ram(place, err);
}

/* The word of a page that tells it from all others: its last, which is random in all data. */
static uint64_t *mark_of(const struct memfill_state *state, char *page)
{
	return (uint64_t *)(void *)(page + state->page_size) - 1;
}

static uint64_t number_of(const struct filler *filler, uint64_t offset)
{
	return filler->first + offset / DATA_PAGE;
}

/* A kernel without transparent huge pages refuses the advice: then there are none. */
static void advise(const struct filler *filler, int thp)
{
	if (thp == THP_YES)
		madvise(filler->area, filler->area_size, MADV_HUGEPAGE);
	else if (thp == THP_NO)
		madvise(filler->area, filler->area_size, MADV_NOHUGEPAGE);
}

/*
 * Takes addresses for the whole share, which costs no memory and is not accounted as such; chunks
 * become memory when they are made writable (mprotect_fixup(), mm/mprotect.c).
 */
static int iteration_begin(const struct worker *worker, struct filler *filler, struct error *err)
{
	const struct instance *instance = worker->instance;
	const struct memfill_params *params = instance->params;
	const struct memfill_state *state = instance->state;
	size_t size = filler->share + state->align;
	char *area = mmap(NULL, size, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	char buf[32];

	if (area == MAP_FAILED)
		return error_errno(err, -errno, "cannot reserve %s of addresses (ulimit -v)",
			bytes_render(size, buf, sizeof(buf)));
	atomic_fetch_sub(&instance->values[ALLOCATED], (int64_t)filler->allocated);
	filler->area = area;
	filler->area_size = size;
	filler->pages = area + (state->align - (uintptr_t)area % state->align);
	filler->target = filler->share;
	filler->allocated = filler->written = filler->reread = 0;
	filler->first = (filler->iterations * instance->workers + worker->index) *
			(state->total / DATA_PAGE);
	advise(filler, params->thp);
	return 0;
}

/*
 * Allocates a chunk. When there is no more to be had (strict overcommit, ulimit -d), the iteration
 * makes do with what it has, says so, and shows it in bytes_allocated.
 */
static int chunk_allocate(struct worker *worker, struct filler *filler, struct error *err)
{
	const struct instance *instance = worker->instance;
	const struct memfill_state *state = instance->state;
	uint64_t rest = filler->target - filler->allocated;
	uint64_t size = rest < state->chunk ? rest : state->chunk;
	char buf[32];

	if (mprotect(filler->pages + filler->allocated, size, PROT_READ | PROT_WRITE) == 0) {
		filler->allocated += size;
		atomic_fetch_add(&instance->values[ALLOCATED], (int64_t)size);
		return 0;
	}
	if (errno != ENOMEM || !filler->allocated)
		return error_errno(
			err, -errno, "cannot allocate %s", bytes_render(size, buf, sizeof(buf)));
	filler->target = filler->allocated;
	if (worker->index == 0)
		instance_event(instance, clock_now(), "no memory beyond %s",
			bytes_render(filler->allocated, buf, sizeof(buf)));
	return 0;
}

static void pages_write(struct worker *worker, struct filler *filler, uint64_t end)
{
	const struct memfill_params *params = worker->instance->params;
	const struct memfill_state *state = worker->instance->state;

	for (; filler->written < end; filler->written += state->page_size) {
		char *page = filler->pages + filler->written;
		uint64_t number = number_of(filler, filler->written);

		if (params->write == WRITE_PAGE)
			data_fill(&state->data, page, state->page_size, number);
		*mark_of(state, page) = data_word(&state->data, number);
		progress_add(worker->progress, 1);
	}
}

static int pages_reread(
	struct worker *worker, struct filler *filler, uint64_t end, struct error *err)
{
	const struct memfill_state *state = worker->instance->state;

	for (; filler->reread < end; filler->reread += state->page_size) {
		uint64_t word = data_word(&state->data, number_of(filler, filler->reread));

		if (*mark_of(state, filler->pages + filler->reread) != word)
			return error_set(err, -EIO,
				"page %" PRIu64 " of iteration %" PRIu64 " is not what was written",
				filler->reread / state->page_size + 1, filler->iterations + 1);
		progress_add(worker->progress, 1);
	}
	return STEP_MORE;
}

static int iteration_end(const struct instance *instance, struct filler *filler)
{
	const struct memfill_params *params = instance->params;

	munmap(filler->area, filler->area_size);
	filler->area = NULL;
	filler->iterations++;
	return instance->role == WORKLOAD_LEAD && filler->iterations == params->iterations
		       ? STEP_DONE
		       : STEP_PASS;
}

static uint64_t step_end(uint64_t from, uint64_t to)
{
	return to - from < STEP_BYTES ? to : from + STEP_BYTES;
}

static int memfill_step(struct worker *worker, struct error *err)
{
	const struct instance *instance = worker->instance;
	const struct memfill_params *params = instance->params;
	const struct memfill_state *state = instance->state;
	struct filler *filler = &state->fillers[worker->index];
	int r = filler->area ? 0 : iteration_begin(worker, filler, err);

	if (r == 0 && filler->written == filler->allocated && filler->allocated < filler->target)
		r = chunk_allocate(worker, filler, err);
	if (r < 0)
		return r;
	if (filler->written < filler->allocated) {
		pages_write(worker, filler, step_end(filler->written, filler->allocated));
		return STEP_MORE;
	}
	if (params->reread && filler->reread < filler->written)
		return pages_reread(worker, filler, step_end(filler->reread, filler->written), err);
	return iteration_end(instance, filler);
}

/* Bytes of a transparent huge page; 0 without any. */
static uint64_t huge_page(void)
{
	struct root root CLEANUP(root_close) = { -1 };
	char line[32];

	if (root_open(&root, "/", NULL) < 0 ||
		root_read_line(&root, "/sys/kernel/mm/transparent_hugepage/hpage_pmd_size", line,
			sizeof(line)) < 0)
		return 0;
	return strtoull(line, NULL, 10);
}

static void sizes_choose(struct memfill_state *state, const struct instance *instance)
{
	const struct memfill_params *params = instance->params;
	uint64_t huge = huge_page(), least;

	state->page_size = (uint64_t)sysconf(_SC_PAGESIZE);
	state->align = huge ? huge : state->page_size;
	state->total = params->bytes
			       ? extent_whole(params->bytes, state->page_size)
			       : extent_of_box(instance->place, params->percent, state->page_size);
	least = state->page_size * instance->workers;
	if (state->total < least)
		state->total = least;
	state->chunk = extent_whole(params->chunk, state->page_size);
	if (params->thp == THP_YES && state->chunk % state->align)
		state->chunk = extent_whole(state->chunk, state->align);
}

static int memfill_setup(struct instance *instance, struct error *err)
{
	const struct memfill_params *params = instance->params;
	struct memfill_state *state = instance->state;

	sizes_choose(state, instance);
	state->data = data_of(params->compress, instance->place->seed);
	state->fillers =
		aligned_alloc(_Alignof(struct filler), instance->workers * sizeof(*state->fillers));
	if (!state->fillers)
		return error_errno(err, -ENOMEM, "memfill");
	for (unsigned i = 0; i < instance->workers; i++)
		state->fillers[i] = (struct filler) {
			.share = state->page_size *
				 extent_part(state->total / state->page_size, i, instance->workers),
		};
	atomic_store(&instance->values[ALLOCATED], 0);
	atomic_store(&instance->values[WANTED], (int64_t)state->total);
	return 0;
}

static void memfill_teardown(struct instance *instance)
{
	struct memfill_state *state = instance->state;

	for (unsigned i = 0; state->fillers && i < instance->workers; i++) {
		if (state->fillers[i].area)
			munmap(state->fillers[i].area, state->fillers[i].area_size);
	}
	free(state->fillers);
	state->fillers = NULL;
}

const struct workload workload_memfill = {
	.name = "memfill",
	.summary = "allocates 80 % of RAM and swap and writes to every page, again and again",
	.unit = "pages",
	.table_unit = "1000 pages",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct memfill_params),
	.state_size = sizeof(struct memfill_state),
	.metrics = metrics,
	.n_metrics = ARRAY_SIZE(metrics),
	.probe = memfill_probe,
	.setup = memfill_setup,
	.step = memfill_step,
	.teardown = memfill_teardown,
};
