#!/usr/bin/env python3
"""Prints the sizes of the sources for each component and checks the limits that keep them easy to read.

usage: tests/lint/shape.py    (from the root of the checkout)

A component is a folder of src/, include/, tests/ or bench/, with its subfolders. Checked are: lines of a file, files of a
folder, equal names within a component, and paths of the machine that a file was written on.
"""

import collections
import pathlib
import re
import statistics
import sys

SOURCE_LINES = 600  # at most, of any source file
HEADER_LINES = 250  # at most, of a public header: it is read in one sitting
FOLDER_FILES = 30  # at most, without those of subfolders
SMALL_LINES = 40  # files below this are counted in the table
TINY_LINES = 30  # files below this belong into the file that uses them, except headers of a source, and TINY

ROOTS = ("include", "src", "tests", "fuzz", "bench", "docs")
SOURCES = {".hpp", ".cpp"}
CODE = SOURCES | {".in", ".py", ".sh", ".cmake"}
MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:work|home|root|tmp/bash_jobs)/")

# Small files that are right as they are. Path, reason.
TINY = {}

# Equal names that are right as they are. Component, name, reason.
EQUAL_NAMES = {}

# Folders that may hold more files. Folder, reason.
LARGE_FOLDERS = {}


def files(folder=pathlib.Path()):
    """All files of the checkout, without what was built."""
    for path in sorted(folder.iterdir()):
        if path.name in {".git", "build", "__pycache__"}:
            continue
        if path.is_dir():
            yield from files(path)
        elif path.is_file():
            yield path


def line_count(path):
    return len(path.read_text(encoding="utf-8").splitlines())


def component(path):
    """The component of a source, such as src/codec; include/tgmap is one component."""
    return "/".join(path.parts[:2] if len(path.parts) > 2 else path.parts[:1])


def large_files(sizes):
    for path, lines in sizes.items():
        public = path.parts[:2] == ("include", "tgmap")
        limit = HEADER_LINES if public else SOURCE_LINES
        if lines > limit:
            yield f"{path}: {lines} lines, the limit is {limit}"


def tiny_files(sizes):
    for path, lines in sizes.items():
        declares = path.suffix == ".hpp" and path.with_suffix(".cpp") in sizes
        if path.parts[0] in ("src", "include", "bench") and lines < TINY_LINES and not declares and path.as_posix() not in TINY:
            yield f"{path}: {lines} lines; move them to the file that uses them, or name the reason in {__file__}"


def equal_names(sources):
    """Files of one name within a component; a header and its source are one."""
    places = collections.defaultdict(set)
    for path in sources:
        if path.parts[0] == "src":
            places[component(path), path.stem].add(path.parent)
    for (where, name), folders in sorted(places.items()):
        if len(folders) > 1 and (where, name) not in EQUAL_NAMES:
            yield f"{where}: {name} is the name of files in {', '.join(sorted(map(str, folders)))}"


def large_folders(sources):
    for folder, count in sorted(collections.Counter(path.parent for path in sources).items()):
        if count > FOLDER_FILES and str(folder) not in LARGE_FOLDERS:
            yield f"{folder}: {count} files, the limit is {FOLDER_FILES}"


def machine_paths(paths):
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # binary data
        for number, line in enumerate(text.splitlines(), start=1):
            if MACHINE_PATH.search(line):
                yield f"{path}:{number}: names a path of one machine: {line.strip()[:80]}"


def print_table(sizes):
    groups = collections.defaultdict(list)
    for path, lines in sizes.items():
        groups[component(path)].append(lines)
    print(f"{'component':24} {'files':>6} {'lines':>7} {'median':>7} {'largest':>8} {f'below {SMALL_LINES}':>9}")
    for name, group in sorted(groups.items()):
        small = sum(lines < SMALL_LINES for lines in group)
        print(f"{name:24} {len(group):6} {sum(group):7} {statistics.median(group):7.0f} {max(group):8} {small:9}")


def main():
    paths = list(files())
    sizes = {path: line_count(path) for path in paths if path.suffix in CODE and path.parts[0] in ROOTS}
    sources = {path: lines for path, lines in sizes.items() if path.suffix in SOURCES}
    print_table(sources)

    faults = [*large_files(sizes), *machine_paths(paths)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"shape: {len(sources)} C++ files, {sum(sources.values())} lines, median {statistics.median(sources.values()):.0f}, "
          f"largest {max(sources.values())}; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
