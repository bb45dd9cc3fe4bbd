# Trials in guests: the whole way from a Debian suite's name to a stored record.

load ../e2e/common

kernel=debian:bookworm
# The least that boots: no swap, a disk for little more than the directories.
tiny=mem=96M,swap=0,disk-size=16M,kernel=$kernel
quick_vm=(--lead null:seconds=0.2 --lead-in 0.1s --runs 1 --noload no --seed 7)

# Where guests cannot be had, the tests are skipped; the kernel is fetched once, into the cache.
setup_file() {
	missing=
	[ "$(uname -m)" = x86_64 ] || missing="guests are x86-64"
	command -v qemu-system-x86_64 >/dev/null || missing="no QEMU"
	command -v apt-get >/dev/null || missing="no apt"
	[ "$(id -u)" -eq 0 ] || missing="needs root"
	export missing
}

needs_guest() {
	[ -z "$missing" ] || skip "$missing"
}

# Runs contend where a kernel that cannot be fetched is no fault of contend's.
run_vm() {
	needs_guest
	run contend "$@"
	echo "$output"
	[[ $output != *"Debian's suite"*"E: "* ]] || skip "no kernel can be fetched here"
}

# Text of one key of the environment of the newest run's trial.
environment() {
	contend show --view env | sed -n "s/^$1  *//p" | head -1
}

@test "a guest with Debian's kernel conducts a trial, and nothing of it is left" {
	run_vm run "${quick_vm[@]}" --box "vm:exact,$tiny"
	[ "$status" -eq 0 ]
	[[ $output == *"vm, exact (QEMU "* ]]
	[[ $(environment contend.vm.mode) == exact ]]
	[[ $(environment contend.vm.kernel) == *cloud-amd64 ]]
	[[ $(environment contend.guest) == host,* ]]
	assert_nothing_left
}

@test "two trials of one seed that swap on a slow disk are the same bytes" {
	run_vm selftest exact --lead memfill:iterations=1,percent=60 --seed 3 \
		--box "vm:exact,mem=96M,swap=64M,disk-size=16M,disk=delay:1ms,kernel=$kernel"
	[ "$status" -eq 0 ]
	[[ $output == *"exact: yes"* ]]
	assert_nothing_left
}

@test "a guest compiles with the cc of this machine, beside io" {
	run_vm run --lead compile:files=1 --load io:size=8M --lead-in 0.1s --runs 1 --noload no \
		--solo no --box "vm:exact,mem=128M,swap=0,disk-size=64M,kernel=$kernel"
	[ "$status" -eq 0 ]
	[[ $(environment contend.vm.tools) == *MiB ]]
	assert_nothing_left
}

# Each of many requests ends when the host's clock says so: no two runs have all at the same moments.
@test "a device that ends its requests in real time is noticed" {
	run_vm selftest exact \
		--lead 'command:run=dd if=/dev/vda of=/dev/null bs=4k count=1000 iflag=direct' \
		--box "vm:exact,mem=128M,swap=0,disk-size=16M,kernel=$kernel,add=virtio-blk-pci"
	[ "$status" -eq 2 ]
	[[ $output == *"exact: no"* ]]
}

@test "in a guest, a box limits by cgroup v2: RAM and swap, and both are used" {
	run_vm run --lead memfill:iterations=1,percent=90 --runs 1 --noload no \
		--box "vm:exact,mem=128M,swap=64M,disk-size=16M,kernel=$kernel,inside=cgroup:mem=24M\,swap=32M"
	[ "$status" -eq 0 ]
	[[ $(environment contend.guest) == "cgroup (v2), 24 MiB RAM + 32 MiB"* ]]
	# 90 % of 56 MiB: more than the group's RAM.
	[[ $output == *" 52846592 "* ]]
}

@test "a setting is set in the guest, and the host keeps its own" {
	needs_guest
	before=$(cat /proc/sys/vm/page-cluster)
	run_vm run "${quick_vm[@]}" --box "vm:exact,$tiny" \
		--variant a:vm.page-cluster=7,zram=lzo:16M,preempt=none,thp=never
	[ "$status" -eq 0 ]
	[[ $(environment contend.setting.vm.page-cluster) == 7 ]]
	[[ $(environment zram.1.algorithm) == lzo ]]
	[[ $(environment sched.preempt) == none ]]
	[[ $(environment thp.enabled) == never ]]
	[ "$(cat /proc/sys/vm/page-cluster)" = "$before" ]
}

# Two variants on two seeds, two guests at once; and again on the first seed, one after the other.
@test "variants are pairs on each seed, and a run again is the same to the last digit" {
	local pairs=(--lead null:seconds=0.2 --lead-in 0.1s --noload no --seed 7
		--vary vm.page-cluster=0,3)
	run_vm run "${pairs[@]}" --box "vm:exact,guests=2,$tiny" --runs 2
	[ "$status" -eq 3 ]
	[[ $output == *"2 seeds, A and B once on each"* ]]
	[[ $output == *INCONCLUSIVE* ]]
	run_vm run "${pairs[@]}" --box "vm:exact,guests=1,$tiny" --runs 1
	[ "$status" -eq 3 ]
	[[ $output == *"no verdict rests on it"* ]]
	# All but the numbers of run and trial.
	contend export 1 --format csv | cut -d, -f3- >"$base/both"
	contend export 2 --format csv | cut -d, -f3- >"$base/first"
	grep -c ",1,ok," "$base/first"
	diff <(grep ",1,ok," "$base/both") <(grep ",1,ok," "$base/first")
	# Another seed is another path.
	! diff -q <(grep -o ",ok,.*" "$base/both" | head -n 500) \
		<(grep ",2,ok," "$base/both" | grep -o ",ok,.*" | head -n 500)
}

@test "a kernel that panics is an outcome with its last words" {
	run_vm run "${quick_vm[@]}" --box "vm:exact,$tiny,cmdline=rdinit=/none"
	[ "$status" -eq 2 ]
	[[ $output == *"broken (the guest ended before contend ran in it: Kernel panic"* ]]
	assert_nothing_left
}

@test "what cannot be booted is said in one line" {
	needs_guest
	while read -r box words; do
		run contend run "${quick_vm[@]}" --box "vm:$box"
		echo "$output"
		[ "$status" -eq 2 ]
		[ "${#lines[@]}" -eq 1 ]
		[[ $output == *"$words"* ]]
	done <<-END
		kernel=/etc/passwd is no kernel for x86-64
		kernel=5.5.5-none no kernel "5.5.5-none"
		kernel=/none/bzImage No such file
		qemu=/none/qemu no QEMU here
		qemu=/bin/true is no QEMU
		mem=100T the machine has
		mem=16M 96 MiB
		disk=delay:1us whole milliseconds
		inside=vm no vm box in a vm box
		exact,accel=kvm counts instructions
		guests=2 only exact ones
	END
}

# The guests that this test's contend started.
guests() {
	contend_processes | grep -F qemu-system || true
}

@test "a contend that is killed in mid-boot takes its guests along" {
	needs_guest
	"$CONTEND" run "${quick_vm[@]}" --runs 2 --box "vm:exact,guests=2,$tiny" 3>&- &
	pid=$!
	for _ in $(seq 600); do
		[ "$(guests | wc -l)" -lt 2 ] || break
		sleep 0.1
	done
	[ "$(guests | wc -l)" -eq 2 ]
	kill -9 "$pid"
	wait "$pid" || true
	for _ in $(seq 100); do
		[ -n "$(contend_processes)" ] || break
		sleep 0.1
	done
	[ -z "$(contend_processes)" ]
	contend restore
	assert_nothing_left
}
