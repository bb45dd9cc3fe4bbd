// SPDX-License-Identifier: GPL-2.0-or-later
/* The compressed cache in front of swap: Documentation/admin-guide/mm/zswap.rst. */
#include <string.h>

#include "base/cleanup.h"
#include "setting/check.h"
#include "setting/file.h"
#include "setting/registry.h"
#include "setting/value.h"

#define ZSWAP "/sys/module/zswap/parameters"
#define NEEDS "CONFIG_ZSWAP"

/* The crypto API's names. lzo-rle is LZO with runs of equal bytes shortened first (5.1). */
static const struct setting_word compressors[] = {
	{ "off" },
	{ "lzo" },
	{ "lzo-rle" },
	{ "lz4" },
	{ "lz4hc" },
	{ "zstd" },
	{ "deflate" },
	{ "842" },
	{ NULL },
};

/* A kernel without it has it off. */
static bool is_there(const struct setting_place *place)
{
	return root_exists(place->root, ZSWAP "/enabled");
}

static int read_zswap(const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	char enabled[16] = "N";
	int r = 0;

	if (is_there(place))
		r = setting_file_read(place->root, ZSWAP "/enabled", enabled, sizeof(enabled), err);
	if (r < 0)
		return r;
	if (value_equal(enabled, "N")) {
		snprintf(buf, size, "off");
		return 0;
	}
	return setting_file_read(place->root, ZSWAP "/compressor", buf, size, err);
}

/* Undone in reverse: what was off is off before its compressor changes back. */
static int apply(struct setting_place *place, const char *value, struct error *err)
{
	int r;

	if (!strcmp(value, "off"))
		return is_there(place) ? setting_file_apply(place, ZSWAP "/enabled", "N", err) : 0;
	r = setting_file_apply(place, ZSWAP "/compressor", value, err);
	return r < 0 ? r : setting_file_apply(place, ZSWAP "/enabled", "Y", err);
}

const struct setting setting_zswap = {
	.name = "zswap",
	.summary = "the compressed cache in front of swap: off, or on with this compressor",
	.words = compressors,
	.open = true,
	.path = ZSWAP "/enabled",
	.needs = NEEDS,
	.read = read_zswap,
	.apply = apply,
};

static int check_percent(const char *value, struct error *err)
{
	return check_number(value, 0, 100, err);
}

const struct setting setting_zswap_max_pool_percent = {
	.name = "zswap.max_pool_percent",
	.summary = "most of the machine's RAM that zswap may hold",
	.values = "0 to 100",
	.path = ZSWAP "/max_pool_percent",
	.needs = NEEDS,
	.check = check_percent,
};

const struct setting setting_zswap_accept_threshold_percent = {
	.name = "zswap.accept_threshold_percent",
	.summary = "how far a full pool must shrink before it takes pages again",
	.values = "0 to 100",
	.path = ZSWAP "/accept_threshold_percent",
	.needs = NEEDS ", since 5.6,",
	.check = check_percent,
};

static const struct setting_word switches[] = {
	{ "yes", "Y" },
	{ "no", "N" },
	{ NULL },
};

const struct setting setting_zswap_shrinker = {
	.name = "zswap.shrinker",
	.summary = "does zswap write cold pages to swap before its pool is full",
	.words = switches,
	.path = ZSWAP "/shrinker_enabled",
	.needs = NEEDS ", since 6.8,",
};
