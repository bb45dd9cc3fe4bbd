# Shared by the bats files: the program under test, a store and a scratch directory of its own,
# and the question whether anything was left behind. CONTEND is set by meson.

setup() {
	base=$(mktemp -d /var/tmp/e2e-XXXXXX)
	export XDG_STATE_HOME=$base/state TMPDIR=$base/scratch CONTEND_JOURNAL=$base/journal
	mkdir -p "$TMPDIR"
	swaps_before=$(tail -n +2 /proc/swaps)
	mounts_before=$(cut -d' ' -f2 /proc/mounts | sort)
	groups_before=$(contend_groups)
	processes_before=$(contend_processes)
}

teardown() {
	"$CONTEND" restore >/dev/null 2>&1 || true
	rm -rf "$base"
}

contend() {
	"$CONTEND" "$@"
}

# Short, small, and still the real thing: a lead that lasts 0.3 s.
quick=(--lead null:seconds=0.3 --lead-in 0.1s --runs 1 --box cgroup:mem=64M,swap=0)

needs_root() {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
}

needs_memory_cgroup() {
	needs_root
	contend doctor | grep -q '^memory limit *yes' || skip "no memory cgroup"
}

# Processes of contend, by the name that each of its processes carries; this shell's are none.
contend_processes() {
	ps -eo pid=,comm=,stat= | awk '$2 ~ /^contend/ && $3 !~ /^Z/ { print $1, $2 }' | sort
}

contend_groups() {
	find /sys/fs/cgroup -type d -name 'contend-*' 2>/dev/null | sort
}

# What a run may leave: nothing. Prints what there is and fails.
assert_nothing_left() {
	local left
	left=$(
		comm -13 <(echo "$processes_before") <(contend_processes)
		comm -13 <(echo "$groups_before") <(contend_groups)
		tail -n +2 /proc/swaps | grep -vxF "${swaps_before:-none}" || true
		cut -d' ' -f2 /proc/mounts | sort | comm -13 <(echo "$mounts_before") -
		ls -A "$TMPDIR"
	)
	[ -z "$left" ] || { echo "left behind:"; echo "$left"; return 1; }
}
