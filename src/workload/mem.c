// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Touches 110 % of the box's RAM, page after page in an order that no cache likes, so that the
 * kernel has to swap.
 *
 * contest's mem_load allocated the same share, up to 2930 MB, and moved memory about in it; here
 * the size follows the box, each access is one word of one page, each page is touched once in a
 * pass, and the data compresses by a stated ratio and goes on doing so.
 */
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "workload/data.h"
#include "workload/registry.h"
#include "workload/shuffle.h"

enum mem_order {
	ORDER_RANDOM,
	ORDER_STRIDE,
	ORDER_SEQ,
};

static const char *const orders[] = { "random", "stride", "seq", NULL };

enum mem_touch {
	TOUCH_WRITE,
	TOUCH_READ,
};

static const char *const touches[] = { "write", "read", NULL };

enum mem_thp {
	THP_NO,
	THP_YES,
	THP_DEFAULT,
};

static const char *const thps[] = { "no", "yes", "default", NULL };

struct mem_params {
	struct size size;
	int order;
	int touch;
	int thp;
	double compress;
};

/* One worker's share of the pages, and where it is in it. */
struct walk {
	_Alignas(64) char *pages;
	uint64_t n_pages;
	uint64_t visited; /* of this pass */
	uint64_t position;
	uint64_t start; /* ORDER_STRIDE: of this sweep */
	struct shuffle shuffle; /* ORDER_RANDOM */
};

struct mem_state {
	char *pages;
	uint64_t size;
	size_t page_size;
	uint32_t word_offset; /* in a page: from here on the data is random */
	uint32_t words;
	struct walk *walks;
};

#define SIZE_DEFAULT_PERMILLE 1100

static const struct option_row options[] = {
	{
		OPTION("size", OPTION_SIZE, struct mem_params, size),
		.fallback = "110%",
		.help = "memory, all workers together; in per cent: of the box's RAM",
	},
	{
		OPTION("order", OPTION_CHOICE, struct mem_params, order),
		.fallback = "random",
		.choices = orders,
		.help = "of the pages: random, every 64th, or one after the other",
	},
	{
		OPTION("touch", OPTION_CHOICE, struct mem_params, touch),
		.fallback = "write",
		.choices = touches,
		.help = "whether an access writes its word or reads it",
	},
	{
		OPTION("thp", OPTION_CHOICE, struct mem_params, thp),
		.fallback = "no",
		.choices = thps,
		.help = "transparent huge pages: never, wherever possible, or as the system has it",
	},
	{
		OPTION("compress", OPTION_REAL, struct mem_params, compress),
		.fallback = "2",
		.min = DATA_RATIO_MIN,
		.max = DATA_RATIO_MAX,
		.help = "ratio by which each 4 KiB of the memory compresses; 1: not at all",
	},
};

/* A step's accesses: when each needs a disk, that is a tenth of a second. */
#define BATCH 1000
/* Progress is told that often within a step. */
#define TELL 50
/* Beyond any cluster of pages that swap reads ahead (at most 64: mm/swap_state.c). */
#define STRIDE 64

static int mem_probe(const struct place *place, const void *data, struct error *err)
{
	const struct mem_params *params = data;
	uint64_t size = size_of(&params->size, place->ram_bytes), room;
	char size_text[32], room_text[32];

	if (__builtin_add_overflow(place->ram_bytes, place->swap_bytes, &room))
		return 0;
	/* Whoever types a size wants to see what happens. */
	if (params->size.permille != SIZE_DEFAULT_PERMILLE || size <= room)
		return 0;
	return error_set(err, -EOPNOTSUPP,
		"110%% of RAM is %s, RAM and swap together are %s: it would be killed; "
		"give the box more swap, or another size=",
		bytes_render(size, size_text, sizeof(size_text)),
		bytes_render(room, room_text, sizeof(room_text)));
}

static void pass_begin(struct walk *walk, struct random *random)
{
	walk->visited = 0;
	walk->start = 0;
	walk->position = 0;
	shuffle_begin(&walk->shuffle, random);
}

static void walk_init(struct walk *walk, char *pages, uint64_t n_pages, struct random random)
{
	*walk = (struct walk) {
		.pages = pages,
		.n_pages = n_pages,
		.shuffle = shuffle_of(n_pages),
	};
	pass_begin(walk, &random);
}

static uint64_t next_stride(struct walk *walk)
{
	uint64_t page = walk->position;

	walk->position += STRIDE;
	if (walk->position >= walk->n_pages)
		walk->position = ++walk->start;
	return page;
}

