// SPDX-License-Identifier: GPL-2.0-or-later
/* Trials as text. */
#include <stdarg.h>
#include <stdio.h>

#include "plan/plan.h"

/* Adds to a text that is cut at size. */
__attribute__((format(printf, 4, 5))) static size_t add(
	char *buf, size_t size, size_t used, const char *format, ...)
{
	va_list args;
	int n;

	if (used >= size)
		return used;
	va_start(args, format);
	n = vsnprintf(buf + used, size - used, format, args);
	va_end(args);
	return n < 0 ? used : used + (size_t)n;
}

const char *loads_spell(const struct scenario *scenario, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	for (size_t i = 0; i < scenario->n_loads; i++)
		used = add(buf, size, used, "%s%s", i ? " + " : "", scenario->loads[i].spelled);
	return buf;
}

static size_t add_all(
	char *buf, size_t size, size_t used, const struct assignment *assignments, size_t n)
{
	for (size_t i = 0; i < n; i++)
		used = add(buf, size, used, "%s%s=%s", used ? "," : "", assignments[i].key,
			assignments[i].value);
	return used;
}

const char *assignments_spell(const struct variant *variant, char *buf, size_t size)
{
	size_t used = 0;

	buf[0] = '\0';
	used = add_all(buf, size, used, variant->assignments, variant->n);
	add_all(buf, size, used, variant->options, variant->n_options);
	return buf;
}

const char *trial_spell(const struct trial *trial, char *buf, size_t size)
{
	const struct scenario *scenario = trial->scenario;
	char loads[2048], lead_in[32];
	size_t used;

	loads_spell(scenario, loads, sizeof(loads));
	used = add(buf, size, 0, "%4u  ", trial->position + 1);
	if (trial->block)
		used = add(buf, size, used, "block %u", trial->block);
	else
		used = add(buf, size, used, "warm-up");
	used = add(buf, size, used, "  %-16s %s  %s%s%s, %s", scenario->name, trial->variant->name,
		scenario->lead.spelled, *loads ? " | " : "", loads,
		scenario->cold ? "cold" : "warm");
	if (*loads)
		add(buf, size, used, ", lead-in %s",
			duration_spell(scenario->lead_in_ns, lead_in, sizeof(lead_in)));
	return buf;
}
