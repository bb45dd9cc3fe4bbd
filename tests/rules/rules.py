#!/usr/bin/env python3
# SPDX-License-Identifier: GPL-2.0-or-later
"""House rules that a machine can check. Prints TAP; each rule names every place that breaks it."""
import pathlib
import re
import subprocess
import sys

top = pathlib.Path(__file__).resolve().parents[2]
src = top / "src"
sources = sorted([*src.rglob("*.c"), *src.rglob("*.h")])
tests = sorted([*(top / "tests").rglob("*.c"), *(top / "tests").rglob("*.h")])
benches = sorted((top / "bench").rglob("*.c"))
everything = sources + tests + benches


def at(path, number=None):
    name = str(path.relative_to(top))
    return f"{name}:{number}" if number else name


def lines(path):
    return list(enumerate(path.read_text().splitlines(), 1))


def rooms():
    """room -> rooms that it may include, from src/rooms."""
    table = {}
    for line in (src / "rooms").read_text().splitlines():
        if line and not line.startswith("#"):
            room, _, below = line.partition(":")
            table[room] = set(below.split())
    return table


def rule_rooms_stand_below_their_users():
    """a room names only rooms above its own line, so that there is no circle"""
    seen = set()
    for room, below in rooms().items():
        for name in below - seen:
            yield f"src/rooms: {room} names {name}, which stands behind it"
        seen.add(room)


def rule_every_folder_is_a_room():
    """src/ holds the rooms of the table and nothing else"""
    folders = {p.name for p in src.iterdir() if p.is_dir()}
    for name in folders ^ set(rooms()):
        yield f"src/{name}: in src/rooms or in src/, not in both"


def rule_includes_follow_the_table():
    """a room includes base, itself, and what its line in src/rooms names"""
    table = rooms()
    for path in sources:
        room = path.relative_to(src).parts[0]
        if room not in table:
            continue
        for number, line in lines(path):
            match = re.match(r'\s*#include "([^"/]+)/', line)
            if match and match[1] not in table[room] | {"base", room}:
                yield f"{at(path, number)}: {room} may not include {match[1]}"


def rule_includes_name_the_room():
    """#include "room/header.h", never a bare name"""
    for path in sources:
        for number, line in lines(path):
            if re.match(r'\s*#include "[^/]+"', line):
                yield at(path, number)


def rule_sqlite_stays_in_the_store():
    """only store/ includes sqlite3.h"""
    for path in sources:
        if path.parent.name != "store" and "sqlite3.h" in path.read_text():
            yield at(path)


def rule_only_command_prints_or_exits():
    """printf, puts, stdout, stderr, exit() belong to command/ and main.c"""
    word = re.compile(r"(?<![\w>.])(printf|puts|putchar|perror|exit)\s*\(|\b(stdout|stderr)\b")
    for path in sources:
        if path.parent.name == "command" or path.name == "main.c":
            continue
        for number, line in lines(path):
            code = re.sub(r'"(\\.|[^"])*"', '""', line)
            code = re.sub(r"/\*.*?\*/|//.*|^\s*\*.*|/\*.*", "", code)
            if word.search(code) and "__attribute__" not in code:
                yield f"{at(path, number)}: {code.strip()}"


def rule_headers_compile_alone():
    """each header includes what it needs"""
    for path in sources:
        if path.suffix == ".h":
            result = subprocess.run(
                ["cc", "-std=gnu17", "-D_GNU_SOURCE", "-fsyntax-only", "-I", src, "-x", "c", path],
                capture_output=True, text=True)
            if result.returncode:
                yield f"{at(path)}: {result.stderr.splitlines()[0]}"


def rule_format():
    """clang-format has nothing to change"""
    result = subprocess.run(
        ["clang-format", "--dry-run", "-Werror", *everything], capture_output=True, text=True)
    for line in result.stderr.splitlines():
        if "error:" in line:
            yield line.replace(str(top) + "/", "")


def rule_files_are_short():
    """no source over 400 lines"""
    for path in sources:
        if len(lines(path)) > 400:
            yield f"{at(path)}: {len(lines(path))} lines"


def rule_licence_line():
    """every source says its licence in its first line"""
    for path in everything:
        if not path.read_text().startswith("// SPDX-License-Identifier: GPL-2.0-or-later\n"):
            yield at(path)


def rule_nothing_unfinished():
    """no marks of unfinished work"""
    word = re.compile(r"\b(TODO|FIXME|XXX|HACK|placeholder|not implemented)\b", re.I)
    for path in everything:
        for number, line in lines(path):
            if word.search(line):
                yield at(path, number)


def registered(kind):
    """every `const struct KIND KIND_x` is in the registry, and every file is built"""
    room = src / kind
    registry = (room / "registry.c").read_text()
    build = (room / "meson.build").read_text()
    for path in sorted(room.glob("*.c")):
        if f"'{path.name}'" not in build:
            yield f"{at(path)}: not in src/{kind}/meson.build"
        for name in re.findall(rf"^const struct {kind} ({kind}_\w+) = ", path.read_text(), re.M):
            if f"&{name}," not in registry:
                yield f"{at(path)}: {name} is not in src/{kind}/registry.c"


def rule_workloads_are_registered():
    """a workload is one file and one line"""
    yield from registered("workload")


def rule_samplers_are_registered():
    """a sampler is one file and one line"""
    yield from registered("sampler")


def rule_settings_are_registered():
    """a setting is one row and one line"""
    yield from registered("setting")


def rule_unit_tests_are_built():
    """every tests/unit/test_*.c is listed in tests/unit/meson.build, every live one likewise"""
    for folder in ("unit", "live"):
        build = (top / "tests" / folder / "meson.build").read_text()
        for path in sorted((top / "tests" / folder).glob("test_*.c")):
            if f"'{path.stem.removeprefix('test_')}'" not in build and path.name not in build:
                yield at(path)


def rule_documents_name_files_that_exist():
    """a path of the tree that README or docs/ name is there"""
    for path in [top / "README.md", *sorted((top / "docs").glob("*.md"))]:
        if not path.exists():
            yield at(path)
            continue
        for number, line in lines(path):
            for name in re.findall(r"`((?:src|tests|tools|docs|bench|suites)/[\w./-]*\w)`", line):
                if not (top / name).exists():
                    yield f"{at(path, number)}: {name}"


def main():
    rules = [f for name, f in sorted(globals().items()) if name.startswith("rule_")]
    print(f"1..{len(rules)}")
    for number, rule in enumerate(rules, 1):
        faults = list(rule())
        name = rule.__name__.removeprefix("rule_").replace("_", " ")
        print(f"{'not ok' if faults else 'ok'} {number} - {name}")
        for fault in faults:
            print(f"# {fault}", file=sys.stderr)
    return 0


sys.exit(main())
