// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A plan file: whatever it says, it is either refused in one line that names it, or it is a
 * configuration whose parts read back as they are spelled and of which a plan can be made.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "config/suite.h"
#include "plan/plan.h"

#define NAME "fuzz.ini"

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Every section and kind of key, beside the suites themselves. */
static const char everything[] =
	"[suite]\ntitle = all\nsummary = of it\n[defaults]\nruns = 2\nbox = cgroup:mem=64M\n"
	"[full]\ndeadline = 1h\n[box]\nkind = cgroup\nswap = zram\n"
	"[scenario a]\nlead = null:seconds=2\nload = burn:workers=2,rate=1.5\nload1 = burn\n"
	"cold = no\n[scenario b]\nlead = burn:rounds=3 ; few\n"
	"[variant old]\n[variant new]\nvm.swappiness = 10\n[vary]\nzswap = on,o\\,ff\n";

static void seed_write(const char *corpus, const char *name, const char *text)
{
	char path[4096];
	struct error err;

	snprintf(path, sizeof(path), "%s/%s", corpus, name);
	if (file_write(path, text, strlen(text), &err) < 0)
		abort();
}

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *last = (*argv)[*argc - 1];
	struct stat st;

	if (*argc < 2 || stat(last, &st) < 0 || !S_ISDIR(st.st_mode))
		return 0;
	seed_write(last, "everything", everything);
	for (size_t i = 0; i < suite_count; i++)
		seed_write(last, suite_registry[i].name, suite_registry[i].text);
	return 0;
}

static void read_back(const struct part *part, unsigned roles)
{
	struct part again CLEANUP(part_done) = { 0 };
	struct error err;

	if (part_parse(part->spelled, roles, &again, &err) < 0 ||
		strcmp(again.spelled, part->spelled))
		abort();
}

static void check_scenario(const struct scenario *scenario)
{
	read_back(&scenario->lead, WORKLOAD_LEAD);
	for (size_t i = 0; i < scenario->n_loads; i++)
		read_back(&scenario->loads[i], WORKLOAD_LOAD);
	if (scenario->solo && scenario->n_loads != 1)
		abort();
}

static void check_plan(struct config *config)
{
	struct plan *plan CLEANUP(plan_cleanup) = NULL;
	struct error err;
	char line[256];

	/* A block is like the others. */
	config->runs = config->runs > 2 ? 2 : config->runs;
	if (plan_make(config, &plan, &err) < 0)
		return;
	for (size_t i = 0; i < plan->n; i++)
		trial_spell(&plan->trials[i], line, sizeof(line));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct config *config CLEANUP(config_cleanup) = NULL;
	char *text CLEANUP(free_text) = strndup((const char *)data, size);
	struct error err = { "" };

	if (!text)
		abort();
	if (config_parse_text(NAME, text, &config, &err) < 0) {
		if (!err.text[0])
			abort();
		return 0;
	}
	for (size_t i = 0; i < config->n_scenarios; i++)
		check_scenario(&config->scenarios[i]);
	check_plan(config);
	return 0;
}
