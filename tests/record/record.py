#!/usr/bin/env python3
"""Records what the command prints for the archives of tests/data, or compares it with the record.

usage: tests/record/record.py COMMAND [--write] [--only TEXT] [--every N]

`./dev record` writes tests/record/record.txt. The test compares. The exit status is 1 if a call differs, is missing
or is new, and 77 if this build cannot be compared. --only: only calls whose line contains the text. --every: one of N calls
of each form, for builds in which a call takes long.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import pathlib
import sys
import tempfile

import calls
import record_file
import run_call

HERE = pathlib.Path(__file__).resolve().parent
DATA = HERE.parent / "data"
RECORD = HERE / "record.txt"
SHOWN = 20  # calls printed of those that differ
SHOWN_BYTES = 1500  # of each
SKIPPED = 77
HEADING = "# What the command prints, made by `./dev record`; record_file.py says how it is written."

# Parts that only some verbs need; without another part all output may differ.
VERBS_OF = {"ZeroMQ": {"send", "recv", "tens"}, "simdjson": {"constant"}}


def parts_missing(command):
    facts = json.loads(run_call.plain([command, "doctor", "--json"]))
    return [part["name"] for part in facts["features"] if part["state"] != "on" and part["kind"] != "program"]


def left_out(call, missing):
    words = call.arguments[1:2] if call.arguments[:1] == ("help",) else call.arguments[:1]
    return any(word in VERBS_OF[part] for part in missing for word in words)


def run_all(command, todo):
    with tempfile.TemporaryDirectory() as folder:
        runner = run_call.Runner(command, DATA, pathlib.Path(folder))
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            seen = dict(zip((call.key for call in todo), pool.map(runner.run, todo)))
        runner.check_data_untouched()
    return seen


def cut(text):
    return text if len(text) <= SHOWN_BYTES else text[:SHOWN_BYTES] + " …"


def differences(recorded, lines, seen):
    """Yields section and text of each call that differs."""
    for key in [*lines, *(key for key in recorded if key not in lines)]:
        expected, actual = recorded.get(key), lines.get(key)
        if expected == actual:
            continue
        text = f"{key[0]}  [{key[1]}]\n"
        text += f"  recorded: {cut(expected)}\n" if expected else "  is not recorded\n"
        text += f"  now:      {cut(actual)}\n" if actual else "  is called no more\n"
        if expected and actual and "#" in actual:  # hashes alone say nothing about the difference
            text += "".join(f"    {line}\n" for line in cut(seen[key].out.decode("utf-8", "replace")).splitlines())
        yield key[0], text


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("command", type=pathlib.Path)
    parser.add_argument("--write", action="store_true", help="write the record")
    parser.add_argument("--only", default="", metavar="TEXT", help="just the calls whose line holds that")
    parser.add_argument("--every", type=int, default=1, metavar="N", help="one call of N")
    given = parser.parse_args()
    command = str(given.command.resolve())

    missing = parts_missing(command)
    if given.write and missing or not VERBS_OF.keys() >= set(missing):
        print(f"SKIPPED: what the command prints (built without {', '.join(missing)})")
        return SKIPPED
    for part in missing:
        print(f"SKIPPED: what {', '.join(sorted(VERBS_OF[part]))} print (built without {part})")

    every = {call.key: call for call in calls.all_calls(command, DATA) if not left_out(call, missing)}
    uncovered = calls.uncovered(command, every.values()) if not missing else []
    if uncovered:
        print(f"no form in tests/record/calls.py calls {', '.join(uncovered)}")
        return 1
    todo = [call for key, call in every.items() if given.only in " ".join(key)]
    seen = run_all(command, todo[::given.every])
    lines = {key: record_file.line_of(outcome) for key, outcome in seen.items()}
    recorded = record_file.read(RECORD) if RECORD.exists() else {}
    kept = {key: line for key, line in recorded.items() if key in every and key not in lines}
    if given.only or missing or given.every > 1:
        recorded = {key: line for key, line in recorded.items() if key in lines}

    found = list(differences(recorded, lines, seen))
    for _, text in found[:SHOWN]:
        print(text)
    for section, count in collections.Counter(section for section, _ in found).items():
        print(f"{count:5}  {section}")
    print(f"{len(lines)} calls, {len(found)} differ from the record")
    if given.write:
        record_file.write(RECORD, {key: (lines | kept)[key] for key in every if key in lines or key in kept}, HEADING)
        if found:
            print("Say why in tests/record/CHANGES.md, a line for each change.")
        return 0
    if found:
        print("If that is meant to be so: ./dev record, and a line that says why in tests/record/CHANGES.md")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
