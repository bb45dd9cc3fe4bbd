// SPDX-License-Identifier: GPL-2.0-or-later
/* By what a run is found again: the kernel's bytes and all that its trials depend on. */
#include <fcntl.h>
#include <fts.h>
#include <inttypes.h>
#include <string.h>
#include <sys/mman.h>

#include "base/cleanup.h"
#include "command/bisect.h"

/* Fowler, Noll and Vo's 1a, 64 bits: kernels are told apart, not defended against each other. */
struct sum {
	uint64_t value;
};

static void add_bytes(struct sum *sum, const void *data, size_t size)
{
	const unsigned char *at = data;

	for (size_t i = 0; i < size; i++)
		sum->value = (sum->value ^ at[i]) * 0x100000001b3ULL;
}

static void add_text(struct sum *sum, const char *text)
{
	add_bytes(sum, text, strlen(text) + 1);
}

static void add_number(struct sum *sum, int64_t number)
{
	add_bytes(sum, &number, sizeof(number));
}

static int add_file(struct sum *sum, const char *path, struct error *err)
{
	int fd CLEANUP(close_fd) = open(path, O_RDONLY | O_CLOEXEC);
	off_t size = fd < 0 ? -1 : lseek(fd, 0, SEEK_END);
	void *data = size > 0 ? mmap(NULL, (size_t)size, PROT_READ, MAP_PRIVATE, fd, 0) : NULL;

	if (size < 0 || data == MAP_FAILED)
		return error_errno(err, -errno, "%s", path);
	add_number(sum, size);
	if (data) {
		add_bytes(sum, data, (size_t)size);
		munmap(data, (size_t)size);
	}
	return 0;
}

static int by_name(const FTSENT **a, const FTSENT **b)
{
	return strcmp((*a)->fts_name, (*b)->fts_name);
}

static void close_walk(FTS **walk)
{
	if (*walk)
		fts_close(*walk);
}

/*
 * The modules, wherever they lie. They change with the kernel, but a tree that is built again and
 * again may have new ones beside an image that is as before.
 */
static int add_modules(struct sum *sum, const char *directory, struct error *err)
{
	char path[PATH_MAX];
	FTS *walk CLEANUP(close_walk) = NULL;
	FTSENT *entry;
	int r = 0;

	if (!*directory)
		return 0;
	snprintf(path, sizeof(path), "%s", directory);
	walk = fts_open(
		(char *[]) { path, NULL }, FTS_COMFOLLOW | FTS_PHYSICAL | FTS_NOCHDIR, by_name);
	if (!walk)
		return error_errno(err, -errno, "%s", directory);
	while (r == 0 && (entry = fts_read(walk))) {
		if (entry->fts_info != FTS_F || !strstr(entry->fts_name, ".ko"))
			continue;
		add_text(sum, entry->fts_name);
		r = add_file(sum, entry->fts_accpath, err);
	}
	return r;
}

static void add_options(struct sum *sum, const struct config *config)
{
	const struct scenario *scenario = &config->scenarios[0];
	const struct variant *variant = &config->variants[0];
	struct box_config box = config->box;
	char text[4096];

	/* How many guests run at once changes nothing. */
	box.guests = 0;
	add_text(sum, scenario->lead.spelled);
	add_text(sum, loads_spell(scenario, text, sizeof(text)));
	add_number(sum, scenario->cold);
	add_number(sum, scenario->deadline_ns);
	add_number(sum, scenario->lead_in_ns);
	add_number(sum, scenario->interval_ns);
	add_text(sum, option_spell_list(box_options, &box, text, sizeof(text)));
	/* The last is the kernel. */
	for (size_t i = 0; i + 1 < variant->n; i++) {
		add_text(sum, variant->assignments[i].key);
		add_text(sum, variant->assignments[i].value);
	}
	for (size_t i = 0; i < variant->n_options; i++) {
		add_text(sum, variant->options[i].key);
		add_text(sum, variant->options[i].value);
	}
	add_number(sum, (int64_t)config->seed);
	add_number(sum, config->runs);
}

int bisect_title(const struct bisect *bisect, const struct kernel *kernel, char *buf, size_t size,
	struct error *err)
{
	const struct config *config = bisect->session.config;
	struct sum sum = { 0xcbf29ce484222325ULL };
	int r = add_file(&sum, kernel->image, err);

	if (r == 0)
		r = add_modules(&sum, kernel->modules, err);
	/* It is in the guest, too: where its bytes lie there is a part of the path. */
	if (r == 0)
		r = add_file(&sum, "/proc/self/exe", err);
	if (r < 0)
		return r;
	add_text(&sum, box_describe(bisect->session.box));
	add_options(&sum, config);
	snprintf(buf, size, "bisect %.80s %016" PRIx64, config->scenarios[0].name, sum.value);
	return 0;
}
