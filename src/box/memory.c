// SPDX-License-Identifier: GPL-2.0-or-later
#include "box/memory.h"

#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/unit.h"

int memory_read(const struct root *root, struct memory *ret_memory, struct error *err)
{
	struct memory memory;
	const struct {
		const char *name;
		uint64_t *bytes;
	} wanted[] = {
		{ "MemTotal:", &memory.total },
		{ "MemAvailable:", &memory.available },
		{ "SwapTotal:", &memory.swap_total },
		{ "SwapFree:", &memory.swap_free },
	};
	char text[16384];
	ssize_t n = root_read(root, "/proc/meminfo", text, sizeof(text));

	if (n < 0)
		return error_errno(err, (int)n, "/proc/meminfo");
	for (size_t i = 0; i < ARRAY_SIZE(wanted); i++) {
		const char *at = strstr(text, wanted[i].name);

		if (!at || sscanf(at + strlen(wanted[i].name), "%" SCNu64, wanted[i].bytes) != 1)
			return error_set(err, -EBADMSG, "/proc/meminfo has no %s", wanted[i].name);
		*wanted[i].bytes *= KIB;
	}
	*ret_memory = memory;
	return 0;
}
