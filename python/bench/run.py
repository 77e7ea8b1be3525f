# SPDX-License-Identifier: Apache-2.0
"""Compares the package with NumPy and with the reference implementation's package, and checks bars.

usage: python/bench/run.py [--reference PYTHON] [--only ROW] [--rounds N] [--quick] [--gate] [--json FILE]

Each side is measured in processes of its own, which take turns, so that a busy machine slows all of them. A value is
the median of the processes. --gate: the exit status is 1 if a row misses its bar. --json: a file that `pyperf` reads.
"""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
from dataclasses import dataclass

import pyperf
from archives import write_all

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "build" / "python_bench" / "data"


@dataclass(frozen=True)
class Row:
    """One operation. `bars` are limits: of a time in seconds, or of a ratio to another side."""

    name: str
    what: str
    sides: tuple[str, ...]
    bars: tuple[tuple[str, float], ...]  # (what is compared, limit)


ROWS = (
    Row("open", "open + one array", ("tgmap", "numpy", "reference"), (("of numpy", 2.0),)),
    Row("known", "array of a known archive", ("tgmap", "reference"), (("seconds", 2e-6),)),
    Row("views", "1,000 arrays of 100 KB, each", ("tgmap", "reference"), (("faster than reference", 30.0),)),
    Row("sums", "the same, and summed", ("tgmap", "reference"), (("faster than reference", 6.0),)),
    Row("metadata", "metadata of 10,000 messages as dicts, each", ("tgmap", "reference"), (("seconds", 4e-6),)),
    Row("objects", "10,000 objects of one message, each", ("tgmap", "reference"), (("seconds", 3e-6),)),
    Row("len", "len of {million} messages", ("tgmap", "command", "reference"), (("of command", 1.15),)),
    Row("table", "table of 4 keys, 10,000 messages", ("tgmap",), (("seconds", 20e-3),)),
    Row("gather", "gather 1,000 fields of 10 KB", ("tgmap", "numpy"), (("of numpy", 2.0),)),
    Row("szip_threads", "decode packing + szip on 2 threads: times one", ("tgmap",), (("at least", 1.8),)),
    Row("hashlib_threads", "control: hashlib on 2 threads", ("tgmap",), ()),
    # Unpacking writes 32 MiB in 4 ms: it cannot scale better than memory does.
    Row("unpack_threads", "decode packing on 2 threads: times one", ("tgmap",), (("at least", 1.8),)),
    Row("copy_threads", "control: NumPy copies as much on 2 threads", ("tgmap",), ()),
)
RATIOS = ("szip_threads", "hashlib_threads", "unpack_threads", "copy_threads")


def measure(row, options, pythons):
    """Return the values of each side, measured by processes that take turns."""
    values = {side: [] for side in row.sides if pythons[side]}
    for _ in range(options.rounds):
        for side, found in values.items():
            call = [pythons[side], HERE / "worker.py", side, row.name, FOLDER, str(options.million)]
            done = subprocess.run(call, stdout=subprocess.PIPE, check=True)
            found.append(json.loads(done.stdout))
    return values


def check(row, middle):
    """Return (text, passed) for each bar; passed is None if the other side is not here."""
    own = middle["tgmap"]
    for what, limit in row.bars:
        words = what.split()
        if words[-1] in ("numpy", "command", "reference"):
            other = middle.get(words[-1])
            if other is None:
                yield f"SKIPPED: {what} ({words[-1]} is not here)", None
            elif words[0] == "of":
                yield f"{own / other:.2f} x {words[-1]}, bar {limit:g}", own / other <= limit
            else:
                yield f"{other / own:.1f} x as fast as {words[-1]}, bar {limit:g}", other / own >= limit
        elif what == "at least":
            yield f"bar {limit:g}", own >= limit
        else:
            yield f"bar {shown(limit)}", own <= limit


def shown(seconds):
    for unit, factor in (("s", 1.0), ("ms", 1e3), ("µs", 1e6), ("ns", 1e9)):
        if seconds * factor >= 1:
            break
    return f"{seconds * factor:.3g} {unit}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--reference", metavar="PYTHON", help="a Python that has the package tensogram")
    parser.add_argument("--only", metavar="ROW", action="append", choices=[row.name for row in ROWS])
    parser.add_argument("--rounds", type=int, default=5, help="processes of each side")
    parser.add_argument("--quick", action="store_true", help="100,000 messages instead of a million; 3 rounds")
    parser.add_argument("--gate", action="store_true", help="exit status 1 if a row misses its bar")
    parser.add_argument("--json", metavar="FILE", help="write the values for pyperf")
    options = parser.parse_args()
    options.million = 100_000 if options.quick else 1_000_000
    if options.quick:
        options.rounds = min(options.rounds, 3)

    write_all(FOLDER, options.million)
    own = sys.executable
    pythons = {"tgmap": own, "numpy": own, "command": own, "reference": options.reference}
    machine = f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    print(f"{machine}, load {os.getloadavg()[0]:.1f}")
    suite, missed = [], []
    for row in ROWS:
        if options.only and row.name not in options.only:
            continue
        values = measure(row, options, pythons)
        middle = {side: statistics.median(found) for side, found in values.items()}
        texts = [f"{middle[s]:.2f}" if row.name in RATIOS else f"{s} {shown(middle[s])}" for s in middle]
        bars = list(check(row, middle))
        verdict = "; ".join(text + ("" if passed in (True, None) else ", MISSED") for text, passed in bars)
        print(f"{row.what.format(million=f'{options.million:,}'):46} {', '.join(texts):52} {verdict}", flush=True)
        missed += [row.name for _, passed in bars if passed is False]
        for side, found in values.items():
            metadata = {"name": f"{row.name}/{side}"}
            runs = [pyperf.Run([value], metadata=metadata, collect_metadata=False) for value in found]
            suite.append(pyperf.Benchmark(runs))
    if options.json:
        pyperf.BenchmarkSuite(suite).dump(options.json, replace=True)
    print("all bars are met" if not missed else f"missed: {', '.join(missed)}")
    return 1 if options.gate and missed else 0


if __name__ == "__main__":
    sys.exit(main())
