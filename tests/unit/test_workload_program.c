// SPDX-License-Identifier: GPL-2.0-or-later
#include "test.h"

#include <signal.h>
#include <stdio.h>
#include <sys/wait.h>

#include "base/clock.h"
#include "workload/program.h"

static const struct program_how here = { 0 };
static const struct program_how merged = { .merged = true };

#define SHELL(command) ((const char *const[]) { "/bin/sh", "-c", (command), NULL })

static struct program start(const char *command, const struct program_how *how)
{
	struct program program;

	assert_int_equal(program_start(&program, SHELL(command), how, NULL), 0);
	return program;
}

static int finish(struct program *program)
{
	int status = -1, r;

	while ((r = program_follow(program, &status, NULL)) > 0)
		;
	assert_int_equal(r, 0);
	assert_int_equal(program->pid, 0);
	return status;
}

static void lines_are_counted_as_they_come(void **state)
{
	struct program program = start("echo one; sleep 0.05; printf 'two\\nthree\\nfour'", &here);
	char line[64];

	(void)state;
	assert_int_equal(finish(&program), 0);
	assert_int_equal(program.lines, 3);
	assert_string_equal(program_line(&program, line, sizeof(line)), "three");
}

static void much_output_is_counted_whole(void **state)
{
	struct program program =
		start("i=0; while [ $i -lt 20000 ]; do echo $i; i=$((i+1)); done", &here);

	(void)state;
	assert_int_equal(finish(&program), 0);
	assert_int_equal(program.lines, 20000);
}

static void errors_are_not_lines_unless_merged(void **state)
{
	struct program program = start("echo a >&2; echo b", &here);

	(void)state;
	assert_int_equal(finish(&program), 0);
	assert_int_equal(program.lines, 1);
	program = start("echo a >&2; echo b", &merged);
	assert_int_equal(finish(&program), 0);
	assert_int_equal(program.lines, 2);
}

static void a_failure_says_status_and_last_words(void **state)
{
	struct program program = start("echo fine; echo 'it  is\n\tfull' >&2; exit 3", &here);
	struct error err;
	int status = finish(&program);

	(void)state;
	assert_int_equal(program_failure(&program, "make", status, &err), -EIO);
	assert_string_equal(err.text, "make ended with status 3: it is full");
	program = start("kill -9 $$", &here);
	status = finish(&program);
	program_failure(&program, "it", status, &err);
	assert_string_equal(err.text, "it was ended by signal 9 (Killed)");
}

static void a_program_that_is_not_there_fails_with_its_name(void **state)
{
	static const char *const argv[] = { "no-such-program-here", NULL };
	struct error err;

	(void)state;
	assert_int_equal(program_finish(argv, &here, &err), -EIO);
	assert_string_equal(err.text, "no-such-program-here ended with status 127: cannot be run");
}

static void what_stays_in_the_background_does_not_delay_the_end(void **state)
{
	int64_t start_ns = clock_now();
	struct program program = start("sleep 20 & echo $!", &here);
	char line[64];

	(void)state;
	assert_int_equal(finish(&program), 0);
	assert_true(clock_now() - start_ns < 15 * NS_PER_S);
	kill(atoi(program_line(&program, line, sizeof(line))), SIGKILL);
}

static void the_environment_is_made_for_it(void **state)
{
	const struct program_how how = { .directory = "/", .temporary = "/tmp/x" };
	struct program program;
	char line[256];

	(void)state;
	setenv("MAKEFLAGS", "-j7", 1);
	setenv("LC_ALL", "de_DE.UTF-8", 1);
	setenv("KEPT", "yes", 1);
	program = start("echo $LC_ALL,$MAKEFLAGS,$TMPDIR,$KEPT,$(pwd),$(cat)", &how);
	assert_int_equal(finish(&program), 0);
	assert_string_equal(program_line(&program, line, sizeof(line)), "C,,/tmp/x,yes,/,");
}

static void killing_ends_it_and_may_be_done_twice(void **state)
{
	struct program program = start("sleep 1000", &here);
	pid_t pid = program.pid;

	(void)state;
	program_kill(&program);
	program_kill(&program);
	assert_int_equal(kill(pid, 0), -1);
}

static void it_dies_with_the_process_that_started_it(void **state)
{
	int ends[2];
	pid_t pid;
	char byte;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	pid = fork();
	if (pid == 0) {
		struct program program;

		/* It keeps the write end: the read below sees its end when it dies. */
		if (program_start(&program, SHELL("exec sleep 1000"), &here, NULL) < 0)
			_exit(1);
		_exit(0);
	}
	close(ends[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(read(ends[0], &byte, 1), 0);
	close(ends[0]);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(lines_are_counted_as_they_come),
		cmocka_unit_test(much_output_is_counted_whole),
		cmocka_unit_test(errors_are_not_lines_unless_merged),
		cmocka_unit_test(a_failure_says_status_and_last_words),
		cmocka_unit_test(a_program_that_is_not_there_fails_with_its_name),
		cmocka_unit_test(what_stays_in_the_background_does_not_delay_the_end),
		cmocka_unit_test(the_environment_is_made_for_it),
		cmocka_unit_test(killing_ends_it_and_may_be_done_twice),
		cmocka_unit_test(it_dies_with_the_process_that_started_it),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
