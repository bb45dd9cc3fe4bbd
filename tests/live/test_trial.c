// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * Trials of workloads that misbehave, conducted without cgroups: what the outcome is, what was
 * recorded, and that nothing is left.
 */
#include "../unit/test.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "record/wire.h"
#include "trial/trial.h"

enum behaviour {
	STEADY, /* counts a unit each millisecond */
	DIES, /* by SIGKILL, after 300 units */
	ENDS, /* says that it is done, after 300 units */
	STUCK, /* one unit, then it blocks for ever */
	FAILS, /* an error, after 10 units */
	REFUSES, /* cannot be set up here */
	LEAVES, /* steady, with a grandchild in a session of its own */
	CRASHES_EARLY, /* in its setup */
	SAYS, /* steady, and says something at every 100th unit */
	SAYS_MUCH, /* at every one */
};

struct fake_params {
	enum behaviour behaviour;
	uint64_t units; /* of a lead */
};

static char pid_file[80];

static void leave_grandchild(void)
{
	FILE *file;

	if (fork())
		return;
	setsid();
	signal(SIGTERM, SIG_IGN);
	prctl(PR_SET_PDEATHSIG, 0);
	file = fopen(pid_file, "w");
	fprintf(file, "%d\n", (int)getpid());
	fclose(file);
	for (;;)
		pause();
}

static int fake_setup(struct instance *instance, struct error *err)
{
	const struct fake_params *params = instance->params;

	if (params->behaviour == REFUSES)
		return error_set(err, -EOPNOTSUPP, "no such disk");
	if (params->behaviour == CRASHES_EARLY)
		raise(SIGSEGV);
	if (params->behaviour == LEAVES)
		leave_grandchild();
	return 0;
}

static int fake_step(struct worker *worker, struct error *err)
{
	const struct fake_params *params = worker->instance->params;
	uint64_t units = worker->progress->units;

	if (params->behaviour == STUCK && units)
		pause();
	clock_sleep_until(clock_now() + NS_PER_MS);
	if (params->behaviour == DIES && units == 300)
		kill(getpid(), SIGKILL);
	if (params->behaviour == ENDS && units == 300)
		return STEP_DONE;
	if (params->behaviour == FAILS && units == 10)
		return error_set(err, -EIO, "the disk is on fire");
	if ((params->behaviour == SAYS && units % 100 == 0) || params->behaviour == SAYS_MUCH)
		instance_event(worker->instance, clock_now(), "unit %d", (int)units);
	progress_add(worker->progress, 1);
	return params->units && units + 1 == params->units ? STEP_DONE : STEP_MORE;
}

static const struct workload fake = {
	.name = "fake",
	.summary = "misbehaves as told",
	.unit = "units",
	.table_unit = "10 units",
	.table_divisor = 10,
	.revision = 1,
	.roles = WORKLOAD_LEAD | WORKLOAD_LOAD,
	.params_size = sizeof(struct fake_params),
	.setup = fake_setup,
	.step = fake_step,
};

struct fixture {
	struct root root;
	char directory[64];
	struct fake_params lead_params, load_params;
	struct part load;
	struct scenario scenario;
	struct variant variant;
	struct trial trial;
	struct stage stage;
	struct sink sink;
	volatile sig_atomic_t interrupted;
	const char *interrupt_at; /* phase */
	struct trial_watch watch;
	/* Read back. */
	struct outcome outcome;
	bool whole;
	int64_t lead_progress, samples_taken, samples_due;
	unsigned events; /* the workloads' own */
	char event[64], note[64]; /* the last one */
	bool events_ordered; /* each is later than the one before */
};

static void on_phase(void *data, const char *phase)
{
	struct fixture *fixture = data;

	if (fixture->interrupt_at && !strcmp(phase, fixture->interrupt_at))
		fixture->interrupted = 1;
}

static void part_fake(struct part *part, const char *role, struct fake_params *params)
{
	*part = (struct part) { .workload = &fake, .params = params };
	snprintf(part->role, sizeof(part->role), "%s", role);
	snprintf(part->spelled, sizeof(part->spelled), "fake");
}

