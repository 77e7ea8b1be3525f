#!/usr/bin/env python3
"""Runs a program in an empty folder and compares its output with a file.

usage: tests/examples/compare.py EXPECTED [--stdin FILE] [--ignore-times] -- PROGRAM [ARGUMENT...]

--ignore-times: replaces each "12.3 µs" of the output by "TIME".
"""

import difflib
import pathlib
import re
import subprocess
import sys
import tempfile


def main():
    split = sys.argv.index("--")
    expected, *rest = sys.argv[1:split]
    source = open(rest[1], "rb") if rest[:1] == ["--stdin"] else subprocess.DEVNULL
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(sys.argv[split + 1:], cwd=folder, stdin=source, capture_output=True, text=True, check=False)
    printed = re.sub(r" *[0-9.]+ µs", " TIME", done.stdout) if "--ignore-times" in rest else done.stdout
    wanted = pathlib.Path(expected).read_text(encoding="utf-8")
    print(*difflib.unified_diff(wanted.splitlines(), printed.splitlines(), expected, "printed", lineterm=""), sep="\n")
    print(done.stderr, end="")
    print(f"exit status {done.returncode}")
    return 1 if done.returncode or printed != wanted else 0


if __name__ == "__main__":
    sys.exit(main())
