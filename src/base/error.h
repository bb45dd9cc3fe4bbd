// SPDX-License-Identifier: GPL-2.0-or-later
/* An error that a person can read, beside the negative errno that the code returns. */
#ifndef BASE_ERROR_H
#define BASE_ERROR_H

#include <errno.h>

/* One line, no newline at its end. Lies in the caller's frame: setting it allocates nothing. */
struct error {
	char text[512];
};

/*
 * Sets the text and returns code, so that `return error_set(err, -EINVAL, ...)` is one statement.
 * err may be NULL. code is a negative errno; the text should say what is wrong, where, and what
 * would be right. The errno's own wording is not added: see error_errno().
 */
int error_set(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* The same with ": " and the wording of code behind the text. */
int error_errno(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

/* Puts "prefix: " in front of a text that is already there. Returns code. */
int error_prefix(struct error *err, int code, const char *format, ...)
	__attribute__((format(printf, 3, 4)));

#endif