static int fixture_open(void **state)
{
	struct fixture *fixture = calloc(1, sizeof(*fixture));

	snprintf(fixture->directory, sizeof(fixture->directory), "/tmp/contend-test-XXXXXX");
	if (!mkdtemp(fixture->directory) || root_open(&fixture->root, "/", NULL) < 0)
		return -1;
	snprintf(pid_file, sizeof(pid_file), "%s.pid", fixture->directory);
	part_fake(&fixture->scenario.lead, "lead", &fixture->lead_params);
	part_fake(&fixture->load, "fake", &fixture->load_params);
	fixture->lead_params.units = 600;
	fixture->scenario.loads = &fixture->load;
	fixture->scenario.n_loads = 1;
	fixture->scenario.deadline_ns = 20 * NS_PER_S;
	fixture->scenario.lead_in_ns = 50 * NS_PER_MS;
	fixture->scenario.interval_ns = 50 * NS_PER_MS;
	fixture->trial.scenario = &fixture->scenario;
	fixture->trial.variant = &fixture->variant;
	fixture->stage = (struct stage) {
		.root = &fixture->root,
		.ram_bytes = 64 * MIB,
		.n_cpus = 1,
		.scratch = fixture->directory,
		.shelf = fixture->directory,
	};
	fixture->watch = (struct trial_watch) {
		.interrupted = &fixture->interrupted,
		.phase = on_phase,
		.data = fixture,
	};
	*state = fixture;
	return sink_init(&fixture->sink, trial_record_size(&fixture->trial), NULL);
}

static int fixture_close(void **state)
{
	struct fixture *fixture = *state;

	sink_done(&fixture->sink);
	root_close(&fixture->root);
	unlink(pid_file);
	/* The trial removed what it made: only the directory itself is left. */
	if (rmdir(fixture->directory) < 0)
		return -1;
	free(fixture);
	return 0;
}

static void read_event(struct fixture *fixture, const struct record *record, int64_t *last_ns)
{
	if (record->event == EVENT_NOTE)
		snprintf(fixture->note, sizeof(fixture->note), "%s: %s", record->origin.role,
			record->text);
	if (record->event != EVENT_WORKLOAD)
		return;
	fixture->events++;
	fixture->events_ordered &= record->t_ns > *last_ns;
	*last_ns = record->t_ns;
	snprintf(fixture->event, sizeof(fixture->event), "%s: %s", record->origin.role,
		record->text);
}

/* Sums a metric's last reading where the role matches. */
static void read_back(struct fixture *fixture)
{
	struct wire wire = { .data = fixture->sink.data, .size = fixture->sink.used };
	uint32_t progress = UINT32_MAX, taken = UINT32_MAX, due = UINT32_MAX;
	struct record record;
	int64_t last_ns = 0;

	fixture->whole = false;
	fixture->events = 0;
	fixture->events_ordered = true;
	while (wire_next(&wire, &record, NULL) > 0) {
		if (record.type == RECORD_METRIC) {
			if (!strcmp(record.metric.name, "progress") &&
				!strcmp(record.origin.role, "lead"))
				progress = record.id;
			if (!strcmp(record.metric.name, "samples_taken"))
				taken = record.id;
			if (!strcmp(record.metric.name, "samples_due"))
				due = record.id;
		}
		if (record.type == RECORD_SAMPLE && record.id == progress)
			fixture->lead_progress = record_value(&record, 0);
		if (record.type == RECORD_SAMPLE && record.id == taken)
			fixture->samples_taken = record_value(&record, 0);
		if (record.type == RECORD_SAMPLE && record.id == due)
			fixture->samples_due = record_value(&record, 0);
		if (record.type == RECORD_EVENT)
			read_event(fixture, &record, &last_ns);
		if (record.type == RECORD_OUTCOME)
			fixture->outcome = record.outcome;
		fixture->whole = record.type == RECORD_END;
	}
}

static void conduct(struct fixture *fixture, enum behaviour lead, enum behaviour load)
{
	struct error err;

	fixture->lead_params.behaviour = lead;
	fixture->load_params.behaviour = load;
	assert_int_equal(trial_conduct(&fixture->trial, &fixture->stage, &fixture->watch,
				 &fixture->sink, &err),
		0);
	read_back(fixture);
	assert_true(fixture->whole);
	/* No child is left, not even a zombie. */
	assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
	assert_int_equal(errno, ECHILD);
}

#define assert_outcome(fixture, wanted) \
	assert_string_equal(outcome_name((fixture)->outcome.code), outcome_name(wanted))

static void a_lead_that_ends_is_ok(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, STEADY, STEADY);
	assert_outcome(fixture, OUTCOME_OK);
	assert_int_equal(fixture->lead_progress, 600);
	assert_true(fixture->outcome.close_ns - fixture->outcome.open_ns >= 600 * NS_PER_MS);
	/* Both edges and what lies between: a late tick may be missed, and is then counted as due. */
	assert_true(fixture->samples_taken >= 2);
	assert_true(fixture->samples_due >= 600 / 50);
	assert_true(fixture->samples_taken <= fixture->samples_due);
}

static void a_load_that_dies_is_not_a_value(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, STEADY, DIES);
	assert_outcome(fixture, OUTCOME_LOAD_DIED);
	assert_string_equal(fixture->outcome.text, "fake was killed by signal 9 (Killed)");
	assert_true(fixture->lead_progress < 600);
}

static void a_load_that_ends_has_died(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, STEADY, ENDS);
	assert_outcome(fixture, OUTCOME_LOAD_DIED);
}

