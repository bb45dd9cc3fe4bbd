// SPDX-License-Identifier: GPL-2.0-or-later
/* apt's configured sources: sources.list(5), both forms. */
#include <dirent.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "kernel/apt.h"

static bool copy(char *field, size_t size, const char *from, size_t length)
{
	if (!length || length >= size)
		return false;
	memcpy(field, from, length);
	field[length] = '\0';
	return true;
}

static bool has_word(const char *words, const char *word)
{
	size_t length = strlen(word);

	for (words += strspn(words, " \t"); *words; words += strspn(words, " \t")) {
		size_t n = strcspn(words, " \t");

		if (n == length && !memcmp(words, word, n))
			return true;
		words += n;
	}
	return false;
}

/*
 * Debian itself, and not a vendor's packages: it has main, and its suite is a plain name. Only
 * http and https: a CD cannot be asked for another suite.
 */
static bool take(struct apt_mirror *mirror, const char *uri, size_t uri_length, const char *suite,
	const char *components)
{
	size_t length = strspn(suite, "abcdefghijklmnopqrstuvwxyz");
	struct apt_mirror found = *mirror;

	if (!length || (suite[length] && suite[length] != ' ' && suite[length] != '\t'))
		return false;
	if (strncmp(uri, "http", 4) != 0 || !has_word(components, "main"))
		return false;
	while (uri_length && uri[uri_length - 1] == '/')
		uri_length--;
	if (!memmem(uri, uri_length, "debian", 6) ||
		!copy(found.uri, sizeof(found.uri), uri, uri_length) ||
		!copy(found.suite, sizeof(found.suite), suite, length))
		return false;
	*mirror = found;
	return true;
}

/* "deb [signed-by=/usr/share/keyrings/x.gpg] http://deb.debian.org/debian bookworm main" */
static bool take_line(struct apt_mirror *mirror, char *line)
{
	char *uri, *suite, *components, *options;

	line += strspn(line, " \t");
	if (strncmp(line, "deb", 3) != 0 || !strchr(" \t", line[3]))
		return false;
	line += 3 + strspn(line + 3, " \t");
	options = *line == '[' ? line + 1 : NULL;
	if (options) {
		line = strchr(line, ']');
		if (!line)
			return false;
		*line++ = '\0';
	}
	uri = line + strspn(line, " \t");
	suite = uri + strcspn(uri, " \t");
	components = suite + strspn(suite, " \t");
	components += strcspn(components, " \t");
	if (!take(mirror, uri, (size_t)(suite - uri), suite + strspn(suite, " \t"), components))
		return false;
	options = options ? strstr(options, "signed-by=") : NULL;
	if (options)
		copy(mirror->signed_by, sizeof(mirror->signed_by), options + 10,
			strcspn(options + 10, " \t,"));
	return true;
}

_Bool apt_parse_list(const char *text, struct apt_mirror *mirror)
{
	while (*text) {
		size_t length = strcspn(text, "\n");
		char line[1024];

		snprintf(line, sizeof(line), "%.*s", (int)length, text);
		line[strcspn(line, "#")] = '\0';
		if (take_line(mirror, line))
			return 1;
		text += length + (text[length] == '\n');
	}
	return 0;
}

static bool take_stanza(struct apt_mirror *mirror, const char *text)
{
	char types[128], uris[256], suites[256], components[256], enabled[16];

	if (!apt_field(text, "Types", types, sizeof(types)) || !has_word(types, "deb") ||
		!apt_field(text, "URIs", uris, sizeof(uris)) ||
		!apt_field(text, "Suites", suites, sizeof(suites)) ||
		!apt_field(text, "Components", components, sizeof(components)))
		return false;
	if (apt_field(text, "Enabled", enabled, sizeof(enabled)) && !strcmp(enabled, "no"))
		return false;
	if (!take(mirror, uris, strcspn(uris, " \t"), suites, components))
		return false;
	/* A key that stands in the file itself is left to those that apt trusts. */
	if (!apt_field(text, "Signed-By", mirror->signed_by, sizeof(mirror->signed_by)) ||
		mirror->signed_by[0] != '/')
		mirror->signed_by[0] = '\0';
	return true;
}

_Bool apt_parse_deb822(const char *text, struct apt_mirror *mirror)
{
	while (text) {
		if (take_stanza(mirror, text))
			return 1;
		text = strstr(text, "\n\n");
		text = text ? text + strspn(text, "\n") : NULL;
	}
	return 0;
}

_Bool apt_field(const char *text, const char *field, char *buf, size_t size)
{
	size_t length = strlen(field);

	/* A blank line ends the paragraph. */
	while (*text && *text != '\n') {
		size_t line = strcspn(text, "\n");

		if (line > length && text[length] == ':' && !strncasecmp(text, field, length)) {
			const char *value = text + length + 1;

			value += strspn(value, " \t");
			return copy(buf, size, value, strcspn(value, "\n"));
		}
		text += line + (text[line] == '\n');
	}
	return 0;
}

const char *apt_next_dependency(const char **rest, char *buf, size_t size)
{
	const char *at = *rest + strspn(*rest, " ,");
	size_t length = strcspn(at, " ,|(:");

	*rest = at + strcspn(at, ",");
	return copy(buf, size, at, length) ? buf : NULL;
}

static bool read_one(const char *path, struct apt_mirror *mirror)
{
	char *text CLEANUP(free_text) = NULL;
	const char *dot = strrchr(path, '.');
	size_t size;

	if (file_read(path, &text, &size, NULL) < 0)
		return false;
	return dot && !strcmp(dot, ".sources") ? apt_parse_deb822(text, mirror)
					       : apt_parse_list(text, mirror);
}

static void free_names(struct dirent ***names)
{
	free(*names);
}

static int wanted(const struct dirent *entry)
{
	const char *dot = strrchr(entry->d_name, '.');

	return dot && (!strcmp(dot, ".sources") || !strcmp(dot, ".list"));
}

int apt_mirror_read(const char *etc, struct apt_mirror *ret_mirror, struct error *err)
{
	struct apt_mirror mirror = { 0 };
	char path[PATH_MAX], directory[PATH_MAX];
	struct dirent **names CLEANUP(free_names) = NULL;
	bool found;
	int n;

	snprintf(path, sizeof(path), "%s/sources.list", etc);
	found = read_one(path, &mirror);
	snprintf(directory, sizeof(directory), "%s/sources.list.d", etc);
	n = scandir(directory, &names, wanted, alphasort);
	for (int i = 0; i < n; i++) {
		if (!found && snprintf(path, sizeof(path), "%s/%s", directory, names[i]->d_name) <
				      (int)sizeof(path))
			found = read_one(path, &mirror);
		free(names[i]);
	}
	if (!found)
		return error_set(err, -EOPNOTSUPP,
			"apt's sources (%s) name no mirror of Debian: give a kernel as a file or "
			"an installed version",
			etc);
	*ret_mirror = mirror;
	return 0;
}
