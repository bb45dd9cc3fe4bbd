# contend bisect: a list of kernels, and a kernel tree under git bisect. Debian's 6.1 and 6.12 are
# measured once each, over three seeds; all tests share the store, and nothing is booted twice.

load ../e2e/common

older=debian:bookworm
newer=debian:bookworm-backports

# 6.12 keeps 5 MiB more of a small guest's RAM for itself than 6.1 does: 8 % less is left.
scenario=(--lead null:seconds=0.2 --lead-in 0.1s --primary trial//ram_bytes+
	--box vm:exact,mem=96M,swap=0,disk-size=16M --runs 3 --level 0.25)

setup_file() {
	missing=
	[ "$(uname -m)" = x86_64 ] || missing="guests are x86-64"
	command -v qemu-system-x86_64 >/dev/null || missing="no QEMU"
	command -v apt-get >/dev/null || missing="no apt"
	[ "$(id -u)" -eq 0 ] || missing="needs root"
	store=$BATS_FILE_TMPDIR/store.db
	export missing store
}

bisect() {
	[ -z "$missing" ] || skip "$missing"
	run contend bisect --store "$store" "${scenario[@]}" "$@"
	echo "$output"
	[[ $output != *"Debian's suite"*"E: "* ]] || skip "no kernel can be fetched here"
}

# The directory of the package that the run with that kernel was booted from.
package_of() {
	local run package
	run=$(contend list runs --store "$store" | awk '$6 == "null" { print $1 }' | sed -n "$1p")
	package=$(contend show "$run" --store "$store" --view env |
		sed -n 's/^contend.vm.package  *//p' | head -1)
	echo "${XDG_CACHE_HOME:-$HOME/.cache}/contend/packages/$package"
}

needs_measured() {
	[ -z "$missing" ] || skip "$missing"
	[ -e "$store" ] || skip "nothing was measured"
	old=$(package_of 1)
	new=$(package_of 2)
	[ -d "$new/boot" ] || skip "nothing was measured"
}

# A tree whose kernels are built by copying the one that the file "which" names.
make_tree() {
	tree=$base/tree
	git init -q "$tree"
	git -C "$tree" config user.name test
	git -C "$tree" config user.email test@localhost
	cat >"$tree/Makefile" <<-END
		.RECIPEPREFIX = >
		olddefconfig:
		>test -e .config
		bzImage:
		>mkdir -p arch/x86/boot arch/x86/lib
		>rm -rf arch/x86/lib/modules arch/x86/boot/bzImage
		>. ./which
		old:
		>cp $old/boot/vmlinuz-* arch/x86/boot/bzImage
		>ln -s $old/lib/modules arch/x86/lib/modules
		new:
		>cp $new/boot/vmlinuz-* arch/x86/boot/bzImage
		>ln -s $new/lib/modules arch/x86/lib/modules
	END
	printf 'arch\n.config\n' >"$tree/.gitignore"
	touch "$tree/.config"
}

# Commits: the last one's kernel is what the command makes.
add_commit() {
	echo "$2" >"$tree/which"
	git -C "$tree" add .
	git -C "$tree" commit -q --allow-empty -m "$1"
}

@test "the first of a list in which a metric moved is found, and nothing is measured twice" {
	bisect --kernels "$older,$newer"
	[ "$status" -eq 1 ]
	[[ $output == *"first bad: $newer (6.12"*" % ("*", between $older (the first) and $newer (-"* ]]
	assert_nothing_left
	needs_measured
	image=$(echo "$old"/boot/vmlinuz-*)
	bisect --kernels "$older,$image,$newer"
	[ "$status" -eq 1 ]
	[[ $output == *"$image (6.1"*"as stored: +0.00 %"*": good"* ]]
	[[ $output == *"first bad: $newer "*", between $image "* ]]
	[ "$(contend list runs --store "$store" | grep -c 'bisect null')" -eq 2 ]
	run contend compare 1 2 --store "$store"
	echo "$output"
	[[ $output == *"ram_bytes"*" -"* ]]
}

