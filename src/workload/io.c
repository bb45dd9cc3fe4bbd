// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Writes a file as large as the box's RAM, again and again.
 *
 * contest's io_load did this with dd from /dev/zero, and counted whole files in units of 100 MB.
 * Here the data does not compress unless it is wanted, every block counts as it is written, and
 * beside dd's way (the file is emptied by O_TRUNC at each pass) there is a new file for each
 * pass, and overwriting in place.
 */
#include "workload/registry.h"
#include "workload/writer.h"

static const struct option_row options[] = { WRITER_ROWS };

const struct workload workload_io = {
	.name = "io",
	.summary = "writes a file of RAM size, again and again",
	.unit = "bytes",
	.table_unit = "100 MB",
	.table_divisor = 100000000,
	.revision = 1,
	.roles = WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct writer_params),
	.state_size = sizeof(struct writer_state),
	.probe = writer_probe,
	.setup = writer_setup,
	.step = writer_step,
	.teardown = writer_teardown,
};
