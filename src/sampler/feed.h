// SPDX-License-Identifier: GPL-2.0-or-later
/* A file of the kernel's that stays open and is read whole again and again. */
#ifndef SAMPLER_FEED_H
#define SAMPLER_FEED_H

#include <stddef.h>

#include "base/error.h"
#include "base/root.h"

/* Zeroed: not open. */
struct feed {
	int fd; /* open while text is not NULL */
	char *text; /* what the last read gave, with a NUL behind it */
	size_t size; /* of the room at text */
};

/* Opens the file and reads it once. The room is twice what it holds now, and 4 KiB more. */
int feed_open(struct feed *ret_feed, const struct root *root, const char *path, struct error *err);

/* Reads it again. Allocates nothing: -EFBIG when the file has outgrown the room. */
int feed_read(struct feed *feed);

void feed_close(struct feed *feed);

#endif
