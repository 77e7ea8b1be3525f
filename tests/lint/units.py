#!/usr/bin/env python3
"""Lists the translation units of the library and the command.

usage: tests/lint/units.py BUILD_DIRECTORY [--recent N]

--recent: only the N units whose source, or the header of that name, was changed by the latest commits.
"""

import json
import pathlib
import re
import shlex
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]


def units(build):
    """Source, compiler with its flags, and directory of each unit."""
    for entry in json.loads((pathlib.Path(build) / "compile_commands.json").read_text(encoding="utf-8")):
        words = shlex.split(entry["command"])
        output = words.index("-o")
        if words[output + 1].startswith("src/"):
            compiler = next(i for i, word in enumerate(words) if re.fullmatch(r"(.*/)?(clang|g|c)\+\+[-.\d]*", word))  # behind the compiler cache
            yield entry["file"], words[compiler:output], entry["directory"]


def recent(found, most):
    """The `most` units that were changed last; all if there is no history."""
    done = subprocess.run(["git", "log", "--name-only", "--format=", "--", "src"], cwd=ROOT, capture_output=True, text=True, check=False)
    names = dict.fromkeys(str((ROOT / line).with_suffix(".cpp")) for line in done.stdout.splitlines() if line)
    order = {name: place for place, name in enumerate(names)}
    return sorted(found, key=lambda unit: order.get(unit[0], len(order)))[:most]


def main():
    found = list(units(sys.argv[1]))
    if "--recent" in sys.argv:
        found = recent(found, int(sys.argv[sys.argv.index("--recent") + 1]))
    print("\n".join(source for source, _, _ in found))


if __name__ == "__main__":
    main()
