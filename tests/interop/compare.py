#!/usr/bin/env python3
"""Runs the reference implementation's command and ours on the same files and compares what they print.

usage: tests/interop/compare.py [--all] REFERENCE_COMMAND OUR_COMMAND DIRECTORY...

Compares the sound files of the directories that have only version 3, according to their MANIFEST.json or, without one,
according to our command. `ls`, `get`, `info` and `dump` must print the same bytes, `validate --json` the same JSON. Every
difference must have a reason in differences.json. --all: no directory is left out, so an unused reason is an error, too.
"""

import collections
import fnmatch
import json
import pathlib
import subprocess
import sys

HERE = pathlib.Path(__file__).resolve().parent
ALWAYS = ["version", "nokey", "", "extra.nokey"]
MOST_KEYS = 30


def run(command, directory, *arguments):
    done = subprocess.run([command, *arguments], capture_output=True, cwd=directory, check=False)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape")


def our_form(call):
    """Selections of ours hold for one object, in which a key may be absent; with --where-plain they are the reference's."""
    return [*call, "--where-plain"] if "-w" in call else call


def paths(entry, prefix=""):
    """Returns all dotted paths to scalars in a JSON object that -p accepts."""
    if not isinstance(entry, dict):
        return
    for key, item in entry.items():
        if not key or any(c in key for c in ",.\n\t$[") or key != key.strip() or key.startswith("_reserved_"):
            continue
        if isinstance(item, dict):
            yield from paths(item, prefix + key + ".")
        elif not isinstance(item, list):
            yield prefix + key


def keys_of(case):
    found = dict.fromkeys(ALWAYS)
    for message in case["messages"]:
        for entry in message.get("base") or []:
            found.update(dict.fromkeys(paths(entry)))
        found.update(dict.fromkeys(paths(message.get("extra"))))
    return list(found)[:MOST_KEYS]


def is_sound(case):
    return not case.get("gaps") and case["messages"] and all(message["wire"] == 3 for message in case["messages"])


def cases_of(directory, command):
    """The comparisons for a directory; `command` is tgmap."""
    manifest = directory / "MANIFEST.json"
    if manifest.exists():
        cases = json.loads(manifest.read_text(encoding="utf-8"))
        return [case for case in cases if is_sound(case) and (directory / case["file"]).exists()]
    found = []
    for path in sorted(directory.rglob("*.tgm")):
        file = str(path.relative_to(directory))
        status, text = run(command, directory, "info", "-j", file)
        facts = json.loads(text) if status == 0 else {}
        if facts and set(facts["versions"]) == {"3"} and not facts["incomplete"]:
            found.append({"file": file, "messages": documents(run(command, directory, "dump", "-j", file)[1])})
    return found


def calls_for(case, ask):
    """The calls to compare; `ask` runs the reference."""
    yield ["info"]
    yield ["dump"]
    yield ["dump", "-j"]
    yield ["validate", "--json"]
    keys = keys_of(case)
    yield ["ls", "-p", ",".join(keys)]
    yield ["ls", "-j", "-p", ",".join(keys)]
    for key in keys:
        rows = ask("ls", "-p", key)[1].splitlines()[1:]
        if not rows or "N/A" in rows or any(c in "/\"'()" or c < " " for c in rows[0]):
            continue
        yield ["get", "-p", f"version,{key}"]
        yield ["ls", "-w", f"{key}={rows[0]}", "-p", key]
        yield ["ls", "-w", f"{key}!={rows[0]}/x", "-p", key]


def documents(text):
    """The JSON documents of a text."""
    decoder, at, out = json.JSONDecoder(), 0, []
    while at < len(text.rstrip()):
        document, at = decoder.raw_decode(text, at + (len(text[at:]) - len(text[at:].lstrip())))
        out.append(document)
    return out


def same(call, reference, ours):
    if reference[0] != ours[0]:
        return False
    if reference[1] == ours[1]:
        return True
    if "--json" not in call and "-j" not in call:
        return False
    try:
        return documents(reference[1]) == documents(ours[1])
    except json.JSONDecodeError:
        return False


class Differences:
    """The reasons in differences.json, and which of them were used."""

    def __init__(self):
        self.entries = json.loads((HERE / "differences.json").read_text(encoding="utf-8"))
        self.needed = collections.Counter()

    def reason(self, file, call):
        spelled = " ".join(call)
        for number, each in enumerate(self.entries):
            if fnmatch.fnmatchcase(file, each["file"]) and fnmatch.fnmatchcase(spelled, each["call"]):
                self.needed[number] += 1
                return each["why"]
        return None


def main():
    everything = sys.argv[1] == "--all"
    if everything:
        del sys.argv[1]
    commands = [str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3]]
    known, compared, different, unknown = Differences(), collections.Counter(), 0, 0
    for directory in map(pathlib.Path, sys.argv[3:]):
        for case in cases_of(directory, commands[1]):
            ask = lambda *arguments, case=case: run(commands[0], directory, *arguments, case["file"])
            for call in calls_for(case, ask):
                reference = run(commands[0], directory, *call, case["file"])
                ours = run(commands[1], directory, *our_form(call), case["file"])
                compared[call[0]] += 1
                if same(call, reference, ours):
                    continue
                different += 1
                if known.reason(case["file"], call) is None:
                    unknown += 1
                    print(f"DIFFERS: {' '.join(call)} {case['file']}\n--- reference, status {reference[0]}\n{reference[1][:1500]}"
                          f"--- ours, status {ours[0]}\n{ours[1][:1500]}")
    unused = [each for number, each in enumerate(known.entries) if everything and not known.needed[number]]
    for each in unused:
        print(f"NEEDED NO MORE: {each}")
    total = sum(compared.values())
    print(f"{total} calls compared ({', '.join(f'{verb} {n}' for verb, n in sorted(compared.items()))}), "
          f"{different} differ, {unknown} of them without a reason")
    for number, each in enumerate(known.entries):
        print(f"{known.needed[number]:6}  {each['call']} {each['file']}: {each['why']}")
    return 1 if unknown or unused or not total else 0


if __name__ == "__main__":
    sys.exit(main())
