// SPDX-License-Identifier: GPL-2.0-or-later
/* How much memory or file a workload takes: in 64 bits, and looked at before it is taken. */
#ifndef WORKLOAD_EXTENT_H
#define WORKLOAD_EXTENT_H

#include <stdint.h>

#include "base/error.h"
#include "workload/workload.h"

/* Below this a kernel has other worries than a test of its memory. */
#define EXTENT_RAM_MIN (16 * MIB)

/* -EOPNOTSUPP where the box's RAM is less than that. */
int extent_check_ram(const struct place *place, struct error *err);

/*
 * A share of RAM and swap together in whole pages, at least one. percent is taken to a tenth;
 * nothing is subtracted for what is in use.
 */
uint64_t extent_of_box(const struct place *place, double percent, uint64_t page_size);

/* Whole pages of that many bytes, at least one. */
uint64_t extent_whole(uint64_t bytes, uint64_t page_size);

/* -ERANGE: more bytes than an off_t holds, which is 2^63-1. */
int extent_of_pages(uint64_t pages, uint64_t page_size, uint64_t *ret_bytes, struct error *err);

/*
 * What the worker `index` of n takes of so many pages: the same for all, the last takes what is
 * left over.
 */
uint64_t extent_part(uint64_t pages, unsigned index, unsigned n);

/*
 * -ENOSPC where the filesystem has no room for n files of so many bytes and for what it needs
 * itself to keep them (1/64). A directory that is not there yet is not looked at.
 */
int extent_check_space(const char *directory, uint64_t bytes, unsigned n, struct error *err);

#endif
