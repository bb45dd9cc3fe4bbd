// SPDX-License-Identifier: GPL-2.0-or-later
/* Device mapper: Documentation/admin-guide/device-mapper, <linux/dm-ioctl.h>. */
#include <fcntl.h>
#include <linux/dm-ioctl.h>
#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
#include <sys/sysmacros.h>

#include "agent/inside.h"
#include "base/cleanup.h"

struct request {
	struct dm_ioctl head;
	struct dm_target_spec target;
	char params[256];
};

static void request_init(struct request *request, const char *name)
{
	memset(request, 0, sizeof(*request));
	request->head.version[0] = DM_VERSION_MAJOR;
	request->head.data_size = sizeof(*request);
	request->head.data_start = offsetof(struct request, target);
	snprintf(request->head.name, sizeof(request->head.name), "%s", name);
}

static void describe(struct request *request, const struct mapping *mapping)
{
	request->head.target_count = 1;
	request->target.length = mapping->sectors;
	strcpy(request->target.target_type, mapping->delay_ms ? "delay" : "linear");
	if (mapping->delay_ms)
		snprintf(request->params, sizeof(request->params), "%s %llu %u", mapping->device,
			(unsigned long long)mapping->start, mapping->delay_ms);
	else
		snprintf(request->params, sizeof(request->params), "%s %llu", mapping->device,
			(unsigned long long)mapping->start);
}

int mapping_make(const struct mapping *mapping, char path[static 64], struct error *err)
{
	int fd CLEANUP(close_fd) = open("/dev/mapper/control", O_RDWR | O_CLOEXEC);
	struct request request;
	dev_t device;

	if (fd < 0)
		return error_errno(err, -errno, "/dev/mapper/control");
	request_init(&request, mapping->name);
	if (ioctl(fd, DM_DEV_CREATE, &request) < 0)
		return error_errno(err, -errno, "device mapper: %s", mapping->name);
	device = (dev_t)request.head.dev;
	request_init(&request, mapping->name);
	if (mapping->fixed)
		request.head.flags |= DM_READONLY_FLAG;
	describe(&request, mapping);
	if (ioctl(fd, DM_TABLE_LOAD, &request) < 0)
		return error_errno(err, -errno, "device mapper: %s: %s %s", mapping->name,
			request.target.target_type, request.params);
	request_init(&request, mapping->name);
	/* Without the suspend flag: resume. */
	if (ioctl(fd, DM_DEV_SUSPEND, &request) < 0)
		return error_errno(err, -errno, "device mapper: %s", mapping->name);
	snprintf(path, 64, "/dev/dm-%u", minor(device));
	return 0;
}
