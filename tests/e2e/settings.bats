#!/usr/bin/env bats
# Settings of variants: mistakes are told before anything changes, and what is changed is put back.

load common

# A run that a failed test left must end before its journal goes.
teardown() {
	if [ -n "${pid:-}" ]; then
		kill -9 "$pid" 2>/dev/null || true
		wait "$pid" 2>/dev/null || true
	fi
	"$CONTEND" restore >/dev/null 2>&1 || true
	rm -rf "$base"
}

# Small, and two variants: one trial of warm-up, two of A, one or two of B.
small=(--lead null:seconds=0.2 --lead-in 0.1s --blocks 1 --solo no --noload no
	--box cgroup:mem=64M,swap=0)

# One line that has all the words, exit 2, nothing changed and nothing left.
refused() {
	local before
	before=$(sysctls)
	run contend run "${small[@]}" "$@"
	[ "$status" -eq 2 ] || { echo "exit $status: $output"; return 1; }
	[ "${#lines[@]}" -eq 1 ] || { echo "not one line: $output"; return 1; }
	[ "$(sysctls)" = "$before" ] || { echo "something was changed"; return 1; }
	[ ! -e "$XDG_STATE_HOME/contend/contend.db" ] || { echo "a run was stored"; return 1; }
	assert_nothing_left
}

sysctls() {
	cat /proc/sys/vm/page-cluster /proc/sys/vm/swappiness \
		/sys/module/zswap/parameters/{enabled,compressor} \
		/sys/kernel/mm/transparent_hugepage/enabled 2>/dev/null || true
}

has() {
	local word
	for word; do
		[[ "$output" == *"$word"* ]] || { echo "no $word in: $output"; return 1; }
	done
}

@test "a name that does not exist: one line with the nearest that does" {
	refused --vary vm.page-clustr=0,4
	has --vary '"vm.page-clustr"' '"vm.page-cluster"'
	refused --variant a --variant b:zswp=lzo
	has --variant '"zswp"' '"zswap"'
	refused --vary vm.no-such-thing-at-all=0,4
	has --vary '"vm.no-such-thing-at-all"'
	refused --vary /sys/module/zswap/parameters/enabld=N,Y
	has '"/sys/module/zswap/parameters/enabld"'
}

@test "a value that no kernel takes: one line with those that there are" {
	refused --vary thp=never,alway
	has thp '"alway"' '"always"'
	refused --vary vm.swappiness=60,999
	has vm.swappiness '"999"' 200
	refused --vary limit=50%,lots
	has limit '"lots"'
}

@test "a plan file with a typo: file, line, key and the nearest" {
	printf '%s\n' '[scenario a]' 'lead = null' '[variant one]' '[variant two]' \
		'vm.swapiness = 10' >"$base/night.ini"
	refused --plan "$base/night.ini"
	has night.ini:5 '"vm.swapiness"' '"vm.swappiness"'
	printf '%s\n' '[scenario a]' 'lead = null' '[vary]' '' 'thp = never, madvize' \
		>"$base/night.ini"
	refused --plan "$base/night.ini"
	has night.ini:5 thp '"madvise"'
}

@test "a value that only the kernel can refuse: skipped, and the reason is the last line" {
	needs_root
	before=$(sysctls)
	run contend run "${small[@]}" --variant a:vm.page-cluster=many
	[ "$status" -eq 2 ] || { echo "exit $status: $output"; false; }
	output=${lines[-1]}
	has "nothing could be measured" vm.page-cluster=many "does not accept"
	contend show --view trials --format csv | grep -q ',skipped,'
	[ "$(sysctls)" = "$before" ]
	assert_nothing_left
}

@test "what this kernel lacks is skipped, and the other variants are measured" {
	needs_root
	run contend run "${small[@]}" --variant a --variant b:zswap=842 \
		--variant c:vm.page-cluster=1
	contend show --view trials --format csv >"$base/trials"
	[ "$(grep -c ',c,[0-9]*,ok,' "$base/trials")" -ge 1 ]
	[ "$(grep -c ',a,[0-9]*,ok,' "$base/trials")" -ge 1 ]
	assert_nothing_left
	if grep -q ',b,[0-9]*,ok,' "$base/trials"; then skip "this kernel has the compressor 842"; fi
	grep -q ',b,[0-9]*,skipped,' "$base/trials"
}

@test "the trial runs under its settings, and after success they are what they were" {
	needs_root
	before=$(sysctls)
	run contend run "${small[@]}" --variant a --variant b:vm.page-cluster=1,vm.swappiness=7,cpus=1
	contend show --view env --format csv >"$base/env"
	grep -q 'as the variants set it",vm.swappiness,\(.*,\)\?7\(,\|$\)' "$base/env"
	grep -q 'as the variants set it",contend.setting.cpus,.*1' "$base/env"
	[ "$(sysctls)" = "$before" ]
	assert_nothing_left
}

@test "after kill -9 they are put back by the next contend, which says so" {
	needs_root
	before=$(sysctls)
	"$CONTEND" run --lead null:seconds=20 --lead-in 0.1s --blocks 1 --solo no --noload no \
		--box cgroup:mem=64M,swap=0 --variant b:vm.page-cluster=1,vm.swappiness=7 \
		>/dev/null 2>&1 &
	pid=$!
	for _ in $(seq 600); do
		[ "$(cat /proc/sys/vm/swappiness)" = 7 ] && break
		sleep 0.05
	done
	[ "$(cat /proc/sys/vm/swappiness)" = 7 ]
	kill -9 $pid
	wait $pid || true
	run contend list runs
	[ "$status" -eq 0 ]
	has "put back /proc/sys/vm/swappiness" "put back /proc/sys/vm/page-cluster"
	[ "$(sysctls)" = "$before" ]
	assert_nothing_left
}

@test "a box of less memory and without swap, for one variant" {
	needs_memory_cgroup
	run contend run --lead null:seconds=0.2 --lead-in 0.1s --blocks 1 --solo no --noload no \
		--box cgroup:mem=64M,swap=32M --variant a --variant b:limit=50%,swap=none \
		--variant c:swap=file
	contend export 1 --format csv >"$base/run.csv"
	awk -F, '$8 == "" && $9 == "ram_bytes" { print $4, $12 }' "$base/run.csv" | sort -u \
		>"$base/ram"
	cat "$base/ram"
	grep -qx "a 67108864" "$base/ram"
	grep -qx "b 33554432" "$base/ram"
	assert_nothing_left
}

@test "list settings says how this machine has each" {
	run contend list settings
	[ "$status" -eq 0 ]
	has zswap vm.swappiness iosched limit
}
