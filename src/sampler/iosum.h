// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A group's I/O, one line a device, summed over the devices: io.stat (v2) and
 * blkio.throttle.io_service_bytes_recursive (v1). Devices that stand on others are left out: their
 * I/O is counted again where it arrives.
 */
#ifndef SAMPLER_IOSUM_H
#define SAMPLER_IOSUM_H

#include <stdint.h>

#include "sampler/feed.h"
#include "sampler/list.h"

/* "8:0 rbytes=4096 wbytes=0 ..." and "8:0 Read 4096" alike: a label and its number. */
struct iosum_field {
	const char *label; /* NULL behind the last */
	const char *unit;
};

/* Zeroed: not open. */
struct iosum {
	struct feed feed;
	const struct iosum_field *fields; /* the last has no label */
	size_t place; /* of the first field's metric */
	struct {
		int64_t major, minor;
	} * excluded;
	size_t n_excluded;
};

/*
 * Adds NAME.LABEL for every field: a group that has done no I/O has no line yet, and the sums are
 * then 0.
 */
int iosum_open(struct iosum *ret_iosum, const struct root *root, const char *path, const char *name,
	const struct iosum_field *fields, struct metric_list *list, struct error *err);
int iosum_read(struct iosum *iosum, int64_t *values);
void iosum_close(struct iosum *iosum);

#endif
