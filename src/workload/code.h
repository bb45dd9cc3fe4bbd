// SPDX-License-Identifier: GPL-2.0-or-later
/* Pages of machine code: each has one function, which returns at once. */
#ifndef WORKLOAD_CODE_H
#define WORKLOAD_CODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * Where the function lies in its page. Not at its start: a compiler's check of an indirect call
 * may look at what stands before the function.
 */
#define CODE_OFFSET 64

/* Has the compiler's assembler been told how a function returns on this processor? */
bool code_possible(void);

/* Puts the function into each page of a buffer. */
void code_put(char *buf, size_t size, size_t page_size);

/* Calls the function of a page that is mapped for execution. */
static inline void code_call(char *page)
{
	((void (*)(void))(uintptr_t)(page + CODE_OFFSET))();
}

#endif
