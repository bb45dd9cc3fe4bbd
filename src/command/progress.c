// SPDX-License-Identifier: GPL-2.0-or-later
#include "command/progress.h"

#include <stdio.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/clock.h"

#define BAR_WIDTH 20

void progress_start(struct progress_line *ret_line)
{
	*ret_line = (struct progress_line) { .terminal = isatty(STDERR_FILENO) };
}

void progress_wipe(struct progress_line *line)
{
	if (line->drawn)
		fputs("\r\033[K", stderr);
	line->drawn = false;
}

static unsigned terminal_width(void)
{
	struct winsize size;

	return ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col ? size.ws_col : 80;
}

/* "2 min 05 s", "48 s"; "?" for an estimate that does not exist yet. */
static const char *time_left(int64_t ns, char *buf, size_t size)
{
	long long seconds = ns / NS_PER_S;

	if (ns < 0)
		snprintf(buf, size, "?");
	else if (seconds < 60)
		snprintf(buf, size, "%lld s", seconds);
	else
		snprintf(buf, size, "%lld min %02lld s", seconds / 60, seconds % 60);
	return buf;
}

/* "compile+io: 12.3 s" or "compile+io: killed (the OOM killer ...)". */
static void result(const struct runner_state *state, char *buf, size_t size)
{
	const struct outcome *outcome = state->outcome;
	const char *name = state->trial->scenario->name;

	if (outcome->code == OUTCOME_OK)
		snprintf(buf, size, "%s: %.2f s", name,
			(double)(outcome->close_ns - outcome->open_ns) / 1e9);
	else
		snprintf(
			buf, size, "%s: %s (%s)", name, outcome_name(outcome->code), outcome->text);
}

static void draw(struct progress_line *line, const struct runner_state *state)
{
	char bar[BAR_WIDTH + 1], left[32], text[1024];
	size_t filled = state->total ? state->done * BAR_WIDTH / state->total : 0;

	memset(bar, '.', BAR_WIDTH);
	memset(bar, '#', filled);
	bar[BAR_WIDTH] = '\0';
	snprintf(text, sizeof(text), "[%s] %zu/%zu  %s %s  left %s  %s%s", bar, state->done,
		state->total, state->trial->scenario->name, state->phase,
		time_left(state->left_ns, left, sizeof(left)), line->last[0] ? "last " : "",
		line->last);
	fprintf(stderr, "\r%.*s\033[K", (int)terminal_width() - 1, text);
	fflush(stderr);
	line->drawn = true;
}

void progress_show(void *data, const struct runner_state *state)
{
	struct progress_line *line = data;
	char text[512], left[32];

	if (state->outcome) {
		result(state, text, sizeof(text));
		snprintf(line->last, sizeof(line->last), "%s", text);
		/* On a terminal a result that is not plain stays to be read. */
		if (line->terminal && state->outcome->code != OUTCOME_OK) {
			progress_wipe(line);
			fprintf(stderr, "%s\n", text);
		}
		if (!line->terminal)
			fprintf(stderr, "[%zu/%zu] %s  (left %s)\n", state->done, state->total,
				text, time_left(state->left_ns, left, sizeof(left)));
	}
	if (line->terminal)
		draw(line, state);
}
