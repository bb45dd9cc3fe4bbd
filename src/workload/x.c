// SPDX-License-Identifier: GPL-2.0-or-later
#include "workload/x.h"

#include <poll.h>
#include <string.h>
#include <xcb/damage.h>
#include <xcb/xcb_ewmh.h>
#include <xcb/xcb_icccm.h>

#include "base/cleanup.h"
#include "base/clock.h"

#define WINDOWS 512

/* A top-level window of some program. */
struct window {
	xcb_window_t id; /* 0: free */
	bool mapped, taken;
	uint64_t damages, pongs;
};

struct x {
	xcb_connection_t *connection;
	xcb_ewmh_connection_t ewmh;
	bool has_ewmh;
	xcb_screen_t *screen;
	uint8_t damage_event;
	struct window windows[WINDOWS];
};

void x_close(struct x *x)
{
	if (!x)
		return;
	if (x->has_ewmh)
		xcb_ewmh_connection_wipe(&x->ewmh);
	xcb_disconnect(x->connection);
	free(x);
}

static void x_cleanup(struct x **x)
{
	x_close(*x);
}

/* The Damage extension must be told the version before anything else. */
static bool damage_open(struct x *x)
{
	const xcb_query_extension_reply_t *extension =
		xcb_get_extension_data(x->connection, &xcb_damage_id);
	xcb_damage_query_version_reply_t *reply;
	bool there;

	if (!extension || !extension->present)
		return false;
	reply = xcb_damage_query_version_reply(x->connection,
		xcb_damage_query_version(
			x->connection, XCB_DAMAGE_MAJOR_VERSION, XCB_DAMAGE_MINOR_VERSION),
		NULL);
	there = reply;
	free(reply);
	x->damage_event = extension->first_event + XCB_DAMAGE_NOTIFY;
	return there;
}

int x_open(const char *display, struct x **ret_x, struct error *err)
{
	struct x *x CLEANUP(x_cleanup) = calloc(1, sizeof(*x));
	uint32_t mask = XCB_EVENT_MASK_SUBSTRUCTURE_NOTIFY;
	int number;

	if (!x)
		return error_errno(err, -ENOMEM, "display %s", display);
	x->connection = xcb_connect(display, &number);
	if (xcb_connection_has_error(x->connection))
		return error_set(err, -ECONNREFUSED, "cannot connect to the display %s", display);
	x->has_ewmh = xcb_ewmh_init_atoms_replies(
		&x->ewmh, xcb_ewmh_init_atoms(x->connection, &x->ewmh), NULL);
	if (!x->has_ewmh || !damage_open(x))
		return error_set(
			err, -EOPNOTSUPP, "the display %s has no DAMAGE extension", display);
	x->screen = x->ewmh.screens[number];
	xcb_change_window_attributes(x->connection, x->screen->root, XCB_CW_EVENT_MASK, &mask);
	xcb_flush(x->connection);
	*ret_x = x;
	x = NULL;
	return 0;
}

static struct window *window_find(struct x *x, xcb_window_t id)
{
	for (size_t i = 0; i < WINDOWS; i++)
		if (x->windows[i].id == id)
			return &x->windows[i];
	return NULL;
}

/* Asked behind the selection of its events, so that one that a fast program mapped is not missed. */
static bool is_mapped(struct x *x, xcb_window_t window)
{
	xcb_get_window_attributes_reply_t *reply = xcb_get_window_attributes_reply(
		x->connection, xcb_get_window_attributes(x->connection, window), NULL);
	bool mapped = reply && reply->map_state != XCB_MAP_STATE_UNMAPPED;

	free(reply);
	return mapped;
}

/* It is watched from its creation on. */
static void window_add(struct x *x, const xcb_create_notify_event_t *created)
{
	struct window *window = window_find(x, 0);
	uint32_t mask = XCB_EVENT_MASK_STRUCTURE_NOTIFY;

	if (!window || created->override_redirect || created->parent != x->screen->root)
		return;
	*window = (struct window) { .id = created->window };
	xcb_change_window_attributes(x->connection, window->id, XCB_CW_EVENT_MASK, &mask);
	xcb_damage_create(x->connection, xcb_generate_id(x->connection), window->id,
		XCB_DAMAGE_REPORT_LEVEL_RAW_RECTANGLES);
	window->mapped = is_mapped(x, window->id);
}

static void take_client_message(struct x *x, const xcb_client_message_event_t *message)
{
	struct window *window;

	if (message->type != x->ewmh.WM_PROTOCOLS ||
		message->data.data32[0] != x->ewmh._NET_WM_PING)
		return;
	window = window_find(x, message->data.data32[2]);
	if (window)
		window->pongs++;
}

