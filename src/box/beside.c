// SPDX-License-Identifier: GPL-2.0-or-later
#include "box/beside.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "box/vm_inside.h"

/* Shared with the process; the record lies behind it. */
struct message {
	int r; /* of box_conduct() */
	struct error error;
	size_t used;
	bool ended; /* what stands here is whole */
};

struct beside {
	pid_t pid; /* 0: it has been waited for */
	int pidfd;
	int status; /* of waitpid(2) */
	struct message *message;
	size_t size; /* of the record's room */
};

static unsigned char *record_of(const struct beside *beside)
{
	return (unsigned char *)(beside->message + 1);
}

unsigned box_width(struct box *box, const struct plan *plan)
{
	unsigned width = 1;

	if (box->vm && box->vm->config.exact)
		width = vm_box_guests(box, plan);
	return width < plan->n ? width : (unsigned)(plan->n ? plan->n : 1);
}

/* In the child. What it learns of kernels is lost with it, so there is little left to learn. */
static void conduct(struct box *box, const struct trial *trial, unsigned place,
	const struct trial_watch *watch, const struct beside *beside)
{
	const struct trial_watch own = { .interrupted = watch->interrupted };
	struct message *message = beside->message;
	struct sink sink = { .data = record_of(beside), .size = beside->size };
	char directory[PATH_MAX];

	/* Consoles of guests that run at once are not to be mixed up. */
	snprintf(directory, sizeof(directory), "%.4000s/%u", box->vm->directory, place);
	memcpy(box->vm->directory, directory, sizeof(directory));
	message->r = directory_make(directory, &message->error);
	if (message->r == 0)
		message->r = box_conduct(box, trial, &own, &sink, &message->error);
	message->used = sink.used;
	message->ended = true;
}

static int begin(struct box *box, const struct trial *trial, unsigned place,
	const struct trial_watch *watch, struct beside *beside, struct error *err)
{
	pid_t parent = getpid(), pid;

	beside->size = trial_record_size(trial);
	beside->message = mmap(NULL, sizeof(struct message) + beside->size, PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (beside->message == MAP_FAILED) {
		beside->message = NULL;
		return error_errno(err, -errno, "memory for a trial's record");
	}
	pid = fork();
	if (pid < 0)
		return error_errno(err, -errno, "cannot start a process for a trial");
	if (pid == 0) {
		prctl(PR_SET_PDEATHSIG, SIGKILL);
		if (getppid() == parent)
			conduct(box, trial, place, watch, beside);
		_exit(0);
	}
	beside->pid = pid;
	beside->pidfd = pidfd_open(pid, 0);
	return beside->pidfd < 0 ? error_errno(err, -errno, "pidfd_open") : 0;
}

int beside_begin(struct box *box, const struct trial *trial, unsigned place,
	const struct trial_watch *watch, struct beside **ret_beside, struct error *err)
{
	struct beside *beside CLEANUP(beside_cleanup) = calloc(1, sizeof(*beside));
	int r;

	if (!beside)
		return error_errno(err, -ENOMEM, "trial");
	beside->pidfd = -1;
	/* Kernel and programs are made here, once. What fails fails in the trial, too, and there it
	 * has an outcome. */
	vm_box_provide(box->vm, trial);
	r = begin(box, trial, place, watch, beside, err);
	if (r < 0)
		return r;
	*ret_beside = beside;
	beside = NULL;
	return 0;
}

int beside_fd(const struct beside *beside)
{
	return beside->pidfd;
}

void beside_interrupt(const struct beside *beside)
{
	if (beside->pid)
		kill(beside->pid, SIGINT);
}

static void wait_for(struct beside *beside)
{
	while (beside->pid && waitpid(beside->pid, &beside->status, 0) < 0 && errno == EINTR)
		;
	beside->pid = 0;
}

/* The record of a trial whose process died. */
static void break_record(struct beside *beside)
{
	struct sink sink = { .data = record_of(beside), .size = beside->size };
	struct outcome outcome = { .code = OUTCOME_BROKEN };

	snprintf(outcome.text, sizeof(outcome.text), "the process that conducted it died (%s %d)",
		WIFSIGNALED(beside->status) ? "signal" : "status",
		WIFSIGNALED(beside->status) ? WTERMSIG(beside->status)
					    : WEXITSTATUS(beside->status));
	sink_reset(&sink);
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	beside->message->used = sink.used;
}

int beside_end(struct beside *beside, const unsigned char **ret_record, size_t *ret_size,
	struct error *err)
{
	const struct message *message = beside->message;

	wait_for(beside);
	if (!message->ended)
		break_record(beside);
	else if (message->r < 0)
		return error_set(err, message->r, "%s", message->error.text);
	*ret_record = record_of(beside);
	*ret_size = message->used;
	return 0;
}

void beside_free(struct beside *beside)
{
	if (!beside)
		return;
	if (beside->pid)
		kill(beside->pid, SIGKILL);
	wait_for(beside);
	close_fd(&beside->pidfd);
	if (beside->message)
		munmap(beside->message, sizeof(struct message) + beside->size);
	free(beside);
}

void beside_cleanup(struct beside **beside)
{
	beside_free(*beside);
}
