// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/data.h"

#include "base/random.h"

/*
 * What a codec spends on a page besides the random bytes: the length of the run, and headers.
 * LZO and LZ4 write a length as one byte for each 255, zstd has frame and block headers.
 */
#define OVERHEAD 24

/* 32 bytes at once, wherever they lie: compilers make of it what the CPU has. */
typedef uint64_t lane __attribute__((vector_size(32), aligned(8), may_alias));

struct data data_of(double ratio, uint64_t seed)
{
	double random_bytes = ratio <= 1 ? DATA_PAGE : DATA_PAGE / ratio - OVERHEAD;
	uint32_t lanes = ((uint32_t)random_bytes + sizeof(lane) / 2) / sizeof(lane);
	struct data data = {
		.seed = seed,
		.random_offset = DATA_PAGE - lanes * (uint32_t)sizeof(lane),
	};
	struct random random = { seed };

	for (size_t i = 0; i < DATA_PAGE / 8; i++)
		data.pool[i] = random_next(&random);
	return data;
}

/*
 * The run comes first: after a stretch without a match LZO and LZ4 look at ever fewer positions,
 * and would find the beginning of a run late.
 */
static void page_fill(const struct data *data, char *at, uint64_t page)
{
	struct random random = random_fork(&(struct random) { data->seed }, page);
	uint64_t word = random_next(&random), key = random_next(&random);
	const lane run = { word, word, word, word }, keys = { key, key, key, key };
	const char *pool = (const char *)data->pool;
	size_t i = 0;

	for (; i < data->random_offset; i += sizeof(lane))
		*(lane *)(void *)(at + i) = run;
	for (; i < DATA_PAGE; i += sizeof(lane))
		*(lane *)(void *)(at + i) = *(const lane *)(const void *)(pool + i) ^ keys;
}

void data_fill(const struct data *data, void *buf, size_t size, uint64_t page)
{
	char *at = buf;

	for (size_t done = 0; done + DATA_PAGE <= size; done += DATA_PAGE)
		page_fill(data, at + done, page++);
}

uint64_t data_word(const struct data *data, uint64_t page)
{
	struct random random = random_fork(&(struct random) { ~data->seed }, page);

	return random_next(&random);
}