static uint64_t next_page(struct walk *walk, int order)
{
	switch (order) {
	case ORDER_RANDOM: return shuffle_next(&walk->shuffle);
	case ORDER_STRIDE: return next_stride(walk);
	default: return walk->position++;
	}
}

/*
 * One word of each page, in the part of it that is random, and random again when it is written:
 * the page compresses as before. The word's place changes, so that not all accesses fall into the
 * few sets of the CPU's cache that one place in a page maps to.
 */
static void touch_pages(const struct mem_state *state, const struct mem_params *params,
	struct walk *walk, unsigned n)
{
	for (unsigned i = 0; i < n; i++) {
		uint64_t page = next_page(walk, params->order);
		uint64_t value =
			(walk->shuffle.increment + walk->visited++) * 0x9e3779b97f4a7c15ULL;
		uint64_t word = (value >> 32) * state->words >> 32;
		volatile uint64_t *at =
			(volatile uint64_t *)(void *)(walk->pages + page * state->page_size +
						      state->word_offset + 8 * word);

		if (params->touch == TOUCH_WRITE)
			*at = value;
		else
			(void)*at;
	}
}

static int mem_step(struct worker *worker, struct error *err)
{
	const struct mem_params *params = worker->instance->params;
	struct mem_state *state = worker->instance->state;
	struct walk *walk = &state->walks[worker->index];

	(void)err;
	for (unsigned done = 0; done < BATCH; done += TELL) {
		uint64_t left = walk->n_pages - walk->visited;
		unsigned n = left < TELL ? (unsigned)left : TELL;

		touch_pages(state, params, walk, n);
		progress_add(worker->progress, n);
		if (walk->visited == walk->n_pages) {
			pass_begin(walk, &worker->random);
			return STEP_PASS;
		}
	}
	return STEP_MORE;
}

/* A kernel without transparent huge pages refuses the advice: then there are none. */
static void advise(const struct mem_state *state, const struct mem_params *params)
{
	if (params->thp == THP_NO)
		madvise(state->pages, state->size, MADV_NOHUGEPAGE);
	else if (params->thp == THP_YES)
		madvise(state->pages, state->size, MADV_HUGEPAGE);
}

static int map(struct mem_state *state, const struct mem_params *params, unsigned workers,
	struct error *err)
{
	char buf[32];

	/* At least a page for each worker. No reserve: vm.overcommit_memory 0 refuses what is
	 * more than the machine has, and a box that is too small must show it in its own way. */
	state->size = state->size / state->page_size * state->page_size;
	if (state->size < workers * state->page_size)
		state->size = workers * state->page_size;
	state->pages = mmap(NULL, state->size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (state->pages == MAP_FAILED) {
		state->pages = NULL;
		return error_errno(
			err, -errno, "cannot map %s", bytes_render(state->size, buf, sizeof(buf)));
	}
	advise(state, params);
	return 0;
}

static int mem_setup(struct instance *instance, struct error *err)
{
	const struct mem_params *params = instance->params;
	const struct place *place = instance->place;
	struct mem_state *state = instance->state;
	struct data data = data_of(params->compress, place->seed);
	struct random random = { place->seed };
	uint64_t share, first = 0;
	int r;

	state->page_size = (size_t)sysconf(_SC_PAGESIZE);
	state->word_offset = data.random_offset;
	state->words = (DATA_PAGE - data.random_offset) / 8;
	state->size = size_of(&params->size, place->ram_bytes);
	r = map(state, params, instance->workers, err);
	if (r < 0)
		return r;
	state->walks =
		aligned_alloc(_Alignof(struct walk), instance->workers * sizeof(*state->walks));
	if (!state->walks)
		return error_errno(err, -ENOMEM, "mem");
	share = state->size / state->page_size / instance->workers;
	for (unsigned i = 0; i < instance->workers; i++, first += share) {
		uint64_t n =
			i + 1 < instance->workers ? share : state->size / state->page_size - first;

		walk_init(&state->walks[i], state->pages + first * state->page_size, n,
			random_fork(&random, i));
	}
	data_fill(&data, state->pages, state->size, 0);
	return 0;
}

static void mem_teardown(struct instance *instance)
{
	struct mem_state *state = instance->state;

	if (state->pages)
		munmap(state->pages, state->size);
	free(state->walks);
	*state = (struct mem_state) { 0 };
}

const struct workload workload_mem = {
	.name = "mem",
	.summary = "touches 110 % of RAM in an order that caches do not like",
	.unit = "accesses",
	.table_unit = "1000 accesses",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct mem_params),
	.state_size = sizeof(struct mem_state),
	.probe = mem_probe,
	.setup = mem_setup,
	.step = mem_step,
	.teardown = mem_teardown,
};
