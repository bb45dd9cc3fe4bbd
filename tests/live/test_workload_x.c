// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * apps with X programs, on a display of its own: real ones, and ones that misbehave. As
 * "test PROGRAM BEHAVIOUR" this is such a program itself.
 */
#include "../unit/test.h"

#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "base/file.h"
#include "drive.h"
#include "workload/apps.h"
#include "x_fake.h"

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

static const char *const managers[] = { "", ",wm=openbox" };

static bool manager_exists(size_t i)
{
	return !managers[i][0] || program_exists("openbox");
}

static void six_programs_are_started_and_switched_to(void **state)
{
	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(managers); i++) {
		struct drive_result result;

		if (!manager_exists(i))
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

/* Writes a program that is run as an app and ends without a window. Returns its path. */
static const char *script(const char *name, const char *command, char *path, size_t size)
{
	char text[2048];

	path_of(name, path, size);
	snprintf(text, sizeof(text), "#!/bin/sh\nexec %s\n", command);
	assert_int_equal(file_write(path, text, strlen(text), NULL), 0);
	assert_int_equal(chmod(path, 0755), 0);
	return path;
}

#define SCREEN_WIDTH 1280
#define SCREEN_HEIGHT 1024

/*
 * The screen is black; each of the six is black on white, and a frame takes some of the place.
 * That much from its corner on is nobody else's.
 */
static void assert_window_at(const unsigned char *pixels, unsigned x, unsigned y)
{
	const unsigned width = 100, height = 120;
	unsigned bright = 0, dark = 0;

	for (unsigned i = 0; i < width * height; i++) {
		const unsigned char *bgr =
			pixels + 4 * ((y + i / width) * SCREEN_WIDTH + x + i % width);

		bright += bgr[0] + bgr[1] + bgr[2] > 3 * 200;
		dark += bgr[0] + bgr[1] + bgr[2] < 3 * 50;
	}
	if (bright < width * height / 10 || dark < 50)
		fail_msg("no window at +%u+%u: %u pixels are bright, %u dark", x, y, bright, dark);
}

static void assert_picture(const char *path)
{
	static const unsigned places[][2] = { { 0, 0 }, { 200, 0 }, { 400, 0 }, { 600, 0 },
		{ 0, 400 }, { 200, 400 } };
	const size_t size_of_pixels = (size_t)4 * SCREEN_WIDTH * SCREEN_HEIGHT;
	size_t size;
	char *data;

	assert_int_equal(file_read(path, &data, &size, NULL), 0);
	/* Behind a header. */
	assert_true(size > size_of_pixels);
	for (size_t i = 0; i < ARRAY_SIZE(places); i++)
		assert_window_at((const unsigned char *)data + size - size_of_pixels, places[i][0],
			places[i][1]);
	free(data);
}

/* The seventh takes a picture of the screen. */
static void a_picture_shows_the_windows(void **state)
{
	char path[512], picture[512], command[1024], list[4096];

	(void)state;
	path_of("screen.xwd", picture, sizeof(picture));
	snprintf(command, sizeof(command), "xwd -silent -root -out %s", picture);
	snprintf(
		list, sizeof(list), SIX "shot = %s\n", script("shot", command, path, sizeof(path)));
	for (size_t i = 0; i < ARRAY_SIZE(managers); i++) {
		if (!manager_exists(i))
			continue;
		unlink(picture);
		driven_well(list, managers[i]);
		assert_int_equal(value("starts"), 6);
		assert_true(said("7 start: exited with status 0"));
		assert_picture(picture);
	}
}

static void faults_of_a_program_are_its_childrens_too(void **state)
{
	char list[2048];

	(void)state;
	/* Without this file they cannot be found (CONFIG_PROC_CHILDREN). */
	if (access("/proc/thread-self/children", R_OK) < 0)
		return;
	snprintf(list, sizeof(list), "[apps]\none = %s PROGRAM family\n", self);
	driven_well(list, "");
	assert_int_equal(value("failed"), 0);
	assert_int_equal(value("switched"), 1);
	assert_true(value("app_minor_faults") >= 2 * X_FAKE_PAGES);
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
		cmocka_unit_test(faults_of_a_program_are_its_childrens_too),
		cmocka_unit_test(one_that_behaves_is_timed_and_answers_pings),
		cmocka_unit_test(misbehaviour_has_an_outcome_and_the_others_go_on),
		cmocka_unit_test(a_display_that_goes_away_is_an_error_and_no_hang),
		cmocka_unit_test(what_is_not_installed_is_left_out_by_name),
		cmocka_unit_test(a_list_that_is_wrong_is_refused_by_its_line),
	};
	char path[512] = "";
	int code;

	if (argc == 3 && !strcmp(argv[1], "PROGRAM"))
		return x_fake_main(argv[2]);
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
