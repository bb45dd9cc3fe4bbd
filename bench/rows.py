# SPDX-License-Identifier: GPL-2.0-or-later
"""What is compared with what."""
import functools
import os
import pathlib
import shutil
import subprocess
import time

import recorder
from measure import Missing, Row, Side, shown, window_s

PAGE = os.sysconf("SC_PAGESIZE")
MIB = 1 << 20


def load_side(bench, load, box, role, scale=1):
    """Units that a load counts, per second of its window, times scale."""
    args = bench.args("--lead", f"null:seconds={bench.seconds:g}", "--load", load, "--box", box)

    def run():
        figures = bench.finish(bench.start(args))
        return scale * figures["trial", role, "progress", "delta"] / window_s(figures)

    return Side(shown(args), run)


def lead_side(bench, lead, box, units):
    args = bench.args("--lead", lead, "--box", box)

    def run():
        return units / window_s(bench.finish(bench.start(args)))

    return Side(shown(args), run)


def other_side(bench, command, box, rate, before=None):
    """Another program in such a box; rate() makes its figure of the trial's and of its output."""

    def run():
        if before:
            before()
        return rate(*bench.lead(command, box))

    return Side(f"[box {box}] {shown(command)}", run)


# io, read: dd's own figure leaves out what O_TRUNC and close(2) take, so the whole process is
# timed, from its start to its end, pass after pass as contest's io_load did it. `again` makes one
# pass before, as the load has its lead-in. Both write 64 KiB at a time into a file of one size.


def again_rate(size, figures, text):
    runs, elapsed_ns, _ = map(int, text.split())
    return runs * size * 1e9 / elapsed_ns


def dd_side(bench, size, box, arguments, before=None):
    command = [bench.tool("again"), f"{bench.seconds:g}", "dd", *arguments, "bs=64K",
               f"count={size // 65536}", "status=none"]
    return other_side(bench, command, box, functools.partial(again_rate, size), before)


def io_row(bench, name, mode, flags):
    size, box = 64 * MIB, "cgroup:mem=128M,swap=0"
    path = bench.dir / "dd.file"
    return Row(name, "B/s",
               load_side(bench, f"io:size={size // MIB}M,write={mode}", box, "io"),
               dd_side(bench, size, box, ["if=/dev/zero", f"of={path}", *flags],
                       lambda: path.unlink(missing_ok=True)),
               ">= 0.95")


