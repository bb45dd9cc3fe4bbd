#!/usr/bin/env bats
# Nothing stays behind, whenever and however a run ends.

load common

# A run with everything that can be left: a swap file, cgroups, files, processes, a setting.
busy() {
	exec "$CONTEND" run --lead null:seconds=1 --lead-in 0.5s --runs 1 --solo no \
		--box cgroup:mem=64M,swap=64M --variant a:vm.page-cluster=1 \
		--load io:size=8M --load process
}

# Ends the run with a signal after each of many delays: together they walk through all phases.
walk() {
	local signal=$1 repair=$2 delay before
	before=$(cat /proc/sys/vm/page-cluster)
	for delay in 0.02 0.05 0.1 0.15 0.2 0.3 0.4 0.6 0.8 1.0 1.3 1.6 1.9 2.2; do
		(busy) >/dev/null 2>&1 &
		local pid=$!
		sleep "$delay"
		kill "-$signal" $pid 2>/dev/null || true
		wait $pid 2>/dev/null || true
		$repair
		[ "$(cat /proc/sys/vm/page-cluster)" = "$before" ] || {
			echo "$signal after $delay: vm.page-cluster not put back"
			return 1
		}
		assert_nothing_left || { echo "$signal after $delay s"; return 1; }
	done
}

@test "after success" {
	needs_memory_cgroup
	(busy) >/dev/null 2>&1
	assert_nothing_left
}

@test "after SIGINT at any phase" {
	needs_memory_cgroup
	walk INT true
}

@test "after SIGTERM at any phase" {
	needs_memory_cgroup
	walk TERM true
}

@test "after kill -9 at any phase, once any contend command has run" {
	needs_memory_cgroup
	any() { contend list runs >/dev/null 2>&1 || true; }
	walk KILL any
}

@test "restore says what it put back" {
	needs_memory_cgroup
	(busy) >/dev/null 2>&1 &
	pid=$!
	sleep 1
	kill -9 $pid
	wait $pid || true
	run contend restore
	[ "$status" -eq 0 ]
	[ -n "$swaps_before" ] || [[ "$output" == *swap* ]]
	[[ "$output" == *page-cluster* ]]
	run contend restore
	[ "$status" -eq 0 ]
	assert_nothing_left
}
