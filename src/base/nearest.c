// SPDX-License-Identifier: GPL-2.0-or-later
#include "base/nearest.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define LONGEST 64

static size_t smaller(size_t a, size_t b)
{
	return a < b ? a : b;
}

/*
 * Optimal string alignment: insertions, deletions, replacements and swaps of two neighbours, the
 * slips of fingers. Three rows of the table. Names beyond LONGEST are never near.
 */
static size_t distance(const char *a, const char *b)
{
	size_t rows[3][LONGEST + 1];
	size_t n = strlen(a), m = strlen(b);

	if (n > LONGEST || m > LONGEST)
		return SIZE_MAX;
	for (size_t j = 0; j <= m; j++)
		rows[0][j] = j;
	for (size_t i = 1; i <= n; i++) {
		size_t *row = rows[i % 3], *above = rows[(i + 2) % 3], *higher = rows[(i + 1) % 3];

		row[0] = i;
		for (size_t j = 1; j <= m; j++) {
			row[j] = smaller(above[j - 1] + (a[i - 1] != b[j - 1]),
				smaller(above[j], row[j - 1]) + 1);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				row[j] = smaller(row[j], higher[j - 2] + 1);
		}
	}
	return rows[n % 3][m];
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
