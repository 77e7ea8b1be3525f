#!/usr/bin/env python3
"""Runs a program in an empty folder and compares what it prints with a file.

usage: tests/examples/compare.py EXPECTED [--stdin FILE] -- PROGRAM [ARGUMENT...]
"""

import difflib
import pathlib
import subprocess
import sys
import tempfile


def main():
    split = sys.argv.index("--")
    expected, *rest = sys.argv[1:split]
    source = open(rest[1], "rb") if rest[:1] == ["--stdin"] else subprocess.DEVNULL
    with tempfile.TemporaryDirectory() as folder:
        done = subprocess.run(sys.argv[split + 1:], cwd=folder, stdin=source, capture_output=True, text=True, check=False)
    wanted = pathlib.Path(expected).read_text(encoding="utf-8")
    print(*difflib.unified_diff(wanted.splitlines(), done.stdout.splitlines(), expected, "printed", lineterm=""), sep="\n")
    print(done.stderr, end="")
    print(f"exit status {done.returncode}")
    return 1 if done.returncode or done.stdout != wanted else 0


if __name__ == "__main__":
    sys.exit(main())
