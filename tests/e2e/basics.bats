#!/usr/bin/env bats
# What a person meets first: help, lists, and mistakes.

load common

@test "help names every subcommand" {
	run contend help
	[ "$status" -eq 0 ]
	for name in run show export list doctor restore; do
		[[ "$output" == *"$name"* ]]
	done
}

@test "version" {
	run contend --version
	[ "$status" -eq 0 ]
	[[ "$output" =~ ^contend\ [0-9]+\.[0-9]+ ]]
}

@test "every list prints something" {
	for what in suites scenarios leads loads samplers metrics views; do
		run contend list "$what"
		[ "$status" -eq 0 ] || { echo "$what: $output"; false; }
	done
}

@test "list loads shows every load of contest with its options" {
	run contend list loads
	for name in process io io-other mem tarc tarx read lslr dbench burn; do
		grep -qw -- "$name" <<<"$output" || { echo "no $name"; false; }
	done
}

@test "doctor says what this machine has" {
	run contend doctor
	[ "$status" -eq 0 ]
	[[ "$output" == *"memory limit"* ]]
	[[ "$output" == *"QEMU"* && "$output" == *"KVM"* ]]
}

# Each mistake: one line on standard error, exit 2, nothing left.
mistake() {
	local wanted=$1
	shift
	run contend "$@"
	[ "$status" -eq 2 ] || { echo "exit $status: $output"; return 1; }
	[ "${#lines[@]}" -eq 1 ] || { echo "not one line: $output"; return 1; }
	[[ "$output" == *"$wanted"* ]] || { echo "wanted $wanted, got: $output"; return 1; }
	assert_nothing_left
}

@test "mistakes get one line that names what is right" {
	mistake 'did you mean "run"' rnu
	mistake '"mem"' run --load mme
	mistake 'size' run --load mem:szie=1G
	mistake 'is not a size' run --load mem:size=huge
	mistake '"contest"' run contets
	mistake 'is not a whole number' run --runs many
	mistake '"runs"' run --ruins 3
	mistake 'deadline' run --deadline 0s
	mistake 'is not one of' run --format yaml
	mistake 'is not one of' show --columns 1999
	mistake '--trial' show --trial first
}

@test "a plan file's mistake names file, line and key" {
	printf '[suite]\nsummary = x\n\n[scenario a]\nlead = null\nlaod = burn\n' >"$base/p.ini"
	mistake "p.ini:6" run --plan "$base/p.ini"
	mistake '"load"' run --plan "$base/p.ini"
	mistake 'nowhere.ini' run --plan "$base/nowhere.ini"
}

@test "a dry run prints the plan and touches nothing" {
	run contend run --dry-run --seed 1
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -ge 27 ]
	first=$output
	run contend run --dry-run --seed 1
	[ "$output" = "$first" ]
	run contend run --dry-run --seed 2
	[ "$output" != "$first" ]
	[ ! -e "$XDG_STATE_HOME" ]
	assert_nothing_left
}

@test "a store that is none is refused by name" {
	echo nonsense >"$base/x.db"
	mistake 'x.db' show 1 --store "$base/x.db"
}
