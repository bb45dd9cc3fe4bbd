// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * ls -lR over a tree of many files, without the sorting: reads directories, asks for the status
 * of each entry and writes its line to /dev/null. A unit is one entry; a step is up to 100.
 */
#include <dirent.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <pwd.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "base/cleanup.h"
#include "workload/registry.h"
#include "workload/shelf.h"
#include "workload/tree.h"

#define ENTRIES_PER_STEP 100

struct lslr_params {
	uint64_t files, per_directory;
	char dir[PATH_MAX];
};

/* Owners met so far, as ls keeps them: looking one up reads a file. */
struct names {
	unsigned n;
	struct {
		unsigned id;
		char name[33];
	} known[16];
};

/* A directory that was found and is to be read. */
struct pending {
	struct pending *next;
	char path[];
};

/* Of one worker. */
struct lister {
	struct pending *pending;
	DIR *directory; /* the one that is being read */
	char path[PATH_MAX];
	struct names users, groups;
	size_t used;
	char text[8192]; /* lines for /dev/null */
};

struct lslr_state {
	char tree[PATH_MAX];
	int null_fd;
	struct lister *listers;
};

static const struct option_row options[] = {
	{
		OPTION("files", OPTION_COUNT, struct lslr_params, files),
		.fallback = "50000",
		.min = "1",
		.max = "100M",
		.help = "empty files of the generated tree",
	},
	{
		OPTION("per-directory", OPTION_COUNT, struct lslr_params, per_directory),
		.fallback = "1000",
		.min = "1",
		.help = "files in each of its directories",
	},
	{
		OPTION("dir", OPTION_TEXT, struct lslr_params, dir),
		.fallback = "",
		.argument = "DIR",
		.help = "list this directory in place of a generated tree",
	},
};

static int lslr_probe(const struct place *place, const void *data, struct error *err)
{
	const struct lslr_params *params = data;

	(void)place;
	if (*params->dir && access(params->dir, R_OK | X_OK) < 0)
		return error_errno(err, -errno, "dir: %s", params->dir);
	return 0;
}

static int lslr_setup(struct instance *instance, struct error *err)
{
	const struct lslr_params *params = instance->params;
	struct lslr_state *state = instance->state;
	struct tree_files tree = {
		.files = params->files,
		.directories = (params->files + params->per_directory - 1) / params->per_directory,
		.ratio = 1,
	};
	char key[96];

	state->null_fd = -1;
	state->listers = calloc(instance->workers, sizeof(*state->listers));
	if (!state->listers)
		return error_errno(err, -ENOMEM, "lslr");
	state->null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
	if (state->null_fd < 0)
		return error_errno(err, -errno, "/dev/null");
	if (*params->dir) {
		snprintf(state->tree, sizeof(state->tree), "%s", params->dir);
		return 0;
	}
	snprintf(key, sizeof(key), "empty-%llu-%llu-%u", (unsigned long long)tree.files,
		(unsigned long long)tree.directories, TREE_REVISION);
	return shelf_find(instance->place, key, tree_make_files, &tree, state->tree,
		sizeof(state->tree), err);
}

/* The id's name, or the id itself where it has none. */
static const char *name_of(struct names *names, unsigned id, bool user)
{
	unsigned slot = names->n % ARRAY_SIZE(names->known);
	struct passwd passwd, *is_user = NULL;
	struct group group, *is_group = NULL;
	char room[4096];

	for (unsigned i = 0; i < ARRAY_SIZE(names->known) && i < names->n; i++) {
		if (names->known[i].id == id)
			return names->known[i].name;
	}
	if (user)
		getpwuid_r(id, &passwd, room, sizeof(room), &is_user);
	else
		getgrgid_r(id, &group, room, sizeof(room), &is_group);
	if (is_user || is_group)
		snprintf(names->known[slot].name, sizeof(names->known[slot].name), "%s",
			is_user ? is_user->pw_name : is_group->gr_name);
	else
		snprintf(names->known[slot].name, sizeof(names->known[slot].name), "%u", id);
	names->known[slot].id = id;
	names->n++;
	return names->known[slot].name;
}

static void render_mode(mode_t mode, char text[static 11])
{
	static const char types[16] = "?pc?d?b?-?l?s???";

	text[0] = types[(mode & S_IFMT) >> 12];
	for (unsigned i = 0; i < 9; i++)
		text[1 + i] = mode & (0400 >> i) ? "rwx"[i % 3] : '-';
	text[10] = '\0';
}

