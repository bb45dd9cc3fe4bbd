// SPDX-License-Identifier: GPL-2.0-or-later
#include "store/coding.h"

#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>

#define VARINT_MAX 10 /* bytes of a 64-bit number, 7 bits each */

void bytes_done(struct bytes *bytes)
{
	free(bytes->data);
	*bytes = (struct bytes) { 0 };
}

static int bytes_reserve(struct bytes *bytes, size_t more)
{
	size_t room = bytes->room ? 2 * bytes->room : 64;
	unsigned char *data;

	if (bytes->room - bytes->size >= more)
		return 0;
	data = realloc(bytes->data, room);
	if (!data)
		return -ENOMEM;
	bytes->data = data;
	bytes->room = room;
	return 0;
}

/* There is room. */
static void varint_put(struct bytes *bytes, uint64_t number)
{
	while (number >= 0x80) {
		bytes->data[bytes->size++] = (unsigned char)(number | 0x80);
		number >>= 7;
	}
	bytes->data[bytes->size++] = (unsigned char)number;
}

/* SQLite gives NULL for a blob of no bytes. */
static const unsigned char *end_of(const unsigned char *data, size_t size)
{
	return size ? data + size : data;
}

static bool varint_take(const unsigned char **at, const unsigned char *end, uint64_t *ret_number)
{
	uint64_t number = 0;

	for (unsigned shift = 0; *at < end && shift < 64; shift += 7) {
		unsigned char byte = *(*at)++;

		number |= (uint64_t)(byte & 0x7f) << shift;
		if (!(byte & 0x80)) {
			*ret_number = number;
			return true;
		}
	}
	return false;
}

/* Small differences of either sign become small numbers: 0, -1, 1, -2, ... */
static uint64_t zigzag(uint64_t difference)
{
	return (difference << 1) ^ (0 - (difference >> 63));
}

static uint64_t unzigzag(uint64_t number)
{
	return (number >> 1) ^ (0 - (number & 1));
}

static void repeats_put(struct coder *coder)
{
	if (!coder->repeats)
		return;
	varint_put(&coder->bytes, 0);
	varint_put(&coder->bytes, coder->repeats - 1);
	coder->repeats = 0;
}

int coder_put(struct coder *coder, int64_t value)
{
	uint64_t difference = (uint64_t)value - (uint64_t)coder->last;
	int r;

	if (!difference) {
		coder->repeats++;
		return 0;
	}
	r = bytes_reserve(&coder->bytes, 3 * VARINT_MAX);
	if (r < 0)
		return r;
	repeats_put(coder);
	varint_put(&coder->bytes, zigzag(difference));
	coder->last = value;
	return 0;
}

int coder_finish(struct coder *coder)
{
	int r = bytes_reserve(&coder->bytes, 2 * VARINT_MAX);

	if (r < 0)
		return r;
	repeats_put(coder);
	return 0;
}

void coder_done(struct coder *coder)
{
	bytes_done(&coder->bytes);
	*coder = (struct coder) { 0 };
}

int series_unpack(const unsigned char *data, size_t size, int64_t *values, size_t n)
{
	const unsigned char *at = data, *end = end_of(data, size);
	uint64_t last = 0;
	size_t i = 0;

	while (i < n) {
		uint64_t number, repeats = 0;

		if (!varint_take(&at, end, &number))
			return -EBADMSG;
		if (number == 0 && !varint_take(&at, end, &repeats))
			return -EBADMSG;
		if (repeats >= n - i)
			return -EBADMSG;
		last += unzigzag(number);
		for (uint64_t k = 0; k <= repeats; k++)
			values[i++] = (int64_t)last;
	}
	return at == end ? 0 : -EBADMSG;
}

int histogram_pack(const struct histogram *histogram, struct bytes *bytes)
{
	unsigned before = 0;

	for (unsigned i = 0; i < HISTOGRAM_BUCKETS; i++) {
		int r;

		if (!histogram->buckets[i])
			continue;
		r = bytes_reserve(bytes, 2 * VARINT_MAX);
		if (r < 0)
			return r;
		varint_put(bytes, i - before);
		varint_put(bytes, histogram->buckets[i]);
		before = i;
	}
	return 0;
}

int histogram_unpack(const unsigned char *data, size_t size, struct histogram *histogram)
{
	const unsigned char *at = data, *end = end_of(data, size);
	uint64_t bucket = 0;

	while (at < end) {
		uint64_t distance, count;

		if (!varint_take(&at, end, &distance) || !varint_take(&at, end, &count))
			return -EBADMSG;
		if (distance >= HISTOGRAM_BUCKETS - bucket || count > UINT32_MAX)
			return -EBADMSG;
		bucket += distance;
		histogram->buckets[bucket] = (uint32_t)count;
	}
	return 0;
}
