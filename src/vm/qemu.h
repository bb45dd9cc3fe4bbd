// SPDX-License-Identifier: GPL-2.0-or-later
/* QEMU: which one, and how it is called. */
#ifndef VM_QEMU_H
#define VM_QEMU_H

#include <limits.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/error.h"

#define QEMU_PROGRAM "qemu-system-x86_64"
#define QEMU_SAFE_MAJOR 10 /* see qemu_check() */

struct qemu {
	char program[PATH_MAX];
	char firmware[2][PATH_MAX]; /* directories for -L; "": where it looks by itself */
	char version[64]; /* "10.0.2" */
	unsigned major, minor;
};

/*
 * Finds QEMU: `wanted` is a program's path, "debian:SUITE" (fetched, and unpacked into the cache),
 * or "" for the best that there is: the installed one from 10 on, else that of the backports of
 * this machine's Debian, else the installed one. -EOPNOTSUPP: there is none.
 */
int qemu_find(const char *wanted, const char *cache, struct qemu *ret_qemu, struct error *err);

/*
 * Runs it this kernel right? QEMU before 10 kills guests with 6.12 and later: memory corruption
 * after cmpxchg16b in slab code, seen in 9 of 11 runs with 7.2, and in none of 16 with 10.0.
 */
int qemu_check(const struct qemu *qemu, const char *release, struct error *err);

/* Reads "QEMU emulator version 10.0.2 (Debian ...)". False: this is no QEMU. */
bool qemu_version_parse(const char *text, struct qemu *qemu);

/* One boot. */
struct qemu_boot {
	const char *kernel, *initramfs;
	const char *cmdline; /* the user's, behind contend's own */
	const char *console; /* a file that it writes */
	const char *record; /* a file that host and guest share, of record_bytes */
	uint64_t record_bytes; /* a power of two */
	uint64_t ram_bytes; /* of the guest, without its disk */
	uint64_t disk_bytes; /* a part of the guest's memory: /dev/pmem0 */
	const char *tools; /* what the disk's last tools_bytes hold at the start, a file; "" */
	uint64_t tools_bytes;
	unsigned cpus;
	bool exact; /* counted instructions, virtual time */
	bool kvm;
	uint64_t seed;
	const char *add; /* a -device that breaks exact mode, for the test that it does; "" */
};

/* Longest command line. */
#define QEMU_WORDS 80

/* A command line; its words live in text. */
struct qemu_command {
	const char *argv[QEMU_WORDS + 1];
	size_t n;
	char text[16384];
	size_t used;
};

/* -ERANGE: it does not fit. */
int qemu_command_make(const struct qemu *qemu, const struct qemu_boot *boot,
	struct qemu_command *ret_command, struct error *err);

/*
 * Memory that QEMU gives the guest: its RAM and its disk, each page of which takes the guest's
 * kernel 64 bytes of RAM to describe.
 */
uint64_t qemu_memory(const struct qemu_boot *boot);

#endif
