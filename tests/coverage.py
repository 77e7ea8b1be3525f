#!/usr/bin/env python3
"""Prints the share of lines and branches that the tests execute, for each folder that reads bytes from files.

usage: tests/coverage.py BUILD_DIRECTORY [--uncovered]    (one of the preset `coverage`, whose tests have run)

Branches taken only by an exception, and branches that only the compiler adds, do not count. Fails when a
folder has fewer than LEAST per cent of its branches executed.
"""

import collections
import json
import pathlib
import subprocess
import sys

FOLDERS = ("src/wire", "src/cbor", "src/archive")
LEAST = 95.0


def measured(build):
    gcovr = pathlib.Path(build, "gcovr", "bin", "gcovr")
    out = pathlib.Path(build, "coverage.json")
    # Not --exclude-throw-branches: in code that was not run, gcov does not say which branches those are, and of the two
    # builds of the library a test may run one alone. Together they say it, see written().
    command = [gcovr if gcovr.exists() else "gcovr", "--root", ".", "--exclude-unreachable-branches", "--json", out,
               "--html-details", pathlib.Path(build, "html", "index.html")]
    for folder in FOLDERS:
        command += ["--filter", f"{folder}/"]
    # The library's objects, and those of the tests, which compile its headers.
    places = [pathlib.Path(build, place) for place in ("src", "tests", "fuzz")]
    pathlib.Path(build, "html").mkdir(exist_ok=True)
    subprocess.run([*command, *places], check=True)
    return json.loads(out.read_text(encoding="utf-8"))["files"]


def written(branches):
    """The branches of the source, without those taken by an exception."""
    return [branch for branch in branches if not branch.get("throw")]


def main():
    build, uncovered = sys.argv[1], "--uncovered" in sys.argv[2:]
    sums = collections.defaultdict(collections.Counter)
    for file in measured(build):
        name = file["file"]
        for line in file["lines"]:
            if line.get("gcovr/noncode"):
                continue
            branches = written(line["branches"])
            missed = sum(branch["count"] == 0 for branch in branches)
            for key in (name, "/".join(name.split("/")[:2])):  # with its subfolders
                sums[key] += collections.Counter(lines=1, lines_run=line["count"] > 0, branches=len(branches),
                                                 branches_run=len(branches) - missed)
            if uncovered and (missed or line["count"] == 0):
                print(f"{name}:{line['line_number']}: {missed} of {len(branches)} branches not taken"
                      f"{'' if line['count'] else ', line not run'}")

    print(f"{'':34} {'lines':>14} {'branches':>16}")
    poor = []
    for name in sorted(sums):
        s = sums[name]
        share = [100 * s[f"{what}_run"] / s[what] if s[what] else 100.0 for what in ("lines", "branches")]
        print(f"{name:34} {s['lines_run']:5}/{s['lines']:<5}{share[0]:4.0f}% "
              f"{s['branches_run']:6}/{s['branches']:<5}{share[1]:5.1f}%")
        if name in FOLDERS and share[1] < LEAST:
            poor.append(name)
    missing = [folder for folder in FOLDERS if folder not in sums]
    if missing or poor:
        print(f"below {LEAST:g} % of branches: {', '.join(poor + missing)}")
    return 1 if missing or poor else 0


if __name__ == "__main__":
    sys.exit(main())
