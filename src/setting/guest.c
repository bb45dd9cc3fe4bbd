// SPDX-License-Identifier: GPL-2.0-or-later
/* What only a guest can have: the vm box takes these two itself, before there is a guest. */
#include "base/cleanup.h"
#include "setting/registry.h"

static int check_word(const char *value, struct error *err)
{
	return *value ? 0 : error_set(err, -EINVAL, "no kernel is named");
}

static int check_nothing(const char *value, struct error *err)
{
	(void)value;
	(void)err;
	return 0;
}

static int refuse(struct error *err)
{
	return error_set(err, -EOPNOTSUPP, "as this machine was booted; --box vm boots another");
}

static int read_none(const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	(void)place;
	(void)buf;
	(void)size;
	return refuse(err);
}

static int apply_none(struct setting_place *place, const char *value, struct error *err)
{
	(void)place;
	(void)value;
	return refuse(err);
}

const struct setting setting_kernel = {
	.name = "kernel",
	.summary = "the kernel that --box vm boots",
	.values = "a path, an installed version, or debian:SUITE[:FLAVOUR]",
	.scope = SETTING_BOX,
	.check = check_word,
	.read = read_none,
	.apply = apply_none,
};

const struct setting setting_cmdline = {
	.name = "cmdline",
	.summary = "words for the command line of the kernel that --box vm boots",
	.values = "as Documentation/admin-guide/kernel-parameters.txt has them",
	.scope = SETTING_BOX,
	.check = check_nothing,
	.read = read_none,
	.apply = apply_none,
};