static void a_load_that_fails_says_why(void **state)
{
	struct fixture *fixture = *state;

	fixture->scenario.lead_in_ns = 0;
	conduct(fixture, STEADY, FAILS);
	assert_outcome(fixture, OUTCOME_LOAD_DIED);
	assert_string_equal(fixture->outcome.text, "fake: the disk is on fire");
}

static void a_load_that_does_nothing_is_noticed(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, STEADY, STUCK);
	assert_outcome(fixture, OUTCOME_NO_PROGRESS);
}

static void a_lead_that_is_killed_is_killed(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, DIES, STEADY);
	assert_outcome(fixture, OUTCOME_KILLED);
	assert_string_equal(fixture->outcome.text, "lead was killed by signal 9 (Killed)");
}

static void a_lead_that_fails_is_broken(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, FAILS, STEADY);
	assert_outcome(fixture, OUTCOME_BROKEN);
	assert_string_equal(fixture->outcome.text, "fake: the disk is on fire");
}

static void a_deadline_is_a_timeout(void **state)
{
	struct fixture *fixture = *state;

	fixture->scenario.deadline_ns = 200 * NS_PER_MS;
	conduct(fixture, STUCK, STEADY);
	assert_outcome(fixture, OUTCOME_TIMEOUT);
	assert_true(fixture->outcome.close_ns - fixture->outcome.open_ns >= 200 * NS_PER_MS);
}

static void what_cannot_be_set_up_is_skipped(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, STEADY, REFUSES);
	assert_outcome(fixture, OUTCOME_SKIPPED);
	assert_string_equal(fixture->outcome.text, "fake: no such disk");
	assert_int_equal(fixture->outcome.open_ns, 0);
}

static void a_crash_in_setup_is_an_outcome(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, STEADY, CRASHES_EARLY);
	assert_outcome(fixture, OUTCOME_LOAD_DIED);
}

static void an_interruption_ends_it_in_any_phase(void **state)
{
	static const char *const phases[] = { "setup", "lead-in", "window" };
	struct fixture *fixture = *state;

	for (size_t i = 0; i < ARRAY_SIZE(phases); i++) {
		fixture->interrupted = 0;
		fixture->interrupt_at = phases[i];
		sink_reset(&fixture->sink);
		conduct(fixture, STEADY, STEADY);
		assert_outcome(fixture, OUTCOME_INTERRUPTED);
	}
}

static void a_grandchild_that_left_is_found(void **state)
{
	struct fixture *fixture = *state;
	int pid = 0;
	FILE *file;

	conduct(fixture, STEADY, LEAVES);
	assert_outcome(fixture, OUTCOME_OK);
	file = fopen(pid_file, "r");
	assert_non_null(file);
	assert_int_equal(fscanf(file, "%d", &pid), 1);
	fclose(file);
	assert_true(pid > 1);
	assert_int_equal(kill(pid, 0), -1);
	assert_int_equal(errno, ESRCH);
}

static void what_workloads_say_is_recorded_with_its_time(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, SAYS, STEADY);
	assert_outcome(fixture, OUTCOME_OK);
	assert_int_equal(fixture->events, 6);
	assert_string_equal(fixture->event, "lead: unit 500");
	assert_true(fixture->events_ordered);
	assert_string_equal(fixture->note, "");
}

static void what_is_said_beyond_the_room_is_counted(void **state)
{
	struct fixture *fixture = *state;

	conduct(fixture, SAYS_MUCH, STEADY);
	assert_outcome(fixture, OUTCOME_OK);
	assert_int_equal(fixture->events, WORKLOAD_EVENTS);
	assert_string_equal(fixture->event, "lead: unit 255");
	assert_string_equal(fixture->note, "lead: 344 further events were not kept");
}

#define trial_test(function) cmocka_unit_test_setup_teardown(function, fixture_open, fixture_close)

int main(void)
{
	static const struct CMUnitTest tests[] = {
		trial_test(a_lead_that_ends_is_ok),
		trial_test(a_load_that_dies_is_not_a_value),
		trial_test(a_load_that_ends_has_died),
		trial_test(a_load_that_fails_says_why),
		trial_test(a_load_that_does_nothing_is_noticed),
		trial_test(a_lead_that_is_killed_is_killed),
		trial_test(a_lead_that_fails_is_broken),
		trial_test(a_deadline_is_a_timeout),
		trial_test(what_cannot_be_set_up_is_skipped),
		trial_test(a_crash_in_setup_is_an_outcome),
		trial_test(an_interruption_ends_it_in_any_phase),
		trial_test(a_grandchild_that_left_is_found),
		trial_test(what_workloads_say_is_recorded_with_its_time),
		trial_test(what_is_said_beyond_the_room_is_counted),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
