# SPDX-License-Identifier: Apache-2.0
"""Ways of doing the same work, the sides of a benchmark: each runs in processes of its own, which take turns."""

from __future__ import annotations

import argparse
import json
import os
import pathlib
import platform
import statistics
import subprocess
import sys
from collections.abc import Iterable, Mapping

Medians = dict[str, dict[str, float]]


def parse(description: str, sides: Iterable[str], folder: pathlib.Path, rounds: str) -> argparse.Namespace:
    """Return the options of the command line. With `run` the program measures that side and prints the values as JSON.

    Args:
        folder: the default one of the files.
        rounds: what a round is, for the help.
    """
    parser = argparse.ArgumentParser(description=description.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=5, help=rounds)
    parser.add_argument("--folder", type=pathlib.Path, default=folder)
    parser.add_argument("--only", metavar="SIDE", action="append", choices=list(sides))
    parser.add_argument("--json", metavar="FILE", help="write the values")
    parser.add_argument("--run", metavar="SIDE", choices=list(sides), help=argparse.SUPPRESS)
    return parser.parse_args()


def measure(program: str, sides: Iterable[str], options: argparse.Namespace) -> Medians:
    """Run each side that is chosen in turn, and return the medians of its values."""
    found: dict[str, list[dict[str, float]]] = {
        side: [] for side in sides if not options.only or side in options.only
    }
    for _ in range(options.rounds):
        for side, values in found.items():
            call = [sys.executable, program, "--run", side, "--folder", options.folder]
            values.append(json.loads(subprocess.run(call, stdout=subprocess.PIPE, check=True).stdout))
    return {
        side: {key: statistics.median(each[key] for each in values) for key in values[0]} for side, values in found.items()
    }


def machine() -> str:
    """Return what the times depend on, also how busy the machine is."""
    processors = f"{platform.machine()}, {os.cpu_count()} processors, Python {platform.python_version()}"
    return f"{processors}, load {os.getloadavg()[0]:.1f}"


def write_json(results: Mapping[str, object], options: argparse.Namespace) -> None:
    """Write the values to the file that the options name."""
    if options.json:
        pathlib.Path(options.json).write_text(json.dumps(results, indent=1))
