// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/nearest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 64

/* Levenshtein distance in one row of the table. Names beyond LONGEST are never near. */
static size_t distance(const char *a, const char *b)
{
	size_t row[LONGEST + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		row[j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t diagonal = row[0];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
			size_t shorter = (row[j] < row[j - 1] ? row[j] : row[j - 1]) + 1;

			diagonal = row[j];
			row[j] = replaced < shorter ? replaced : shorter;
		}
	}
	return row[m];
}

struct nearest nearest_to(const char *word)
{
	return (struct nearest) { .word = word, .distance = SIZE_MAX };
}

void nearest_offer(struct nearest *nearest, const char *name)
{
	size_t d = distance(nearest->word, name);

	if (d < nearest->distance) {
		nearest->distance = d;
		nearest->name = name;
	}
}

const char *nearest_hint(struct nearest *nearest)
{
	nearest->hint[0] = '\0';
	if (nearest->name && nearest->distance <= 1 + strlen(nearest->word) / 3)
		snprintf(nearest->hint, sizeof(nearest->hint), "; did you mean \"%s\"?",
			nearest->name);
	return nearest->hint;
}
