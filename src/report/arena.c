// SPDX-License-Identifier: GPL-2.0-or-later
#include "report/arena.h"

#include <stdalign.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct arena_chunk {
	struct arena_chunk *next;
	alignas(max_align_t) char data[];
};

void arena_done(struct arena *arena)
{
	while (arena->chunks) {
		struct arena_chunk *next = arena->chunks->next;

		free(arena->chunks);
		arena->chunks = next;
	}
}

void *arena_alloc(struct arena *arena, size_t n, size_t size)
{
	struct arena_chunk *chunk = NULL;
	size_t total;

	if (!__builtin_mul_overflow(n, size, &total) &&
		!__builtin_add_overflow(total, sizeof(*chunk), &total))
		chunk = calloc(1, total);
	if (!chunk) {
		arena->failed = true;
		return NULL;
	}
	chunk->next = arena->chunks;
	arena->chunks = chunk;
	return chunk->data;
}

char *arena_copy(struct arena *arena, const char *text)
{
	size_t size = strlen(text) + 1;
	char *copy = arena_alloc(arena, size, 1);

	if (copy)
		memcpy(copy, text, size);
	return copy;
}

char *arena_vformat(struct arena *arena, const char *format, va_list args)
{
	va_list again;
	char *text;
	int length;

	va_copy(again, args);
	length = vsnprintf(NULL, 0, format, again);
	va_end(again);
	text = arena_alloc(arena, (size_t)length + 1, 1);
	if (text)
		vsnprintf(text, (size_t)length + 1, format, args);
	return text;
}

char *arena_format(struct arena *arena, const char *format, ...)
{
	va_list args;
	char *text;

	va_start(args, format);
	text = arena_vformat(arena, format, args);
	va_end(args);
	return text;
}
