// SPDX-License-Identifier: GPL-2.0-or-later
#include "setting/setting.h"

#include <limits.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/nearest.h"
#include "setting/check.h"
#include "setting/file.h"
#include "setting/value.h"

static bool below(const char *path, const char *directory)
{
	return !strncmp(path, directory, strlen(directory)) && path[strlen(directory)];
}

/* sysctl(8): when the first separator is a dot, dots part and a slash stands for a dot. */
static void dots_to_slashes(char *path)
{
	size_t first = strcspn(path, "./");

	if (path[first] != '.')
		return;
	for (; *path; path++) {
		if (*path == '.')
			*path = '/';
		else if (*path == '/')
			*path = '.';
	}
}

int setting_path(const char *key, char *buf, size_t size, struct error *err)
{
	const char *prefix = *key == '/' ? "" : "/proc/sys/";
	char path[PATH_MAX];
	int n = snprintf(path, sizeof(path), "%s%s", prefix, key);

	if (n < 0 || n >= PATH_MAX || (size_t)n >= size)
		return error_set(err, -ENAMETOOLONG, "%.60s...: name too long", key);
	if (*key != '/')
		dots_to_slashes(path + strlen(prefix));
	if (strstr(path, "/../") || (!below(path, "/proc/sys/") && !below(path, "/sys/")) ||
		(*key != '/' && !strpbrk(key, "./")))
		return error_set(err, -EINVAL,
			"\"%s\" is no setting: a name of contend list settings, a sysctl such as "
			"vm.page-cluster, or a path below /proc/sys or /sys",
			key);
	memcpy(buf, path, (size_t)n + 1);
	return 0;
}

const struct setting *setting_find(const char *key)
{
	char path[PATH_MAX];

	for (const struct setting *const *each = setting_registry; *each; each++) {
		if (!strcmp((*each)->name, key))
			return *each;
	}
	if (setting_path(key, path, sizeof(path), NULL) < 0)
		return NULL;
	for (const struct setting *const *each = setting_registry; *each; each++) {
		if ((*each)->path && !strcmp((*each)->path, path))
			return *each;
	}
	return NULL;
}

const char *setting_values(const struct setting *setting, char *buf, size_t size)
{
	size_t used = 0;

	if (setting->values)
		return setting->values;
	buf[0] = '\0';
	for (size_t i = 0; setting->words[i].word && used < size; i++)
		used += (size_t)snprintf(
			buf + used, size - used, "%s%s", i ? "|" : "", setting->words[i].word);
	return buf;
}

/* The word that a person or the kernel wrote. NULL: none of them. */
static const struct setting_word *find_word(const struct setting *setting, const char *value)
{
	for (const struct setting_word *each = setting->words; each && each->word; each++) {
		if (!strcmp(each->word, value) ||
			(each->kernel && value_equal(each->kernel, value)))
			return each;
	}
	return NULL;
}

static int check_value(const struct setting *setting, const char *value, struct error *err)
{
	struct nearest nearest = nearest_to(value);
	char values[256];
	int r;

	if (setting->check) {
		r = setting->check(value, err);
		return r < 0 ? error_prefix(err, r, "%s", setting->name) : 0;
	}
	if (!setting->words || find_word(setting, value))
		return 0;
	for (const struct setting_word *each = setting->words; each->word; each++)
		nearest_offer(&nearest, each->word);
	/* Of a list that is not complete, only what looks like a slip is refused. */
	if (setting->open && *value && !*nearest_hint(&nearest))
		return 0;
	return error_set(err, -EINVAL, "%s: \"%s\" is none of %s%s", setting->name, value,
		setting_values(setting, values, sizeof(values)), nearest_hint(&nearest));
}

int setting_check(const struct root *root, const char *key, const char *value, struct error *err)
{
	const struct setting *setting = setting_find(key);
	struct nearest nearest = nearest_to(key);
	char path[PATH_MAX];
	int r;

	if (setting)
		return check_value(setting, value, err);
	if (!strpbrk(key, "./")) {
		for (const struct setting *const *each = setting_registry; *each; each++)
			nearest_offer(&nearest, (*each)->name);
		return error_set(err, -EINVAL, "no setting \"%s\"%s", key,
			*nearest_hint(&nearest) ? nearest_hint(&nearest)
						: " (contend list settings)");
	}
	r = setting_path(key, path, sizeof(path), err);
	if (r < 0)
		return -EINVAL;
	return root ? check_path(root, key, path, err) : 0;
}

/* Says what a kernel without the file lacks. */
static int explain(
	const struct setting_place *place, const struct setting *setting, int r, struct error *err)
{
	if (r == -EOPNOTSUPP && setting->needs && !root_exists(place->root, setting->path))
		return error_set(err, r, "this kernel has no %s: %s is missing", setting->path,
			setting->needs);
	return r;
}

int setting_read(const struct setting_place *place, const char *key, char *buf, size_t size,
	struct error *err)
{
	const struct setting *setting = setting_find(key);
	const struct setting_word *word;
	char path[PATH_MAX];
	int r;

	if (!setting) {
		r = setting_path(key, path, sizeof(path), err);
		return r < 0 ? -EOPNOTSUPP : setting_file_read(place->root, path, buf, size, err);
	}
	if (setting->read)
		r = setting->read(place, buf, size, err);
	else
		r = setting_file_read(place->root, setting->path, buf, size, err);
	if (r < 0)
		return setting->path ? explain(place, setting, r, err) : r;
	word = find_word(setting, buf);
	if (word)
		snprintf(buf, size, "%s", word->word);
	return 0;
}

int setting_apply(
	struct setting_place *place, const char *key, const char *value, struct error *err)
{
	const struct setting *setting = setting_find(key);
	const struct setting_word *word = setting ? find_word(setting, value) : NULL;
	char path[PATH_MAX];
	int r;

	if (!setting) {
		r = setting_path(key, path, sizeof(path), err);
		return r < 0 ? -EOPNOTSUPP : setting_file_apply(place, path, value, err);
	}
	if (setting->apply)
		r = setting->apply(place, word ? word->word : value, err);
	else
		r = setting_file_apply(
			place, setting->path, word && word->kernel ? word->kernel : value, err);
	return setting->path ? explain(place, setting, r, err) : r;
}
