// SPDX-License-Identifier: GPL-2.0-or-later
/* Files for the shelf that are made of data of a stated compressibility. */
#ifndef WORKLOAD_DATA_FILE_H
#define WORKLOAD_DATA_FILE_H

#include "base/error.h"
#include "workload/data.h"

/*
 * Makes a new file, writes it to disk, and leaves nothing of it in the page cache. patch, which may
 * be NULL, changes what was made before it is written; it is given whole MiB.
 */
int data_file_make(const char *path, uint64_t size, const struct data *data,
	void (*patch)(char *buf, size_t size), struct error *err);

/*
 * Takes a file out of the page cache, as far as nobody maps it. What an earlier trial has read is
 * not charged to this one's control group: it would cost nothing here, and would not be thrown out.
 */
void data_file_forget(const char *path);

#endif
