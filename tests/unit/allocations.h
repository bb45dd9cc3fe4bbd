// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Counts the allocations of the whole process, and what it frees. Include in one file of a test
 * only: it defines malloc() and its like over glibc's own, or hooks into AddressSanitizer's.
 */
#ifndef ALLOCATIONS_H
#define ALLOCATIONS_H

#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>

static atomic_ulong allocations;
static atomic_ulong releases;

#ifdef __has_feature
#if __has_feature(address_sanitizer)
#define ALLOCATIONS_HOOKED
#endif
#endif
#ifdef __SANITIZE_ADDRESS__
#define ALLOCATIONS_HOOKED
#endif

#ifdef ALLOCATIONS_HOOKED

int __sanitizer_install_malloc_and_free_hooks(void (*malloc_hook)(const volatile void *, size_t),
	void (*free_hook)(const volatile void *));

static void count_malloc(const volatile void *data, size_t size)
{
	(void)data;
	(void)size;
	allocations++;
}

static void count_free(const volatile void *data)
{
	if (data)
		releases++;
}

__attribute__((constructor)) static void allocations_hook(void)
{
	__sanitizer_install_malloc_and_free_hooks(count_malloc, count_free);
}

#else

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t n, size_t size);
void *__libc_realloc(void *data, size_t size);
void __libc_free(void *data);

void *malloc(size_t size)
{
	allocations++;
	return __libc_malloc(size);
}

void *calloc(size_t n, size_t size)
{
	allocations++;
	return __libc_calloc(n, size);
}

void *realloc(void *data, size_t size)
{
	allocations++;
	return __libc_realloc(data, size);
}

void free(void *data)
{
	if (data)
		releases++;
	__libc_free(data);
}

#endif
#endif
