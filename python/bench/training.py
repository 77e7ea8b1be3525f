# SPDX-License-Identifier: Apache-2.0
"""Compares reading of a training set with Zarr in the layout of anemoi-datasets, and with PyTorch's own way.

usage: python/bench/training.py [--dates N] [--samples N] [--rounds N] [--folder FOLDER] [--only SIDE] [--json FILE]

A sample is a date: 80 fields of 40,320 points of float32, 12.9 MB. Samples are read in random order, from files whose
pages are in memory and from files whose pages were dropped. Each side is measured in processes of its own, which
take turns; the floor is numpy.memmap of the same bytes. A value is the median of the processes: samples a second, CPU
time of a sample in all processes, and both as multiples of the floor's. Files are the most that a process has open.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import statistics
import subprocess
import sys

from sides import machine, write_json
from training_sides import LOADED, SIDES, write_all

HERE = pathlib.Path(__file__).resolve().parent
FOLDER = HERE.parents[1] / "build" / "python_bench" / "training"
MODES = ("warm", "cold", "workers")
TITLES = {
    "warm": "one process, pages in memory",
    "cold": "one process, pages dropped",
    "workers": "DataLoader with 2 workers, batches of 4, pages in memory",
}


def measure(mode, sides, options):
    """Return what the processes of each side have printed."""
    found = {side: [] for side in sides}
    for number in range(options.rounds):
        for side, values in found.items():
            call = [sys.executable, HERE / "training_sides.py", side, mode, options.folder]
            done = subprocess.run([*call, str(options.samples), str(number)], stdout=subprocess.PIPE, check=True)
            values.append(json.loads(done.stdout))
    return {
        side: {key: statistics.median(v[key] for v in values) for key in values[0]} for side, values in found.items()
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--dates", type=int, default=100, help="samples of the set")
    parser.add_argument("--samples", type=int, default=60, help="samples that each process reads")
    parser.add_argument("--rounds", type=int, default=5, help="processes of each side")
    parser.add_argument("--folder", type=pathlib.Path, default=FOLDER)
    parser.add_argument("--only", metavar="SIDE", action="append", choices=sorted({**SIDES, **LOADED}))
    parser.add_argument("--json", metavar="FILE", help="write the values")
    options = parser.parse_args()
    present = write_all(options.folder, options.dates)
    print(f"{machine()}; {options.dates} dates", flush=True)
    results = {}
    for mode in MODES:
        known = LOADED if mode == "workers" else SIDES
        sides = [each for each in known if each in present and (not options.only or each in (*options.only, "floor"))]
        for each in known:
            if each not in present:
                print(f"SKIPPED: {each} (its package is not here)")
        if not sides:
            continue
        columns = ("", "samples/s", "of the floor", "CPU ms a sample", "of the floor", "files")
        print(f"\n{TITLES[mode]}\n| {' | '.join(columns)} |\n|{'---|' * len(columns)}", flush=True)
        results[mode] = measure(mode, sides, options)
        floor = results[mode]["floor"]
        for side, value in results[mode].items():
            speed, cpu = 1 / value["seconds"], 1e3 * value["cpu"]
            ratios = value["seconds"] / floor["seconds"], value["cpu"] / floor["cpu"]
            row = (
                known[side],
                f"{speed:.1f}",
                f"{ratios[0]:.2f}",
                f"{cpu:.1f}",
                f"{ratios[1]:.2f}",
                f"{value['files']:.0f}",
            )
            print(f"| {' | '.join(row)} |", flush=True)
    write_json(results, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
