// SPDX-License-Identifier: GPL-2.0-or-later
#include "machine.h"

#include <signal.h>
#include <sys/stat.h>
#include <sys/wait.h>

#include "setting/journal.h"

#define BOOT_ID "/proc/sys/kernel/random/boot_id"
#define A "/proc/sys/vm/a"
#define B "/proc/sys/vm/b"

static struct machine machine;
static char said[8192];

static void say(void *data, const char *line)
{
	(void)data;
	strncat(said, line, sizeof(said) - strlen(said) - 2);
	strcat(said, "\n");
}

static const struct journal_watch watch = { say, NULL };

static int start(void **state)
{
	char directory[PATH_MAX];

	(void)state;
	said[0] = '\0';
	machine_start(&machine);
	machine_write(&machine, BOOT_ID, "one\n");
	machine_write(&machine, A, "1");
	machine_write(&machine, B, "1");
	machine_write(&machine, "/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	snprintf(directory, sizeof(directory), "%s/state/contend", machine.directory);
	setenv("CONTEND_JOURNAL", directory, 1);
	return 0;
}

static int stop(void **state)
{
	(void)state;
	machine_stop(&machine);
	return 0;
}

static struct journal *open_journal(void)
{
	struct journal *journal;
	struct error err;

	if (journal_open(&machine.root, &journal, &watch, &err) < 0)
		fail_msg("%s", err.text);
	return journal;
}

static const char *below(const char *name)
{
	static char path[PATH_MAX];

	snprintf(path, sizeof(path), "%s%s", machine.directory, name);
	return path;
}

static const char *journal_file(void)
{
	return below("/state/contend/journal");
}

static bool exists(const char *path)
{
	struct stat st;

	return lstat(path, &st) == 0;
}

/* Runs act() in a process that opens the journal and then dies by a signal. */
static void let_die(void (*act)(struct journal *journal), int signal)
{
	pid_t pid = fork();
	int status;

	if (pid == 0) {
		struct journal *journal;

		if (journal_open(&machine.root, &journal, NULL, NULL) < 0)
			_exit(1);
		act(journal);
		if (signal)
			raise(signal);
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(signal ? WIFSIGNALED(status) : WIFEXITED(status) && !WEXITSTATUS(status));
}

static void edit_journal(const char *from, const char *to)
{
	char *text CLEANUP(free_text) = NULL, *at;

	assert_int_equal(file_read(journal_file(), &text, NULL, NULL), 0);
	at = strstr(text, from);
	assert_non_null(at);
	memcpy(at, to, strlen(to));
	assert_int_equal(file_write(journal_file(), text, strlen(text), NULL), 0);
}

static void entries_are_undone_in_reverse(void **state)
{
	struct journal *journal = open_journal();

	(void)state;
	assert_int_equal(journal_note(journal, UNDO_WRITE, A, "1", NULL), 0);
	assert_int_equal(journal_note(journal, UNDO_WRITE, A, "2", NULL), 0);
	assert_int_equal(journal_note(journal, UNDO_WRITE, A, "3", NULL), 0);
	machine_write(&machine, A, "4");
	assert_int_equal(journal_undo(journal, 0, NULL), 0);
	machine_expect(&machine, A, "1");
	journal_close(journal);
	assert_string_equal(said, "");
}

static void undo_stops_at_the_mark(void **state)
{
	struct journal *journal = open_journal();
	size_t mark;

	(void)state;
	journal_note(journal, UNDO_WRITE, A, "0", NULL);
	mark = journal_mark(journal);
	journal_note(journal, UNDO_WRITE, B, "0", NULL);
	assert_int_equal(journal_undo(journal, mark, NULL), 0);
	machine_expect(&machine, A, "1");
	machine_expect(&machine, B, "0");
	journal_close(journal);
	machine_expect(&machine, A, "0");
}

static void note_a(struct journal *journal)
{
	journal_note(journal, UNDO_WRITE, A, "0", NULL);
}

static void what_a_dead_owner_left_is_undone_and_said(void **state)
{
	struct journal *journal;

	(void)state;
	let_die(note_a, SIGKILL);
	machine_expect(&machine, A, "1");
	journal = open_journal();
	machine_expect(&machine, A, "0");
	assert_non_null(strstr(said, "put back " A " to 0"));
	journal_close(journal);
}

static void repair_counts_what_it_undid(void **state)
{
	struct stat st;

	(void)state;
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 0);
	assert_false(exists(journal_file()));
	let_die(note_a, 0);
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	machine_expect(&machine, A, "0");
	assert_int_equal(stat(journal_file(), &st), 0);
	assert_int_equal(st.st_size, 0);
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 0);
}

