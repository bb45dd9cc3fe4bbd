// SPDX-License-Identifier: GPL-2.0-or-later
/* One boot of a guest, from QEMU's start to the end of its process. */
#ifndef VM_GUEST_H
#define VM_GUEST_H

#include <signal.h>

#include "cgroup/cgroup.h"
#include "vm/qemu.h"
#include "vm/region.h"

struct guest {
	const struct qemu *qemu;
	struct qemu_boot boot; /* record and record_bytes are filled in by guest_run() */
	const char *directory; /* for the console and QEMU's own words; exists */
	const struct cgroup *cgroup; /* for QEMU; NULL: none */
	const char *job;
	uint64_t stream_bytes; /* room for the record */
	/* Host time: until the agent speaks, without a new page of record, until the end. */
	int64_t boot_ns, silent_ns, deadline_ns;
	const volatile sig_atomic_t *interrupted;
	void (*phase)(void *data, const char *phase); /* may be NULL */
	void *data;
};

/* What came of it. The stream may be cut anywhere: its reader must trust nothing. */
struct guest_result {
	unsigned char *stream; /* inside the mapping */
	size_t size;
	enum region_phase phase; /* the last that it reached */
	bool interrupted, timed_out;
	bool silent; /* timed out, for it wrote nothing more */
	int status; /* of waitpid(2) */
	char failure[512]; /* what the agent said */
	int error; /* and its errno, negative */
	char words
		[256]; /* the last of the console, or of QEMU itself when the guest said nothing */
	void *map;
	size_t map_size;
};

/*
 * Boots it and waits until QEMU has ended; then nothing of it is left but the result and the
 * console's file. Negative only when it could not be started.
 */
int guest_run(const struct guest *guest, struct guest_result *ret_result, struct error *err);
void guest_result_done(struct guest_result *result);

/*
 * The last lines of a console's text as one line: carriage returns, control sequences and the
 * kernel's time stamps gone, lines joined by " | ". From the line that tells of a panic where there
 * is one.
 */
const char *console_tail(const char *text, char *buf, size_t size);

#endif
