// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that is freed in one piece. Failure is remembered, so that a builder is checked once, at
 * its end: until then everything takes the NULL that an empty hand returns.
 */
#ifndef REPORT_ARENA_H
#define REPORT_ARENA_H

#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>

struct arena {
	struct arena_chunk *chunks;
	bool failed;
};

void arena_done(struct arena *arena);

/* Zeroed. NULL when there is no memory, and for a product that overflows. */
void *arena_alloc(struct arena *arena, size_t n, size_t size);

char *arena_copy(struct arena *arena, const char *text);
char *arena_vformat(struct arena *arena, const char *format, va_list args)
	__attribute__((format(printf, 2, 0)));
char *arena_format(struct arena *arena, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

#endif
