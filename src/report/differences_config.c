// SPDX-License-Identifier: GPL-2.0-or-later
/* Where the configurations of two kernels differ. */
#include <string.h>

#include "base/cleanup.h"
#include "report/differences.h"

#define CONFIG_KEY "kernel.config"

/* Below this a number of rows is read; what is left out is counted in a note. */
#define MOST_OPTIONS 60

/* "CONFIG_A=y": both texts are the arena's. */
struct choice {
	const char *name, *value;
};

/* The options of one arm's kernel that are set, by name. */
struct config {
	struct choice *choices;
	size_t n, at; /* at: how far a walk over all arms has come */
};

static int by_name(const void *x, const void *y)
{
	const struct choice *a = x, *b = y;

	return strcmp(a->name, b->name);
}

static void config_parse(struct arena *arena, const char *text, struct config *ret_config)
{
	char *rest = arena_copy(arena, text), *line;
	struct config config = { 0 };
	size_t lines = 1;

	for (const char *at = rest; at && *at; at++)
		lines += *at == '\n';
	config.choices = arena_alloc(arena, lines, sizeof(*config.choices));
	if (!config.choices)
		return;
	while ((line = strsep(&rest, "\n"))) {
		char *equals = strchr(line, '=');

		if (!equals)
			continue;
		*equals = '\0';
		config.choices[config.n++] = (struct choice) { line, equals + 1 };
	}
	if (config.n)
		qsort(config.choices, config.n, sizeof(*config.choices), by_name);
	*ret_config = config;
}

/* The arm's configuration as its first trial has it; NULL: it was not readable. */
static const char *config_of(const struct differences *differences, size_t arm)
{
	for (size_t i = 0; i < differences->n; i++) {
		if (differences->entries[i].arm == arm &&
			!strcmp(differences->entries[i].key, CONFIG_KEY))
			return differences->entries[i].text;
	}
	return NULL;
}

/* The next option in order of which any arm has not been asked yet; NULL behind the last. */
static const char *next_name(const struct config *configs, size_t n)
{
	const char *name = NULL;

	for (size_t i = 0; i < n; i++) {
		const struct config *config = &configs[i];

		if (config->at < config->n &&
			(!name || strcmp(config->choices[config->at].name, name) < 0))
			name = config->choices[config->at].name;
	}
	return name;
}

/* Its value in each arm, "n" where it is not set. Returns whether they differ. */
static bool take_values(struct config *configs, size_t n, const char *name, const char **ret_values)
{
	bool differ = false;

	for (size_t i = 0; i < n; i++) {
		struct config *config = &configs[i];

		ret_values[i] = "n";
		if (config->at < config->n && !strcmp(config->choices[config->at].name, name))
			ret_values[i] = config->choices[config->at++].value;
		differ |= strcmp(ret_values[i], ret_values[0]) != 0;
	}
	return differ;
}

static void tell(const struct differences *differences, struct config *configs, struct model *model)
{
	const char **values = arena_alloc(differences->arena, differences->n_arms, sizeof(*values));
	struct table *table = NULL;
	size_t told = 0;

	for (const char *name; values && (name = next_name(configs, differences->n_arms));) {
		struct row *row;

		if (!take_values(configs, differences->n_arms, name, values))
			continue;
		if (!table)
			table = differences_table(differences, model, "kernel configuration");
		if (told++ >= MOST_OPTIONS)
			continue;
		row = row_new(table);
		row_set_text(row, "key", "%s", name);
		for (size_t arm = 0; row && arm < differences->n_arms; arm++)
			row_set_text(row, table->columns[arm + 1].key, "%s", values[arm]);
	}
	if (told > MOST_OPTIONS)
		table_note(table, "and %zu more options that differ", told - MOST_OPTIONS);
}

void differences_tell_config(const struct differences *differences, struct model *model)
{
	size_t n = differences->n_arms;
	struct config *configs = arena_alloc(differences->arena, n, sizeof(*configs));
	const char **texts = arena_alloc(differences->arena, n, sizeof(*texts));
	bool differ = false;

	if (!configs || !texts)
		return;
	for (size_t arm = 0; arm < n; arm++) {
		texts[arm] = config_of(differences, arm);
		if (!texts[arm])
			return;
		differ |= strcmp(texts[arm], texts[0]) != 0;
	}
	for (size_t arm = 0; differ && arm < n; arm++)
		config_parse(differences->arena, texts[arm], &configs[arm]);
	if (differ)
		tell(differences, configs, model);
}