static void note_and_undo_a_then_note_b(struct journal *journal)
{
	size_t mark;

	journal_note(journal, UNDO_REMOVE, "/tmp/contend-test-nothing", NULL, NULL);
	mark = journal_mark(journal);
	journal_note(journal, UNDO_WRITE, A, "0", NULL);
	journal_undo(journal, mark, NULL);
	journal_note(journal, UNDO_WRITE, B, "0", NULL);
}

static void what_was_undone_is_not_undone_again(void **state)
{
	(void)state;
	let_die(note_and_undo_a_then_note_b, SIGKILL);
	/* The user's own change, since. */
	machine_write(&machine, A, "7");
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	machine_expect(&machine, A, "7");
	machine_expect(&machine, B, "0");
}

static void what_was_noted_but_not_begun_counts_as_undone(void **state)
{
	(void)state;
	machine_write(&machine, A, "0");
	let_die(note_a, SIGKILL);
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 0);
	assert_string_equal(said, "");
}

static void note_both(struct journal *journal)
{
	journal_note(journal, UNDO_WRITE, A, "0", NULL);
	journal_note(journal, UNDO_WRITE, B, "0", NULL);
}

static void a_torn_last_line_is_ignored(void **state)
{
	struct stat st;

	(void)state;
	let_die(note_both, SIGKILL);
	assert_int_equal(stat(journal_file(), &st), 0);
	assert_int_equal(truncate(journal_file(), st.st_size - 1), 0);
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	machine_expect(&machine, A, "0");
	machine_expect(&machine, B, "1");
	assert_non_null(strstr(said, "torn"));
}

static void a_damaged_line_is_said_and_never_acted_on(void **state)
{
	(void)state;
	let_die(note_both, SIGKILL);
	edit_journal(A, "/proc/sys/vm/x");
	machine_write(&machine, "/proc/sys/vm/x", "1");
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	machine_expect(&machine, A, "1");
	machine_expect(&machine, "/proc/sys/vm/x", "1");
	machine_expect(&machine, B, "0");
	assert_non_null(strstr(said, "line 2 is damaged"));
}

static void zeroes_in_the_file_do_not_hide_what_follows(void **state)
{
	char *text CLEANUP(free_text) = NULL;
	size_t size;
	char *at;

	(void)state;
	let_die(note_both, SIGKILL);
	assert_int_equal(file_read(journal_file(), &text, &size, NULL), 0);
	at = strstr(text, A);
	assert_non_null(at);
	memset(at, 0, 4);
	assert_int_equal(file_write(journal_file(), text, size, NULL), 0);
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	machine_expect(&machine, B, "0");
}

static void another_process_finds_it_busy(void **state)
{
	struct journal *journal;
	struct error err;
	int ends[2], ready[2];
	char pid_text[32], byte;
	pid_t pid;

	(void)state;
	assert_int_equal(pipe(ends), 0);
	assert_int_equal(pipe(ready), 0);
	pid = fork();
	if (pid == 0) {
		close(ends[1]);
		if (journal_open(&machine.root, &journal, NULL, NULL) == 0) {
			note_a(journal);
			(void)!write(ready[1], "", 1);
		}
		(void)!read(ends[0], &byte, 1);
		_exit(0);
	}
	close(ready[1]);
	assert_int_equal(read(ready[0], &byte, 1), 1);
	assert_int_equal(journal_open(&machine.root, &journal, &watch, &err), -EBUSY);
	snprintf(pid_text, sizeof(pid_text), "process %d ", (int)pid);
	assert_non_null(strstr(err.text, pid_text));
	assert_int_equal(journal_repair(&machine.root, &watch, &err), -EBUSY);
	machine_expect(&machine, A, "1");
	close(ends[1]);
	assert_int_equal(waitpid(pid, NULL, 0), pid);
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	close(ends[0]);
	close(ready[0]);
}

