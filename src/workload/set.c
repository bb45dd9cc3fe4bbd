// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/set.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/resource.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "workload/code.h"
#include "workload/data.h"
#include "workload/shuffle.h"

const char *const set_kind_names[SET_KINDS] = { "exec", "data", "anon" };

void set_plan_size(struct set_plan *plan, const struct set_params *params,
	const struct place *place, unsigned permille)
{
	uint64_t page_size = (uint64_t)sysconf(_SC_PAGESIZE);

	*plan = (struct set_plan) { .compress = params->compress };
	for (unsigned kind = 0; kind < SET_KINDS; kind++) {
		unsigned __int128 bytes = size_of(&params->size[kind], place->ram_bytes);

		plan->pages[kind] = (uint64_t)(bytes * permille / 1000) / page_size;
	}
}

static int map_file(struct set *set, enum set_kind kind, struct error *err)
{
	const char *path = set->plan.path[kind];
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);
	bool exec = kind == SET_EXEC;
	void *area;

	if (fd < 0)
		return error_errno(err, -errno, "cannot open %s", path);
	area = mmap(NULL, set->plan.pages[kind] * set->page_size,
		PROT_READ | (exec ? PROT_EXEC : 0), exec ? MAP_PRIVATE : MAP_SHARED, fd,
		(off_t)(set->plan.first[kind] * set->page_size));
	if (area == MAP_FAILED)
		return error_errno(err, -errno, "cannot map %s", path);
	set->area[kind] = area;
	return 0;
}

static int map_anon(struct set *set, uint64_t seed, struct error *err)
{
	struct data data = data_of(set->plan.compress, seed);
	size_t size = set->plan.pages[SET_ANON] * set->page_size;
	char *area = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);

	if (area == MAP_FAILED)
		return error_errno(err, -errno, "cannot map anonymous memory");
	/* Page by page, as the files: a huge page would be one fault where they have hundreds. */
	madvise(area, size, MADV_NOHUGEPAGE);
	data_fill(&data, area, size, set->plan.first[SET_ANON] * (set->page_size / DATA_PAGE));
	set->area[SET_ANON] = area;
	return 0;
}

int set_map(struct set *set, const struct set_plan *plan, uint64_t seed, struct error *err)
{
	int r = 0;

	*set = (struct set) {
		.plan = *plan,
		.page_size = (uint64_t)sysconf(_SC_PAGESIZE),
		.random = { seed },
	};
	for (unsigned kind = 0; kind < SET_KINDS && r == 0; kind++) {
		if (plan->pages[kind])
			r = kind == SET_ANON ? map_anon(set, seed, err) : map_file(set, kind, err);
	}
	return r;
}

static void page_touch(char *page, enum set_kind kind)
{
	volatile char *word = page;

	switch (kind) {
	case SET_EXEC: code_call(page); break;
	case SET_DATA: (void)*word; break;
	case SET_ANON: (*word)++; break;
	case SET_KINDS: break;
	}
}

struct touch set_touch(struct set *set, enum set_kind kind)
{
	struct shuffle order = shuffle_of(set->plan.pages[kind]);
	struct rusage before, after;
	int64_t start = clock_now();

	shuffle_begin(&order, &set->random);
	getrusage(RUSAGE_SELF, &before);
	for (uint64_t i = 0; i < set->plan.pages[kind]; i++)
		page_touch(set->area[kind] + shuffle_next(&order) * set->page_size, kind);
	getrusage(RUSAGE_SELF, &after);
	return (struct touch) {
		.ns = clock_now() - start,
		.majors = after.ru_majflt - before.ru_majflt,
		.minors = after.ru_minflt - before.ru_minflt,
	};
}

/* Looked at in pieces, so that a large set needs no large vector. */
#define PIECE_PAGES 4096

int64_t set_resident(const struct set *set, enum set_kind kind)
{
	unsigned char vector[PIECE_PAGES];
	int64_t resident = 0;

	for (uint64_t at = 0; at < set->plan.pages[kind]; at += PIECE_PAGES) {
		uint64_t left = set->plan.pages[kind] - at;
		uint64_t n = left < PIECE_PAGES ? left : PIECE_PAGES;

		if (mincore(set->area[kind] + at * set->page_size, n * set->page_size, vector) < 0)
			return -errno;
		for (uint64_t i = 0; i < n; i++)
			resident += vector[i] & 1;
	}
	return resident;
}
