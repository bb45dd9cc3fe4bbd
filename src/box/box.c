// SPDX-License-Identifier: GPL-2.0-or-later
/* Which box, and what all boxes have. */
#include "box/box.h"

#include <fcntl.h>
#include <stdarg.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "base/unit.h"
#include "box/inside.h"
#include "box/vm.h"

void box_note(struct box *box, const char *format, ...)
{
	va_list args;

	if (box->n_notes == BOX_NOTES)
		return;
	va_start(args, format);
	if (vasprintf(&box->notes[box->n_notes], format, args) < 0)
		box->notes[box->n_notes] = NULL;
	else
		box->n_notes++;
	va_end(args);
}

const char *box_amount(uint64_t bytes, char *buf, size_t size)
{
	if (bytes && bytes % GIB == 0)
		snprintf(buf, size, "%llu GiB", (unsigned long long)(bytes / GIB));
	else if (bytes && bytes < 10 * GIB && bytes % MIB == 0)
		snprintf(buf, size, "%llu MiB", (unsigned long long)(bytes / MIB));
	else
		bytes_render(bytes, buf, size);
	return buf;
}

static void describe(struct box *box)
{
	char where[128], ram[32], swap[32], behind[128] = ", no swap";
	bool unlimited = box->kind == BOX_CGROUP && !box->limited;

	if (box->kind == BOX_VM)
		vm_box_describe(box->vm, where, sizeof(where));
	else if (box->kind == BOX_HOST)
		snprintf(where, sizeof(where), "host%s", box->scaled ? ", sizes scaled down" : "");
	else
		snprintf(where, sizeof(where), "cgroup (%s%s)", cgroup_mode_name(box->tree.mode),
			box->tree.mode == CGROUP_HYBRID ? ", memory v1" : "");
	box_amount(box->ram, ram, sizeof(ram));
	if (box->swap)
		snprintf(behind, sizeof(behind), " + %s %s",
			box_amount(box->swap, swap, sizeof(swap)), box->swap_text);
	snprintf(box->description, sizeof(box->description), "%s, %s%s RAM%s, %u CPU%s", where,
		unlimited ? "memory not limited, sized for " : "", ram, behind, box->n_cpus,
		box->n_cpus == 1 ? "" : "s");
}

/* Opening for writing is what a read-only /proc/sys and a container refuse; it writes nothing. */
static void probe_caches(struct box *box)
{
	int fd CLEANUP(close_fd) = root_openat(box->root, "/proc/sys/vm/drop_caches", O_WRONLY);

	box->can_drop_caches = fd >= 0;
	if (fd < 0)
		box_note(box,
			"caches cannot be dropped, so trials are warm: "
			"/proc/sys/vm/drop_caches: %s",
			strerror(-fd));
}

/* Is it a reason to do without groups, when nobody asked for them? */
static bool is_refusal(int r)
{
	return r == -EOPNOTSUPP || r == -EACCES || r == -EPERM || r == -EROFS || r == -EBUSY;
}

static int enter(struct box *box, const struct box_config *config, struct error *err)
{
	struct box_config fallback = *config;
	struct error why;
	int r;

	if (config->typed && config->kind == BOX_HOST)
		return box_enter_host(box, config, err);
	if (config->typed && config->kind == BOX_VM)
		return box_enter_vm(box, config, err);
	r = box_enter_cgroup(box, config, &why);
	if (r == 0)
		return 0;
	if (config->typed || !is_refusal(r))
		return error_set(err, r, "%s", why.text);
	box_note(box, "nothing is limited: %s", why.text);
	fallback.swap_kind = BOX_SWAP_FILE;
	return box_enter_host(box, &fallback, err);
}

static int stand(
	struct box *box, const struct box_config *config, const char *scratch, struct error *err)
{
	/* A guest's CPUs are its own. */
	int r = box_find_cpus(box, config->kind == BOX_VM ? 0 : config->cpus, err);

	if (r == 0)
		r = box_make_scratch(box, scratch, err);
	if (r == 0)
		r = enter(box, config, err);
	if (r < 0)
		return r;
	if (box->kind != BOX_VM)
		probe_caches(box);
	describe(box);
	if (box->journal)
		box->settled = journal_mark(box->journal);
	return 0;
}

int box_open(const struct box_config *config, const struct root *root, struct journal *journal,
	const char *scratch, struct box **ret_box, struct error *err)
{
	struct box *box CLEANUP(box_cleanup) = calloc(1, sizeof(*box));
	int r;

	if (!box)
		return error_errno(err, -ENOMEM, "box");
	box->root = root;
	box->journal = journal;
	box->mark = journal ? journal_mark(journal) : 0;
	if (!journal)
		box_note(box, "no undo journal: nothing is changed that would have to be put back");
	r = stand(box, config, scratch, err);
	if (r < 0)
		return r;
	*ret_box = box;
	box = NULL;
	return 0;
}

void box_close(struct box *box)
{
	if (!box)
		return;
	/* The whole group at once; what fails here is in the journal, which says it. */
	if (box->grouped)
		cgroup_remove(&box->group, NULL);
	if (box->journal)
		journal_undo(box->journal, box->mark, NULL);
	else if (box->scratch[0])
		tree_remove(box->scratch, NULL);
	vm_box_free(box->vm);
	if (box->cpus)
		CPU_FREE(box->cpus);
	for (size_t i = 0; i < box->n_notes; i++)
		free(box->notes[i]);
	free(box);
}

void box_cleanup(struct box **box)
{
	box_close(*box);
}

const char *box_describe(const struct box *box)
{
	return box->description;
}

const char *const *box_notes(const struct box *box)
{
	return (const char *const *)box->notes;
}

void box_sizes(const struct box *box, uint64_t *ret_ram, uint64_t *ret_swap, unsigned *ret_cpus)
{
	*ret_ram = box->ram;
	*ret_swap = box->swap;
	*ret_cpus = box->n_cpus;
}
