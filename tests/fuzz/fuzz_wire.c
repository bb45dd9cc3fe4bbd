// SPDX-License-Identifier: GPL-2.0-or-later
/*
 * A record stream from a guest that is not to be trusted: into the store, and out again in every
 * form. What is stored must read back without an error, whatever it was.
 */
#include <string.h>
#include <sys/stat.h>

#include "base/cleanup.h"
#include "base/file.h"
#include "recorder/recorder.h"
#include "report/export.h"
#include "store/query.h"

/* A fresh store after so many trials: a large one would only make the fuzzer slow. */
#define TRIALS_PER_STORE 200

static char directory[256], path[272];
static struct store *store;
static FILE *nowhere;

static void check(int r, const struct error *err)
{
	if (r >= 0)
		return;
	fprintf(stderr, "%s\n", err->text);
	abort();
}

static void clean_up(void)
{
	store_close(store);
	tree_remove(directory, NULL);
}

/* A whole record to start from, beside what a corpus directory holds already. */
static void seed_write(const char *corpus)
{
	static const struct metric metrics[] = {
		{ "pgfault", "events", METRIC_COUNTER },
		{ "nr_free_pages", "pages", METRIC_GAUGE },
	};
	static const struct origin origin = { "vmstat", "", 1 };
	static const struct outcome outcome = { OUTCOME_OK, "", 1, 3 };
	static struct histogram histogram;
	char file[4096];
	struct sink sink;
	struct error err;

	check(sink_init(&sink, 65536, &err), &err);
	sink_metric(&sink, &metrics[0], &origin);
	sink_metric(&sink, &metrics[1], &origin);
	for (int64_t i = 1; i <= 3; i++)
		sink_sample(&sink, i, 0, 2, (int64_t[]) { 10 * i, i == 2 ? VALUE_ABSENT : 5 });
	sink_figure(&sink, 3, "workers", "threads", &origin, 4);
	sink_event(&sink, 2, EVENT_NOTE, "io", "\xc3\xa9, \"quoted\"");
	histogram_add(&histogram, 1000);
	sink_histogram(&sink, "", "lateness", &histogram);
	sink_environment(&sink, "kernel", "6.1");
	sink_outcome(&sink, &outcome);
	sink_end(&sink);
	snprintf(file, sizeof(file), "%s/whole", corpus);
	check(file_write(file, (const char *)sink.data, sink.used, &err), &err);
	sink_done(&sink);
}

int LLVMFuzzerInitialize(int *argc, char ***argv);
int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerInitialize(int *argc, char ***argv)
{
	const char *last = (*argv)[*argc - 1], *place = getenv("TMPDIR");
	struct stat st;

	snprintf(directory, sizeof(directory), "%s/contend-fuzz-XXXXXX", place ? place : "/tmp");
	if (!mkdtemp(directory))
		abort();
	snprintf(path, sizeof(path), "%s/contend.db", directory);
	atexit(clean_up);
	nowhere = fopen("/dev/null", "we");
	if (!nowhere)
		abort();
	if (*argc > 1 && stat(last, &st) == 0 && S_ISDIR(st.st_mode))
		seed_write(last);
	return 0;
}

static void store_renew(void)
{
	static unsigned trials;
	struct error err;

	if (trials++ % TRIALS_PER_STORE)
		return;
	store_close(store);
	store = NULL;
	unlink(path);
	check(store_open(path, false, &store, &err), &err);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	static const struct run_row run = {
		.title = "", .command = "", .version = "", .box = "", .reference = ""
	};
	struct trial_row trial = {
		.scenario = "", .lead = "", .loads = "", .variant = "", .assignments = ""
	};
	struct outcome outcome;
	struct error err;

	store_renew();
	check(store_run_create(store, &run, &trial.run, &err), &err);
	check(recorder_save(store, &trial, data, size, &outcome, &err), &err);
	check(export_json(store, trial.run, true, nowhere, &err), &err);
	check(export_csv(store, trial.run, true, nowhere, &err), &err);
	return 0;
}
