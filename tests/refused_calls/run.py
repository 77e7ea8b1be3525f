#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Refuses the system calls of everything that writes files, one at a time, or ends the process there.

Each output must have its old or its complete new contents, and nothing else may be left. First each line runs without
faults, and its calls are recorded; then one call fails in each run, with each error, or the process is killed. --runs N
tries a sample of them, always the same.
"""

import argparse
import collections
import concurrent.futures
import errno
import os
import pathlib
import random
import shlex
import shutil
import signal
import subprocess
import sys
import tempfile

from outputs import ABORTS, ONLY_WARN, PYTHON, READERS, VERBS

SECONDS = 20  # after which a run does not end
KILLED = 0  # instead of an error
FAULTS = (errno.EIO, errno.ENOSPC, errno.EMFILE, errno.EPERM, KILLED)
TABLE = '{"type": "tensor<float>(key{})", "cells": [{"address": {"key": "a"}, "value": 1.5}]}'

# What Python runs before its calls are counted: imports and warnings of the interpreter are not ours.
PRELUDE = """
import ctypes, sys
import numpy
import tgmap
from tgmap import compat
array = numpy.arange(600.0)
tgmap.open(tgmap.encode(array))[0][0].array
ctypes.CDLL({library!r}).arm_refusals()
"""


class Stage:
    """Runs lines in copies of one folder."""

    def __init__(self, options):
        self.options = options
        self.template = pathlib.Path(tempfile.mkdtemp(prefix="refused_"))
        self.make_folder()

    def tgmap(self, line):
        subprocess.run(f'exec "$TGMAP" {line}', shell=True, cwd=self.template, check=True, env=self.environment(),
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)

    def make_folder(self):
        """Inputs with indexes that are current, and old outputs."""
        header = b"\x93NUMPY\x01\x00v\x00{'descr': '<f4', 'fortran_order': False, 'shape': (50, 60), }"
        (self.template / "array.npy").write_bytes(header.ljust(127) + b"\n" + bytes(range(200)) * 60)
        for name, wire in ("in.tgm", 3), ("in2.tgm", 2):
            for step in range(3):
                self.tgmap(f"append --wire {wire} -s mars.param=2t -s mars.step={step} {name} array.npy")
        (self.template / "table.json").write_text(TABLE, encoding="utf-8")
        self.tgmap("tens export -f in.tgm:0 -o in.frame")
        self.tgmap("merge -f in.tgm -o old.tgm")
        self.tgmap("append old.tgm in.tgm")
        self.tgmap("index create in.tgm")
        self.tgmap("index create old.tgm")
        for name in ("old.npz", "old.csv", "old.png", "old.frame", "old.tbf", "old.json"):
            (self.template / name).write_bytes(b"old")

    def environment(self, **more):
        # Times and identifiers are those of each run otherwise.
        return {**os.environ, "TGMAP": str(self.options.tgmap), "SOURCE_DATE_EPOCH": "1700000000", "LC_ALL": "C", **more}

    def run(self, kind, line, work, **variables):
        """Runs a line in a new copy of the folder."""
        shutil.rmtree(work, ignore_errors=True)
        shutil.copytree(self.template, work, copy_function=shutil.copy2)
        more = {"XDG_CACHE_HOME": str(work / "cache"), "LD_PRELOAD": str(self.options.library), **variables}
        if kind == "python":
            more["TGMAP_REFUSE_LATER"] = "1"
            command = [self.options.python, "-c", PRELUDE.format(library=str(self.options.library)) + line]
        else:
            command = [self.options.tgmap, *shlex.split(line)]  # a shell has calls of its own
        return subprocess.run(command, cwd=work, env=self.environment(**more),
                              stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, check=False,
                              timeout=SECONDS)


def contents(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


class Case:
    """A line, what it writes, and the calls that it makes."""

    def __init__(self, stage, name, kind, line):
        self.stage, self.name, self.kind, self.line = stage, name, kind, line
        with tempfile.TemporaryDirectory(prefix="refused_") as folder:
            work, calls = pathlib.Path(folder) / "work", pathlib.Path(folder) / "calls"
            done = stage.run(kind, line, work, TGMAP_CALLS=str(calls))
            if done.returncode != 0:
                raise RuntimeError(f"{name} fails without a fault: {done.stderr.decode()}")
            self.calls = calls.read_text(encoding="utf-8").split()
            self.after = contents(work)
        self.before = contents(stage.template)

    def is_complete(self, work, name, found):
        """Returns whether a new file is whole: as in the run without faults, or an archive or index without faults."""
        if found == self.after.get(name):
            return True
        if name.endswith(".tgm"):
            return self.tells_sound(work, f"validate --quiet {name}") and len(found) == len(self.after.get(name, b""))
        if name.startswith("cache/"):
            return self.tells_sound(work, "index check --cache old.tgm")
        if name.endswith(".tgx"):  # it has the time of its archive
            return self.tells_sound(work, f"index check {name.removesuffix('.tgx')}")
        if name.endswith(".png"):  # drawn with other fonts if those are not found
            return found.endswith(b"IEND\xaeB`\x82")
        return len(found) == len(self.after.get(name, b""))  # a key

    def tells_sound(self, work, line):
        environment = self.stage.environment(XDG_CACHE_HOME=str(work / "cache"))
        done = subprocess.run(f'exec "$TGMAP" {line}', shell=True, cwd=work, env=environment, check=False,
                              stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        return done.returncode == 0

    def may_grow(self, name):
        """Returns whether readers of an output find its whole messages before it is complete, as documented."""
        return name not in self.before and self.kind == "python" or "append" in self.name

    def faults(self, work, status, call, fault):
        """What is wrong in a folder after a run."""
        if status < 0 and not (fault == KILLED and status == -signal.SIGKILL) and (self.name, call) not in ABORTS:
            yield f"ended by signal {-status}"
        found = contents(work)
        if status == 0 and self.name not in ONLY_WARN:
            for name in sorted(set(self.after) - {n for n in self.after if n.endswith(".tgx")}):
                if name not in found or not self.is_complete(work, name, found[name]):
                    yield f"{name} is not written, but the exit status is 0"
        for name in sorted(set(found) | set(self.before)):
            if pathlib.Path(name).name.startswith(".tgmap-"):
                if fault != KILLED:
                    yield f"{name} is left"
            elif name not in found:
                if not name.endswith(".tgx"):  # that of an archive that was replaced
                    yield f"{name} is gone"
            elif found[name] == self.before.get(name) or self.is_complete(work, name, found[name]):
                pass
            elif name not in self.after:
                yield f"{name} is left"
            elif not (self.may_grow(name) and self.is_prefix(found[name], name)):
                yield f"{name} is neither old nor complete ({len(found[name])} bytes)"

    def is_prefix(self, found, name):
        """Returns whether a file is the old one with a part of what was appended."""
        old = self.before.get(name, b"")
        return found.startswith(old) and len(found) <= len(self.after[name])


def attempt(case, number, fault):
    """Runs a case with one fault. Returns what is wrong."""
    with tempfile.TemporaryDirectory(prefix="refused_") as folder:
        work = pathlib.Path(folder) / "work"
        error = "killed" if fault == KILLED else errno.errorcode[fault]
        what = f"{case.kind} {case.name}: {case.calls[number]}, call {number}, {error}"
        try:
            done = case.stage.run(case.kind, case.line, work, TGMAP_REFUSE=f"{number}:{fault}")
        except subprocess.TimeoutExpired:
            return [f"{what}: does not end"]
        said = done.stderr.decode(errors="replace").strip()
        return [f"{what}: {each}\n  {said}" for each in case.faults(work, done.returncode, case.calls[number], fault)]


def verbs_without_a_case(options):
    """The verbs that are neither known to write nothing nor have a case."""
    text = subprocess.run([options.tgmap, "help"], stdout=subprocess.PIPE, text=True, check=True).stdout
    section = text.partition("\nVerbs\n")[2].partition("\n\n")[0]
    verbs = {line.split()[0] for line in section.splitlines() if line.startswith("  ") and not line.startswith("   ")}
    return verbs - READERS - {line.split()[0] for line in VERBS.values()}


def options():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tgmap", type=pathlib.Path, required=True, help="the command")
    parser.add_argument("--library", type=pathlib.Path, required=True, help="the library of wrappers.py")
    parser.add_argument("--python", help="an interpreter that has the package; default: the command alone")
    parser.add_argument("--runs", type=int, default=0, metavar="N", help="0: all")
    parser.add_argument("--only", default="", metavar="TEXT", help="cases whose name contains it")
    return parser.parse_args()


def main():
    given = options()
    missing = verbs_without_a_case(given)
    if missing:
        sys.exit(f"no case in outputs.py for: {', '.join(sorted(missing))}")
    stage = Stage(given)
    lines = [(name, "command", line) for name, line in VERBS.items()]
    lines += [(name, "python", line) for name, line in PYTHON.items()] if given.python else []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        cases = list(pool.map(lambda each: Case(stage, *each), (each for each in lines if given.only in each[0])))
        all_runs = [(case, n, fault) for case in cases for n in range(len(case.calls)) for fault in FAULTS]
        tried = random.Random(1).sample(all_runs, given.runs) if 0 < given.runs < len(all_runs) else all_runs
        wrong = [text for texts in pool.map(lambda each: attempt(*each), tried) for text in texts]
    shutil.rmtree(stage.template)
    print(*wrong, sep="\n", end="\n" if wrong else "")
    counts = collections.Counter(call for case in cases for call in case.calls)
    print(f"{len(cases)} outputs, {sum(counts.values())} calls of {len(counts)} functions, {len(tried)} of {len(all_runs)} "
          f"runs with a fault, {len(wrong)} wrong")
    return 1 if wrong or not tried else 0


if __name__ == "__main__":
    sys.exit(main())