static void a_process_opens_it_once(void **state)
{
	struct journal *journal = open_journal(), *second;
	struct error err;
	pid_t pid;

	(void)state;
	assert_int_equal(journal_open(&machine.root, &second, NULL, &err), -EBUSY);
	assert_int_equal(journal_repair(&machine.root, NULL, &err), -EBUSY);
	/* The lock is still there. */
	pid = fork();
	if (pid == 0)
		_exit(journal_open(&machine.root, &second, NULL, NULL) == -EBUSY ? 0 : 1);
	else {
		int status;

		assert_int_equal(waitpid(pid, &status, 0), pid);
		assert_int_equal(status, 0);
	}
	journal_close(journal);
	journal_close(open_journal());
}

static void a_forked_child_can_neither_note_nor_undo(void **state)
{
	struct journal *journal = open_journal();
	int status;
	pid_t pid;

	(void)state;
	note_a(journal);
	pid = fork();
	if (pid == 0) {
		bool refused = journal_note(journal, UNDO_WRITE, B, "0", NULL) == -EPERM &&
			       journal_undo(journal, 0, NULL) == -EPERM;

		journal_close(journal);
		_exit(refused ? 0 : 1);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_int_equal(status, 0);
	machine_expect(&machine, A, "1");
	journal_close(journal);
	machine_expect(&machine, A, "0");
}

static void note_setting_and_file(struct journal *journal)
{
	journal_note(journal, UNDO_REMOVE, below("/scratch/deep"), NULL, NULL);
	journal_note(journal, UNDO_WRITE, A, "0", NULL);
}

static void after_a_reboot_only_files_are_removed(void **state)
{
	(void)state;
	machine_write(&machine, "/scratch/deep/file", "x");
	let_die(note_setting_and_file, SIGKILL);
	machine_write(&machine, BOOT_ID, "two\n");
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	machine_expect(&machine, A, "1");
	assert_false(exists(below("/scratch/deep")));
	assert_true(exists(below("/scratch")));
}

static void what_fails_stays_and_the_rest_is_undone(void **state)
{
	struct journal *journal = open_journal();
	struct error err;

	(void)state;
	journal_note(journal, UNDO_WRITE, A, "0", NULL);
	/* In use, says the machine; but there is no such file to switch off. */
	machine_write(&machine, "/proc/swaps",
		"Filename\tType\tSize\tUsed\tPriority\n/nowhere/my\\040swap  file\t1\t0\t-2\n");
	journal_note(journal, UNDO_SWAPOFF, "/nowhere/my swap", NULL, NULL);
	journal_note(journal, UNDO_WRITE, B, "0", NULL);
	assert_true(journal_undo(journal, 0, &err) < 0);
	assert_non_null(strstr(err.text, "/nowhere/my swap"));
	assert_non_null(strstr(said, "/nowhere/my swap"));
	machine_expect(&machine, A, "0");
	machine_expect(&machine, B, "0");
	journal_close(journal);
	said[0] = '\0';
	assert_true(journal_repair(&machine.root, &watch, &err) < 0);
	machine_write(&machine, "/proc/swaps", "Filename\tType\tSize\tUsed\tPriority\n");
	assert_int_equal(journal_repair(&machine.root, &watch, &err), 0);
}

static void wrong_paths_are_refused(void **state)
{
	static const char *const wrong[] = { "relative/path", "/", "", "/etc", "//etc/", "/etc/./",
		"/tmp/contend-test-none/../../etc" };

	(void)state;
	for (size_t i = 0; i < ARRAY_SIZE(wrong); i++) {
		struct journal *journal = open_journal();
		size_t mark = journal_mark(journal);

		assert_int_equal(journal_note(journal, UNDO_REMOVE, wrong[i], NULL, NULL), 0);
		assert_int_equal(journal_undo(journal, mark, NULL), -EINVAL);
		journal_forget(journal, mark);
		journal_close(journal);
	}
}

static void what_is_forgotten_is_not_acted_on(void **state)
{
	struct journal *journal = open_journal();
	size_t mark;

	(void)state;
	machine_write(&machine, "/mine", "x");
	machine_write(&machine, "/theirs", "x");
	journal_note(journal, UNDO_REMOVE, below("/mine"), NULL, NULL);
	mark = journal_mark(journal);
	journal_note(journal, UNDO_REMOVE, below("/theirs"), NULL, NULL);
	journal_forget(journal, mark);
	journal_close(journal);
	assert_true(exists(below("/theirs")));
	assert_false(exists(below("/mine")));
}

static void blanks_and_newlines_in_names_are_kept(void **state)
{
	struct journal *journal = open_journal();

	(void)state;
	machine_write(&machine, "/a b\n%20\tc", "x");
	journal_note(journal, UNDO_REMOVE, below("/a b\n%20\tc"), NULL, NULL);
	journal_close(journal);
	assert_false(exists(below("/a b\n%20\tc")));
}

static void note_odd_name(struct journal *journal)
{
	journal_note(journal, UNDO_REMOVE, below("/a b\n%20\tc"), NULL, NULL);
}

static void odd_names_survive_the_owner(void **state)
{
	(void)state;
	machine_write(&machine, "/a b\n%20\tc", "x");
	let_die(note_odd_name, SIGKILL);
	assert_int_equal(journal_repair(&machine.root, &watch, NULL), 1);
	assert_false(exists(below("/a b\n%20\tc")));
}

static void a_journal_that_others_can_write_is_refused(void **state)
{
	struct journal *journal;

	(void)state;
	let_die(note_a, SIGKILL);
	assert_int_equal(chmod(journal_file(), 0666), 0);
	assert_int_equal(journal_open(&machine.root, &journal, NULL, NULL), -EPERM);
	machine_expect(&machine, A, "1");
}

static void anothers_zram_device_is_left_alone(void **state)
{
	struct journal *journal = open_journal();

	(void)state;
	machine_write(&machine, "/sys/block/zram3/disksize", "4096\n");
	machine_write(&machine, "/sys/block/zram3/reset", "");
	machine_write(&machine, "/sys/class/zram-control/hot_remove", "");
	journal_note(journal, UNDO_ZRAM, "/dev/zram3", "8192", NULL);
	assert_int_equal(journal_undo(journal, 0, NULL), 0);
	machine_expect(&machine, "/sys/block/zram3/reset", "");
	journal_note(journal, UNDO_ZRAM, "/dev/zram3", "4096", NULL);
	assert_int_equal(journal_undo(journal, 0, NULL), 0);
	machine_expect(&machine, "/sys/block/zram3/reset", "1");
	machine_expect(&machine, "/sys/class/zram-control/hot_remove", "3");
	journal_close(journal);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		TEST(entries_are_undone_in_reverse),
		TEST(undo_stops_at_the_mark),
		TEST(what_a_dead_owner_left_is_undone_and_said),
		TEST(repair_counts_what_it_undid),
		TEST(what_was_undone_is_not_undone_again),
		TEST(what_was_noted_but_not_begun_counts_as_undone),
		TEST(a_torn_last_line_is_ignored),
		TEST(a_damaged_line_is_said_and_never_acted_on),
		TEST(zeroes_in_the_file_do_not_hide_what_follows),
		TEST(another_process_finds_it_busy),
		TEST(a_process_opens_it_once),
		TEST(a_forked_child_can_neither_note_nor_undo),
		TEST(after_a_reboot_only_files_are_removed),
		TEST(what_fails_stays_and_the_rest_is_undone),
		TEST(wrong_paths_are_refused),
		TEST(what_is_forgotten_is_not_acted_on),
		TEST(blanks_and_newlines_in_names_are_kept),
		TEST(odd_names_survive_the_owner),
		TEST(a_journal_that_others_can_write_is_refused),
		TEST(anothers_zram_device_is_left_alone),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
