#!/usr/bin/env bats
# Real runs, small: what is shown, stored, exported, resumed.

load common

json() {
	python3 -c "import json,sys; d=json.load(sys.stdin); $1"
}

@test "a run ends with its table, and nothing is left" {
	needs_root
	run contend run "${quick[@]}" --load burn
	[ "$status" -eq 0 ]
	[[ "$output" == *"LCPU%"* ]]
	[[ "$output" == *"burn"* ]]
	assert_nothing_left
}

@test "show, export and list give the stored run again" {
	needs_root
	contend run "${quick[@]}" --load burn --format json >"$base/run.json" 2>/dev/null
	contend show --format json >"$base/show.json"
	cmp "$base/run.json" "$base/show.json"
	contend show --view trials | grep -q ok
	contend show --view env | grep -q vm.swappiness
	contend show --view averages | grep -q '^mean '
	contend show --view latency | grep -q lateness
	contend show --view vmstat --trial 0 | grep -q '^ *r b .* us sy id wa st$'
	contend show --view vmstat --columns 2001 | grep -q '^ *r b w .* us sy id$'
	contend list runs | grep -q burn
	run contend show 4711
	[ "$status" -eq 2 ]
	[[ "$output" == *"no run 4711"*"the newest is 1"* ]]
	contend export 1 --format json | json 'assert d'
	contend export 1 --format csv | head -1 | grep -q '^run,trial,scenario'
}

@test "the loads' count is in the window, in fractions" {
	needs_root
	contend run "${quick[@]}" --load burn:workers=1 >/dev/null 2>&1
	contend export 1 --format csv | awk -F, '
		$7 == "trial" && $8 == "burn" && $9 == "progress" && $11 == "delta" { n += $12 > 0 }
		END { exit n ? 0 : 1 }'
}

@test "SIGKILL of a load: load-died, the row shows it, the run goes on, exit 2" {
	needs_root
	"$CONTEND" run --lead null:seconds=3 --lead-in 0.1s --runs 2 --box cgroup:mem=64M,swap=0 \
		--load burn --solo no >"$base/out" 2>"$base/err" &
	pid=$!
	for _ in $(seq 100); do
		victim=$(contend_processes | awk '$2 == "contend-burn" { print $1 }' | head -1) && [ -n "$victim" ] && break
		sleep 0.05
	done
	sleep 1
	kill -9 "$victim"
	status=0
	wait $pid || status=$?
	cat "$base/out" "$base/err"
	[ "$status" -eq 2 ]
	grep -q 'load-died' "$base/out"
	grep -q '\[1/2\]' "$base/out"
	contend show --view trials --format csv | grep -c ',ok,' | grep -qx 1
	assert_nothing_left
}

@test "a load that exceeds the box is killed, and named" {
	needs_memory_cgroup
	run contend run --lead null:seconds=20 --lead-in 0.5s --runs 1 --solo no \
		--box cgroup:mem=64M,swap=0 --load mem:size=200M
	echo "$output"
	[ "$status" -eq 2 ]
	[[ "$output" == *killed* ]]
	[[ "$output" == *"OOM killer"*mem* ]]
	assert_nothing_left
}

@test "a lead beyond its deadline is a timeout, not a value" {
	needs_root
	run contend run --lead null:seconds=60 --lead-in 0.1s --runs 1 --deadline 1s \
		--box cgroup:mem=64M,swap=0
	[ "$status" -eq 2 ]
	[[ "$output" == *"> 1 s"* ]]
	assert_nothing_left
}

@test "Ctrl-C keeps what is finished, and --resume goes on" {
	needs_root
	"$CONTEND" run --lead null:seconds=0.5 --lead-in 0.1s --runs 6 --solo no \
		--box cgroup:mem=64M,swap=0 --load burn >"$base/out" 2>"$base/err" &
	pid=$!
	for _ in $(seq 100); do
		grep -q '^\[2/6\]' "$base/err" && break
		sleep 0.1
	done
	kill -INT $pid
	status=0
	wait $pid || status=$?
	[ "$status" -eq 2 ]
	grep -q -- '--resume 1' "$base/err"
	assert_nothing_left
	kept=$(contend show --view trials --format csv | grep -c ',ok,')
	[ "$kept" -ge 2 ]
	[ "$kept" -lt 6 ]
	run contend run --resume 1
	[ "$status" -eq 0 ]
	[ "$(contend show --view trials --format csv | grep -c ',ok,')" -eq 6 ]
}

@test "two at once: the second is refused in one line" {
	needs_root
	"$CONTEND" run --lead null:seconds=3 --runs 1 --box cgroup:mem=64M,swap=0 >/dev/null 2>&1 &
	pid=$!
	sleep 1
	run contend run "${quick[@]}"
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ "$output" == *"$pid"* ]]
	wait $pid
}

@test "user, system and faults of a lead are what time -v says of the same work" {
	needs_memory_cgroup
	cat >"$base/work.py" <<-'END'
		for _ in range(20):
		    bytearray(50 << 20)
		sum(i * i for i in range(9000000))
	END
	contend run --lead "command:run=exec /usr/bin/time -v -o $base/time python3 $base/work.py" \
		--runs 1 --box cgroup:mem=256M,swap=0 >/dev/null 2>&1
	contend export 1 --format csv >"$base/csv"
	python3 - "$base/time" "$base/csv" <<-'END'
		import csv, re, sys
		text = open(sys.argv[1]).read()
		said = lambda name: float(re.search(re.escape(name) + r": ([\d.]+)", text)[1])
		rows = {r["metric"]: float(r["value"]) for r in csv.DictReader(open(sys.argv[2]))
		        if (r["source"], r["role"]) == ("trial", "lead") and r["value"]
		        and r["kind"] == "delta"}
		# time prints hundredths of a second, and its own start is in contend's figures.
		def near(ours, theirs, slack):
		    assert abs(ours - theirs) <= max(slack, 0.02 * theirs), (ours, theirs)
		near(rows["user_ns"] / 1e9, said("User time (seconds)"), 0.03)
		near(rows["system_ns"] / 1e9, said("System time (seconds)"), 0.03)
		near(rows["minor_faults"], said("Minor (reclaiming a frame) page faults"), 5)
		near(rows["major_faults"], said("Major (requiring I/O) page faults"), 5)
	END
}
