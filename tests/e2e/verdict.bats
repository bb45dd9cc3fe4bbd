#!/usr/bin/env bats
# Verdicts and their exit codes. The lead sleeps, so that its Time is what was asked for on the
# busiest of machines.

load common

small=(--box cgroup:mem=64M,swap=0 --warm)
half=(--variant a --variant b:lead.seconds=0.1)
double=(--variant a --variant b:lead.seconds=0.4)

@test "slower: exit 1, found at the first look" {
	needs_root
	run contend run "${small[@]}" --lead null:seconds=0.2 "${double[@]}"
	echo "$output"
	[ "$status" -eq 1 ]
	[[ "$output" == *SLOWER* ]]
	# The figures of both, then the verdict.
	[[ "$output" == *"Ratio"*"SLOWER"* ]]
	[[ "$output" == *"ended after 3 of 8 blocks: all verdicts are reached"* ]]
	run contend show --view trials --format csv
	[ "$(grep -c ',ok,' <<<"$output")" -eq 13 ]
	assert_nothing_left
}

@test "faster and same: exit 0" {
	needs_root
	run contend run "${small[@]}" --lead null:seconds=0.2 "${half[@]}"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *FASTER* ]]
	run contend run "${small[@]}" --lead null:seconds=0.2 --variant a --variant b --delta 50
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *SAME* ]]
}

# A lead whose Time is 0.1 to 0.5 s, whatever the variant: no eight blocks can tell 5 % from that.
@test "noise that hides the answer: given up early, exit 3; with --runs all is run" {
	needs_root
	mkdir -p "$BATS_TEST_TMPDIR/noise"
	cat >"$BATS_TEST_TMPDIR/noise/lead" <<-'END'
		#!/bin/sh
		echo >>"$0.runs"
		exec sleep "0.$((1 + $(wc -l <"$0.runs") * 7 % 5))"
	END
	chmod +x "$BATS_TEST_TMPDIR/noise/lead"
	noisy=("${small[@]}" --lead "command:run=$BATS_TEST_TMPDIR/noise/lead" --seed 1 \
		--variant a --variant b)
	run contend run "${noisy[@]}"
	echo "$output"
	[ "$status" -eq 3 ]
	[[ "$output" == *INCONCLUSIVE* ]]
	[[ "$output" =~ "ended after "[35]" of 8 blocks: with this noise" ]]
	run contend run "${noisy[@]}" --runs 4
	echo "$output"
	run contend show --view trials --format csv
	[ "$(grep -c ',ok,' <<<"$output")" -eq 17 ]
}

@test "one block cannot tell: exit 3, with the number of trials that could" {
	needs_root
	run contend run "${small[@]}" --lead null:seconds=0.2 "${double[@]}" --blocks 1
	echo "$output"
	[ "$status" -eq 3 ]
	[[ "$output" == *INCONCLUSIVE* ]]
	[[ "$output" == *"would take"* ]]
}

@test "a budget ends the run between blocks, never in the first" {
	needs_root
	run contend run "${small[@]}" --lead null:seconds=0.2 "${double[@]}" --budget 1ms
	echo "$output"
	[ "$status" -eq 3 ]
	[[ "$output" == *"ended after 1 of 8 blocks: the budget is spent"* ]]
	run contend show --view trials --format csv
	[ "$(grep -c ',ok,' <<<"$output")" -eq 5 ]
}

@test "more is better when the metric that decides says so" {
	needs_root
	run contend run "${small[@]}" --lead burn:rounds=200,workers=1 --variant a \
		--variant b:lead.rounds=400 --primary trial/lead/progress+
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"more is better"* ]]
	[[ "$output" == *FASTER* ]]
	# The same trials, and fewer would have been better.
	run contend run "${small[@]}" --lead burn:rounds=200,workers=1 --variant a \
		--variant b:lead.rounds=400 --primary trial/lead/progress
	[ "$status" -eq 1 ]
}

@test "a metric that no trial has ends the run after its first trials, by name" {
	needs_root
	run contend run "${small[@]}" --lead null:seconds=0.1 --variant a --variant b \
		--primary vmstat//pgmajfualt
	echo "$output"
	[ "$status" -eq 2 ]
	[[ "${lines[-1]}" == *'did you mean "vmstat//pgmajfault"?' ]]
	assert_nothing_left
}

@test "compare: two runs, with the warning and with what differs" {
	needs_root
	contend run "${small[@]}" --lead null:seconds=0.1 --runs 4 >/dev/null 2>&1
	contend run "${small[@]}" --lead null:seconds=0.2 --runs 4 >/dev/null 2>&1
	run contend compare 1 2
	echo "$output"
	[ "$status" -eq 1 ]
	[[ "$output" == *SLOWER* ]]
	[[ "$output" == *"not measured side by side"* ]]
	[[ "$output" == *"DIFFERS, AND NO VARIANT SETS IT"*"scenario.null.lead"* ]]
	run contend compare 2 1
	[ "$status" -eq 0 ]
	contend compare 1 2 --format json | python3 -c 'import json,sys
def no(x): raise ValueError(x)
json.load(sys.stdin, parse_constant=no)'
}

@test "compare: variants of one run are compared in their blocks" {
	needs_root
	contend run "${small[@]}" --lead null:seconds=0.1 --variant a --variant b:lead.seconds=0.2 \
		--variant c:lead.seconds=0.3 --blocks 5 >/dev/null 2>&1 || true
	run contend compare 1:b 1:c
	echo "$output"
	[[ "$output" == *"5 blocks, shuffled"* ]]
	[[ "$output" == *"differs, as the variants set it"*"scenario.null.lead"* ]]
	run contend compare 1
	[[ "$output" == *"2 variants against a"* ]]
	run contend compare 1:b
	[[ "$output" == *"Run 1, b, against run 1, a"* ]]
}

@test "compare: what cannot be compared is one line, and exit 2" {
	needs_root
	contend run "${small[@]}" --lead null:seconds=0.1 --runs 1 >/dev/null 2>&1
	for operands in 1 "1 1" "1:x 1" "1 7" "1 1 1"; do
		run contend compare $operands
		echo "$operands: $output"
		[ "$status" -eq 2 ]
		[ "${#lines[@]}" -eq 1 ]
	done
}

@test "selftest: a variant against itself is no alarm, more work is one" {
	needs_root
	run contend selftest aa --comparisons 3 --lead null:seconds=0.1 "${small[@]}"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"in 3 comparisons"* ]]
	# CPU time is what a busy machine disturbs least.
	run contend selftest inject --comparisons 1 --primary trial/lead/user_ns "${small[@]}"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" == *"found in 1 of 1"* ]]
	assert_nothing_left
}

@test "selftest: mistakes are one line" {
	for words in "" "ab" "aa --comparisons" "aa --comparisons 0" "inject contest"; do
		run contend selftest $words
		echo "$words: $output"
		[ "$status" -eq 2 ]
		[ "${#lines[@]}" -eq 1 ]
	done
}