static void take(struct x *x, const xcb_generic_event_t *event)
{
	uint8_t type = event->response_type & 0x7f;
	struct window *window;

	if (type == x->damage_event) {
		window = window_find(x, ((const xcb_damage_notify_event_t *)event)->drawable);
		if (window)
			window->damages++;
	} else if (type == XCB_CREATE_NOTIFY) {
		window_add(x, (const xcb_create_notify_event_t *)event);
	} else if (type == XCB_MAP_NOTIFY) {
		window = window_find(x, ((const xcb_map_notify_event_t *)event)->window);
		if (window)
			window->mapped = true;
	} else if (type == XCB_DESTROY_NOTIFY) {
		window = window_find(x, ((const xcb_destroy_notify_event_t *)event)->window);
		if (window)
			*window = (struct window) { 0 };
	} else if (type == XCB_CLIENT_MESSAGE) {
		take_client_message(x, (const xcb_client_message_event_t *)event);
	}
}

static void take_all(struct x *x)
{
	xcb_generic_event_t *event;

	while ((event = xcb_poll_for_event(x->connection))) {
		take(x, event);
		free(event);
	}
	xcb_flush(x->connection);
}

/* What the server did so far has been taken when this returns. */
static void round_trip(struct x *x)
{
	free(xcb_get_input_focus_reply(x->connection, xcb_get_input_focus(x->connection), NULL));
	take_all(x);
}

/* A program's end is no event of the display: it is looked for this often. */
#define LOOK_NS (20 * NS_PER_MS)

/* Waits until there is something new. */
static enum x_wait wait_event(struct x *x, const struct x_patience *patience)
{
	struct pollfd fd = { xcb_get_file_descriptor(x->connection), POLLIN, 0 };
	int64_t now = clock_now(), left = patience->until_ns - now;
	struct timespec wait = ns_timespec(left < LOOK_NS ? (left > 0 ? left : 0) : LOOK_NS);

	xcb_flush(x->connection);
	if (xcb_connection_has_error(x->connection))
		return X_GONE;
	if (patience->ended && patience->ended(patience->data))
		return X_ENDED;
	if (left <= 0)
		return X_LATE;
	ppoll(&fd, 1, &wait, NULL);
	take_all(x);
	return X_DONE;
}

/* Programs give their window a class before they map it (ICCCM 4.1.2); frames have none. */
static bool has_class(struct x *x, xcb_window_t window)
{
	xcb_icccm_get_wm_class_reply_t class;

	if (!xcb_icccm_get_wm_class_reply(
		    x->connection, xcb_icccm_get_wm_class(x->connection, window), &class, NULL))
		return false;
	xcb_icccm_get_wm_class_reply_wipe(&class);
	return true;
}

enum x_wait x_new_window(struct x *x, const struct x_patience *patience, uint32_t *ret_window)
{
	for (;;) {
		enum x_wait r;

		take_all(x);
		for (size_t i = 0; i < WINDOWS; i++) {
			struct window *window = &x->windows[i];

			if (!window->id || !window->mapped || window->taken ||
				!has_class(x, window->id))
				continue;
			window->taken = true;
			*ret_window = window->id;
			return X_DONE;
		}
		r = wait_event(x, patience);
		if (r != X_DONE)
			return r;
	}
}

bool x_managed(struct x *x, int64_t patience_ns)
{
	const struct x_patience patience = { .until_ns = clock_now() + patience_ns };

	do {
		xcb_window_t check;

		if (xcb_ewmh_get_supporting_wm_check_reply(&x->ewmh,
			    xcb_ewmh_get_supporting_wm_check(&x->ewmh, x->screen->root), &check,
			    NULL))
			return true;
	} while (wait_event(x, &patience) == X_DONE);
	return false;
}

/* A window that was not mapped by then was lost. */
#define LOST_NS (500 * NS_PER_MS)

static bool shows(struct x *x)
{
	const struct x_patience patience = { .until_ns = clock_now() + LOST_NS };
	xcb_window_t window = xcb_generate_id(x->connection);
	bool mapped;

	xcb_create_window(x->connection, XCB_COPY_FROM_PARENT, window, x->screen->root, 0, 0, 16,
		16, 0, XCB_WINDOW_CLASS_INPUT_OUTPUT, XCB_COPY_FROM_PARENT, 0, NULL);
	xcb_map_window(x->connection, window);
	do {
		mapped = is_mapped(x, window);
	} while (!mapped && wait_event(x, &patience) == X_DONE);
	xcb_destroy_window(x->connection, window);
	round_trip(x);
	return mapped;
}