@test "a list of which none is bad says so" {
	needs_measured
	bisect --kernels "$older,$newer" --primary time
	[ "$status" -eq 0 ]
	[[ $output == *"none is bad: $newer"* ]]
	bisect --kernels "$older,$newer" --moved faster
	[ "$status" -eq 0 ]
	[[ $output == *"none is bad: $newer"* ]]
}

@test "git bisect run finds the commit, past one that does not build" {
	needs_measured
	make_tree
	add_commit one 'make old'
	add_commit two 'make old # 2'
	add_commit three 'echo "x.c:1:2: error: no such thing"; false'
	add_commit four 'make old # 4'
	add_commit five 'make new'
	add_commit six 'make new # 6'
	cd "$tree"
	git bisect start HEAD HEAD~5
	run git bisect run "$CONTEND" bisect --store "$store" "${scenario[@]}" \
		--good "$(echo "$old"/boot/vmlinuz-*)"
	echo "$output"
	[ "$status" -eq 0 ]
	[[ $output == *"is the first bad commit"* ]]
	[ "$(git log -1 --format=%s refs/bisect/bad)" = five ]
	git bisect reset
	[ "$(contend list runs --store "$store" | grep -c 'bisect null')" -eq 2 ]
	assert_nothing_left
}

@test "a step ends with git's codes: good, bad, not to be tested" {
	needs_measured
	make_tree
	while IFS='|' read -r code what words; do
		add_commit "$code" "$what"
		bisect --good 1 --tree "$tree"
		[ "$status" -eq "$code" ]
		[[ $output == *"$words"* ]]
	done <<-'END'
		0|make old|: good
		1|make new|: bad
		125|echo "x.c:1: error: odd"; false|cannot be built (exit 2): x.c:1: error: odd
		125|kill -9 $$|cannot be built
		125|echo text >arch/x86/boot/bzImage|is no kernel for x86-64
		125|true|No such file
	END
}

@test "what is wrong with the command is said in one line, and stops git" {
	[ -z "$missing" ] || skip "$missing"
	mkdir "$base/tree"
	touch "$base/tree/.config"
	cd "$base"
	while IFS=: read -r code options words; do
		# shellcheck disable=SC2086
		run contend bisect --lead null $options
		echo "$output"
		[ "$status" -eq "$code" ]
		[ "${#lines[@]}" -eq 1 ]
		[[ $output == *"$words"* ]]
	done <<-END
		255::--good KERNEL or RUN
		255:--bogus:no option "--bogus"
		255:--good x --tree none:none
		255:--good x:.config
		255:--good x --tree tree --runs 5:--runs 6
		255:--good x --tree tree --box host:--box vm
		255:--good x --tree tree --load io --vary a=b:no option "--vary
		255:--good x --tree tree --variant a --variant b:one --variant is enough
		255:--good x --tree tree:no kernel "x"
		255:--good 7 --tree tree:7
		255:--good x --tree tree --level 2:--level
		2:--kernels a:two at least
		2:--kernels a,,b:without a name
		2:--kernels a,b --bogus:no option "--bogus"
		2:--kernels /none,/nil:No such file
		2:--kernels 5.5.5,5.5.6:no kernel "5.5.5"
		2:--kernels a,b --good c:a list, or a tree
	END
	assert_nothing_left
}

@test "an interrupted build leaves nothing that runs" {
	needs_measured
	make_tree
	"$CONTEND" bisect --store "$store" "${scenario[@]}" --good 1 --tree "$tree" \
		--build 'sleep 300 & sleep 300' >"$base/said" 2>&1 3>&- &
	pid=$!
	for _ in $(seq 300); do
		[ -z "$(contend_processes | grep sleep)" ] || break
		sleep 0.1
	done
	[ -n "$(contend_processes | grep sleep)" ]
	kill -INT "$pid"
	status=0
	wait "$pid" || status=$?
	cat "$base/said"
	[ "$status" -eq 255 ]
	grep -q interrupted "$base/said"
	assert_nothing_left
}
