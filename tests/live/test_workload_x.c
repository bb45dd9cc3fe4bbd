// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * apps with X programs, on a display of its own: real ones, and ones that misbehave. As
 * "test PROGRAM BEHAVIOUR" this is such a program itself.
 */
#include "../unit/test.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <xcb/xcb_ewmh.h>
#include <xcb/xcb_icccm.h>

#include "base/file.h"
#include "drive.h"
#include "workload/apps.h"

#define LIMIT (512 * MIB)
#define TO_THE_END 100000

static struct saw {
	struct workload_events events;
	int64_t values[64];
} * saw;

static const char *self;

static void listen_to(struct instance *instance)
{
	memset(saw, 0, sizeof(*saw));
	instance->events = &saw->events;
}

static void look(struct instance *instance)
{
	for (size_t i = 0; i < instance->workload->n_metrics; i++)
		saw->values[i] = atomic_load(&instance->values[i]);
}

static int64_t value(const char *name)
{
	const struct workload *apps = workload_find("apps", WORKLOAD_LEAD);

	for (size_t i = 0; i < apps->n_metrics; i++)
		if (!strcmp(apps->metrics[i].name, name))
			return saw->values[i];
	fail_msg("no metric %s", name);
	return 0;
}

static bool said(const char *text)
{
	for (uint64_t i = 0; i < atomic_load(&saw->events.n); i++)
		if (strstr(saw->events.events[i].text, text))
			return true;
	return false;
}

/* All that was said, for a failure's message. */
static void told(void)
{
	for (uint64_t i = 0; i < atomic_load(&saw->events.n); i++)
		print_error("said: %s\n", saw->events.events[i].text);
}

static const char *path_of(const char *name, char *buf, size_t size)
{
	snprintf(buf, size, "%s/%s", drive_dir(), name);
	return buf;
}

/*
 * Drives the programs of a list on a display of its own. What they leave behind (a terminal's
 * shell) is ended with the group.
 */
static struct drive_result driven(const char *list, const char *more)
{
	char path[512], options[1024];

	path_of("list.ini", path, sizeof(path));
	assert_int_equal(file_write(path, list, strlen(list), NULL), 0);
	snprintf(options, sizeof(options), "display=xvfb,list=%s%s", path, more);
	return drive(&(struct drive) { .workload = "apps",
		.options = options,
		.role = WORKLOAD_LEAD,
		.steps = TO_THE_END,
		.ram_bytes = LIMIT,
		.before_steps = listen_to,
		.after_steps = look });
}

static struct drive_result driven_well(const char *list, const char *more)
{
	struct drive_result result = driven(list, more);

	if (result.code < 0)
		fail_msg("%d: %s", result.code, result.error.text);
	assert_true(result.done);
	return result;
}

#define SIX \
	"[apps]\n" \
	"clock = xclock -geometry +0+0\neyes = xeyes -geometry +200+0\n" \
	"logo = xlogo -geometry +400+0\ncalc = xcalc -geometry +600+0\n" \
	"oclock = oclock -geometry +0+400\nterm = xterm -geometry +200+400\n"

static void six_programs_are_started_and_switched_to(void **state)
{
	static const char *const managers[] = { "", ",wm=openbox" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(managers); i++) {
		struct drive_result result;

		if (i && !program_exists("openbox"))
			continue;
		result = driven_well(SIX, managers[i]);
		if (value("failed"))
			told();
		assert_int_equal(result.units, 6 + 21);
		assert_int_equal(value("starts"), 6);
		assert_int_equal(value("switches"), 21);
		assert_int_equal(value("failed"), 0);
		assert_true(value("start_median_ns") > 0);
		assert_true(value("switch_median_ns") > 0);
	}
}

/* The seventh takes a picture of the screen and ends without a window. */
static void a_picture_shows_the_windows(void **state)
{
	char script[512], picture[512], text[2048], list[4096];
	unsigned char colours[256] = { 0 };
	size_t size, n = 0;
	char *data;

	(void)state;
	path_of("screen.xwd", picture, sizeof(picture));
	path_of("shot", script, sizeof(script));
	snprintf(text, sizeof(text), "#!/bin/sh\nexec xwd -silent -root -out %s\n", picture);
	assert_int_equal(file_write(script, text, strlen(text), NULL), 0);
	assert_int_equal(chmod(script, 0755), 0);
	snprintf(list, sizeof(list), SIX "shot = %s\n", script);
	driven_well(list, "");
	assert_int_equal(value("starts"), 6);
	assert_true(said("7 start: exited with status 0"));
	assert_int_equal(file_read(picture, &data, &size, NULL), 0);
	/* 1280 x 1024 of 32 bits, behind a header. */
	assert_true(size > 1280 * 1024 * 4);
	for (size_t i = size - 1280 * 1024 * 4; i < size; i += 4)
		colours[(unsigned char)data[i]] = 1;
	for (size_t i = 0; i < sizeof(colours); i++)
		n += colours[i];
	free(data);
	/* An empty screen is black. */
	assert_true(n > 4);
}

