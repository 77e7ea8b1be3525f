#!/usr/bin/env python3
"""Lists what a build compiles of the library and the command, a unit once.

usage: tests/lint/units.py BUILD_DIRECTORY             (its units, one on a line)
       tests/lint/units.py --check BUILD_DIRECTORY     (compiles each, and throws the result away)
"""

import concurrent.futures
import json
import os
import pathlib
import re
import shlex
import subprocess
import sys


def units(build):
    """Unit and command. tgmap_internal has the units of tgmap again."""
    for entry in json.loads((build / "compile_commands.json").read_text(encoding="utf-8")):
        output = re.search(r" -o (\S+)", entry["command"])[1]
        if output.startswith("src/") and "/tgmap_internal.dir/" not in output:
            yield entry["file"], entry["command"], entry["directory"]


def complaint(unit):
    file, command, directory = unit
    words = shlex.split(command)
    compiler = next(i for i, word in enumerate(words) if re.fullmatch(r"(.*/)?(clang|g|c)\+\+[-.\d]*", word))  # behind the compiler cache
    at = words.index("-o")
    done = subprocess.run([*words[compiler:at], *words[at + 2:], "-fsyntax-only"], cwd=directory, capture_output=True,
                          text=True, check=False)
    return f"{file}\n{done.stderr}" if done.returncode else ""


def main():
    check = sys.argv[1] == "--check"
    found = list(units(pathlib.Path(sys.argv[2 if check else 1])))
    if not check:
        print("\n".join(file for file, _, _ in found))
        return 0
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        complaints = [text for text in pool.map(complaint, found) if text]
    print("\n".join(complaints) + f"by itself: {len(found)} units, {len(complaints)} with faults")
    return 1 if complaints or not found else 0


if __name__ == "__main__":
    sys.exit(main())
