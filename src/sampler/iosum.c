// SPDX-License-Identifier: GPL-2.0-or-later
#include "sampler/iosum.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "sampler/disk.h"
#include "sampler/number.h"

/* "8:0", and *at behind it. */
static bool device_parse(const char **at, int64_t *ret_major, int64_t *ret_minor)
{
	const char *c = *at;

	if (!number_parse(&c, ret_major) || *c++ != ':' || !number_parse(&c, ret_minor))
		return false;
	*at = c;
	return true;
}

struct exclusion {
	struct iosum *iosum;
	const struct root *root;
	bool no_memory;
};

static void disk_exclude(void *data, const char *name)
{
	struct exclusion *exclusion = data;
	struct iosum *iosum = exclusion->iosum;
	int64_t major, minor;
	const char *at;
	char text[64];
	void *grown;

	if (!disk_counts_twice(exclusion->root, name) ||
		disk_read(exclusion->root, name, "dev", text, sizeof(text)) < 0)
		return;
	at = text;
	if (!device_parse(&at, &major, &minor))
		return;
	grown = reallocarray(iosum->excluded, iosum->n_excluded + 1, sizeof(*iosum->excluded));
	if (!grown) {
		exclusion->no_memory = true;
		return;
	}
	iosum->excluded = grown;
	iosum->excluded[iosum->n_excluded].major = major;
	iosum->excluded[iosum->n_excluded].minor = minor;
	iosum->n_excluded++;
}

int iosum_open(struct iosum *ret_iosum, const struct root *root, const char *path, const char *name,
	const struct iosum_field *fields, struct metric_list *list, struct error *err)
{
	struct exclusion exclusion = { ret_iosum, root, false };
	int r = feed_open(&ret_iosum->feed, root, path, err);

	if (r < 0)
		return r;
	names_visit(root, "/sys/block", disk_exclude, &exclusion);
	if (exclusion.no_memory)
		return error_errno(err, -ENOMEM, "%s", path);
	ret_iosum->fields = fields;
	ret_iosum->place = list->n;
	for (; fields->label && r == 0; fields++)
		r = metric_list_add(
			list, fields->unit, METRIC_COUNTER, err, "%s.%s", name, fields->label);
	return r;
}

static bool device_excluded(const struct iosum *iosum, int64_t major, int64_t minor)
{
	for (size_t i = 0; i < iosum->n_excluded; i++) {
		if (iosum->excluded[i].major == major && iosum->excluded[i].minor == minor)
			return true;
	}
	return false;
}

/* Adds the numbers of one line, to its end, to the sums. */
static const char *line_add(const struct iosum *iosum, const char *at, int64_t *sums)
{
	while (*at && *at != '\n') {
		const char *label = at += strspn(at, " ");
		size_t length = strcspn(label, "= \n");
		int64_t value;

		at += length;
		if (*at != '=' && *at != ' ')
			continue;
		at++;
		if (!number_parse(&at, &value))
			continue;
		for (size_t i = 0; iosum->fields[i].label; i++) {
			const char *known = iosum->fields[i].label;

			if (strlen(known) == length && !strncmp(known, label, length) &&
				__builtin_add_overflow(sums[i], value, &sums[i]))
				sums[i] = INT64_MAX;
		}
		at += strcspn(at, " \n");
	}
	return at;
}

int iosum_read(struct iosum *iosum, int64_t *values)
{
	int r = feed_read(&iosum->feed);
	int64_t *sums = values + iosum->place;

	for (size_t i = 0; iosum->fields[i].label; i++)
		sums[i] = r < 0 ? VALUE_ABSENT : 0;
	for (const char *at = iosum->feed.text; r == 0 && *at; at += *at == '\n') {
		int64_t major, minor;

		/* "Total 4096" has no device. */
		if (device_parse(&at, &major, &minor) && !device_excluded(iosum, major, minor))
			at = line_add(iosum, at, sums);
		at = strchrnul(at, '\n');
	}
	return r;
}

void iosum_close(struct iosum *iosum)
{
	feed_close(&iosum->feed);
	free(iosum->excluded);
	*iosum = (struct iosum) { 0 };
}
