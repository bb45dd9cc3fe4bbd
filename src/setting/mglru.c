// SPDX-License-Identifier: GPL-2.0-or-later
/* The multi-generational LRU, since 6.1: Documentation/admin-guide/mm/multigen_lru.rst. */
#include <stdlib.h>
#include <string.h>

#include "setting/check.h"
#include "setting/file.h"
#include "setting/registry.h"

#define LRU_GEN "/sys/kernel/mm/lru_gen"
#define ENABLED LRU_GEN "/enabled"
#define NEEDS "CONFIG_LRU_GEN (6.1)"

#define CORE 1 /* without this bit, the others do nothing */

/* "0x0007": the bits. */
static int bits_parse(const char *value, unsigned long *ret_bits, struct error *err)
{
	char *end;
	unsigned long bits = strtoul(value, &end, 0);

	if (*value < '0' || *value > '9' || *end || bits > 0xffff)
		return error_set(err, -EINVAL,
			"\"%s\" is neither yes nor no, nor bits such as 0x0007", value);
	*ret_bits = bits;
	return 0;
}

static bool is_word(const char *value)
{
	return !strcmp(value, "yes") || !strcmp(value, "no");
}

static int check(const char *value, struct error *err)
{
	unsigned long bits;

	return is_word(value) ? 0 : bits_parse(value, &bits, err);
}

static int read_bits(const struct setting_place *place, unsigned long *ret_bits, struct error *err)
{
	char text[64];
	int r = setting_file_read(place->root, ENABLED, text, sizeof(text), err);

	return r < 0 ? r : bits_parse(text, ret_bits, err);
}

static int read_enabled(
	const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	return setting_file_read(place->root, ENABLED, buf, size, err);
}

/* "yes" sets every bit that this machine can have, which need not be all. */
static int apply(struct setting_place *place, const char *value, struct error *err)
{
	bool yes = !strcmp(value, "yes");
	unsigned long bits;
	int r;

	if (!is_word(value))
		return setting_file_apply(place, ENABLED, value, err);
	r = read_bits(place, &bits, err);
	if (r < 0 || (!yes && !bits))
		return r;
	r = setting_file_write(place, ENABLED, yes ? "y" : "n", err);
	if (r == 0)
		r = read_bits(place, &bits, err);
	if (r == 0 && (yes ? !(bits & CORE) : bits != 0))
		return error_set(err, -EOPNOTSUPP, "%s was set to %s, but the kernel made it 0x%lx",
			ENABLED, value, bits);
	return r;
}

const struct setting setting_mglru = {
	.name = "mglru",
	.summary = "the multi-generational LRU",
	.values = "yes|no|bits (0x0007)",
	.path = ENABLED,
	.needs = NEEDS,
	.check = check,
	.read = read_enabled,
	.apply = apply,
};

static int check_ttl(const char *value, struct error *err)
{
	return check_number(value, 0, UINT32_MAX, err);
}

const struct setting setting_mglru_min_ttl_ms = {
	.name = "mglru.min_ttl_ms",
	.summary = "how long the working set is kept before the OOM killer is called instead",
	.values = "milliseconds",
	.path = LRU_GEN "/min_ttl_ms",
	.needs = NEEDS,
	.check = check_ttl,
};
