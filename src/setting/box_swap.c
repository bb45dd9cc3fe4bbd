// SPDX-License-Identifier: GPL-2.0-or-later
/* What the box swaps to. Only what is contend's own is ever made or removed. */
#include <inttypes.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "base/unit.h"
#include "setting/check.h"
#include "setting/limit.h"
#include "setting/registry.h"
#include "setting/swap.h"
#include "setting/swaps.h"

/* Can swap be made for the trial? */
static int may_make(const struct setting_place *place, struct error *err)
{
	if (!place->journal)
		return error_set(err, -EOPNOTSUPP, "swap is not made without an undo journal");
	if (geteuid() != 0)
		return error_set(err, -EOPNOTSUPP, "only root can make swap");
	return 0;
}

/* Swap that is more than the box has makes it a box of that much. */
static int widen(struct setting_place *place, uint64_t bytes, struct error *err)
{
	uint64_t ram, swap;
	int r = 0;

	if (bytes <= place->swap)
		return 0;
	if (place->group)
		r = limit_set(place, place->ram, bytes, &ram, &swap, err);
	if (r == 0)
		place->swap = bytes;
	return r;
}

/* ALGORITHM[:SIZE[:PRIORITY]] */
struct request {
	char algorithm[32];
	struct size size; /* zero: the box's swap, else its RAM */
	uint64_t priority;
};

static int request_parse(const char *value, struct request *ret_request, struct error *err)
{
	struct request request = { .priority = SWAP_PRIORITY_FIRST };
	char text[128];
	char *rest = text, *algorithm, *size, *priority;
	int r = 0;

	if (snprintf(text, sizeof(text), "%s", value) >= (int)sizeof(text))
		return error_set(err, -EINVAL, "\"%s\" is too long", value);
	algorithm = strsep(&rest, ":");
	size = strsep(&rest, ":");
	priority = strsep(&rest, ":");
	if (rest || !*algorithm || strlen(algorithm) >= sizeof(request.algorithm))
		return error_set(
			err, -EINVAL, "\"%s\" is not off or ALGORITHM[:SIZE[:PRIORITY]]", value);
	strcpy(request.algorithm, algorithm);
	if (size)
		r = size_parse(size, &request.size, err);
	if (r == 0 && priority)
		r = check_number(priority, 0, SWAP_PRIORITY_FIRST, err);
	if (r < 0)
		return -EINVAL;
	if (priority)
		count_parse(priority, &request.priority, NULL);
	*ret_request = request;
	return 0;
}

static int check_zram(const char *value, struct error *err)
{
	static const char *const known[] = { "off", "lzo", "lzo-rle", "lz4", "lz4hc", "zstd",
		"deflate", "842", NULL };
	struct nearest nearest;
	struct request request;
	int r = request_parse(value, &request, err);

	if (r < 0)
		return r;
	nearest = nearest_to(request.algorithm);
	for (size_t i = 0; known[i]; i++)
		nearest_offer(&nearest, known[i]);
	/* Which there are is the kernel's to say; what looks like a slip is refused. */
	if (nearest.distance && *nearest_hint(&nearest))
		return error_set(err, -EINVAL, "no compressor \"%s\"%s", request.algorithm,
			nearest_hint(&nearest));
	return 0;
}

static int read_zram(const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	snprintf(buf, size, "%s", *place->zram ? place->zram : "off");
	return 0;
}

static int add_zram(struct setting_place *place, const char *algorithm, uint64_t bytes,
	uint64_t priority, struct error *err)
{
	const struct zram zram = { algorithm, bytes, (int)priority };
	char taken[32], spelled[32];
	int r = may_make(place, err);

	if (r == 0 && swap_make_zram(place->root, place->journal, &zram, taken, err) < 0)
		r = -EOPNOTSUPP;
	if (r == 0)
		r = widen(place, bytes, err);
	if (r < 0)
		return r;
	snprintf(place->zram, sizeof(place->zram), "%s:%s:%" PRIu64, taken,
		bytes_spell(bytes, spelled, sizeof(spelled)), priority);
	return 0;
}

