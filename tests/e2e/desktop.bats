#!/usr/bin/env bats
# The leads apps and stream, in a box of 256 MB.

load common

# A server that a failed test left.
teardown() {
	if [ -n "${server:-}" ]; then
		kill "$server" 2>/dev/null || true
		wait "$server" 2>/dev/null || true
	fi
	"$CONTEND" restore >/dev/null 2>&1 || true
	rm -rf "$base"
}

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

# The order of the newest run as it is stored: each turn with its app.
order() {
	contend export --format json --series | python3 -c '
import json, sys
for trial in json.load(sys.stdin)["trials"]:
    names = dict(event["text"].split(" ", 1) for event in trial["events"]
                 if event["kind"] == "workload" and event["text"][0].isdigit()
                 and not {"start:", "switch:"} & set(event["text"].split()))
    series = {metric["name"]: metric["values"] for metric in trial["metrics"]
              if metric["source"] == "iteration"}
    for app, switched in zip(series["app"], series["switched"]):
        print("switch to" if switched else "start", names[str(app)])'
}

# Events of the lead, a line each.
events() {
	contend export --format json | python3 -c '
import json, sys
for trial in json.load(sys.stdin)["trials"]:
    for event in trial["events"]:
        if event["kind"] == "workload":
            print(event["text"])'
}

# Six X programs in $base/list.ini, one more for each line of the arguments.
needs_x() {
	local program
	needs_memory_cgroup
	for program in Xvfb openbox xclock xeyes xlogo xcalc oclock xterm xwininfo; do
		command -v "$program" >/dev/null || skip "no $program"
	done
	ldd "$contend_itself" | grep -q libxcb || skip "contend was built without xcb"
	printf '%s\n' '[apps]' 'clock = xclock' 'eyes = xeyes' 'logo = xlogo' 'calc = xcalc' \
		'oclock = oclock' 'term = xterm' "$@" >"$base/list.ini"
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

@test "the same sequence of X programs twice has the same order" {
	needs_x
	for i in 1 2; do
		contend run "${box[@]}" --lead "apps:display=xvfb,wm=openbox,list=$base/list.ini" \
			>"$base/out" 2>&1 || { cat "$base/out"; false; }
		[ "$(figure apps starts)" -eq 6 ]
		[ "$(figure apps switches)" -eq 21 ]
		[ "$(figure apps failed)" -eq 0 ]
		order >"$base/order-$i"
	done
	cat "$base/order-1"
	[ "$(wc -l <"$base/order-1")" -eq 27 ]
	[ "$(head -5 "$base/order-1" | tr '\n' ,)" = \
		"start clock,switch to clock,start eyes,switch to clock,switch to eyes," ]
	cmp "$base/order-1" "$base/order-2"
	assert_nothing_left
}

@test "X programs come up on \$DISPLAY where it is set, and contend's own apps where it is not" {
	needs_x "look = $base/look"
	env -u XDG_STATE_HOME Xvfb -displayfd 3 -noreset -nolisten tcp 3>"$base/number" \
		>/dev/null 2>&1 &
	server=$!
	for _ in $(seq 100); do
		[ -s "$base/number" ] && break
		sleep 0.1
	done
	display=:$(cat "$base/number")
	printf '%s\n' '#!/bin/sh' "exec xwininfo -display $display -root -tree >$base/windows" \
		>"$base/look"
	chmod +x "$base/look"

	DISPLAY=$display contend run "${box[@]}" --lead "apps:list=$base/list.ini" \
		>"$base/out" 2>&1 || { cat "$base/out"; false; }
	cat "$base/windows"
	for program in xclock xeyes xlogo xcalc oclock xterm; do
		grep -q "(\"$program\" " "$base/windows"
	done
	[ "$(figure apps starts)" -eq 6 ]
	events | grep -qx "display $display"
	# All are gone from it.
	"$base/look"
	[ "$(grep -c '("xclock"' "$base/windows")" -eq 0 ]

	for unset in --unset=DISPLAY DISPLAY=; do
		env "$unset" "$CONTEND" run "${box[@]}" --lead apps:apps=2,exec=1%,data=1%,anon=1% \
			>"$base/out" 2>&1
		events | tee "$base/events"
		grep -q '^2 app of ' "$base/events"
		[ "$(grep -c ^display "$base/events")" -eq 0 ]
	done
	kill "$server"
	wait "$server" || true
	assert_nothing_left
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
