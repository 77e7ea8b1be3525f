#!/usr/bin/env python3
"""Keeps the sources small and free of the machine they were written on, and prints the numbers.

Run from the root of the checkout.
"""

import pathlib
import re
import statistics
import sys

MEDIAN_LINES = 180  # of all source files together
SOURCE_LINES = 600  # of any one
HEADER_LINES = 250  # of a public header, which is to be read in one sitting
CODE = {".hpp", ".cpp", ".in", ".py", ".sh", ".cmake"}
ROOMS = ("include", "src", "tests", "fuzz", "bench", "docs")
MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:work|home|root|tmp/bash_jobs)/")


def files(folder=pathlib.Path()):
    """Everything in the checkout that is not made from it."""
    for path in sorted(folder.iterdir()):
        if path.name in {".git", "build", "__pycache__"}:
            continue
        if path.is_dir():
            yield from files(path)
        elif path.is_file():
            yield path


def lines_of(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def comment_share(path):
    written = [line.strip() for line in path.read_text(encoding="utf-8").splitlines() if line.strip()]
    return sum("//" in line for line in written) / max(len(written), 1)


def machine_paths(paths):
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # data
        for number, line in enumerate(text.splitlines(), start=1):
            if MACHINE_PATH.search(line):
                yield f"{path}:{number}: names a place on one machine: {line.strip()[:80]}"


def main():
    everything = list(files())
    sources = [path for path in everything if path.suffix in {".hpp", ".cpp"} and path.parts[0] in ROOMS]
    sizes = {path: lines_of(path) for path in everything if path.suffix in CODE and path.parts[0] in ROOMS}
    headers = [path for path in sources if path.parts[:2] == ("include", "tgmap")]

    faults = [f"{path}: {lines} lines, over {SOURCE_LINES}" for path, lines in sizes.items() if lines > SOURCE_LINES]
    faults += [f"{path}: {sizes[path]} lines, over {HEADER_LINES} for a public header"
               for path in headers if sizes[path] > HEADER_LINES]
    faults += machine_paths(everything)

    median = statistics.median([sizes[path] for path in sources] or [0])
    if median > MEDIAN_LINES:
        faults.append(f"the median source file has {median:.0f} lines, over {MEDIAN_LINES}")

    for path in headers:
        print(f"{sizes[path]:5} lines, {comment_share(path):4.0%} of them commented  {path}")
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"shape: {len(sources)} C++ files, {sum(sizes[path] for path in sources)} lines, median {median:.0f}, "
          f"longest {max((sizes[path] for path in sources), default=0)}; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
