// SPDX-License-Identifier: GPL-2.0-or-later
/* Programs on an X display. */
#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "base/cleanup.h"
#include "base/clock.h"
#include "base/file.h"
#include "workload/apps_list.h"
#include "workload/x.h"
#include "workload/x_program.h"

struct x_app {
	struct x_program program;
	uint32_t window;
	int64_t majors, minors; /* so far */
};

struct session {
	struct apps_list list;
	int64_t patience_ns;
	struct x_program server, manager;
	struct x *x;
	char display[128];
	struct x_app apps[APPS_MAX];
};

static int list_read(const struct apps_params *params, struct apps_list *list, struct error *err)
{
	int r = apps_list_read(params->list, list, err);

	if (r < 0)
		return r;
	if (list->n > params->apps)
		list->n = (unsigned)params->apps;
	if (!list->n)
		return error_set(err, -EOPNOTSUPP, "no X program that is listed is installed: %s",
			list->missing);
	return 0;
}

static int x_apps_probe(
	const struct place *place, const struct apps_params *params, struct error *err)
{
	struct apps_list list;
	int r = list_read(params, &list, err);

	(void)place;
	if (r < 0)
		return r;
	if (!strcmp(apps_display(params), "xvfb") && !program_exists("Xvfb"))
		return error_set(err, -EOPNOTSUPP, "display=xvfb: there is no Xvfb (package xvfb)");
	if (params->wm[0] && !program_exists(params->wm))
		return error_set(err, -EOPNOTSUPP, "wm=%s: there is no such program", params->wm);
	return 0;
}

static int manager_start(struct session *session, const char *wm, struct error *err)
{
	int r = x_program_start(&session->manager, wm, session->display, false, err);

	if (r < 0)
		return r;
	/* One that does not know EWMH is not waited for: nothing tells that it is there. */
	x_managed(session->x, NS_PER_S);
	if (x_program_ended(&session->manager))
		return error_set(err, -EIO, "%s has ended: is there another window manager?", wm);
	if (!x_serves(session->x, session->patience_ns))
		return error_set(err, -EIO, "%s maps no window", wm);
	return 0;
}

static int x_apps_setup(struct instance *instance, void *data, unsigned *ret_n, struct error *err)
{
	const struct apps_params *params = instance->params;
	struct session *session = data;
	int r = list_read(params, &session->list, err);

	session->patience_ns = params->patience_ns;
	if (r < 0)
		return r;
	if (session->list.missing[0])
		instance_event(instance, clock_now(), "not installed: %s", session->list.missing);
	if (!strcmp(apps_display(params), "xvfb"))
		r = x_server_start(
			&session->server, session->display, sizeof(session->display), err);
	else
		snprintf(session->display, sizeof(session->display), "%s", apps_display(params));
	if (r < 0)
		return r;
	instance_event(instance, clock_now(), "display %s", session->display);
	r = x_open(session->display, &session->x, err);
	if (r == 0 && params->wm[0])
		r = manager_start(session, params->wm, err);
	*ret_n = session->list.n;
	return r;
}

static const char *x_apps_name(void *data, unsigned i, char *buf, size_t size)
{
	struct session *session = data;

	snprintf(buf, size, "%s", session->list.entries[i].name);
	return buf;
}

static bool has_ended(void *data)
{
	struct x_app *app = data;

	return x_program_ended(&app->program);
}

/* A server closes a program's windows before the program has quite ended. */
#define END_NS (500 * NS_PER_MS)

static bool ends(struct x_program *program)
{
	int64_t until = clock_now() + END_NS;

	while (!x_program_ended(program)) {
		if (clock_now() >= until)
			return false;
		clock_sleep_until(clock_now() + NS_PER_MS);
	}
	return true;
}

/* What the wait came to. One that did not answer is ended. */
static int conclude(struct session *session, struct x_app *app, enum x_wait wait,
	const char *missing, struct turn *turn, struct error *err)
{
	char text[64];

	turn->fate = APP_ANSWERED;
	if (wait == X_GONE)
		return error_set(err, -ECONNRESET, "the display %s is gone", session->display);
	if (wait == X_LATE) {
		turn->fate = APP_HUNG;
		error_set(err, -ETIMEDOUT, "%s in %g s", missing,
			(double)session->patience_ns / NS_PER_S);
	} else if (wait == X_ENDED) {
		turn->fate = APP_DIED;
		if (ends(&app->program))
			error_set(err, -EPIPE, "%s",
				x_program_end_text(&app->program, text, sizeof(text)));
		else
			error_set(err, -EPIPE, "its window has gone");
	}
	if (wait != X_DONE)
		x_program_kill(&app->program);
	return 0;
}

/* Painted, and answered: or how it failed. */
static int finish(struct session *session, struct x_app *app, enum x_wait wait, const char *missing,
	int64_t due_ns, struct turn *turn, struct error *err)
{
	const struct x_patience patience = { due_ns + session->patience_ns, has_ended, app };
	int64_t majors, minors;

	turn->majors = turn->minors = VALUE_ABSENT;
	if (wait == X_DONE) {
		missing = "not painted";
		wait = x_painted(session->x, app->window, &patience);
	}
	if (wait == X_DONE) {
		missing = "ping not answered";
		wait = x_answered(session->x, app->window, &patience);
	}
	turn->latency_ns = clock_now() - due_ns;
	if (wait == X_DONE && x_program_faults(&app->program, &majors, &minors)) {
		/* Less than before: a process has left the tree, and took its count along. */
		turn->majors = majors > app->majors ? majors - app->majors : 0;
		turn->minors = minors > app->minors ? minors - app->minors : 0;
		app->majors = majors;
		app->minors = minors;
	}
	return conclude(session, app, wait, missing, turn, err);
}

static int x_apps_start(void *data, unsigned i, struct turn *ret_turn, struct error *err)
{
	struct session *session = data;
	struct x_app *app = &session->apps[i];
	int64_t due = clock_now();
	const struct x_patience patience = { due + session->patience_ns, has_ended, app };
	int r = x_program_start(
		&app->program, session->list.entries[i].command, session->display, true, err);

	if (r < 0)
		return r;
	return finish(session, app, x_new_window(session->x, &patience, &app->window), "no window",
		due, ret_turn, err);
}

static int x_apps_activate(void *data, unsigned i, struct turn *ret_turn, struct error *err)
{
	struct session *session = data;
	struct x_app *app = &session->apps[i];
	int64_t due = clock_now();

	x_activate(session->x, app->window);
	return finish(session, app, X_DONE, "", due, ret_turn, err);
}

static void x_apps_teardown(void *data)
{
	struct session *session = data;

	for (unsigned i = 0; i < session->list.n; i++)
		x_program_kill(&session->apps[i].program);
	x_program_kill(&session->manager);
	x_close(session->x);
	session->x = NULL;
	x_program_kill(&session->server);
}

const struct apps_kind apps_x = {
	.state_size = sizeof(struct session),
	.probe = x_apps_probe,
	.setup = x_apps_setup,
	.name = x_apps_name,
	.start = x_apps_start,
	.activate = x_apps_activate,
	.teardown = x_apps_teardown,
};
