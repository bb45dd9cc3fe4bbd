# Shared by the bats files: the program under test, a store and a scratch directory of its own,
# and the question whether anything was left behind. CONTEND is set by meson.

setup() {
	base=$(mktemp -d /var/tmp/e2e-XXXXXX)
	export XDG_STATE_HOME=$base/state TMPDIR=$base/scratch CONTEND_JOURNAL=$base/journal
	mkdir -p "$TMPDIR"
	any_steal
	# apps would start X programs on it.
	unset DISPLAY
	swaps_before=$(swaps)
	mounts_before=$(cut -d' ' -f2 /proc/mounts | sort)
	groups_before=$(contend_groups)
}

teardown() {
	"$CONTEND" restore >/dev/null 2>&1 || true
	rm -rf "$base"
}

# Whether the machine's hypervisor has other guests at work is not what is tested: any run of
# "$CONTEND" gets --steal 0, but one that goes on with another.
any_steal() {
	cat >"$base/contend" <<-END
		#!/bin/sh
		if [ "\$1" = run ] && ! printf '%s\n' "\$@" | grep -q '^--resume'; then
			shift
			set -- run --steal 0 "\$@"
		fi
		exec "$CONTEND" "\$@"
	END
	chmod +x "$base/contend"
	contend_itself=$CONTEND CONTEND=$base/contend
}

contend() {
	"$CONTEND" "$@"
}

# Short, small, and still the real thing: a lead that lasts 0.3 s.
quick=(--lead null:seconds=0.3 --lead-in 0.1s --runs 1 --box cgroup:mem=64M,swap=0)

needs_root() {
	[ "$(id -u)" -eq 0 ] || skip "needs root"
}

# Where there is swap already, contend makes none.
needs_no_swap() {
	[ -z "$(swaps)" ] || skip "this machine has swap"
}

needs_memory_cgroup() {
	needs_root
	contend doctor | grep -q '^memory limit *yes' || skip "no memory cgroup"
}

# Processes that this test's contend started, whatever they are now: the environment tells.
contend_processes() {
	local file pid
	env -u XDG_STATE_HOME -u TMPDIR -u CONTEND_JOURNAL \
		grep -lszF "XDG_STATE_HOME=$base/" /proc/[0-9]*/environ | while read -r file; do
		pid=${file#/proc/}
		pid=${pid%/environ}
		echo "$pid $(cat "/proc/$pid/comm" 2>/dev/null)"
	done
}

swaps() {
	tail -n +2 /proc/swaps | cut -d' ' -f1 | sort
}

# Groups whose owner is gone: those of a contend that is at work elsewhere are no leftovers.
contend_groups() {
	find /sys/fs/cgroup -type d -name 'contend-[0-9]*' 2>/dev/null | while read -r group; do
		[ -d "/proc/${group##*contend-}" ] || echo "$group"
	done | sort
}

# What a run may leave: nothing. Prints what there is and fails.
assert_nothing_left() {
	local left
	left=$(
		contend_processes
		comm -13 <(echo "$groups_before") <(contend_groups)
		comm -13 <(echo "$swaps_before") <(swaps)
		cut -d' ' -f2 /proc/mounts | sort | comm -13 <(echo "$mounts_before") -
		ls -A "$TMPDIR"
	)
	[ -z "$left" ] || { echo "left behind:"; echo "$left"; return 1; }
}
