// SPDX-License-Identifier: GPL-2.0-or-later
#include "vm/job.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/cleanup.h"

#define HEADING "contend-job 1\n"

_Bool job_is_hosts(const char *key)
{
	return !strcmp(key, "kernel") || !strcmp(key, "cmdline");
}

static void put_text(FILE *out, const char *key, const char *text)
{
	fprintf(out, "%s ", key);
	for (; *text; text++) {
		if (*text == '\n')
			fputs("\\n", out);
		else if (*text == '\\')
			fputs("\\\\", out);
		else
			fputc(*text, out);
	}
	fputc('\n', out);
}

static void put_number(FILE *out, const char *key, uint64_t number)
{
	fprintf(out, "%s %" PRIu64 "\n", key, number);
}

static void put_scenario(FILE *out, const struct scenario *scenario)
{
	char text[sizeof(scenario->lead.role) + sizeof(scenario->lead.spelled) + 2];

	put_text(out, "scenario", scenario->name);
	put_text(out, "lead", scenario->lead.spelled);
	for (size_t i = 0; i < scenario->n_loads; i++) {
		snprintf(text, sizeof(text), "%s %s", scenario->loads[i].role,
			scenario->loads[i].spelled);
		put_text(out, "load", text);
	}
	put_number(out, "solo", scenario->solo);
	put_number(out, "cold", scenario->cold);
	put_number(out, "deadline", (uint64_t)scenario->deadline_ns);
	put_number(out, "lead-in", (uint64_t)scenario->lead_in_ns);
	put_number(out, "interval", (uint64_t)scenario->interval_ns);
	put_number(out, "steal", scenario->steal);
}

static void put_variant(FILE *out, const struct variant *variant)
{
	char text[sizeof(*variant->assignments) + 1];

	put_text(out, "variant", variant->name);
	for (size_t i = 0; i < variant->n; i++) {
		const struct assignment *assignment = &variant->assignments[i];

		if (job_is_hosts(assignment->key))
			continue;
		snprintf(text, sizeof(text), "%s=%s", assignment->key, assignment->value);
		put_text(out, "set", text);
	}
}

char *job_spell(const struct job_disk *disk, const char *inside, const struct trial *trial)
{
	char *text = NULL, model[48];
	size_t size;
	FILE *out = open_memstream(&text, &size);
	bool failed;

	if (!out)
		return NULL;
	fputs(HEADING, out);
	put_text(out, "disk", vm_disk_spell(&disk->model, model, sizeof(model)));
	put_number(out, "swap", disk->swap_bytes);
	put_number(out, "scratch", disk->scratch_bytes);
	put_number(out, "tools", disk->tools_bytes);
	put_text(out, "inside", inside);
	put_number(out, "block", trial->block);
	put_number(out, "position", trial->position);
	put_number(out, "seed", trial->seed);
	put_scenario(out, trial->scenario);
	put_variant(out, trial->variant);
	failed = ferror(out);
	if (fclose(out) != 0 || failed) {
		free(text);
		return NULL;
	}
	return text;
}

static void unescape(char *text)
{
	char *out = text;

	for (; *text; text++) {
		if (text[0] == '\\' && text[1]) {
			text++;
			*out++ = *text == 'n' ? '\n' : *text;
		} else {
			*out++ = *text;
		}
	}
	*out = '\0';
}

static int take_text(char *field, size_t size, const char *value, struct error *err)
{
	if (strlen(value) >= size)
		return error_set(err, -EINVAL, "more than %zu characters", size - 1);
	memcpy(field, value, strlen(value) + 1);
	return 0;
}

static int take_load(struct job *job, char *value, struct error *err)
{
	struct scenario *scenario = &job->scenario;
	char *blank = strchr(value, ' ');
	struct part *grown;
	int r;

	if (!blank)
		return error_set(err, -EINVAL, "a load without its workload");
	*blank = '\0';
	grown = reallocarray(scenario->loads, scenario->n_loads + 1, sizeof(*grown));
	if (!grown)
		return error_errno(err, -ENOMEM, "load");
	scenario->loads = grown;
	grown += scenario->n_loads;
	r = part_parse(blank + 1, WORKLOAD_LOAD, grown, err);
	if (r < 0)
		return r;
	scenario->n_loads++;
	return take_text(grown->role, sizeof(grown->role), value, err);
}

