// SPDX-License-Identifier: GPL-2.0-or-later
/* Which shared libraries a program needs: the dynamic loader itself is asked (ld.so(8)). */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "vm/initramfs.h"

#define LOADER "/lib64/ld-linux-x86-64.so.2"

/*
 * "	libc.so.6 => /lib/x86_64-linux-gnu/libc.so.6 (0x...)": the path, cut out in place. NULL: not
 * such a line (the vdso, the loader, a program that is static).
 */
static char *library_path(char *line, struct error *err)
{
	char *arrow = strstr(line, " => "), *path = arrow ? arrow + 4 : NULL;

	error_set(err, 0, "%s", "");
	if (!path)
		return NULL;
	if (*path != '/') {
		error_set(err, -ENOENT, "library %s is not found", line + strspn(line, " \t"));
		return NULL;
	}
	path[strcspn(path, " ")] = '\0';
	return path;
}

int libraries_visit(const char *program, int (*visit)(void *data, const char *path, struct error *),
	void *data, struct error *err)
{
	char output[16384], *line, *next;
	int status = program_run(
		(const char *[]) { LOADER, "--list", program, NULL }, output, sizeof(output));
	int r = 0;

	if (status < 0)
		return error_errno(err, status, "cannot run %s", LOADER);
	if (status > 0)
		return strstr(output, "statically linked")
			       ? 0
			       : error_set(err, -ENOEXEC, "%s: %.200s", program, output);
	for (line = output; r == 0 && *line; line = next) {
		size_t length = strcspn(line, "\n");
		struct error why;
		char *path;

		next = line + length + (line[length] == '\n');
		line[length] = '\0';
		path = library_path(line, &why);
		if (!path && why.text[0])
			return error_set(err, -ENOENT, "%s: %s", program, why.text);
		if (path)
			r = visit(data, path, err);
	}
	return r < 0 ? r : visit(data, LOADER, err);
}
