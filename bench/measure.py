# SPDX-License-Identifier: GPL-2.0-or-later
"""Runs both sides of a row in pairs, and shows what came out."""
import collections
import csv
import dataclasses
import io
import math
import operator
import os
import pathlib
import shlex
import shutil
import statistics
import subprocess
import tempfile
import typing


class Missing(Exception):
    """A row cannot be measured here; the text says why."""


@dataclasses.dataclass
class Side:
    command: str  # as a user would type it
    run: typing.Callable[[], float]


@dataclasses.dataclass
class Row:
    name: str
    unit: str  # of both sides
    ours: Side
    other: typing.Optional[Side]  # None: ours is a figure with a limit
    target: str = ""  # ">= 0.95", "<= 0.5"; empty: none
    note: str = ""
    pairs: int = 0  # at least so many: where both sides do the same thing, and little tells them


@dataclasses.dataclass
class Result:
    row: Row
    ours: list
    others: list
    problem: str = ""

    def ratios(self):
        if self.row.other is None:
            return self.ours
        return [a / b for a, b in zip(self.ours, self.others)]


class Bench:
    """The program under test, a scratch directory, and a store and a journal of its own."""

    def __init__(self, build, scratch, seconds):
        self.contend = build / "src" / "contend"
        self.build = build
        self.seconds = seconds
        self.dir = pathlib.Path(tempfile.mkdtemp(prefix="contend-bench-", dir=scratch))
        self.out = self.dir / "out"
        self.env = dict(os.environ, LC_ALL="C", CONTEND_JOURNAL=str(self.dir / "journal"))

    def __enter__(self):
        return self

    def __exit__(self, *_):
        subprocess.run([self.contend, "restore"], env=self.env, capture_output=True)
        shutil.rmtree(self.dir)

    def args(self, *args, lead_in="0.5s"):
        """A run of one trial, warm, without the trials that ratios would want."""
        return [str(self.contend), "run", *args, "--warm", "--runs", "1", "--noload", "no",
                "--solo", "no", "--lead-in", lead_in]

    def start(self, args, **how):
        store = self.dir / "store"
        store.unlink(missing_ok=True)
        return subprocess.Popen(
            [*args, "--store", str(store), "--scratch", str(self.dir)], env=self.env,
            stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, **how)

    def finish(self, process):
        """The figures of the trial: (source, role, metric, kind) -> value."""
        said = process.communicate()[1].strip()
        if process.returncode:
            raise Missing(said.splitlines()[-1] if said else f"exit {process.returncode}")
        text = subprocess.run(
            [self.contend, "export", "1", "--format", "csv", "--store", str(self.dir / "store")],
            env=self.env, capture_output=True, text=True, check=True).stdout
        figures = collections.defaultdict(float)
        for line in csv.DictReader(io.StringIO(text)):
            if line["outcome"] != "ok":
                raise Missing(f"a trial was {line['outcome']}")
            if line["value"]:
                figures[line["source"], line["role"], line["metric"], line["kind"]] = float(
                    line["value"])
        return figures

    def trial(self, *args):
        return self.finish(self.start(self.args(*args)))

    def lead(self, command, box):
        """The figures of a trial whose lead is another program, and what that one printed."""
        figures = self.trial("--lead", self.part(command), "--box", box)
        return figures, self.out.read_text()

    def part(self, command, load=False):
        """Another program as a lead, or as a load that shows that it lives: prints to self.out."""
        if not shutil.which(command[0]):
            raise Missing(f"{command[0]} is not installed: tools/deps bench")
        line = f"{shlex.join(map(str, command))} >{shlex.quote(str(self.out))} 2>&1"
        if load:
            line = f"while echo; sleep 0.1; do :; done & {line}"
        line = line.replace("\\", "\\\\").replace(",", "\\,")
        return f"command:count={'lines' if load else 'runs'},run={line}"

    def tool(self, name):
        return self.build / "bench" / f"bench_{name}"


def shown(args):
    """The line to type: without the paths of this run."""
    return shlex.join([pathlib.Path(args[0]).name, *map(str, args[1:])])


def window_s(figures):
    return figures["trial", "", "window", "figure"] / 1e9


def measure(row, pairs):
    """Either side is first in turn: what drifts favours neither."""
    result = Result(row, [], [])
    sides = [(row.ours, result.ours)] + ([(row.other, result.others)] if row.other else [])
    try:
        for i in range(max(pairs, row.pairs)):
            for side, values in sides if i % 2 == 0 else reversed(sides):
                values.append(side.run())
    except Missing as problem:
        result.problem = str(problem)
    return result


def human(value):
    for factor, name in ((1e9, "G"), (1e6, "M"), (1e3, "k"), (1, ""), (1e-3, "m")):
        if value >= factor:
            return f"{value / factor:.3g} {name}"
    return f"{value * 1e6:.3g} µ"


def interval(ratios):
    """Of the median, by order statistics: 95 %, or all there is where less than 6 say less."""
    n, ratios = len(ratios), sorted(ratios)
    left_out, tail = 0, 2 * 0.5**n
    while tail + 2 * math.comb(n, left_out + 1) * 0.5**n <= 0.05:
        left_out += 1
        tail += 2 * math.comb(n, left_out) * 0.5**n
    return ratios[left_out], ratios[n - 1 - left_out]


def verdict(result):
    """`level`: the median misses the target by less than its interval."""
    if not result.row.target:
        return ""
    relation, limit = result.row.target.split()
    ratios = result.ratios()
    meets = operator.ge if relation == ">=" else operator.le
    if meets(statistics.median(ratios), float(limit)):
        return "met"
    low, high = interval(ratios)
    return "level" if meets(high if relation == ">=" else low, float(limit)) else "MISSED"


def cells(result):
    row = result.row
    if result.problem:
        return [row.name, "", "", "", "", "", row.target, f"not measured: {result.problem}"]
    ratios = result.ratios()
    values = [human(statistics.median(side)) + row.unit if side else ""
              for side in (result.ours, result.others)]
    low, high = interval(ratios)
    return [row.name, *values, f"{statistics.median(ratios):.3f}", f"{low:.3f} to {high:.3f}",
            f"{min(ratios):.3f} to {max(ratios):.3f}", row.target, verdict(result)]


def show(results, scratch):
    table = [["Row", "contend", "instead", "Ratio", "95 %", "Range", "Target", ""],
             *(cells(result) for result in results)]
    widths = [max(len(line[i]) for line in table) for i in range(len(table[0]))]
    for line in table:
        print("  ".join(f"{cell:{width}}" for cell, width in zip(line, widths)).rstrip())
    for result in results:
        row = result.row
        print(f"\n{row.name}: {len(result.ratios())} {'pairs' if row.other else 'runs'}")
        print(f"  A  {row.ours.command}".replace(str(scratch), "DIR"))
        if row.other:
            print(f"  B  {row.other.command}".replace(str(scratch), "DIR"))
        if row.note:
            print(f"  {row.note}")
