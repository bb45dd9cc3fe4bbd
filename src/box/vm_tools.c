// SPDX-License-Identifier: GPL-2.0-or-later
/* Images of the programs that guests need, one for each set of parts. */
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "box/vm_inside.h"

void vm_box_tools_done(struct vm_box *vm)
{
	for (size_t i = 0; i < vm->n_tools; i++)
		free(vm->tools[i].parts);
	free(vm->tools);
}

/* What the image follows from. -> caller frees. */
static char *spell_parts(const struct scenario *scenario)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	fputs(scenario->lead.spelled, out);
	for (size_t i = 0; i < scenario->n_loads; i++)
		fprintf(out, "\n%s", scenario->loads[i].spelled);
	fclose(out);
	return text;
}

int vm_box_tools(struct vm_box *vm, const struct scenario *scenario, struct tools *ret_tools,
	struct error *err)
{
	char *parts CLEANUP(free_text) = spell_parts(scenario);
	struct vm_tools *grown;
	struct tools tools;
	int r;

	if (!parts)
		return error_errno(err, -ENOMEM, "programs for guests");
	for (size_t i = 0; i < vm->n_tools; i++) {
		if (!strcmp(vm->tools[i].parts, parts)) {
			*ret_tools = vm->tools[i].tools;
			return 0;
		}
	}
	r = tools_find(scenario, vm->cache, &tools, err);
	if (r < 0)
		return error_prefix(err, r, "programs for guests");
	grown = reallocarray(vm->tools, vm->n_tools + 1, sizeof(*grown));
	if (!grown)
		return error_errno(err, -ENOMEM, "programs for guests");
	vm->tools = grown;
	grown[vm->n_tools++] = (struct vm_tools) { parts, tools };
	parts = NULL;
	*ret_tools = tools;
	grown[vm->n_tools - 1].tools.fresh = false;
	return 0;
}

void vm_box_prepare(struct vm_box *vm, const struct scenario *scenario,
	void (*say)(void *data, const char *line), void *data)
{
	int64_t start = clock_now();
	char line[PATH_MAX + 96], size[32];
	struct tools tools;
	struct error why;

	if (vm_box_tools(vm, scenario, &tools, &why) < 0 || !tools.fresh)
		return;
	snprintf(line, sizeof(line), "programs for guests: %s, made once, in %.1f s: %s",
		bytes_render(tools.bytes, size, sizeof(size)),
		(double)(clock_now() - start) / NS_PER_S, tools.path);
	say(data, line);
}
