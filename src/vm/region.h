// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Memory that host and guest share: BAR 2 of an ivshmem device (docs/specs/ivshmem-spec.rst in
 * QEMU), without its interrupts. Writing to it is a store: no request that another thread answers,
 * so exact mode stays exact, and what the guest wrote before it died is there.
 */
#ifndef VM_REGION_H
#define VM_REGION_H

#include <stdatomic.h>
#include <stdint.h>

#define REGION_MAGIC "contend1"
#define REGION_VENDOR "0x1af4"
#define REGION_DEVICE "0x1110"

/* How far the guest has come. */
enum region_phase {
	REGION_BOOT, /* as the host made it */
	REGION_AGENT, /* the agent has found it */
	REGION_TRIAL, /* the guest is ready; the trial begins */
	REGION_DONE, /* the stream is whole */
	REGION_FAILED, /* `failure` says why there will be none */
};

#define REGION_JOB_AT 4096
#define REGION_STREAM_AT (256 * 1024)
#define REGION_JOB_SIZE (REGION_STREAM_AT - REGION_JOB_AT)

struct region {
	char magic[8];
	uint64_t stream_size; /* room for it, from the host */
	_Atomic uint32_t phase;
	int32_t error; /* with REGION_FAILED: a negative errno */
	uint64_t stream_used; /* with REGION_DONE */
	char failure[512];
};

#endif
