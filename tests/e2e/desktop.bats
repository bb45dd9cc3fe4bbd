#!/usr/bin/env bats
# The leads apps and stream, in a box of 256 MB.

load common

box=(--box cgroup:mem=256M,swap=256M --lead-in 0s --runs 1)

# The figure of the newest run: source and name.
figure() {
	contend export --format csv | python3 -c '
import csv, sys
for row in csv.DictReader(sys.stdin):
    if row["source"] == sys.argv[1] and row["metric"] == sys.argv[2]:
        print(row["value"])
        break' "$@"
}

@test "a stream costs nothing where it fits beside the set, and much where it does not" {
	needs_memory_cgroup
	contend run "${box[@]}" --lead stream:size=20% >"$base/out" 2>&1
	cat "$base/out"
	grep -q 'executable text' "$base/out"
	[ "$(figure stream restore_majors)" -eq 0 ]
	contend run "${box[@]}" --lead stream:size=400%,readers=3 >"$base/out" 2>&1
	cat "$base/out"
	[ "$(figure stream restore_majors)" -gt 0 ]
	[ "$(figure stream data_resident_end)" -lt "$(figure stream data_pages)" ]
	contend show --view stream --format json | python3 -c '
import json, sys
tables = json.load(sys.stdin)["tables"]
assert [row["kind"] for row in tables[0]["rows"]] == ["executable text", "mapped data", "anonymous"]
assert len(tables[1]["rows"]) == 6'
	assert_nothing_left
}

@test "apps slow down where memory is full, and the table says where" {
	needs_memory_cgroup
	contend run "${box[@]}" --lead apps:apps=8,exec=8%,data=8%,anon=1% >"$base/out" 2>&1
	cat "$base/out"
	contend show --view apps --format json | python3 -c '
import json, sys
latencies, rounds, apps, progress = json.load(sys.stdin)["tables"]
assert len(progress["rows"]) == 8 + 36
assert [row["turn"] for row in progress["rows"][:5]] == ["N", "A", "N", "A", "A"]
roomy = [row for row in rounds["rows"] if row["open_percent"] < 60]
full = [row for row in rounds["rows"] if row["open_percent"] > 120]
assert roomy and full
assert all(row["switch_majors"] == 0 for row in roomy), roomy
assert all(row["switch_majors"] > 0 for row in full), full
assert full[-1]["switch_median_ms"] > roomy[-1]["switch_median_ms"]'
	assert_nothing_left
}

@test "the same sequence twice has the same order" {
	needs_memory_cgroup
	for _ in 1 2; do
		contend run "${box[@]}" --lead apps:apps=4,exec=1%,data=1%,anon=1% >/dev/null 2>&1
		contend show --view apps --format json | python3 -c '
import json, sys
for row in json.load(sys.stdin)["tables"][3]["rows"]:
    print(row["turn"], row["app_name"])' >>"$base/order"
	done
	[ "$(wc -l <"$base/order")" -eq 28 ]
	[ "$(head -14 "$base/order" | sha1sum)" = "$(tail -14 "$base/order" | sha1sum)" ]
}

@test "an app that is killed in mid-run is said, and the run goes on" {
	needs_memory_cgroup
	"$CONTEND" run "${box[@]}" --lead apps:apps=10,exec=1%,data=1%,anon=1%,rate=20 \
		>"$base/out" 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		victim=$(pgrep -x -n contend-app-4) && break
		sleep 0.05
	done
	kill -9 "$victim"
	status=0
	wait $pid || status=$?
	cat "$base/out"
	[ "$status" -eq 0 ]
	grep -q 'app 4 .*killed by signal 9' "$base/out"
	[ "$(figure apps failed)" -eq 1 ]
	[ "$(figure apps starts)" -ge 9 ]
	assert_nothing_left
}

@test "apps that do not fit at all are killed, not who drives them, and that is the outcome" {
	needs_memory_cgroup
	run contend run --box cgroup:mem=64M,swap=0 --lead-in 0s --runs 1 \
		--lead apps:apps=4,exec=0,data=0,anon=45%
	echo "$output"
	[ "$status" -eq 2 ]
	[[ "$output" == *"OOM killer"*"lead (apps)"* ]]
	assert_nothing_left
}
