// SPDX-License-Identifier: GPL-2.0-or-later
/* What the writer and the reader of frames share. */
#ifndef RECORD_FRAME_H
#define RECORD_FRAME_H

#include <endian.h>
#include <stdint.h>
#include <string.h>

#include "record/metric.h"

#define FRAME_HEADER 5 /* u32 length, u8 type */

/* Room for one outcome with the longest text and the closing frame. */
#define FRAME_RESERVE (2 * FRAME_HEADER + 17 + sizeof(((struct outcome *)0)->text) + 4)

static inline void frame_put_u32(unsigned char *at, uint32_t value)
{
	value = htole32(value);
	memcpy(at, &value, 4);
}

static inline void frame_put_u64(unsigned char *at, uint64_t value)
{
	value = htole64(value);
	memcpy(at, &value, 8);
}

static inline uint32_t frame_get_u32(const unsigned char *at)
{
	uint32_t value;

	memcpy(&value, at, 4);
	return le32toh(value);
}

static inline uint64_t frame_get_u64(const unsigned char *at)
{
	uint64_t value;

	memcpy(&value, at, 8);
	return le64toh(value);
}

#endif
