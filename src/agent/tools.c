// SPDX-License-Identifier: GPL-2.0-or-later
/* What the host has lent the guest, as its root directory. */
#include <stdio.h>
#include <string.h>
#include <sys/mount.h>
#include <unistd.h>

#include "agent/inside.h"
#include "base/cleanup.h"
#include "base/unit.h"
#include "vm/initramfs.h"

static int mount_image(const struct job_disk *disk, struct error *err)
{
	const struct mapping mapping = {
		.name = "tools",
		.device = AGENT_DISK,
		.start = (disk->swap_bytes + disk->scratch_bytes) / SECTOR,
		.sectors = disk->tools_bytes / SECTOR,
		.delay_ms = (unsigned)(disk->model.delay_ns / NS_PER_MS),
		.fixed = true,
	};
	char path[64];
	int r;

	if (access(AGENT_DISK, F_OK) < 0)
		return error_set(err, -EOPNOTSUPP,
			"this kernel makes no disk of memory (%s: modules nd_e820 and nd_pmem), "
			"so there are no programs",
			AGENT_DISK);
	r = mapping_make(&mapping, path, err);
	if (r == 0 && mount(path, INITRAMFS_TOOLS, "iso9660", MS_RDONLY | MS_NOATIME, NULL) < 0)
		r = error_set(err, -EOPNOTSUPP,
			"this kernel does not read the programs' filesystem (iso9660, module "
			"isofs): %s",
			strerror(errno));
	return r;
}

int agent_enter_tools(const struct job_disk *disk, struct error *err)
{
	static const struct {
		const char *path;
		unsigned long flags;
	} mounts[] = {
		{ "/boot", MS_BIND },
		{ "/dev", MS_MOVE },
		{ "/proc", MS_MOVE },
		{ "/run", MS_MOVE },
		{ "/sys", MS_MOVE },
		{ "/tmp", MS_MOVE },
		{ AGENT_SCRATCH, MS_MOVE },
	};
	int r;

	if (!disk->tools_bytes)
		return 0;
	r = mount_image(disk, err);
	for (size_t i = 0; r == 0 && i < ARRAY_SIZE(mounts); i++) {
		char to[64];

		snprintf(to, sizeof(to), INITRAMFS_TOOLS "%s", mounts[i].path);
		/* Without a configuration there is no /boot. */
		if (access(mounts[i].path, F_OK) == 0 &&
			mount(mounts[i].path, to, NULL, mounts[i].flags, NULL) < 0)
			r = error_errno(err, -errno, "cannot move %s", mounts[i].path);
	}
	if (r == 0 && (chroot(INITRAMFS_TOOLS) < 0 || chdir("/") < 0))
		r = error_errno(err, -errno, "chroot");
	return r;
}
