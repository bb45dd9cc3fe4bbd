// SPDX-License-Identifier: GPL-2.0-or-later
/* What of this machine `compile` takes along where it is another's kernel that it runs on. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/compile.h"

struct visitor {
	void (*visit)(void *data, const char *path);
	void *data;
};

static void visit_program(const struct visitor *visitor, const char *name)
{
	char path[PATH_MAX];

	if (program_find(name, path))
		visitor->visit(visitor->data, path);
}

/* What cc answers to "-print-prog-name=as" and the like; "": nothing. */
static void ask(const char *question, const char *name, char answer[PATH_MAX])
{
	char option[96];

	snprintf(option, sizeof(option), "-print-%s=%s", question, name);
	if (program_run((const char *[]) { "cc", option, NULL }, answer, PATH_MAX) != 0)
		*answer = '\0';
	answer[strcspn(answer, "\n")] = '\0';
}

/* Programs that cc runs. One that is on PATH it names without a directory. */
static void visit_parts(const struct visitor *visitor)
{
	static const char *const parts[] = { "cc1", "as", "collect2", "ld" };
	char answer[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(parts); i++) {
		ask("prog-name", parts[i], answer);
		if (*answer)
			visit_program(visitor, answer);
	}
}

/* What ld reads to link a program in C, with threads and mathematics. */
static void visit_link_files(const struct visitor *visitor)
{
	static const char *const files[] = { "crt1.o", "Scrt1.o", "crti.o", "crtn.o", "crtbegin.o",
		"crtbeginS.o", "crtend.o", "crtendS.o", "libgcc.a", "libgcc_s.so", "libgcc_s.so.1",
		"libc.so", "libc.so.6", "libc_nonshared.a", "libm.so", "libm.so.6", "libmvec.so.1",
		"libpthread.a", "libpthread.so", "libpthread.so.0", "libpthread_nonshared.a",
		"liblto_plugin.so" };
	char answer[PATH_MAX];

	for (size_t i = 0; i < ARRAY_SIZE(files); i++) {
		ask("file-name", files[i], answer);
		/* One that there is not is answered by its bare name. */
		if (*answer == '/')
			visitor->visit(visitor->data, answer);
	}
}

/* The prerequisites of the rule that cc -M prints: "null.o: /dev/null /usr/include/..., \". */
static void visit_rule(const struct visitor *visitor, char *rule)
{
	char *word;

	while ((word = strsep(&rule, " \n"))) {
		if (*word == '/')
			visitor->visit(visitor->data, word);
	}
}

/* Those of the generated tree, and of most small programs. A missing one is no failure (-MG). */
static void visit_headers(const struct visitor *visitor)
{
	static const char *const headers[] = { "assert.h", "ctype.h", "dirent.h", "errno.h",
		"fcntl.h", "inttypes.h", "limits.h", "locale.h", "math.h", "netinet/in.h", "poll.h",
		"pthread.h", "sched.h", "setjmp.h", "signal.h", "stdarg.h", "stdbool.h", "stddef.h",
		"stdint.h", "stdio.h", "stdlib.h", "string.h", "strings.h", "sys/ioctl.h",
		"sys/mman.h", "sys/resource.h", "sys/select.h", "sys/socket.h", "sys/stat.h",
		"sys/time.h", "sys/types.h", "sys/wait.h", "time.h", "unistd.h", "wchar.h" };
	const char *argv[2 * ARRAY_SIZE(headers) + 8];
	char rule[65536];
	size_t n = 0;

	argv[n++] = "cc";
	argv[n++] = "-M";
	argv[n++] = "-MG";
	argv[n++] = "-O2";
	argv[n++] = "-D_GNU_SOURCE";
	for (size_t i = 0; i < ARRAY_SIZE(headers); i++) {
		argv[n++] = "-include";
		argv[n++] = headers[i];
	}
	argv[n++] = "-xc";
	argv[n++] = "/dev/null";
	argv[n] = NULL;
	if (program_run(argv, rule, sizeof(rule)) == 0)
		visit_rule(visitor, rule);
}

void compile_needs(const void *params, void (*visit)(void *data, const char *path), void *data)
{
	const struct visitor visitor = { visit, data };

	(void)params;
	visit_program(&visitor, "cc");
	visit_program(&visitor, "make");
	visit_program(&visitor, "/bin/sh");
	visit_parts(&visitor);
	visit_link_files(&visitor);
	visit_headers(&visitor);
}
