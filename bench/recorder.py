# SPDX-License-Identifier: GPL-2.0-or-later
"""contend's recorder against vmstat 1: what a sample costs, and whether it comes on time."""
import os
import subprocess
import threading
import time

from measure import Missing, Row, Side, shown

BOX = "cgroup:mem=128M,swap=0"
THRASHED = "cgroup:mem=64M,swap=256M"
TICKS = 10  # samples a second


def cpu_ns(pid, thread):
    """Time on a CPU: the first number of schedstat (Documentation/scheduler/sched-stats.rst)."""
    with open(f"/proc/{pid}/task/{thread}/schedstat") as file:
        return int(file.read().split()[0])


def others_cpu_ns(pid):
    """Of the threads that are not the first: the heartbeat's."""
    return sum(cpu_ns(pid, thread) for thread in os.listdir(f"/proc/{pid}/task")
               if int(thread) != pid)


def vmstat(count=100000):
    try:
        return subprocess.Popen(["vmstat", "-n", "1", str(count)], stdout=subprocess.PIPE,
                                text=True, env=dict(os.environ, LC_ALL="C"))
    except FileNotFoundError:
        raise Missing("vmstat is not installed")


class Costs:
    """Both in the same seconds, in the middle of a window; counted per sample and per line."""

    def __init__(self, bench):
        self.bench = bench
        self.seconds = 2 * bench.seconds
        self.args = bench.args("--lead", f"null:seconds={self.seconds + 5:g}", "--load",
                               "burn:workers=1", "--box", BOX)
        self.line_s = None
        self.beats = []

    def run(self):
        recorder, logger = self.bench.start(self.args), vmstat()
        try:
            time.sleep(3)
            pids = (recorder.pid, logger.pid)
            start, beats, begin = ([cpu_ns(pid, pid) for pid in pids],
                                   others_cpu_ns(recorder.pid), time.monotonic())
            time.sleep(self.seconds)
            took = [cpu_ns(pid, pid) - was for pid, was in zip(pids, start)]
            beats, passed = others_cpu_ns(recorder.pid) - beats, time.monotonic() - begin
        except FileNotFoundError:
            raise Missing(recorder.communicate()[1].strip() or "the run ended early")
        finally:
            logger.kill()
            logger.communicate()
        self.bench.finish(recorder)
        self.line_s = took[1] / 1e9 / passed
        self.beats.append(beats / 1e9 / passed)
        return took[0] / 1e9 / passed / TICKS

    def row(self):
        return Row("recorder, CPU", "s per sample", Side(shown(self.args), self.run),
                   Side("vmstat -n 1 (in the same seconds)", lambda: self.line_s), "<= 0.5",
                   "A: the supervisor's own thread, at 10 samples a second; the heartbeat's "
                   "threads, which are a probe of their own, are not in it")


class Punctuality:
    """A box that thrashes: the share of samples that came, and of vmstat's lines."""

    def __init__(self, bench):
        self.bench = bench
        self.args = bench.args("--lead", f"null:seconds={3 * bench.seconds:g}", "--load",
                               "mem:size=200M", "--box", THRASHED)
        self.lines = None

    def run(self):
        recorder, logger = self.bench.start(self.args), vmstat()
        stamps = []

        def follow():
            for _ in logger.stdout:
                stamps.append(time.monotonic())

        follower = threading.Thread(target=follow)
        follower.start()
        begin = time.monotonic()
        try:
            figures = self.bench.finish(recorder)
        finally:
            passed = time.monotonic() - begin
            logger.kill()
            follower.join()
            logger.wait()
        # Two lines of heading and the first of numbers come at once.
        stamps = stamps[2:]
        on_time = sum(b - a <= 1.5 for a, b in zip(stamps, stamps[1:]))
        self.lines = on_time / int(passed)
        return (figures["trial", "", "samples_taken", "figure"] /
                figures["trial", "", "samples_due", "figure"])

    def row(self):
        return Row("recorder, on time", "", Side(shown(self.args), self.run),
                   Side("vmstat -n 1 (outside the box, in the same seconds)", lambda: self.lines),
                   note="share of the samples that were due; of vmstat: of the lines, and it is "
                   "on time within 1.5 s of the one before")


def rows(bench):
    return [Costs(bench).row(), Punctuality(bench).row()]
