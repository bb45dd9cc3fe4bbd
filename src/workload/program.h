// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A program that a workload runs: what it says is read as it goes, and it does not outlive the
 * thread that started it. Unlike program_run() it is followed, not waited for.
 */
#ifndef WORKLOAD_PROGRAM_H
#define WORKLOAD_PROGRAM_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

#include "base/error.h"

/* One of its streams: the read end, and the last that came out of it. */
struct program_stream {
	int fd; /* -1: at its end */
	size_t used;
	char tail[400];
};

struct program {
	pid_t pid; /* 0: none runs */
	int pidfd; /* -1: before Linux 5.3; then the end of its output is its end */
	struct program_stream output, errors;
	uint64_t lines; /* newlines in its output so far */
};

struct program_how {
	const char *directory; /* where it runs; NULL: here */
	const char *temporary; /* its TMPDIR; NULL: as it is */
	bool merged; /* standard error goes where standard output goes */
};

/*
 * Starts argv[0], found on PATH, with LC_ALL=C, standard input from /dev/null and default
 * signals. It stays in the caller's process group and gets SIGKILL when the calling thread ends.
 * What a make above contend has left in the environment (MAKEFLAGS) and ccache are kept from it.
 */
int program_start(struct program *program, const char *const argv[], const struct program_how *how,
	struct error *err);

/*
 * Blocks until it has said something (1) or has ended (0, with its exit status or 128 + signal).
 * Processes that it left in the background do not delay its end.
 */
int program_follow(struct program *program, int *ret_status, struct error *err);

/* The last whole line of its standard output, or "". */
const char *program_line(const struct program *program, char *buf, size_t size);

/*
 * Returns -EIO and says how `what` ended and what it said last (on standard error; when that is
 * silent, on standard output).
 */
int program_failure(const struct program *program, const char *what, int status, struct error *err);

/* Starts it and follows it to its end; a status that is not 0 is a failure. */
int program_finish(const char *const argv[], const struct program_how *how, struct error *err);

/* Ends it, if it runs, with SIGKILL, and reaps it. */
void program_kill(struct program *program);

#endif
