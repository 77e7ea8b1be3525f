#!/usr/bin/env python3
"""Compares what operations of the access path cost with the record: instructions, allocations, system calls.

usage: tests/costs/run.py --program TGMAP_COSTS [--command TGMAP] [--instructions] [--record]

Allocations and system calls must be equal. Instructions, counted by callgrind, may be 3 % more. Nothing is compared if the
compiler or the C library is not that of the record, and no instructions with another valgrind. --command: also the start of the command and `ls`, whose system
calls depend on the libraries that are linked. --record: write the record, tests/costs/recorded.txt, which needs both.
`./dev costs` builds the release and does all of it.
"""

import argparse
import pathlib
import re
import subprocess
import sys
import tempfile

RECORD = pathlib.Path(__file__).resolve().parent / "recorded.txt"
HEADING = "# What operations cost in the release, written by `./dev costs --record`."
COLUMNS = ("instructions", "allocations", "calls")
MOST = 1.03  # instructions, as a multiple of those recorded

# Programs count the same on every machine only with the same environment.
ENVIRONMENT = {"PATH": "/usr/bin:/bin", "LC_ALL": "C", "TMPDIR": "/tmp", "HOME": "/nonexistent"}


def run(words):
    done = subprocess.run([str(word) for word in words], env=ENVIRONMENT, capture_output=True, text=True, check=False)
    if done.returncode != 0:
        sys.exit(f"{' '.join(map(str, words))} failed:\n{done.stderr}")
    return done


def number_after(label, text):
    return int(re.search(label + r"\s*:\s*([\d,]+)", text)[1].replace(",", ""))


def instructions_of(words, *flags):
    return number_after("Collected", run(["valgrind", "--tool=callgrind", "--callgrind-out-file=/dev/null", *flags, *words]).stderr)


def allocations_of(words):
    text = run(["valgrind", "--tool=memcheck", "--leak-check=no", "--run-libc-freeres=no", *words]).stderr
    return int(re.search(r"total heap usage: ([\d,]+) allocs", text)[1].replace(",", ""))


def count(value):
    return int(value) if value != "untraced" else None


def library_costs(program, archive, with_instructions):
    out = {}
    for name in run([program, "list"]).stdout.split():
        calls, allocations = run([program, "count", archive, name]).stdout.split()
        instructions = None
        if with_instructions:
            instructions = instructions_of([program, "run", archive, name], "--toggle-collect=tgmap_counted")
        out[name] = (instructions, int(allocations), count(calls))
    return out


def command_costs(program, command, archive):
    out = {}
    for name, words in (("ls", [command, "ls", archive]), ("start", [command, "--version"])):
        calls = run([program, "trace", *words]).stdout.strip()
        out[name] = (instructions_of(words), allocations_of(words), count(calls))
    return out


def facts_of(program, with_instructions):
    out = {"build": run([program, "build"]).stdout.strip()}
    if with_instructions:
        out["valgrind"] = run(["valgrind", "--version"]).stdout.strip()
    return out


def read_record():
    facts, costs = {}, {}
    for line in RECORD.read_text(encoding="utf-8").splitlines():
        words = line.split()
        if line.startswith("# ") and len(words) > 1 and words[1] in ("build:", "valgrind:"):
            facts[words[1][:-1]] = " ".join(words[2:])
        elif words and not line.startswith("#"):
            costs[words[0]] = tuple(int(word) for word in words[1:])
    return facts, costs


def write_record(facts, costs):
    lines = [HEADING] + [f"# {name}: {text}" for name, text in facts.items()]
    lines.append("# " + f"{'operation':10}" + "".join(f"{name:>14}" for name in COLUMNS))
    lines += [f"{name:12}" + "".join(f"{number:14}" for number in numbers) for name, numbers in costs.items()]
    RECORD.write_text("\n".join(lines) + "\n", encoding="utf-8")


def differences(recorded, seen):
    """Yields one line for each number that is not as recorded."""
    for name, numbers in seen.items():
        if name not in recorded:
            yield f"{name}: not recorded"
            continue
        for column, old, new in zip(COLUMNS, recorded[name], numbers):
            if new is None:
                continue
            if column == "instructions":
                if new > MOST * old:
                    yield f"{name}: {new} instructions, {100 * (new / old - 1):.1f} % more than {old}"
            elif new != old:
                yield f"{name}: {new} {column}, recorded: {old}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", type=pathlib.Path, required=True)
    parser.add_argument("--command", type=pathlib.Path)
    parser.add_argument("--instructions", action="store_true")
    parser.add_argument("--record", action="store_true")
    given = parser.parse_args()
    if given.record and not (given.command and given.instructions):
        parser.error("--record needs --command and --instructions")
    facts = facts_of(given.program, given.instructions)
    recorded_facts, recorded = read_record() if RECORD.exists() else ({}, {})
    if not given.record and facts["build"] != recorded_facts["build"]:
        print(f"SKIPPED: costs (recorded with {recorded_facts['build']})")
        return 0
    with tempfile.TemporaryDirectory(prefix="tgmap_costs_", dir="/tmp") as folder:
        archive = pathlib.Path(folder) / "a.tgm"
        run([given.program, "make", archive, "-"])
        seen = library_costs(given.program, archive, given.instructions)
        if given.command:
            seen |= command_costs(given.program, given.command, archive)
    if given.record:
        write_record(facts, seen)
        return 0
    if given.instructions and facts != recorded_facts:
        print(f"SKIPPED: instructions (recorded with {recorded_facts['valgrind']})")
        seen = {name: (None, *numbers[1:]) for name, numbers in seen.items()}
    if any(calls is None for _, _, calls in seen.values()):
        print("SKIPPED: system calls (processes may not be traced)")
    if given.instructions:
        for name, (instructions, allocations, calls) in seen.items():
            share = f"{100 * instructions / recorded[name][0]:.1f} %" if instructions and name in recorded else ""
            print(f"{name:12}{instructions or '-':>14}{allocations:>10}{calls or 0:>8}  {share}")
    found = list(differences(recorded, seen))
    print(*found, sep="\n", end="\n" if found else "")
    if found:
        print("If that is intended, ./dev costs --record writes the record; say why in the commit.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
