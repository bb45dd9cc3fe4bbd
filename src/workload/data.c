// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/data.h"

#include "base/random.h"

/*
 * What a codec spends on a page besides the random bytes: the length of the run, and headers.
 * LZO and LZ4 write a length as one byte for each 255, zstd has frame and block headers.
 */
#define OVERHEAD 24

struct data data_of(double ratio, uint64_t seed)
{
	double random_bytes = ratio <= 1 ? DATA_PAGE : DATA_PAGE / ratio - OVERHEAD;

	return (struct data) {
		.seed = seed,
		.random_offset = DATA_PAGE - ((uint32_t)random_bytes + 4) / 8 * 8,
	};
}

/*
 * The run comes first: after a stretch without a match LZO and LZ4 look at ever fewer positions,
 * and would find the beginning of a run late.
 */
static void page_fill(const struct data *data, uint64_t *words, uint64_t page)
{
	struct random random = random_fork(&(struct random) { data->seed }, page);
	uint64_t word = random_next(&random);
	size_t i = 0;

	for (; i < data->random_offset / 8; i++)
		words[i] = word;
	for (; i < DATA_PAGE / 8; i++)
		words[i] = random_next(&random);
}

void data_fill(const struct data *data, void *buf, size_t size, uint64_t page)
{
	char *at = buf;

	for (size_t done = 0; done + DATA_PAGE <= size; done += DATA_PAGE)
		page_fill(data, (uint64_t *)(void *)(at + done), page++);
}

uint64_t data_word(const struct data *data, uint64_t page)
{
	struct random random = random_fork(&(struct random) { ~data->seed }, page);

	return random_next(&random);
}