static int apply_zram(struct setting_place *place, const char *value, struct error *err)
{
	uint64_t whole = place->swap ? place->swap : place->ram;
	struct request request;
	int r = request_parse(value, &request, err);

	if (r < 0)
		return -EOPNOTSUPP;
	if (!strcmp(request.algorithm, "off"))
		return 0;
	if (*place->zram)
		return error_set(
			err, -EOPNOTSUPP, "there is one for this trial already: %s", place->zram);
	if (request.size.bytes || request.size.permille)
		whole = size_of(&request.size, place->ram);
	return add_zram(place, request.algorithm, whole, request.priority, err);
}

const struct setting setting_zram = {
	.name = "zram",
	.summary = "swap to a zram device of contend's own, before what the box has otherwise",
	.values = "off, or ALGORITHM[:SIZE[:PRIORITY]] (lz4:50%:100)",
	.scope = SETTING_BOX,
	.check = check_zram,
	.read = read_zram,
	.apply = apply_zram,
};

static int add_kind(void *data, const char *path, const char *kind)
{
	char *kinds = data;

	(void)path;
	if (!strstr(kinds, kind)) {
		if (*kinds)
			strcat(kinds, "+");
		strcat(kinds, kind);
	}
	return 0;
}

/* In a box: its own; else what the machine has. */
static int read_swap(const struct setting_place *place, char *buf, size_t size, struct error *err)
{
	char kinds[40] = "";

	if (place->ram && !place->swap)
		snprintf(buf, size, "none");
	else if (*place->zram || (place->ram && *place->swap_kind))
		snprintf(buf, size, "%s", *place->zram ? "zram" : place->swap_kind);
	else if (swaps_visit(place->root, add_kind, kinds) < 0)
		return error_set(
			err, -EOPNOTSUPP, "this kernel has no swap: CONFIG_SWAP is missing");
	else
		snprintf(buf, size, "%s", *kinds ? kinds : "none");
	return 0;
}

/* The machine's swap stays on: the box is just allowed none of it. */
static int apply_none(struct setting_place *place, struct error *err)
{
	uint64_t ram, swap = place->swap;
	int r;

	if (swap && !place->group)
		return error_set(err, -EOPNOTSUPP,
			"the machine's swap is not contend's to switch off, and this box has no "
			"limits of its own");
	if (!swap)
		return 0;
	r = limit_set(place, place->ram, 0, &ram, &swap, err);
	if (r < 0)
		return r;
	if (swap)
		return error_set(err, -EOPNOTSUPP,
			"the machine's swap is not contend's to switch off, and swap is not "
			"limited by groups here");
	place->swap = 0;
	return 0;
}

static int apply_file(struct setting_place *place, struct error *err)
{
	int r = may_make(place, err);

	if (r < 0)
		return r;
	if (swap_make_file(place->journal, place->scratch, place->swap, SWAP_PRIORITY_FIRST, err) <
		0)
		return -EOPNOTSUPP;
	place->swap_kind = "file";
	return 0;
}

static int apply_swap(struct setting_place *place, const char *value, struct error *err)
{
	if (!strcmp(value, "none"))
		return apply_none(place, err);
	if (!place->swap)
		return error_set(err, -EOPNOTSUPP,
			"the box has no swap: --box cgroup:swap=SIZE says how much");
	if (!strcmp(value, place->swap_kind))
		return 0;
	if (!strcmp(value, "file"))
		return apply_file(place, err);
	return *place->zram ? 0 : add_zram(place, "", place->swap, SWAP_PRIORITY_FIRST, err);
}

static const struct setting_word kinds[] = {
	{ "file" },
	{ "zram" },
	{ "none" },
	{ NULL },
};

const struct setting setting_swap = {
	.name = "swap",
	.summary = "what the box swaps to: contend's own file or zram device, or nothing",
	.scope = SETTING_BOX,
	.words = kinds,
	.read = read_swap,
	.apply = apply_swap,
};
