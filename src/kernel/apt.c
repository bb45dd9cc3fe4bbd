// SPDX-License-Identifier: GPL-2.0-or-later
#include "kernel/apt.h"

#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "kernel/tree.h"

#define LISTS_AGE_S (24 * 3600)
#define MOST_PACKAGES 16

/* One suite of the mirror: a directory of the cache with all that apt keeps. */
struct suite {
	const char *cache;
	const char *name;
	char directory[PATH_MAX - 64];
	char conf[PATH_MAX];
	char output[32768]; /* of the program that ran last */
};

static void unlock(int *fd)
{
	close_fd(fd);
}

/* One contend at a time fetches and unpacks. */
static int lock(const char *directory, struct error *err)
{
	char path[PATH_MAX];
	int r = directory_make(directory, err);
	int fd;

	if (r < 0)
		return r;
	snprintf(path, sizeof(path), "%s/lock", directory);
	fd = open(path, O_RDWR | O_CREAT | O_CLOEXEC, 0644);
	if (fd < 0)
		return error_errno(err, -errno, "%s", path);
	while (flock(fd, LOCK_EX) < 0 && errno == EINTR)
		;
	return fd;
}

/* Writes a file unless it is so already: apt reads its lists anew when one is younger than them. */
static int keep(const char *path, const char *text, struct error *err)
{
	char *there CLEANUP(free_text) = NULL;
	size_t size;

	if (file_read(path, &there, &size, NULL) == 0 && !strcmp(there, text))
		return 0;
	return file_write(path, text, strlen(text), err);
}

static int write_conf(struct suite *suite, const struct apt_mirror *mirror, struct error *err)
{
	const char *directory = suite->directory;
	char *text CLEANUP(free_text) = NULL;
	char path[PATH_MAX];
	int r;

	snprintf(path, sizeof(path), "%s/lists/partial", directory);
	r = directory_make(path, err);
	snprintf(path, sizeof(path), "%s/cache/archives/partial", directory);
	r = r < 0 ? r : directory_make(path, err);
	snprintf(path, sizeof(path), "%s/status", directory);
	r = r < 0 ? r : keep(path, "", err);
	if (r < 0)
		return r;
	if (asprintf(&text, "deb %s%s%s %s %s main\n", mirror->signed_by[0] ? "[signed-by=" : "",
		    mirror->signed_by, mirror->signed_by[0] ? "]" : "", mirror->uri,
		    suite->name) < 0) {
		text = NULL;
		return error_errno(err, -ENOMEM, "apt");
	}
	snprintf(path, sizeof(path), "%s/sources.list", directory);
	r = keep(path, text, err);
	if (r < 0)
		return r;
	free(text);
	if (asprintf(&text,
		    "Dir::State \"%s\";\nDir::State::lists \"lists\";\n"
		    "Dir::State::status \"%s/status\";\nDir::Cache \"%s/cache\";\n"
		    /* Containers are set up not to keep these. */
		    "Dir::Cache::pkgcache \"pkgcache.bin\";\n"
		    "Dir::Cache::srcpkgcache \"\";\n"
		    "Dir::Etc::sourcelist \"%s/sources.list\";\nDir::Etc::sourceparts "
		    "\"/dev/null\";\n"
		    "Dir::Etc::preferences \"/dev/null\";\n"
		    "Dir::Etc::preferencesparts \"/dev/null\";\n"
		    "APT::Architecture \"amd64\";\nAPT::Architectures { \"amd64\"; };\n"
		    "APT::Sandbox::User \"root\";\nAcquire::Languages \"none\";\n"
		    "Acquire::Retries \"3\";\n",
		    directory, directory, directory, directory) < 0) {
		text = NULL;
		return error_errno(err, -ENOMEM, "apt");
	}
	return keep(suite->conf, text, err);
}

/* The line of apt's output that says why: its last one that begins with "E:". */
static const char *complaint(struct suite *suite)
{
	char *at = suite->output, *found = suite->output;

	while ((at = strstr(at, "E: ")))
		found = at++;
	found[strcspn(found, "\n")] = '\0';
	return found;
}

static int run(struct suite *suite, const char *const argv[], struct error *err)
{
	int status = program_run(argv, suite->output, sizeof(suite->output));

	if (status == -ENOENT)
		return error_set(err, -EOPNOTSUPP,
			"no apt here: give a kernel as a file or an installed version");
	if (status < 0)
		return error_errno(err, status, "cannot run %s", argv[0]);
	if (status > 0)
		return error_set(err, -EOPNOTSUPP, "Debian's suite %s: %.300s", suite->name,
			complaint(suite));
	return 0;
}

/* The stamp is written when the lists have come whole. */
static int update(struct suite *suite, struct error *err)
{
	const char *const argv[] = { "apt-get", "-c", suite->conf, "-q", "-o",
		"APT::Update::Error-Mode=any", "update", NULL };
	char stamp[PATH_MAX];
	struct stat st;
	bool there;
	int r;

	snprintf(stamp, sizeof(stamp), "%s/stamp", suite->directory);
	there = stat(stamp, &st) == 0;
	if (there && time(NULL) - st.st_mtime < LISTS_AGE_S)
		return 0;
	r = run(suite, argv, err);
	if (r < 0)
		return there ? 0 : r;
	return file_write(stamp, "", 0, err);
}

struct wanted {
	char names[MOST_PACKAGES][128];
	size_t n;
};

static void want(struct wanted *wanted, const char *name)
{
	for (size_t i = 0; i < wanted->n; i++) {
		if (!strcmp(wanted->names[i], name))
			return;
	}
	if (wanted->n < MOST_PACKAGES)
		snprintf(wanted->names[wanted->n++], sizeof(wanted->names[0]), "%s", name);
}

