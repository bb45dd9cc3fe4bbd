// SPDX-License-Identifier: GPL-2.0-or-later
#include "x_fake.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
#include <xcb/xcb_ewmh.h>
#include <xcb/xcb_icccm.h>

#include "base/file.h"

/* A program whose behaviour is its argument. */
struct fake {
	const char *behaviour;
	xcb_connection_t *connection;
	xcb_ewmh_connection_t ewmh;
	xcb_window_t window;
	xcb_gcontext_t gc;
	unsigned exposed;
};

static void fake_open(struct fake *fake)
{
	xcb_screen_t *screen;
	uint32_t mask = XCB_EVENT_MASK_EXPOSURE;

	fake->connection = xcb_connect(NULL, NULL);
	if (xcb_connection_has_error(fake->connection))
		_exit(4);
	xcb_ewmh_init_atoms_replies(
		&fake->ewmh, xcb_ewmh_init_atoms(fake->connection, &fake->ewmh), NULL);
	screen = fake->ewmh.screens[0];
	fake->window = xcb_generate_id(fake->connection);
	fake->gc = xcb_generate_id(fake->connection);
	xcb_create_window(fake->connection, XCB_COPY_FROM_PARENT, fake->window, screen->root, 50,
		300, 100, 100, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT,
		XCB_CW_EVENT_MASK, &mask);
	xcb_create_gc(
		fake->connection, fake->gc, fake->window, XCB_GC_FOREGROUND, &screen->white_pixel);
	xcb_icccm_set_wm_class(fake->connection, fake->window, sizeof("fake\0Fake"), "fake\0Fake");
	xcb_icccm_set_wm_protocols(fake->connection, fake->window, fake->ewmh.WM_PROTOCOLS, 1,
		&fake->ewmh._NET_WM_PING);
	xcb_map_window(fake->connection, fake->window);
	xcb_flush(fake->connection);
}

/* A child that touches pages of its own, tells so, and ends, or stays. */
static void fake_child(bool stays)
{
	size_t page = (size_t)sysconf(_SC_PAGESIZE);
	char *pages, byte;
	int ends[2];
	pid_t pid;

	if (pipe(ends) < 0)
		_exit(4);
	pid = fork();
	if (pid) {
		close(ends[1]);
		if (read(ends[0], &byte, 1) < 1)
			_exit(4);
		close(ends[0]);
		if (!stays)
			waitpid(pid, NULL, 0);
		return;
	}
	pages = mmap(NULL, X_FAKE_PAGES * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS,
		-1, 0);
	madvise(pages, X_FAKE_PAGES * page, MADV_NOHUGEPAGE);
	for (size_t i = 0; i < X_FAKE_PAGES; i++)
		pages[i * page] = 1;
	if (write(ends[1], "", 1) < 1 || !stays)
		_exit(0);
	for (;;)
		pause();
}

static void fake_expose(struct fake *fake)
{
	const xcb_rectangle_t all = { 0, 0, 100, 100 };

	fake->exposed++;
	if (!strcmp(fake->behaviour, "unpainted"))
		return;
	/* The first two are the server's and the start's. */
	if (!strcmp(fake->behaviour, "mortal") && fake->exposed > 2)
		raise(SIGKILL);
	if (!strcmp(fake->behaviour, "closer") && fake->exposed > 2) {
		xcb_destroy_window(fake->connection, fake->window);
		return;
	}
	if (!strcmp(fake->behaviour, "family"))
		for (int stays = 0; stays <= 1; stays++)
			fake_child(stays);
	xcb_poly_fill_rectangle(fake->connection, fake->window, fake->gc, 1, &all);
}

static void fake_message(struct fake *fake, xcb_client_message_event_t *message)
{
	if (!strcmp(fake->behaviour, "deaf"))
		return;
	message->window = fake->ewmh.screens[0]->root;
	xcb_send_event(fake->connection, 0, message->window,
		XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY | XCB_EVENT_MASK_SUBSTRUCTURE_REDIRECT,
		(const char *)message);
}

/* Ends the display by ending its server: the sibling that is called Xvfb. */
static void server_kill(void)
{
	char command[128], output[64];
	const char *const argv[] = { "sh", "-c", command, NULL };

	snprintf(command, sizeof(command), "pkill -KILL -x -P %d Xvfb", (int)getppid());
	program_run(argv, output, sizeof(output));
}

int x_fake_main(const char *behaviour)
{
	struct fake fake = { .behaviour = behaviour };
	xcb_generic_event_t *event;

	if (!strcmp(behaviour, "exit"))
		return 3;
	while (!strcmp(behaviour, "silent"))
		pause();
	if (!strcmp(behaviour, "killer"))
		server_kill();
	fake_open(&fake);
	while ((event = xcb_wait_for_event(fake.connection))) {
		if ((event->response_type & 0x7f) == XCB_EXPOSE)
			fake_expose(&fake);
		if ((event->response_type & 0x7f) == XCB_CLIENT_MESSAGE)
			fake_message(&fake, (xcb_client_message_event_t *)event);
		free(event);
		xcb_flush(fake.connection);
	}
	return 5;
}
