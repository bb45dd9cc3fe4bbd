// SPDX-License-Identifier: GPL-2.0-or-later
/* Which QEMU. */
#include "vm/qemu.h"

#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "kernel/apt.h"
#include "kernel/kernel.h"

#define DEBIAN "debian:"
#define BANNER "QEMU emulator version "

bool qemu_version_parse(const char *text, struct qemu *qemu)
{
	const char *at = strstr(text, BANNER);
	size_t length;

	if (!at || !kernel_version(at + strlen(BANNER), &qemu->major, &qemu->minor))
		return false;
	at += strlen(BANNER);
	length = strspn(at, "0123456789.");
	snprintf(qemu->version, sizeof(qemu->version), "%.*s", (int)length, at);
	return true;
}

static int ask(const char *program, struct qemu *qemu, struct error *err)
{
	char output[1024];
	int status = program_run(
		(const char *[]) { program, "--version", NULL }, output, sizeof(output));

	if (status == -ENOENT)
		return error_set(
			err, -EOPNOTSUPP, "no QEMU here (%s; package qemu-system-x86)", program);
	if (status < 0)
		return error_errno(err, status, "cannot run %s", program);
	if (status > 0 || !qemu_version_parse(output, qemu))
		return error_set(err, -EOPNOTSUPP, "%s is no QEMU that runs here: %.*s", program,
			(int)strcspn(output, "\n"), output);
	snprintf(qemu->program, sizeof(qemu->program), "%s", program);
	return 0;
}

/* It runs from where it was unpacked, as far as the machine has its libraries. */
static int fetch(const char *suite, const char *cache, struct qemu *qemu, struct error *err)
{
	static const char *const names[] = { "qemu-system-x86", "qemu-system-data", "seabios",
		NULL };
	static const char *const none[] = { NULL };
	char program[PATH_MAX];
	struct apt_tree tree;
	int r = apt_fetch(cache, suite, names, none, &tree, err);

	if (r < 0)
		return r;
	if (snprintf(program, sizeof(program), "%s/usr/bin/" QEMU_PROGRAM, tree.path) >=
			(int)sizeof(program) ||
		snprintf(qemu->firmware[0], PATH_MAX, "%s/usr/share/qemu", tree.path) >= PATH_MAX ||
		snprintf(qemu->firmware[1], PATH_MAX, "%s/usr/share/seabios", tree.path) >=
			PATH_MAX)
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", tree.path);
	return ask(program, qemu, err);
}

static int find_best(const char *cache, struct qemu *ret_qemu, struct error *err)
{
	struct qemu installed = { 0 }, fetched = { 0 };
	struct apt_mirror mirror;
	char suite[96];
	struct error why;
	int r = ask(QEMU_PROGRAM, &installed, err);

	if (r == 0 && installed.major >= QEMU_SAFE_MAJOR) {
		*ret_qemu = installed;
		return 0;
	}
	if (apt_mirror_read("/etc/apt", &mirror, &why) == 0) {
		snprintf(suite, sizeof(suite), "%s-backports", mirror.suite);
		if (fetch(suite, cache, &fetched, &why) == 0) {
			*ret_qemu = fetched;
			return 0;
		}
	}
	if (r == 0)
		*ret_qemu = installed;
	return r;
}

int qemu_find(const char *wanted, const char *cache, struct qemu *ret_qemu, struct error *err)
{
	struct qemu qemu = { 0 };
	int r;

	if (!*wanted)
		r = find_best(cache, &qemu, err);
	else if (!strncmp(wanted, DEBIAN, strlen(DEBIAN)))
		r = fetch(wanted + strlen(DEBIAN), cache, &qemu, err);
	else
		r = ask(wanted, &qemu, err);
	if (r == 0)
		*ret_qemu = qemu;
	return r;
}

int qemu_check(const struct qemu *qemu, const char *release, struct error *err)
{
	unsigned major, minor;

	if (qemu->major >= QEMU_SAFE_MAJOR || !kernel_version(release, &major, &minor) ||
		major < 6 || (major == 6 && minor < 12))
		return 0;
	return error_set(err, -EOPNOTSUPP,
		"QEMU %s is known to miscompute with Linux 6.12 and later (this is %s): install "
		"QEMU %u, or let contend fetch it: --box vm:qemu=debian:SUITE",
		qemu->version, release, QEMU_SAFE_MAJOR);
}
