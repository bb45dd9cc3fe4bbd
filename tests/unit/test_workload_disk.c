// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A machine with disks 8:0 (partitions 8:1, 8:2) and 8:16, and volumes: 253:0 on 8:2, 253:1 on
 * 253:0, 9:0 (a mirror) on 8:1 and 8:16.
 */
#include "test.h"

#include <stdio.h>
#include <sys/sysmacros.h>

#include "base/file.h"
#include "workload/disk.h"

static char top[] = "/tmp/contend-disk-XXXXXX";
static struct root machine;

static void put(const char *path, const char *text)
{
	char whole[512], *slash;

	snprintf(whole, sizeof(whole), "%s/%s", top, path);
	slash = strrchr(whole, '/');
	*slash = '\0';
	assert_int_equal(directory_make(whole, NULL), 0);
	*slash = '/';
	assert_int_equal(file_write(whole, text, strlen(text), NULL), 0);
}

static void link_block(const char *device, const char *target)
{
	char path[512], to[512];

	snprintf(path, sizeof(path), "%s/sys/dev/block/%s", top, device);
	snprintf(to, sizeof(to), "../../devices/%s", target);
	assert_int_equal(symlink(to, path), 0);
}

static int set_up(void **state)
{
	char path[512];

	(void)state;
	if (!mkdtemp(top))
		return -1;
	put("sys/devices/sda/dev", "8:0\n");
	put("sys/devices/sda/sda1/dev", "8:1\n");
	put("sys/devices/sda/sda1/partition", "1\n");
	put("sys/devices/sda/sda2/dev", "8:2\n");
	put("sys/devices/sda/sda2/partition", "2\n");
	put("sys/devices/sdb/dev", "8:16\n");
	put("sys/devices/dm-0/dev", "253:0\n");
	put("sys/devices/dm-0/slaves/sda2/dev", "8:2\n");
	put("sys/devices/dm-1/dev", "253:1\n");
	put("sys/devices/dm-1/slaves/dm-0/dev", "253:0\n");
	put("sys/devices/md0/dev", "9:0\n");
	put("sys/devices/md0/slaves/sda1/dev", "8:1\n");
	put("sys/devices/md0/slaves/sdb/dev", "8:16\n");
	snprintf(path, sizeof(path), "%s/sys/dev/block", top);
	assert_int_equal(directory_make(path, NULL), 0);
	link_block("8:0", "sda");
	link_block("8:1", "sda/sda1");
	link_block("8:2", "sda/sda2");
	link_block("8:16", "sdb");
	link_block("253:0", "dm-0");
	link_block("253:1", "dm-1");
	link_block("9:0", "md0");
	return root_open(&machine, top, NULL);
}

static int tear_down(void **state)
{
	(void)state;
	root_close(&machine);
	return tree_remove(top, NULL);
}

static void partitions_share_their_disk(void **state)
{
	(void)state;
	assert_true(disk_shared(&machine, makedev(8, 1), makedev(8, 1)));
	assert_true(disk_shared(&machine, makedev(8, 1), makedev(8, 2)));
	assert_true(disk_shared(&machine, makedev(8, 0), makedev(8, 2)));
	assert_false(disk_shared(&machine, makedev(8, 1), makedev(8, 16)));
}

static void volumes_share_the_disks_below_them(void **state)
{
	(void)state;
	assert_true(disk_shared(&machine, makedev(253, 1), makedev(8, 1)));
	assert_false(disk_shared(&machine, makedev(253, 1), makedev(8, 16)));
	assert_true(disk_shared(&machine, makedev(9, 0), makedev(8, 16)));
	assert_true(disk_shared(&machine, makedev(9, 0), makedev(253, 0)));
}

static void a_device_that_sysfs_does_not_know_shares_with_itself_only(void **state)
{
	(void)state;
	assert_true(disk_shared(&machine, makedev(0, 40), makedev(0, 40)));
	assert_false(disk_shared(&machine, makedev(0, 40), makedev(0, 41)));
	assert_false(disk_shared(&machine, makedev(0, 40), makedev(8, 1)));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(partitions_share_their_disk),
		cmocka_unit_test(volumes_share_the_disks_below_them),
		cmocka_unit_test(a_device_that_sysfs_does_not_know_shares_with_itself_only),
	};

	return cmocka_run_group_tests(tests, set_up, tear_down);
}
