// SPDX-License-Identifier: GPL-2.0-or-later
/* Decimal numbers as the kernel prints them, without the locale and without errno. */
#ifndef SAMPLER_NUMBER_H
#define SAMPLER_NUMBER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Reads the digits at *at, behind blanks, and moves *at past them. The kernel's are unsigned
 * 64 bits wide: above INT64_MAX they saturate. False, and *at stays, when there is no digit.
 */
static inline bool number_parse(const char **at, int64_t *ret_value)
{
	const char *c = *at;
	uint64_t value = 0;

	while (*c == ' ' || *c == '\t')
		c++;
	if (*c < '0' || *c > '9')
		return false;
	for (; *c >= '0' && *c <= '9'; c++) {
		/* Once saturated it stays so: UINT64_MAX times 10 overflows again. */
		if (__builtin_mul_overflow(value, 10, &value) ||
			__builtin_add_overflow(value, (uint64_t)(*c - '0'), &value))
			value = UINT64_MAX;
	}
	*at = c;
	*ret_value = value > INT64_MAX ? INT64_MAX : (int64_t)value;
	return true;
}

/* In another unit. scale 0 stands for 1, so that a table may leave it out. */
static inline int64_t number_scale(int64_t value, int64_t scale)
{
	if (scale && __builtin_mul_overflow(value, scale, &value))
		return INT64_MAX;
	return value;
}

#endif
