#!/usr/bin/env python3
"""Records what the reference implementation's command prints for the samples in tests/data.

usage: tests/cli/record_reference.py REFERENCE_COMMAND OUR_COMMAND    (rewrites tests/data/reference_cli.json)

Only version 3, because the reference ignores version 2. If the two differ, the reason is recorded, too; a difference without a
known reason is an error.
"""

import json
import pathlib
import subprocess
import sys

DATA = pathlib.Path(__file__).resolve().parent.parent / "data"
ALWAYS = ["version", "nokey", "", "base[0].name", "extra.nokey"]


def run(command, *arguments):
    done = subprocess.run([command, *arguments], capture_output=True, cwd=DATA, check=False)
    return done.returncode, done.stdout.decode("utf-8", "surrogateescape")


def paths(entry, prefix=""):
    """Yields every dotted path into a JSON object that -p accepts."""
    if not isinstance(entry, dict):
        return
    for key, item in entry.items():
        if not key or any(c in key for c in ",.\n\t$") or key != key.strip():
            continue
        yield prefix + key
        yield from paths(item, prefix + key + ".")


def keys_of(case):
    found = dict.fromkeys(ALWAYS)
    for message in case["messages"]:
        for entry in message.get("base") or []:
            found.update(dict.fromkeys(path for path in paths(entry) if not path.startswith("_reserved_")))
        found.update(dict.fromkeys(paths(message.get("extra"))))
    return list(found)[:40]


def why_different(case, reference, ours):
    """Returns the reason of a difference, or None."""
    if any(sign in reference for sign in ("Map([", "Array([", "Bytes([", "Tag(")):
        return "format §5.5: it prints how its parser holds what is no scalar"
    if "preceders" in case["file"]:
        return "format §5.3: it leaves preceders out, and takes the first metadata frame of a stream"
    if any(name in ours for name in ("float", "int", "[")) and "N/A" in reference:
        return "a fact of the archive, which it has no key for"
    if "\\" in ours or len(reference.splitlines()) != len(ours.splitlines()):
        return "control characters of the file reach its output"
    return None


def record(case, commands, *arguments):
    plain = ["--where-plain"] if "-w" in arguments else []
    reference = run(commands[0], *arguments, case["file"])
    ours = run(commands[1], *arguments, *plain, case["file"])
    call = {"file": case["file"], "arguments": list(arguments), "status": reference[0], "out": reference[1]}
    if reference != ours:
        call["differs"] = why_different(case, reference[1], ours[1])
        if call["differs"] is None:
            sys.exit(f"{case['file']} {arguments}:\n{reference}\n{ours}")
    return call


def record_case(case, commands):
    """Requests keys with equal output together, the others one by one."""
    calls = [record(case, commands, "ls", "-p", key) for key in keys_of(case)]
    same = [call["arguments"][2] for call in calls if "differs" not in call]
    yield record(case, commands, "ls", "-p", ",".join(same))
    for key in same:
        rows = run(commands[0], "ls", "-p", key, case["file"])[1].splitlines()[1:]
        if rows and "N/A" not in rows and key and "/" not in rows[0] and '"' not in rows[0]:
            yield record(case, commands, "get", "-p", f"version,{key}")
            yield record(case, commands, "ls", "-w", f"{key}={rows[0]}", "-p", key)
            yield record(case, commands, "ls", "-w", f"{key}!={rows[0]}/x", "-p", key)
    yield record(case, commands, "get", "-p", "nokey")
    yield from (call for call in calls if "differs" in call)


def main():
    commands = [str(pathlib.Path(argument).resolve()) for argument in sys.argv[1:3]]
    calls = []
    for case in json.loads((DATA / "MANIFEST.json").read_text(encoding="utf-8")):
        sound = not case.get("gaps") and all(message["wire"] == 3 for message in case["messages"])
        if sound and case["messages"] and (DATA / case["file"]).exists():
            calls += record_case(case, commands)
    lines = ",\n".join(json.dumps(call) for call in calls)
    (DATA / "reference_cli.json").write_text(f"[\n{lines}\n]\n", encoding="utf-8")
    different = [call for call in calls if "differs" in call]
    print(f"{len(calls)} calls, {len(different)} of them different")


if __name__ == "__main__":
    main()
