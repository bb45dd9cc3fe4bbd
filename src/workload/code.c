// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/code.h"

#include <string.h>

/* The instruction by which a function returns. On Power a function pointer is an address since
 * ELFv2. */
#if defined(__x86_64__) || defined(__i386__) || defined(__aarch64__) || defined(__riscv)
#define RETURN "ret"
#elif defined(__arm__)
#define RETURN "bx lr"
#elif defined(__powerpc64__) && _CALL_ELF == 2
#define RETURN "blr"
#elif defined(__s390x__)
#define RETURN "br %r14"
#elif defined(__loongarch__)
#define RETURN "jr $ra"
#endif

#ifdef RETURN
extern const char code_leaf[], code_leaf_end[];

__asm__(".pushsection .text\n"
	".balign 16\n"
	"code_leaf: " RETURN "\n"
	"code_leaf_end:\n"
	".popsection\n");

bool code_possible(void)
{
	return true;
}

void code_put(char *buf, size_t size, size_t page_size)
{
	for (size_t at = 0; at + page_size <= size; at += page_size)
		memcpy(buf + at + CODE_OFFSET, code_leaf, (size_t)(code_leaf_end - code_leaf));
}
#else
bool code_possible(void)
{
	return false;
}

void code_put(char *buf, size_t size, size_t page_size)
{
}
#endif
