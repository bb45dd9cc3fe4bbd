// SPDX-License-Identifier: GPL-2.0-or-later
/* contend bisect: the parts that its files share. docs/bisect.md. */
#ifndef COMMAND_BISECT_H
#define COMMAND_BISECT_H

#include <limits.h>
#include <stdint.h>

#include "command/bisect_search.h"
#include "command/session.h"
#include "command/subcommand.h"
#include "kernel/kernel.h"

/*
 * What `git bisect run` understands: 0 good, 1 bad, 125 skip this one, above 127 stop. Anything
 * else up to 127 would be bad, too, so no trouble of contend's may end with it.
 */
enum bisect_code {
	BISECT_CODE_SKIP = 125,
	BISECT_CODE_STOP = 255,
};

/* Options of its own; all others are those of run. */
struct bisect_params {
	char kernels[4096];
	char good[512];
	char tree[PATH_MAX];
	char build[2048]; /* a shell command; "": BISECT_BUILD */
	char image[PATH_MAX]; /* below tree, unless it begins with a slash */
	int moved; /* enum bisect_moved */
	double level;
};

/* The words of a command line of `contend run`, each on the heap. */
struct words {
	char **items; /* NULL at the end */
	size_t n;
};

struct bisect {
	struct bisect_params params;
	struct words words;
	const char *command; /* as typed */
	struct session session;
	char cache[PATH_MAX]; /* of kernels */
};

/* A kernel's values over the seeds. */
struct measured {
	char label[128]; /* what people call it */
	int64_t run; /* 0: none */
	bool reused; /* the run was there already */
	double *values; /* by seed; NAN where there is none */
	size_t n, known;
	char why[512]; /* known is 0: why */
};

void measured_done(struct measured *measured);

/* Box, store and scenario, from the words. */
int bisect_open(struct bisect *bisect, struct error *err);

/*
 * Measures a kernel (kernel/kernel.h) over the seeds, or reads what was measured of the very same
 * one with the same options. A kernel that cannot be found or does not run is no error: then there
 * are no values. label NULL: as the kernel names itself. *ret_measured is zeroed or was in use.
 */
int bisect_measure(struct bisect *bisect, const char *kernel, const char *label,
	struct measured *ret_measured, struct error *err);

/*
 * Takes the values of a stored run, and its seed. -EINVAL: it was made with other options.
 * Comes before anything is measured.
 */
int bisect_take_run(
	struct bisect *bisect, int64_t run, struct measured *ret_measured, struct error *err);

/*
 * Values of the run's trials that are such as the session's plan has them. *ret_stored: how many
 * seeds have a trial that trying again would not change.
 */
int bisect_read(struct bisect *bisect, int64_t run, struct measured *measured, size_t *ret_stored,
	struct error *err);

/* A run's title: of the very same kernel, scenario, box and seeds only. */
int bisect_title(const struct bisect *bisect, const struct kernel *kernel, char *buf, size_t size,
	struct error *err);

/* Compares with the first kernel. */
int bisect_compare(const struct bisect *bisect, const struct measured *first,
	const struct measured *other, struct bisect_answer *ret_answer, struct error *err);

/* "0.2002 (0.2001 to 0.2003) s, 6 seeds, run 3"; why there is nothing. */
const char *bisect_spell_values(
	const struct bisect *bisect, const struct measured *measured, char *buf, size_t size);

/* "+12.3 %", of a difference of logarithms. */
const char *bisect_spell_percent(double difference, char *buf, size_t size);

/* "+12.3 % (+11.9 % to +12.8 %, 6 seeds, p 0.031)". */
const char *bisect_spell_answer(
	const struct bisect *bisect, const struct bisect_answer *answer, char *buf, size_t size);

/* --kernels: finds the first of a list that moved. */
int bisect_list(struct bisect *bisect, enum exit_code *ret_code, struct error *err);

/* A kernel tree as `git bisect run` has checked it out: *ret_code is one of its codes. */
int bisect_tree(struct bisect *bisect, int *ret_code, struct error *err);

/*
 * Runs the shell command in the directory, until it ends or contend is interrupted (-EINTR).
 * Returns its exit status, or 128 + signal; `words` is what it said of an error, or last.
 */
int bisect_build(
	const char *directory, const char *command, char *words, size_t size, struct error *err);

#endif
