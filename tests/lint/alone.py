#!/usr/bin/env python3
"""Checks that each public header and each example of the documentation compiles alone.

usage: tests/lint/alone.py BUILD_DIRECTORY [--sources]

BUILD_DIRECTORY is configured by clang with CMAKE_UNITY_BUILD=OFF. --sources: every source of the library and the command
as well, which takes ten minutes on two cores.
"""

import concurrent.futures
import os
import pathlib
import subprocess
import sys
import tempfile

from units import ROOT, units


def fault(what, flags, directory, text=None):
    """The compiler's errors for a source, or for `text`; empty if there are none."""
    command = [*flags, "-fsyntax-only", *(["-x", "c++", "-"] if text else [what])]
    done = subprocess.run(command, cwd=directory, input=text, capture_output=True, text=True, check=False)
    return f"{what}\n{done.stderr}" if done.returncode else ""


def main():
    found = list(units(sys.argv[1]))
    _, flags, directory = next(unit for unit in found if "/src/cli/verbs/" in unit[0])  # these see everything
    # A user of the public headers does not have the folders of sources.
    public = [word for word in flags if not (word.startswith("-I") and word.endswith(("/src", "/generated")))]
    folder = ROOT / "include"
    headers = sorted(str(path.relative_to(folder)) for path in (folder / "tgmap").rglob("*.hpp"))
    pages = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]

    with tempfile.TemporaryDirectory() as temporary, concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        snippets = subprocess.run([sys.executable, "extract_snippets.py", temporary, *pages], cwd=ROOT / "docs",
                                  capture_output=True, text=True, check=True).stdout.split()
        jobs = [pool.submit(fault, header, public, directory, f"#include <{header}>\n#include <{header}>  // twice\n")
                for header in headers]
        # An example may declare a result only to show its type.
        jobs += [pool.submit(fault, snippet, [*public, "-Wno-unused", "-Wno-shadow"], directory) for snippet in snippets]
        sources = found if "--sources" in sys.argv else []
        jobs += [pool.submit(fault, source, *rest) for source, *rest in sources]
        faults = [text for text in (job.result() for job in jobs) if text]
    print("\n".join(faults) + f"by itself: {len(headers)} headers, {len(snippets)} examples, {len(sources)} sources, "
          f"{len(faults)} with faults")
    return 1 if faults or not (headers and snippets) else 0


if __name__ == "__main__":
    sys.exit(main())
