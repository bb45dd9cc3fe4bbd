// SPDX-License-Identifier: GPL-2.0-or-later
#include "trial/surroundings.h"

#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "sampler/environment.h"

#define AFTER "after."

struct surrounding {
	char *key, *text;
	bool seen; /* when it was read again */
};

struct surroundings {
	struct sink *sink;
	struct surrounding *items;
	size_t n;
	bool failed; /* no memory: what changed is not told */
};

static void keep(void *data, const char *key, const char *text)
{
	struct surroundings *surroundings = data;
	struct surrounding *grown, *item;

	sink_environment(surroundings->sink, key, text);
	grown = reallocarray(surroundings->items, surroundings->n + 1, sizeof(*grown));
	if (!grown) {
		surroundings->failed = true;
		return;
	}
	surroundings->items = grown;
	item = &grown[surroundings->n++];
	*item = (struct surrounding) { strdup(key), strdup(text), false };
	surroundings->failed |= !item->key || !item->text;
}

static void put(void *data, const char *key, const char *text)
{
	sink_environment(data, key, text);
}

void surroundings_begin(const struct root *root, const char *scratch, struct sink *sink,
	struct surroundings **ret_surroundings)
{
	struct surroundings *surroundings = calloc(1, sizeof(*surroundings));

	environment_read_config(root, put, sink);
	if (surroundings) {
		surroundings->sink = sink;
		environment_read(root, scratch, keep, surroundings);
	} else {
		environment_read(root, scratch, put, sink);
	}
	*ret_surroundings = surroundings;
}

static struct surrounding *find(const struct surroundings *surroundings, const char *key)
{
	for (size_t i = 0; i < surroundings->n; i++) {
		if (!strcmp(surroundings->items[i].key, key))
			return &surroundings->items[i];
	}
	return NULL;
}

static void tell(const struct surroundings *surroundings, const char *key, const char *text)
{
	char name[320];

	snprintf(name, sizeof(name), AFTER "%s", key);
	sink_environment(surroundings->sink, name, text);
}

static void compare(void *data, const char *key, const char *text)
{
	struct surroundings *surroundings = data;
	struct surrounding *item = find(surroundings, key);

	if (item)
		item->seen = true;
	/* Swap fills and empties by itself. */
	if (item && (!strcmp(item->text, text) || !fnmatch("swap.*.used_bytes", key, 0)))
		return;
	tell(surroundings, key, text);
}

void surroundings_end(struct surroundings *surroundings, const struct root *root,
	const char *scratch, struct sink *sink)
{
	if (!surroundings || surroundings->failed)
		return;
	surroundings->sink = sink;
	environment_read(root, scratch, compare, surroundings);
	for (size_t i = 0; i < surroundings->n; i++) {
		if (!surroundings->items[i].seen)
			tell(surroundings, surroundings->items[i].key, "gone");
	}
}

void surroundings_free(struct surroundings *surroundings)
{
	if (!surroundings)
		return;
	for (size_t i = 0; i < surroundings->n; i++) {
		free(surroundings->items[i].key);
		free(surroundings->items[i].text);
	}
	free(surroundings->items);
	free(surroundings);
}
