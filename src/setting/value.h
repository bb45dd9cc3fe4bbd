// SPDX-License-Identifier: GPL-2.0-or-later
/* Values of settings as the kernel prints them. */
#ifndef SETTING_VALUE_H
#define SETTING_VALUE_H

#include <stdbool.h>
#include <stddef.h>

/*
 * Cuts text, as read from a setting's file, down to the value that would be written to get it
 * back: without blanks at its ends, and of a list of choices the chosen word ("[none] kyber" ->
 * "none", "none (full)" -> "full"). In place; returns the value's start.
 */
char *value_trim(char *text);

/*
 * Do both mean the same to the kernel? Blanks between words count as one, whole numbers are
 * compared as numbers, and Y and N, as module parameters print them, are 1 and 0.
 */
bool value_equal(const char *a, const char *b);

#endif