static void put_line(struct lister *lister, const struct stat *st, const char *name)
{
	char mode[11], when[32];
	struct tm tm;

	render_mode(st->st_mode, mode);
	localtime_r(&st->st_mtime, &tm);
	strftime(when, sizeof(when), "%b %e %H:%M", &tm);
	lister->used += (size_t)snprintf(lister->text + lister->used,
		sizeof(lister->text) - lister->used, "%s %2llu %-8s %-8s %10llu %s %s\n", mode,
		(unsigned long long)st->st_nlink, name_of(&lister->users, st->st_uid, true),
		name_of(&lister->groups, st->st_gid, false), (unsigned long long)st->st_size, when,
		name);
}

static int flush(struct lister *lister, int fd, struct error *err)
{
	ssize_t n = write(fd, lister->text, lister->used);

	lister->used = 0;
	return n < 0 ? error_errno(err, -errno, "/dev/null") : 0;
}

static int push(struct lister *lister, const char *path, const char *name, struct error *err)
{
	size_t size = strlen(path) + strlen(name) + 2;
	struct pending *pending = malloc(sizeof(*pending) + size);

	if (!pending)
		return error_errno(err, -ENOMEM, "lslr");
	snprintf(pending->path, size, *name ? "%s/%s" : "%s%s", path, name);
	pending->next = lister->pending;
	lister->pending = pending;
	return 0;
}

/* Takes the directory that was found last; false when there is none. */
static bool pop(struct lister *lister)
{
	struct pending *pending = lister->pending;

	if (!pending)
		return false;
	lister->pending = pending->next;
	snprintf(lister->path, sizeof(lister->path), "%s", pending->path);
	free(pending);
	return true;
}

/* Opens the next directory. Returns 1, or 0 when there is none left. */
static int open_next(struct lister *lister)
{
	while (pop(lister)) {
		lister->directory = opendir(lister->path);
		if (lister->directory)
			return 1;
		/* Gone, or not ours to read: ls says so and goes on. */
	}
	return 0;
}

/* Lists one entry. Returns 1, or 0 at the end of the directory. */
static int list_entry(
	struct lister *lister, int null_fd, struct progress *progress, struct error *err)
{
	const struct dirent *entry = readdir(lister->directory);
	struct stat st;
	int r = 0;

	if (!entry)
		return 0;
	if (!strcmp(entry->d_name, ".") || !strcmp(entry->d_name, ".."))
		return 1;
	if (fstatat(dirfd(lister->directory), entry->d_name, &st, AT_SYMLINK_NOFOLLOW) < 0)
		return 1;
	put_line(lister, &st, entry->d_name);
	progress_add(progress, 1);
	if (sizeof(lister->text) - lister->used < 512)
		r = flush(lister, null_fd, err);
	if (r == 0 && S_ISDIR(st.st_mode))
		r = push(lister, lister->path, entry->d_name, err);
	return r < 0 ? r : 1;
}

static int lslr_step(struct worker *worker, struct error *err)
{
	struct instance *instance = worker->instance;
	struct lslr_state *state = instance->state;
	struct lister *lister = &state->listers[worker->index];
	int r = 1;

	if (!lister->directory && !lister->pending) {
		r = push(lister, state->tree, "", err);
		if (r < 0)
			return r;
	}
	if (!lister->directory)
		r = open_next(lister);
	for (unsigned i = 0; r > 0 && i < ENTRIES_PER_STEP; i++)
		r = list_entry(lister, state->null_fd, worker->progress, err);
	if (r != 0)
		return r < 0 ? r : STEP_MORE;
	if (lister->directory)
		closedir(lister->directory);
	lister->directory = NULL;
	if (lister->pending)
		return STEP_MORE;
	r = flush(lister, state->null_fd, err);
	if (r < 0)
		return r;
	return instance->role == WORKLOAD_LEAD ? STEP_DONE : STEP_PASS;
}

static void lslr_teardown(struct instance *instance)
{
	struct lslr_state *state = instance->state;

	for (unsigned i = 0; state->listers && i < instance->workers; i++) {
		struct lister *lister = &state->listers[i];

		if (lister->directory)
			closedir(lister->directory);
		while (pop(lister))
			;
	}
	free(state->listers);
	close_fd(&state->null_fd);
}

const struct workload workload_lslr = {
	.name = "lslr",
	.summary = "lists a tree of many files, as ls -lR",
	.unit = "files",
	.table_unit = "1000 files",
	.table_divisor = 1000,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.options = OPTION_ROWS(options),
	.params_size = sizeof(struct lslr_params),
	.state_size = sizeof(struct lslr_state),
	.probe = lslr_probe,
	.setup = lslr_setup,
	.step = lslr_step,
	.teardown = lslr_teardown,
};
