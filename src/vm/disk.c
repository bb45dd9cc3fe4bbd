// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/disk.h"

#include <stdio.h>
#include <string.h>

#include "base/unit.h"

#define DELAY "delay:"

int vm_disk_parse(const char *text, struct vm_disk *ret_disk, struct error *err)
{
	struct vm_disk disk = { VM_DISK_LINEAR, 0 };
	int r;

	if (!strcmp(text, "zram")) {
		disk.kind = VM_DISK_ZRAM;
	} else if (!strncmp(text, DELAY, strlen(DELAY))) {
		disk.kind = VM_DISK_DELAY;
		r = duration_parse(text + strlen(DELAY), &disk.delay_ns, err);
		if (r < 0)
			return error_prefix(err, r, "disk");
		/* dm-delay counts in milliseconds. */
		if (disk.delay_ns < NS_PER_MS || disk.delay_ns > 10 * NS_PER_S ||
			disk.delay_ns % NS_PER_MS)
			return error_set(err, -EINVAL,
				"disk: a delay is whole milliseconds, from 1ms to 10s, not %s",
				text + strlen(DELAY));
	} else if (strcmp(text, "linear") != 0) {
		return error_set(err, -EINVAL, "no disk \"%s\": linear, delay:TIME or zram", text);
	}
	*ret_disk = disk;
	return 0;
}

const char *vm_disk_spell(const struct vm_disk *disk, char *buf, size_t size)
{
	static const char *const names[] = { "linear", "delay", "zram" };
	char delay[32] = "";

	if (disk->kind == VM_DISK_DELAY)
		duration_spell(disk->delay_ns, delay, sizeof(delay));
	snprintf(buf, size, "%s%s%s", names[disk->kind], *delay ? ":" : "", delay);
	return buf;
}