static bool begins(const char *name, const char *const follow[])
{
	for (; *follow; follow++) {
		if (!strncmp(name, *follow, strlen(*follow)))
			return true;
	}
	return false;
}

/* A file's name has none either: "1:10.0.2" -> "10.0.2". */
static const char *no_epoch(const char *version)
{
	const char *colon = strchr(version, ':');

	return colon ? colon + 1 : version;
}

/*
 * Adds what package i depends on, as far as it is to be followed, and says its name and version
 * unless it is only a name for others.
 */
static int look_up(struct suite *suite, struct wanted *wanted, size_t i, const char *const follow[],
	char *package, size_t size, struct error *err)
{
	const char *const argv[] = { "apt-cache", "-c", suite->conf, "show", "--no-all-versions",
		wanted->names[i], NULL };
	char depends[4096], name[128], version[64];
	const char *rest = depends;
	size_t before = wanted->n;
	int r = run(suite, argv, err);

	/* apt-cache fails when it knows no such name. */
	if (r < 0 && !strstr(suite->output, "No packages found"))
		return r;
	if (r < 0 || !apt_field(suite->output, "Version", version, sizeof(version)))
		return error_set(err, -EOPNOTSUPP, "Debian's suite %s has no package %s",
			suite->name, wanted->names[i]);
	if (!apt_field(suite->output, "Depends", depends, sizeof(depends)))
		depends[0] = '\0';
	while (*rest) {
		if (apt_next_dependency(&rest, name, sizeof(name)) && begins(name, follow))
			want(wanted, name);
	}
	/* "linux-image-amd64" is only a name for the package that it depends on. */
	if (wanted->n == before || !*follow || i > 0)
		snprintf(package, size, "%s_%s", wanted->names[i], no_epoch(version));
	return 0;
}

/* apt-get downloads into the directory that it runs in. */
static int download(
	struct suite *suite, const char *into, const struct wanted *wanted, struct error *err)
{
	const char *argv[MOST_PACKAGES + 9] = { "env", "-C", into, "apt-get", "-c", suite->conf,
		"-q", "download" };

	for (size_t i = 0; i < wanted->n; i++)
		argv[8 + i] = wanted->names[i];
	return run(suite, argv, err);
}

static int fetch(
	struct suite *suite, const struct wanted *wanted, struct apt_tree *tree, struct error *err)
{
	char into[PATH_MAX];
	int r;

	if (tree_is_whole(tree->path))
		return 0;
	if (snprintf(into, sizeof(into), "%s/download", suite->directory) >= (int)sizeof(into))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", suite->directory);
	r = tree_remove(into, err);
	r = r < 0 ? r : directory_make(into, err);
	r = r < 0 ? r : download(suite, into, wanted, err);
	r = r < 0 ? r : tree_unpack(into, tree->path, err);
	tree_remove(into, NULL);
	return r;
}

static bool is_suite(const char *name)
{
	size_t n = strspn(name, "abcdefghijklmnopqrstuvwxyz-");

	return n && !name[n] && n < 60;
}

int apt_fetch(const char *cache, const char *name, const char *const names[],
	const char *const follow[], struct apt_tree *ret_tree, struct error *err)
{
	struct suite suite = { .cache = cache, .name = name };
	struct apt_tree tree = { 0 };
	struct apt_mirror mirror;
	struct wanted wanted = { 0 };
	int guard CLEANUP(unlock) = -1;
	int r;

	if (!is_suite(name))
		return error_set(err, -EINVAL, "\"%s\" is no suite of Debian", name);
	r = apt_mirror_read("/etc/apt", &mirror, err);
	if (r < 0)
		return r;
	snprintf(suite.directory, sizeof(suite.directory), "%s/apt/%s", cache, name);
	snprintf(suite.conf, sizeof(suite.conf), "%s/apt.conf", suite.directory);
	guard = lock(cache, err);
	if (guard < 0)
		return guard;
	r = write_conf(&suite, &mirror, err);
	r = r < 0 ? r : update(&suite, err);
	for (; *names; names++)
		want(&wanted, *names);
	for (size_t i = 0; r == 0 && i < wanted.n; i++) {
		char package[sizeof(tree.package)] = "";

		r = look_up(&suite, &wanted, i, follow, package, sizeof(package), err);
		if (!tree.package[0])
			memcpy(tree.package, package, sizeof(package));
	}
	if (r < 0)
		return r;
	snprintf(tree.path, sizeof(tree.path), "%s/packages/%s", cache, tree.package);
	r = fetch(&suite, &wanted, &tree, err);
	if (r < 0)
		return r;
	*ret_tree = tree;
	return 0;
}

int apt_unpack(const char *cache, const char *deb, struct apt_tree *ret_tree, struct error *err)
{
	const char *slash = strrchr(deb, '/');
	struct apt_tree tree;
	struct stat st;
	int guard CLEANUP(unlock) = -1;
	int r;

	if (stat(deb, &st) < 0)
		return error_errno(err, -errno, "package %s", deb);
	guard = lock(cache, err);
	if (guard < 0)
		return guard;
	snprintf(tree.package, sizeof(tree.package), "%.*s", 120, slash ? slash + 1 : deb);
	/* Two builds of one version are two kernels. */
	if (snprintf(tree.path, sizeof(tree.path), "%s/packages/%s-%llx-%llx", cache, tree.package,
		    (unsigned long long)st.st_size,
		    (unsigned long long)st.st_mtime) >= (int)sizeof(tree.path))
		return error_set(err, -ENAMETOOLONG, "%.60s...: path too long", cache);
	r = tree_is_whole(tree.path) ? 0 : tree_unpack(deb, tree.path, err);
	if (r < 0)
		return r;
	*ret_tree = tree;
	return 0;
}
