// SPDX-License-Identifier: GPL-2.0-or-later
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "workload/compile.h"

/* The program's file, links resolved, so that it is the one that is mapped; "" when not found. */
static void find_tool(const char *name, char *ret_path)
{
	const char *path = strchr(name, '/') ? "" : getenv("PATH");
	char candidate[PATH_MAX];

	*ret_path = '\0';
	do {
		size_t length = path ? strcspn(path, ":") : 0;

		snprintf(candidate, sizeof(candidate), "%.*s%s%s", (int)length, path ? path : "",
			length ? "/" : "", name);
		if (access(candidate, X_OK) == 0 && strchr(candidate, '/') &&
			realpath(candidate, ret_path))
			return;
		*ret_path = '\0';
		path = path && path[length] ? path + length + 1 : NULL;
	} while (path);
}

/* As cc says it; a cc that has no such part (clang has no cc1) says the bare name. */
static void find_part(const char *name, char *ret_path)
{
	char option[64], answer[PATH_MAX];
	const char *const argv[] = { "cc", option, NULL };

	snprintf(option, sizeof(option), "-print-prog-name=%s", name);
	*ret_path = '\0';
	if (program_run(argv, answer, sizeof(answer)) != 0)
		return;
	answer[strcspn(answer, "\n")] = '\0';
	find_tool(answer, ret_path);
}

void compile_find_tools(struct compile_state *state)
{
	static const char *const parts[TOOLS] = { NULL, "cc1", "as", "ld" };

	find_tool("cc", state->tools[TOOL_CC]);
	for (size_t i = TOOL_CC1; i < TOOLS; i++)
		find_part(parts[i], state->tools[i]);
}