bool x_serves(struct x *x, int64_t patience_ns)
{
	int64_t until = clock_now() + patience_ns;

	while (clock_now() < until && !xcb_connection_has_error(x->connection))
		if (shows(x))
			return true;
	return false;
}

void x_activate(struct x *x, uint32_t window)
{
	static const uint32_t above = XCB_STACK_MODE_ABOVE;

	if (x_managed(x, 0)) {
		xcb_ewmh_request_change_active_window(&x->ewmh, 0, window,
			XCB_EWMH_CLIENT_SOURCE_TYPE_OTHER, XCB_CURRENT_TIME, XCB_NONE);
	} else {
		xcb_configure_window(x->connection, window, XCB_CONFIG_WINDOW_STACK_MODE, &above);
		xcb_set_input_focus(
			x->connection, XCB_INPUT_FOCUS_PARENT, window, XCB_CURRENT_TIME);
	}
	xcb_flush(x->connection);
}

/* Tells a window and all in it that everything must be painted. */
static void expose(struct x *x, xcb_window_t window, unsigned depth)
{
	xcb_get_geometry_cookie_t asked = xcb_get_geometry(x->connection, window);
	xcb_query_tree_reply_t *tree =
		xcb_query_tree_reply(x->connection, xcb_query_tree(x->connection, window), NULL);
	xcb_get_geometry_reply_t *at = xcb_get_geometry_reply(x->connection, asked, NULL);
	xcb_expose_event_t event = { .response_type = XCB_EXPOSE, .window = window };

	if (at) {
		event.width = at->width;
		event.height = at->height;
		xcb_send_event(
			x->connection, 0, window, XCB_EVENT_MASK_EXPOSURE, (const char *)&event);
	}
	for (int i = 0; tree && depth && i < xcb_query_tree_children_length(tree); i++)
		expose(x, xcb_query_tree_children(tree)[i], depth - 1);
	free(tree);
	free(at);
}

/* No program nests its windows deeper than that. */
#define DEPTH 16

enum x_wait x_painted(struct x *x, uint32_t id, const struct x_patience *patience)
{
	const struct window *window = window_find(x, id);
	uint64_t before;
	enum x_wait r = X_DONE;

	if (!window)
		return X_ENDED;
	round_trip(x);
	before = window->damages;
	expose(x, id, DEPTH);
	while (r == X_DONE && window->id == id && window->damages == before)
		r = wait_event(x, patience);
	if (r == X_DONE && window->id != id)
		return X_ENDED;
	return r;
}

static bool knows_ping(struct x *x, xcb_window_t window)
{
	xcb_icccm_get_wm_protocols_reply_t protocols;
	bool knows = false;

	if (!xcb_icccm_get_wm_protocols_reply(x->connection,
		    xcb_icccm_get_wm_protocols(x->connection, window, x->ewmh.WM_PROTOCOLS),
		    &protocols, NULL))
		return false;
	for (uint32_t i = 0; i < protocols.atoms_len; i++)
		knows = knows || protocols.atoms[i] == x->ewmh._NET_WM_PING;
	xcb_icccm_get_wm_protocols_reply_wipe(&protocols);
	return knows;
}

/* To the program, whatever it has selected: xcb_ewmh_send_wm_ping() sends to window managers. */
static void ping(struct x *x, xcb_window_t window)
{
	const xcb_client_message_event_t event = {
		.response_type = XCB_CLIENT_MESSAGE,
		.format = 32,
		.window = window,
		.type = x->ewmh.WM_PROTOCOLS,
		.data.data32 = { x->ewmh._NET_WM_PING, XCB_CURRENT_TIME, window },
	};

	xcb_send_event(x->connection, 0, window, XCB_EVENT_MASK_NO_EVENT, (const char *)&event);
}

enum x_wait x_answered(struct x *x, uint32_t id, const struct x_patience *patience)
{
	const struct window *window = window_find(x, id);
	uint64_t before = window ? window->pongs : 0;
	enum x_wait r = X_DONE;

	if (!window)
		return X_ENDED;
	if (!knows_ping(x, id))
		return X_DONE;
	ping(x, id);
	while (r == X_DONE && window->id == id && window->pongs == before)
		r = wait_event(x, patience);
	if (r == X_DONE && window->id != id)
		return X_ENDED;
	return r;
}