static int take_assignment(struct job *job, char *value, struct error *err)
{
	struct variant *variant = &job->variant;
	struct assignment *grown =
		reallocarray(variant->assignments, variant->n + 1, sizeof(*grown));
	char *equals = strchr(value, '=');
	int r;

	if (!grown)
		return error_errno(err, -ENOMEM, "setting");
	variant->assignments = grown;
	if (!equals)
		return error_set(err, -EINVAL, "a setting without a value");
	*equals = '\0';
	grown += variant->n++;
	r = take_text(grown->key, sizeof(grown->key), value, err);
	return r < 0 ? r : take_text(grown->value, sizeof(grown->value), equals + 1, err);
}

static int take_number(struct job *job, const char *key, const char *value, struct error *err)
{
	char *end;
	uint64_t number = strtoull(value, &end, 10);

	if (end == value || *end)
		return error_set(err, -EINVAL, "\"%s\" is no number", value);
	if (!strcmp(key, "swap"))
		job->disk.swap_bytes = number;
	else if (!strcmp(key, "scratch"))
		job->disk.scratch_bytes = number;
	else if (!strcmp(key, "tools"))
		job->disk.tools_bytes = number;
	else if (!strcmp(key, "block"))
		job->trial.block = (unsigned)number;
	else if (!strcmp(key, "position"))
		job->trial.position = (unsigned)number;
	else if (!strcmp(key, "seed"))
		job->trial.seed = number;
	else if (!strcmp(key, "solo"))
		job->scenario.solo = number;
	else if (!strcmp(key, "cold"))
		job->scenario.cold = number;
	else if (!strcmp(key, "deadline"))
		job->scenario.deadline_ns = (int64_t)number;
	else if (!strcmp(key, "lead-in"))
		job->scenario.lead_in_ns = (int64_t)number;
	else if (!strcmp(key, "interval"))
		job->scenario.interval_ns = (int64_t)number;
	else if (!strcmp(key, "steal"))
		job->scenario.steal = (unsigned)number;
	else
		return error_set(err, -EINVAL, "unknown");
	return 0;
}

static int take(struct job *job, const char *key, char *value, struct error *err)
{
	if (!strcmp(key, "disk"))
		return vm_disk_parse(value, &job->disk.model, err);
	if (!strcmp(key, "inside"))
		return take_text(job->inside, sizeof(job->inside), value, err);
	if (!strcmp(key, "scenario"))
		return take_text(job->scenario.name, sizeof(job->scenario.name), value, err);
	if (!strcmp(key, "variant"))
		return take_text(job->variant.name, sizeof(job->variant.name), value, err);
	if (!strcmp(key, "lead") && !job->scenario.lead.workload)
		return part_parse(value, WORKLOAD_LEAD, &job->scenario.lead, err);
	if (!strcmp(key, "load"))
		return take_load(job, value, err);
	if (!strcmp(key, "set"))
		return take_assignment(job, value, err);
	return take_number(job, key, value, err);
}

int job_parse(const char *text, struct job *ret_job, struct error *err)
{
	struct job job CLEANUP(job_done) = { 0 };
	char *copy CLEANUP(free_text) = NULL;
	char *line, *next;

	if (strncmp(text, HEADING, strlen(HEADING)) != 0)
		return error_set(err, -EINVAL, "this is no job of this contend");
	copy = strdup(text + strlen(HEADING));
	if (!copy)
		return error_errno(err, -ENOMEM, "job");
	for (line = copy; *line; line = next) {
		size_t length = strcspn(line, "\n");
		char *blank;
		int r;

		next = line + length + (line[length] == '\n');
		line[length] = '\0';
		blank = strchr(line, ' ');
		if (!blank)
			return error_set(err, -EINVAL, "job: \"%s\" has no value", line);
		*blank = '\0';
		unescape(blank + 1);
		r = take(&job, line, blank + 1, err);
		if (r < 0)
			return error_prefix(err, r, "job: %s", line);
	}
	if (!job.scenario.lead.workload || !job.scenario.interval_ns || !job.scenario.deadline_ns)
		return error_set(err, -EINVAL, "job: it is not whole");
	*ret_job = job;
	memset(&job, 0, sizeof(job));
	ret_job->trial.scenario = &ret_job->scenario;
	ret_job->trial.variant = &ret_job->variant;
	return 0;
}

void job_done(struct job *job)
{
	part_done(&job->scenario.lead);
	for (size_t i = 0; i < job->scenario.n_loads; i++)
		part_done(&job->scenario.loads[i]);
	free(job->scenario.loads);
	free(job->variant.assignments);
	memset(job, 0, sizeof(*job));
}
