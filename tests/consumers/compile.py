#!/usr/bin/env python3
"""Compiles every public header and every example as one unit, with strict warnings, like a program that uses tgmap.

usage: tests/consumers/compile.py [--without-exceptions] INCLUDE_DIRECTORY... -- COMPILER [FLAG...]

--without-exceptions: also without run-time type information; leaves out headers that need Boost and examples with exceptions.
"""

import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
STRICT = ["-Wall", "-Wextra", "-Wconversion", "-Wshadow", "-Werror"]
INCLUDE = re.compile(r"^#include <[^>]+>$", re.MULTILINE)


def headers(folder, with_boost):
    for path in sorted((folder / "tgmap").rglob("*.hpp")):
        if with_boost or "<boost/" not in path.read_text(encoding="utf-8"):
            yield f"#include <{path.relative_to(folder)}>"


def examples(names):
    """Returns a source with each example in its own namespace. The headers of all examples come first, outside of namespaces."""
    for path in names:
        yield from INCLUDE.findall(path.read_text(encoding="utf-8"))
    for path in names:
        yield f'namespace {path.stem} {{\n#include "{path}"\n}}'


def main():
    arguments = sys.argv[1:]
    bare = "--without-exceptions" in arguments
    split = arguments.index("--")
    folders = [pathlib.Path(word) for word in arguments[:split] if not word.startswith("--")]
    folder = ROOT / "docs" / "examples"
    names = [folder / "without_exceptions.cpp"] if bare else sorted(folder.glob("*.cpp"))
    lines = [line for place in folders for line in headers(place, not bare)] + list(examples(names))

    command = [*arguments[split + 1:], *STRICT, *(f"-I{place}" for place in folders)]
    # A `main` in a namespace does not return 0 by itself.
    command += ["-fno-exceptions", "-fno-rtti"] if bare else ["-Wno-return-type"]
    text = "\n".join(lines) + "\n"
    done = subprocess.run([*command, "-fsyntax-only", "-x", "c++", "-"], input=text, text=True, check=False)
    print(f"{len(lines) - len(names)} includes, {len(names)} examples: {' '.join(command)}")
    return 1 if done.returncode or not names else 0


if __name__ == "__main__":
    sys.exit(main())