/* A list with a clock, a program of this test that behaves so, and another clock. */
static const char *with_fake(const char *behaviour, char *buf, size_t size)
{
	snprintf(buf, size, "[apps]\none = xclock\ntwo = %s PROGRAM %s\nthree = xlogo\n", self,
		behaviour);
	return buf;
}

static void one_that_behaves_is_timed_and_answers_pings(void **state)
{
	char list[2048];

	(void)state;
	driven_well(with_fake("well", list, sizeof(list)), ",patience=5s");
	if (value("failed"))
		told();
	assert_int_equal(value("starts"), 3);
	assert_int_equal(value("failed"), 0);
}

static void misbehaviour_has_an_outcome_and_the_others_go_on(void **state)
{
	static const struct {
		const char *behaviour, *event;
		int starts, open;
	} fakes[] = {
		{ "silent", "2 start: no window in 1 s", 3, 2 },
		{ "exit", "2 start: exited with status 3", 2, 2 },
		{ "unpainted", "2 start: not painted in 1 s", 3, 2 },
		{ "deaf", "2 start: ping not answered in 1 s", 3, 2 },
		{ "mortal", "2 switch: killed by signal 9", 3, 2 },
		{ "closer", "2 switch: ", 3, 2 },
	};
	char list[2048];

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(fakes); i++) {
		driven_well(with_fake(fakes[i].behaviour, list, sizeof(list)), ",patience=1s");
		if (!said(fakes[i].event)) {
			told();
			fail_msg("%s: not said", fakes[i].behaviour);
		}
		assert_int_equal(value("failed"), 1);
		assert_int_equal(value("starts"), fakes[i].starts);
		assert_int_equal(value("open"), fakes[i].open);
	}
}

static void a_display_that_goes_away_is_an_error_and_no_hang(void **state)
{
	struct drive_result result;
	char list[2048];

	(void)state;
	result = driven(with_fake("killer", list, sizeof(list)), ",patience=5s");
	assert_int_equal(result.code, -ECONNRESET);
	assert_non_null(strstr(result.error.text, "is gone"));
}

static void what_is_not_installed_is_left_out_by_name(void **state)
{
	(void)state;
	driven_well("[apps]\nno-such = no-such-program -x\nclock = xclock\n", "");
	assert_int_equal(value("starts"), 1);
	assert_int_equal(value("failed"), 0);
}

static void a_list_that_is_wrong_is_refused_by_its_line(void **state)
{
	struct drive_result result = driven("[apps]\nclock = xclock\n[other]\nx = y\n", "");

	(void)state;
	assert_int_equal(result.code, -EINVAL);
	assert_non_null(strstr(result.error.text, "list.ini:4"));
	result = driven("[apps]\nno-such = no-such-program\n", "");
	assert_int_equal(result.code, -EOPNOTSUPP);
	assert_non_null(strstr(result.error.text, "no-such"));
}

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

static int fake_main(const char *behaviour)
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

static int skip_all(const char *why)
{
	printf("1..0 # SKIP %s\n", why);
	return 77;
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_programs_are_started_and_switched_to),
		cmocka_unit_test(a_picture_shows_the_windows),
		cmocka_unit_test(one_that_behaves_is_timed_and_answers_pings),
		cmocka_unit_test(misbehaviour_has_an_outcome_and_the_others_go_on),
		cmocka_unit_test(a_display_that_goes_away_is_an_error_and_no_hang),
		cmocka_unit_test(what_is_not_installed_is_left_out_by_name),
		cmocka_unit_test(a_list_that_is_wrong_is_refused_by_its_line),
	};
	char path[512] = "";
	int code;

	if (argc == 3 && !strcmp(argv[1], "PROGRAM"))
		return fake_main(argv[2]);
	if (!drive_possible())
		return skip_all("no memory cgroup that can be used here");
	if (!program_exists("Xvfb") || !program_exists("xclock") || !program_exists("xterm"))
		return skip_all("no Xvfb, x11-apps or xterm");
	if (readlink("/proc/self/exe", path, sizeof(path) - 1) < 0)
		return 99;
	self = path;
	saw = mmap(NULL, sizeof(*saw), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	code = cmocka_run_group_tests(tests, NULL, NULL);
	drive_done();
	return code;
}
