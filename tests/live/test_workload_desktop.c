// SPDX-License-Identifier: GPL-2.0-or-later
/* apps and stream do what they say, in a memory group; and apps that misbehave are survived. */
#include "../unit/test.h"

#include <signal.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/socket.h>

#include "drive.h"
#include "workload/app_protocol.h"

#define LIMIT (128 * MIB)
#define TO_THE_END 100000

/* What the workload said and counted; written in its process. */
static struct saw {
	struct workload_events events;
	int64_t values[64];
} * saw;

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

static int64_t value(const char *workload, const char *name)
{
	const struct workload *w = workload_find(workload, WORKLOAD_LEAD);

	for (size_t i = 0; i < w->n_metrics; i++)
		if (!strcmp(w->metrics[i].name, name))
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

static struct drive_result driven(const char *workload, const char *options)
{
	struct drive_result result = drive(&(struct drive) { .workload = workload,
		.options = options,
		.role = WORKLOAD_LEAD,
		.steps = TO_THE_END,
		.ram_bytes = LIMIT,
		.before_steps = listen_to,
		.after_steps = look });

	if (result.code < 0)
		fail_msg("%s:%s: %d: %s", workload, options, result.code, result.error.text);
	assert_true(result.done);
	assert_int_equal(result.left, 0);
	return result;
}

static int64_t lost(const char *kind)
{
	char begin[64], end[64];

	snprintf(begin, sizeof(begin), "%s_resident_begin", kind);
	snprintf(end, sizeof(end), "%s_resident_end", kind);
	return value("stream", begin) - value("stream", end);
}

static void a_stream_that_fits_beside_the_set_costs_nothing(void **state)
{
	struct drive_result result = driven("stream", "size=20%,exec=8%,data=8%,anon=8%");

	(void)state;
	/* A tenth of it is read twice. */
	assert_true(result.units >= LIMIT / 5);
	assert_int_equal(result.units, LIMIT / 5 / (64 * KIB) * 11 / 10 * (64 * KIB));
	assert_int_equal(value("stream", "restore_majors"), 0);
	assert_int_equal(lost("exec"), 0);
	assert_int_equal(lost("data"), 0);
	assert_int_equal(lost("anon"), 0);
}

static void a_stream_that_does_not_fit_throws_the_set_out(void **state)
{
	(void)state;
	driven("stream", "size=500%,exec=8%,data=8%,anon=8%");
	assert_true(lost("data") > value("stream", "data_pages") / 2);
	assert_true(lost("exec") > 0);
	assert_true(value("stream", "data_restore_majors") > 0);
	assert_true(value("stream", "exec_restore_majors") > 0);
	/* The group has no swap: where would it go? */
	assert_int_equal(lost("anon"), 0);
	assert_int_equal(value("stream", "anon_restore_majors"), 0);
}

/* Kernels spare executable text, or treat it like other mapped pages; none does the contrary. */
static void text_and_mapped_data_are_told_apart(void **state)
{
	(void)state;
	driven("stream", "size=150%,exec=10%,data=10%,anon=0");
	assert_true(lost("data") > 0);
	assert_true(lost("exec") <= lost("data"));
	assert_true(value("stream", "exec_restore_majors") <=
		    value("stream", "data_restore_majors") + 8);
	driven("stream", "size=500%,exec=0,data=10%,anon=0");
	assert_int_equal(value("stream", "exec_restore_majors"), 0);
	assert_int_equal(value("stream", "restore_majors"), value("stream", "data_restore_majors"));
}

static void counters_are_noted_at_three_moments_in_order(void **state)
{
	(void)state;
	driven("stream", "size=300%,exec=4%,data=4%,anon=0,sparse=no");
	assert_true(value("stream", "begin_nr_mapped") > 0);
	assert_true(value("stream", "end_pgfree") > value("stream", "begin_pgfree"));
	assert_true(value("stream", "restore_pgmajfault") >= value("stream", "end_pgmajfault"));
	assert_true(said("begin") && said("end") && said("restore"));
}

static void apps_are_started_and_each_start_is_followed_by_a_round(void **state)
{
	struct drive_result result = driven("apps", "apps=5,exec=2%,data=2%,anon=2%");

	(void)state;
	assert_int_equal(result.units, 5 + 15);
	assert_int_equal(value("apps", "starts"), 5);
	assert_int_equal(value("apps", "switches"), 15);
	assert_int_equal(value("apps", "failed"), 0);
	assert_int_equal(value("apps", "open"), 5);
	assert_true(value("apps", "switch_p99_ns") >= value("apps", "switch_median_ns"));
	/* All of it fits. */
	assert_int_equal(value("apps", "app_major_faults"), 0);
}

static void switches_fault_when_memory_is_full(void **state)
{
	(void)state;
	driven("apps", "apps=6,exec=15%,data=15%,anon=0");
	assert_int_equal(value("apps", "failed"), 0);
	assert_true(value("apps", "app_major_faults") > 0);
}

/* What an app of this test does, by its number. */
static const char *fake;

static void one_that_exits_at_once_is_said_and_the_others_go_on(void **state)
{
	struct drive_result result;

	(void)state;
	setenv("FAKE_APP", "exit", 1);
	result = driven("apps", "apps=3,exec=1%,data=1%,anon=1%");
	unsetenv("FAKE_APP");
	/* 1; 1; 2; 1; 3; 1 3 */
	assert_int_equal(result.units, 7);
	assert_int_equal(value("apps", "starts"), 2);
	assert_int_equal(value("apps", "switches"), 4);
	assert_int_equal(value("apps", "failed"), 1);
	assert_true(said("2 start: exited with status 3"));
}

static void one_that_never_answers_hangs_as_long_as_patience_lasts(void **state)
{
	(void)state;
	setenv("FAKE_APP", "hang", 1);
	driven("apps", "apps=3,exec=1%,data=1%,anon=1%,patience=500ms");
	unsetenv("FAKE_APP");
	assert_int_equal(value("apps", "starts"), 3);
	assert_true(value("apps", "start_worst_ns") >= 500 * NS_PER_MS);
	assert_int_equal(value("apps", "failed"), 1);
	assert_true(said("2 start: no answer in 0.5 s"));
}

static void one_that_is_killed_in_mid_run_is_out(void **state)
{
	struct drive_result result;

	(void)state;
	setenv("FAKE_APP", "die", 1);
	result = driven("apps", "apps=3,exec=1%,data=1%,anon=1%");
	unsetenv("FAKE_APP");
	/* 1; 1; 2; 1 2 (dies); 3; 1 3 */
	assert_int_equal(result.units, 8);
	assert_int_equal(value("apps", "starts"), 3);
	assert_int_equal(value("apps", "failed"), 1);
	assert_int_equal(value("apps", "open"), 2);
	assert_true(said("2 switch: killed by signal 9"));
}

/* No swap, and more than there is: apps are killed, who drives them is not. */
static void the_driver_is_never_the_victim(void **state)
{
	(void)state;
	driven("apps", "apps=4,exec=0,data=0,anon=45%");
	assert_true(value("apps", "failed") > 0);
	assert_true(said("killed by signal 9"));
}

static int skip_all(void)
{
	puts("1..0 # SKIP no memory cgroup that can be used here");
	return 77;
}

/* The second app of a test that says so misbehaves. */
static void misbehave(void)
{
	static struct app_order order;
	static const struct app_message ready;
	char asked;

	if (!strcmp(fake, "exit"))
		_exit(3);
	while (!strcmp(fake, "hang"))
		pause();
	recv(APP_SOCKET, &order, sizeof(order), 0);
	send(APP_SOCKET, &ready, sizeof(ready), 0);
	recv(APP_SOCKET, &asked, 1, 0);
	raise(SIGKILL);
}

int main(int argc, char **argv)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_stream_that_fits_beside_the_set_costs_nothing),
		cmocka_unit_test(a_stream_that_does_not_fit_throws_the_set_out),
		cmocka_unit_test(text_and_mapped_data_are_told_apart),
		cmocka_unit_test(counters_are_noted_at_three_moments_in_order),
		cmocka_unit_test(apps_are_started_and_each_start_is_followed_by_a_round),
		cmocka_unit_test(switches_fault_when_memory_is_full),
		cmocka_unit_test(one_that_exits_at_once_is_said_and_the_others_go_on),
		cmocka_unit_test(one_that_never_answers_hangs_as_long_as_patience_lasts),
		cmocka_unit_test(one_that_is_killed_in_mid_run_is_out),
		cmocka_unit_test(the_driver_is_never_the_victim),
	};
	int code;

	fake = getenv("FAKE_APP");
	if (fake && !strcmp(argv[0], APP_NAME) && !strcmp(argv[1], "2"))
		misbehave();
	/* This program is its own app. */
	code = app_main(argc, argv);
	if (code >= 0)
		return code;
	/* Only contend's own apps. */
	unsetenv("DISPLAY");
	if (!drive_possible())
		return skip_all();
	saw = mmap(NULL, sizeof(*saw), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	code = cmocka_run_group_tests(tests, NULL, NULL);
	drive_done();
	return code;
}
