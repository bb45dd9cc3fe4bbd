// SPDX-License-Identifier: GPL-2.0-or-later
/* Sizes and times as people write them. */
#ifndef BASE_UNIT_H
#define BASE_UNIT_H

#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define NS_PER_US 1000LL
#define NS_PER_MS 1000000LL
#define NS_PER_S 1000000000LL

#define KIB (1ULL << 10)
#define MIB (1ULL << 20)
#define GIB (1ULL << 30)
#define TIB (1ULL << 40)

/*
 * A number of bytes with a binary suffix: "4096", "64K", "512M", "1.5G", "2T" ("KiB", "MB" and
 * the like mean the same powers of 1024, as in fio). -EINVAL: not a size; -ERANGE: above 2^63-1.
 */
int bytes_parse(const char *text, uint64_t *ret_bytes, struct error *err);

/* A duration: "250us", "10ms", "3s", "2.5", "10m", "1h"; without a unit seconds. */
int duration_parse(const char *text, int64_t *ret_ns, struct error *err);

/* A whole number, decimal, with an optional k, M or G of 1000. */
int count_parse(const char *text, uint64_t *ret_count, struct error *err);

/*
 * A size that may depend on the box: "64M", or "110%" of a quantity that the reader knows (RAM
 * unless the option says otherwise).
 */
struct size {
	uint64_t bytes; /* when permille is 0 */
	uint32_t permille; /* thousandths of the quantity, else 0 */
};

int size_parse(const char *text, struct size *ret_size, struct error *err);

/* Bytes of the size where the whole is `whole`; computed in 128 bits, saturated at 2^63-1. */
uint64_t size_of(const struct size *size, uint64_t whole);

/* Shortest exact spelling that bytes_parse() and duration_parse() read back: "512M", "1500ms". */
const char *bytes_spell(uint64_t bytes, char *buf, size_t size);
const char *duration_spell(int64_t ns, char *buf, size_t size);

/* For people: three significant digits, "1.46 GiB", "12.3 MiB". */
const char *bytes_render(uint64_t bytes, char *buf, size_t size);

#endif
