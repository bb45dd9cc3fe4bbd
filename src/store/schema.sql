-- Results of contend, revision 1. docs/store.md says what the tables mean.
PRAGMA application_id = 1668247156; -- "cont"
PRAGMA user_version = 1;

CREATE TABLE run (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	title TEXT NOT NULL,         -- suite or scenario
	command TEXT NOT NULL,       -- the command line, as typed
	version TEXT NOT NULL,       -- of contend
	box TEXT NOT NULL,           -- where its trials ran, in words
	reference TEXT NOT NULL,     -- name of the reference variant
	seed INTEGER NOT NULL,       -- 64 bits without sign: printf('%u', seed)
	delta REAL NOT NULL,         -- per cent: the least difference between variants that matters
	primary_metric TEXT NOT NULL, -- the metric that decides: time, or source/role/name
	blocks INTEGER NOT NULL,     -- of the plan, at most
	started_s INTEGER NOT NULL,  -- wall clock, seconds since 1970
	finished_s INTEGER,          -- null: not yet
	state TEXT NOT NULL          -- running, finished, interrupted
) STRICT;

CREATE TABLE note (
	id INTEGER PRIMARY KEY,
	run INTEGER NOT NULL REFERENCES run,
	text TEXT NOT NULL
) STRICT;
CREATE INDEX note_by_run ON note (run);

CREATE TABLE trial (
	id INTEGER PRIMARY KEY AUTOINCREMENT,
	run INTEGER NOT NULL REFERENCES run,
	position INTEGER NOT NULL,   -- in the plan; tried again: the same position, a higher id
	block INTEGER NOT NULL,      -- from 1; 0: warm-up, which does not count
	scenario TEXT NOT NULL,
	lead TEXT NOT NULL,          -- as spelled, with options
	loads TEXT NOT NULL,         -- likewise, joined by " + "; empty without
	variant TEXT NOT NULL,
	assignments TEXT NOT NULL,   -- of the variant: "vm.swappiness=10"
	solo INTEGER NOT NULL,       -- 1: a load alone, to know its rate
	cold INTEGER NOT NULL,       -- 1: page cache dropped before it
	seed INTEGER NOT NULL,
	deadline_ns INTEGER NOT NULL,
	started_s INTEGER NOT NULL,  -- wall clock
	outcome TEXT NOT NULL,       -- ok, killed, timeout, load-died, no-progress, ...
	outcome_text TEXT NOT NULL,  -- why, when not ok
	open_ns INTEGER NOT NULL,    -- the window, CLOCK_MONOTONIC; 0: it never opened
	close_ns INTEGER NOT NULL
) STRICT;
CREATE INDEX trial_by_run ON trial (run, position);

CREATE TABLE metric (
	id INTEGER PRIMARY KEY,
	source TEXT NOT NULL,        -- sampler, workload, "trial" or "heartbeat"
	role TEXT NOT NULL,          -- empty: the system; lead; the name of a load; box
	name TEXT NOT NULL,
	unit TEXT NOT NULL,
	kind TEXT NOT NULL,          -- counter, gauge, figure
	revision INTEGER NOT NULL,   -- of the source
	UNIQUE (source, role, name, unit, kind, revision)
) STRICT;

CREATE TABLE ticks (
	id INTEGER PRIMARY KEY,
	times BLOB NOT NULL          -- CLOCK_MONOTONIC ns, coded
) STRICT;

CREATE TABLE reading (
	id INTEGER PRIMARY KEY,
	trial INTEGER NOT NULL REFERENCES trial,
	metric INTEGER NOT NULL REFERENCES metric,
	ticks INTEGER NOT NULL REFERENCES ticks,
	n INTEGER NOT NULL,          -- samples
	first INTEGER,               -- value at window open; null: the kernel gave none
	last INTEGER,                -- value at window close; of a figure both are its value
	samples BLOB                 -- all n of them, coded; null: first is the only one
) STRICT;
CREATE UNIQUE INDEX reading_by_trial ON reading (trial, metric);

CREATE TABLE event (
	id INTEGER PRIMARY KEY,
	trial INTEGER NOT NULL REFERENCES trial,
	t_ns INTEGER NOT NULL,       -- CLOCK_MONOTONIC
	kind TEXT NOT NULL,          -- phase, note, degraded, workload
	role TEXT NOT NULL,
	text TEXT NOT NULL
) STRICT;
CREATE INDEX event_by_trial ON event (trial);

CREATE TABLE histogram (
	trial INTEGER NOT NULL REFERENCES trial,
	role TEXT NOT NULL,
	name TEXT NOT NULL,
	count INTEGER NOT NULL,      -- values in buckets
	negative INTEGER NOT NULL,   -- values below 0, in no bucket
	sum_ns INTEGER NOT NULL,
	max_ns INTEGER NOT NULL,
	buckets BLOB NOT NULL,       -- coded
	PRIMARY KEY (trial, role, name)
) STRICT;

CREATE TABLE text (
	id INTEGER PRIMARY KEY,
	hash INTEGER NOT NULL,       -- FNV-1a of the text
	text TEXT NOT NULL           -- stored once, however many trials have it
) STRICT;
CREATE INDEX text_by_hash ON text (hash);

CREATE TABLE environment (
	trial INTEGER NOT NULL REFERENCES trial,
	key TEXT NOT NULL,
	text INTEGER NOT NULL REFERENCES text,
	PRIMARY KEY (trial, key)
) STRICT, WITHOUT ROWID;

-- What happened in the window: last - first of a counter, the one value of a figure.
CREATE VIEW number AS
SELECT trial.run, trial.id AS trial, trial.position, trial.block, trial.scenario, trial.variant,
	trial.outcome, metric.source, metric.role, metric.name, metric.unit, metric.kind,
	CASE metric.kind WHEN 'counter' THEN reading.last - reading.first ELSE reading.last END
		AS value
FROM reading
JOIN trial ON trial.id = reading.trial
JOIN metric ON metric.id = reading.metric
WHERE metric.kind IN ('counter', 'figure');
