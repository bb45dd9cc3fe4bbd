// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Data of a stated compressibility, so that what compressed swap, zram or a compressing
 * filesystem gains from a load is known. Every 4 KiB by itself compresses by the ratio, within
 * 10 % with LZO, LZ4 and zstd alike: the first part is one word again and again, the rest is
 * random.
 */
#ifndef WORKLOAD_DATA_H
#define WORKLOAD_DATA_H

#include <stddef.h>
#include <stdint.h>

#define DATA_PAGE 4096

struct data {
	uint64_t seed;
	uint32_t
		random_offset; /* in each page: from here to its end no byte follows from another */
	/*
	 * What is random in a page is this, changed by a word that no other page has: as random to a
	 * codec that sees one page, and made at the speed of memory.
	 */
	uint64_t pool[DATA_PAGE / 8];
};

/* The option row's limits, as they are written there. */
#define DATA_RATIO_MIN "1"
#define DATA_RATIO_MAX "8"

/* ratio: 1 (does not compress) to 8. */
struct data data_of(double ratio, uint64_t seed);

/*
 * Fills memory with the pages numbered `page` and on. A page's contents follow from the seed and
 * its number. size is a multiple of DATA_PAGE, buf is aligned to 8 bytes.
 */
void data_fill(const struct data *data, void *buf, size_t size, uint64_t page);

/* One word that no other page has, for those who write or look at no more than that of a page. */
uint64_t data_word(const struct data *data, uint64_t page);

#endif
