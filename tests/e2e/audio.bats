#!/usr/bin/env bats
# Music beside a test: what is said of it, and tracks that cannot be played.

load common

# 128 kbit/s and 44.1 kHz: a frame is 417 bytes and 26 ms; zeroes behind its header are silence.
make_track() {
	python3 -c "
import sys
sys.stdout.buffer.write((b'\xff\xfb\x90\xc4' + bytes(413)) * $1)" >"$base/track.mp3"
}

needs_audio() {
	needs_root
	contend doctor | grep -q '^libmpg123 *yes' || skip "built without libmpg123"
}

# One line, and no run.
assert_refused() {
	run contend run "${quick[@]}" --load "audio:file=$1"
	[ "$status" -eq 2 ]
	[ "${#lines[@]}" -eq 1 ] || { echo "$output"; return 1; }
	[[ "$output" == *"$2"* ]] || { echo "$output"; return 1; }
	[[ "$output" == *"$1"* ]]
}

@test "as a load: how much of the music was heard stands under the table" {
	needs_audio
	make_track 200
	run contend run --lead null:seconds=2 --lead-in 0.2s --runs 1 --solo no \
		--box cgroup:mem=64M,swap=0 --load "audio:file=$base/track.mp3"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" =~ "mp3 played "[0-9.]+" s of 2."[0-9]+" s (" ]]
	contend show --view trials | grep -q 'mp3 played'
	assert_nothing_left
}

@test "as a lead, with the default track: it ends when so much was heard" {
	needs_audio
	contend doctor | grep -q '^libmp3lame *yes' || skip "built without libmp3lame"
	run contend run --lead audio:seconds=2 --lead-in 0.2s --runs 1 --solo no --load burn \
		--box cgroup:mem=64M,swap=0
	echo "$output"
	[ "$status" -eq 0 ]
	[[ "$output" =~ "mp3 played 2."[0-9]+" s of "[0-9.]+" s" ]]
	assert_nothing_left
}

@test "a player that is stopped: the dropout, its length and its time" {
	needs_audio
	make_track 2000
	"$CONTEND" run --lead null:seconds=5 --lead-in 0.2s --runs 1 --solo no \
		--box cgroup:mem=64M,swap=0 --load "audio:file=$base/track.mp3" >"$base/out" 2>&1 &
	pid=$!
	for _ in $(seq 100); do
		player=$(pgrep -x contend-audio | head -1) && [ -n "$player" ] && break
		sleep 0.05
	done
	sleep 1.5
	kill -STOP "$player"
	sleep 2
	kill -CONT "$player"
	wait $pid
	cat "$base/out"
	grep -q 'mp3 played 3.* dropout' "$base/out"
	contend show --view trials | grep -q ': at [0-9.]* s for 1\.'
}

@test "a track that is missing, empty, no mp3 or truncated: one line, nothing is run" {
	needs_audio
	make_track 100
	assert_refused "$base/none.mp3" "No such file"
	assert_refused "$base" "not a file"
	: >"$base/empty.mp3"
	assert_refused "$base/empty.mp3" "empty"
	assert_refused "$CONTEND" "not an mp3"
	head -c 20000 "$base/track.mp3" >"$base/cut.mp3"
	assert_refused "$base/cut.mp3" "truncated"
	[ -z "$(contend list runs --format csv | tail -n +2)" ]
	assert_nothing_left
}
