#!/usr/bin/env bats
# Machines that lack something: a result that names what is missing, or one line and exit 2.

load common

# A result came out: the table is there.
assert_result() {
	[ "$status" -eq 0 ] || { echo "exit $status: $output"; return 1; }
	[[ "$output" == *"LCPU%"* ]] || { echo "no table: $output"; return 1; }
}

@test "without root" {
	needs_root
	chmod 755 "$base"
	install -d -o nobody "$base/nobody"
	run setpriv --reuid=65534 --regid=65534 --clear-groups \
		env -u CONTEND_JOURNAL XDG_STATE_HOME="$base/nobody" TMPDIR="$base/nobody" \
		"$CONTEND" run --lead null:seconds=0.3 --lead-in 0.1s --runs 1 --load burn
	assert_result
	[[ "$output" == *host* ]]
	[[ "$output" == *"nothing is limited"* ]]
	assert_nothing_left
}

@test "without swap" {
	needs_memory_cgroup
	run contend run "${quick[@]}" --load burn
	assert_result
}

@test "without PSI" {
	needs_root
	run unshare -m sh -c 'mount -t tmpfs none /proc/pressure 2>/dev/null ||
		mount --bind /var/empty /proc/pressure; exec "$0" "$@"' \
		"$CONTEND" run "${quick[@]}" --load burn
	assert_result
	[[ "$output" == *psi* ]]
}

@test "with /proc/sys read-only" {
	needs_root
	run unshare -m sh -c 'mount --bind /proc/sys /proc/sys &&
		mount -o remount,ro,bind /proc/sys; exec "$0" "$@"' \
		"$CONTEND" run "${quick[@]}" --load burn
	assert_result
	[[ "$output" == *drop_caches* || "$output" == *"not cold"* ]]
}

@test "without cgroups" {
	needs_root
	run unshare -m sh -c 'umount -R /sys/fs/cgroup 2>/dev/null ||
		mount -t tmpfs none /sys/fs/cgroup; exec "$0" "$@"' \
		"$CONTEND" run --lead null:seconds=0.3 --lead-in 0.1s --runs 1 --load burn
	assert_result
	[[ "$output" == *"nothing is limited"* ]]
	assert_nothing_left
}

@test "a cgroup box that is typed and cannot be had: one line" {
	needs_root
	run unshare -m sh -c 'umount -R /sys/fs/cgroup 2>/dev/null ||
		mount -t tmpfs none /sys/fs/cgroup; exec "$0" "$@"' \
		"$CONTEND" run "${quick[@]}"
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ]
}

@test "on one CPU" {
	needs_root
	run taskset -c 0 "$CONTEND" run "${quick[@]}" --load burn
	assert_result
	[[ "$output" == *"1 CPU"* ]]
	[[ "$output" != *"1 CPUs"* ]]
}

@test "in a locale with a decimal comma" {
	needs_root
	LC_ALL=de_DE.UTF-8 run contend run "${quick[@]}" --load burn --format csv
	[ "$status" -eq 0 ]
	[[ "$output" == *"0.3"* ]]
}

@test "with a scratch directory that is full" {
	needs_root
	mkdir "$base/full"
	run unshare -m sh -c 'mount -t tmpfs -o size=1M none "$0" && exec "$@"' "$base/full" \
		"$CONTEND" run "${quick[@]}" --load io:size=64M --scratch "$base/full"
	[ "$status" -eq 2 ]
	[[ "$output" == *"needed for the files"* ]]
	assert_nothing_left
}

@test "with no room for the swap file" {
	needs_memory_cgroup
	needs_no_swap
	mkdir "$base/full"
	run unshare -m sh -c 'mount -t tmpfs -o size=1M none "$0" && exec "$@"' "$base/full" \
		"$CONTEND" run --lead null --box cgroup:mem=64M,swap=64M --scratch "$base/full"
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ]
	[[ "$output" == *"--scratch"* ]]
	assert_nothing_left
}

@test "with a store that cannot be written" {
	needs_root
	run contend run "${quick[@]}" --store /proc/none/x.db
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ]
	assert_nothing_left
}