def file_out_of_cache(path, size):
    """Random data, as the load's; its pages belong to no box when the other side begins."""
    if not path.exists():
        with open(path, "wb") as file:
            for _ in range(size // MIB):
                file.write(os.urandom(MIB))
    with open(path, "rb+") as file:
        os.fsync(file.fileno())
        os.posix_fadvise(file.fileno(), 0, 0, os.POSIX_FADV_DONTNEED)


def read_row(bench, name, size, box, note):
    path = bench.dir / f"read-{size}.file"
    return Row(name, "B/s", load_side(bench, f"read:size={size // MIB}M", box, "read"),
               dd_side(bench, size, box, [f"if={path}", "of=/dev/null"],
                       lambda: file_out_of_cache(path, size)),
               ">= 0.95", note)


# process: a round trip is two context switches in a ring of two and in perf's pipe alike; perf's
# figure is its own, which leaves its start out.


def perf_pipe_rate(figures, text):
    for line in text.splitlines():
        if "ops/sec" in line:
            return 2 * float(line.split()[0])
    raise Missing("perf bench sched pipe said nothing")


def process_row(bench):
    box = "cgroup:mem=128M,swap=0,cpus=1"
    loops = int(150000 * bench.seconds)
    return Row("process, ring of 2", "switches/s",
               load_side(bench, "process:members=2", box, "process", 2),
               other_side(bench, ["perf", "bench", "sched", "pipe", "-l", loops], box,
                          perf_pipe_rate),
               ">= 1.0", "both sides make the same system calls", pairs=25)


def switches(figures, text=None):
    """Of the whole machine, in the window: the ring's tasks and messaging's are not the same."""
    return figures["stat", "", "ctxt", "delta"] / window_s(figures)


def ring_row(bench):
    box = "cgroup:mem=256M,swap=0"
    args = bench.args("--lead", f"null:seconds={bench.seconds:g}", "--load", "process",
                      "--box", box)
    loops = int(600 * bench.seconds)
    return Row("process, default ring", "switches/s",
               Side(shown(args), lambda: switches(bench.finish(bench.start(args)))),
               other_side(bench, ["perf", "bench", "sched", "messaging", "-p", "-g", "2", "-l",
                                  loops], box, switches),
               note="messaging has many messages in flight, the ring one: no target")


# mem touches one word of one page at a time. Of stress-ng's memory methods prime-0 is nearest: it
# changes one byte, then goes on by a prime that is a little over 4096 modulo the size, so that each
# access is in the next page. 4096 accesses are a bogo operation. It begins with a memset of all
# pages, which are counted as accesses here; its check at the end, after 8 accesses to each byte, is
# never reached. Neither side has huge pages.
#
# Where the memory does not fit into the box, both go in page order, and each page that is touched
# is a page fault: the kernel counts them for both, when stress-ng's memset has passed.


def stress_ng(bench, size, method, advice, seconds, *more):
    return ["stress-ng", "--vm", "1", "--vm-bytes", str(size), "--vm-method", method,
            "--vm-madvise", advice, *more, "--timeout", f"{seconds:g}", "--metrics",
            "--yaml", bench.dir / "yaml", "--temp-path", bench.dir]


def stress_rate(bench, per_op, extra, figures, text):
    values = {}
    # The line of the one stressor is the first to have these keys.
    for line in (bench.dir / "yaml").read_text().splitlines():
        key, _, value = line.strip().lstrip("- ").partition(": ")
        values.setdefault(key, value)
    if "bogo-ops" not in values:
        raise Missing(f"stress-ng gave no figures: {text.strip().splitlines()[-1]}")
    return (float(values["bogo-ops"]) * per_op + extra) / float(values["wall-clock-time"])


def mem_row(bench):
    size, box = 128 * MIB, "cgroup:mem=256M,swap=0"
    command = stress_ng(bench, size, "prime-0", "nohugepage", bench.seconds, "--vm-keep")
    return Row("mem, in memory", "pages/s",
               load_side(bench, f"mem:size={size // MIB}M", box, "mem"),
               other_side(bench, command, box,
                          functools.partial(stress_rate, bench, 4096, size // PAGE)),
               ">= 1.0")


def faults_side(bench, load, role, command):
    box, lead_in = "cgroup:mem=64M,swap=256M", "4s"
    parts = ["--lead", f"null:seconds={2 * bench.seconds:g}", "--box", box, "--load"]

    def run():
        part = load or bench.part(command, load=True)
        figures = bench.finish(bench.start(bench.args(*parts, part, lead_in=lead_in)))
        # The names of v1 and of v2.
        return (figures["cgroup", role, "memory.stat.total_pgfault", "delta"] or
                figures["cgroup", role, "memory.stat.pgfault", "delta"]) / window_s(figures)

    typed = (shown(bench.args(*parts, load, lead_in=lead_in)) if load
             else f"[load of box {box}] {shown(command)}")
    return Side(typed, run)


def swapping_row(bench):
    size = 80 * MIB
    command = stress_ng(bench, size, "prime-0", "nohugepage", 600, "--vm-keep")
    return Row("mem, swapping", "pages/s",
               faults_side(bench, f"mem:size={size // MIB}M,order=seq", "mem", None),
               faults_side(bench, None, "command", command),
               note="both wait for one disk: no target")


# memfill, mmap: whole iterations, from the release of the lead to its end, against the smallest
# program that writes every word of every page, by its own clock. stress-ng's write64 writes every
# word, too; its bogo operation is 4096 times 256 bytes. Its mmap stressor on a file writes and
# syncs each page of the mapping once as a whole and once alone, and unmaps them in random order;
# a bogo operation is one such turn.


def wordfill_rate(units, figures, text):
    return units * 1e9 / int(text)


def memfill_rows(bench):
    size, iterations, box = 256 * MIB, 8, "cgroup:mem=512M,swap=0"
    pages = size // PAGE * iterations
    ours = functools.partial(
        lead_side, bench, f"memfill:bytes={size // MIB}M,iterations={iterations}", box, pages)
    word = [bench.tool("wordfill"), f"{size // MIB}M", iterations]
    stress = stress_ng(bench, size, "write64", "normal", bench.seconds)
    return [
        Row("memfill, word writes", "pages/s", ours(),
            other_side(bench, word, box, functools.partial(wordfill_rate, pages)), ">= 1.0"),
        Row("memfill, stress-ng", "pages/s", ours(),
            other_side(bench, stress, box,
                       functools.partial(stress_rate, bench, 4096 * 256 // PAGE, 0)), ">= 1.0"),
    ]


def mmap_rows(bench):
    pages, iterations, box = 16384, 4, "cgroup:mem=256M,swap=0"
    size = pages * PAGE
    ours = functools.partial(
        lead_side, bench, f"mmap:pages={pages},iterations={iterations}", box, pages * iterations)
    word = [bench.tool("wordfill"), size, iterations, bench.dir / "wordfill.file"]
    stress = ["stress-ng", "--mmap", "1", "--mmap-file", "--mmap-bytes", str(size), "--mmap-ops",
              "1", "--metrics", "--yaml", bench.dir / "yaml", "--temp-path", bench.dir]
    return [
        Row("mmap, word writes", "pages/s", ours(),
            other_side(bench, word, box,
                       functools.partial(wordfill_rate, pages * iterations)), ">= 1.0"),
        Row("mmap, stress-ng", "pages/s", ours(),
            other_side(bench, stress, box, functools.partial(stress_rate, bench, pages, 0)),
            ">= 1.0"),
    ]


# audio: CPU time per second of music: the lead's control group in the window, against mpg123 in
# such a box with a null card inside it. Both keep the pace of a card and sleep on a timer: what a
# player costs is mostly that it wakes with cold caches, which one that decodes ahead never does.


def track(bench):
    """contend's own track: its file is kept open while a run has it on its shelf."""
    path = bench.dir / "track.mp3"
    if path.exists():
        return path
    process = bench.start(bench.args("--lead", "audio:seconds=1s", "--box", "host"))
    held = None
    while process.poll() is None and not held:
        time.sleep(0.05)
        for found in bench.dir.glob("contend-*/**/audio-*.mp3"):
            held = open(found, "rb")
    bench.finish(process)
    if not held:
        raise Missing("no track was made")
    with held, open(path, "wb") as file:
        shutil.copyfileobj(held, file)
    return path


def audio_row(bench):
    seconds, box = 10, "cgroup:mem=128M,swap=0"
    path = bench.dir / "track.mp3"
    args = bench.args("--lead", f"audio:seconds={seconds}s,file={path}", "--box", box)
    def ours():
        track(bench)
        figures = bench.finish(bench.start(args))
        rate = figures["audio", "lead", "sample_rate", "last"]
        played = figures["audio", "lead", "frames_played", "delta"] / rate
        return figures["trial", "lead", "cpu_ns", "delta"] / 1e9 / played

    command = ["env", f"LD_PRELOAD={bench.tool('paced')}.so", "mpg123", "-q", "-s", str(path)]
    return Row("audio, CPU", "s per s of music", Side(shown(args), ours),
               other_side(bench, command, box,
                          lambda figures, text: float(text) / 1e9 / seconds,
                          lambda: track(bench)),
               "<= 1.0")


def fixed_row(bench):
    args = [str(bench.contend), "run", "--lead", "null:seconds=0.3", "--runs", "1"]

    def run():
        start = time.monotonic()
        bench.finish(bench.start(args))
        return time.monotonic() - start - 0.3

    return Row("fixed cost of a run", "s", Side(shown(args), run), None, "<= 0.3",
               "seconds from start to exit, but for the 0.3 that the lead lasts")


def all_rows(bench):
    return [
        io_row(bench, "io, truncate", "truncate", []),
        io_row(bench, "io, overwrite", "overwrite", ["conv=notrunc"]),
        read_row(bench, "read, disk", 256 * MIB, "cgroup:mem=128M,swap=0",
                 "a file twice as large as the box"),
        read_row(bench, "read, page cache", 64 * MIB, "cgroup:mem=128M,swap=0",
                 "a file half as large as the box"),
        process_row(bench),
        ring_row(bench),
        mem_row(bench),
        swapping_row(bench),
        *recorder.rows(bench),
        *memfill_rows(bench),
        *mmap_rows(bench),
        audio_row(bench),
        fixed_row(bench),
    ]
