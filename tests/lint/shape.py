#!/usr/bin/env python3
"""Prints the sizes of the sources for each component and checks the limits that keep them easy to read.

usage: tests/lint/shape.py    (from the root of the checkout)

A component is a folder of src/, include/, python/, tests/ or bench/, with its subfolders. It checks the lines of a file, the files of a folder,
equal names within a component, paths of one machine, and names of files in pages and comments that do not exist.
"""

import collections
import fnmatch
import pathlib
import re
import statistics
import sys

SOURCE_LINES = 600  # at most, of any source file
HEADER_LINES = 250  # at most, of a public header: it is read in one sitting
FOLDER_NAMES = 30  # at most, in a folder without its subfolders; a header and its source have one name
SMALL_LINES = 40  # files below this are counted in the table
TINY_LINES = 30  # files below this belong to the file that uses them, except one of a header and its source, and TINY

ROOTS = ("include", "src", "python", "tests", "fuzz", "bench", "docs")
SOURCES = {".hpp", ".cpp"}
CODE = SOURCES | {".in", ".py", ".sh", ".cmake"}
MACHINE_PATH = re.compile(r"(?<![\w.~$}])/(?:work|home|root|tmp/bash_jobs)/")

FILE_NAME = re.compile(r"(?<![\w./<-])(?:[\w.-]+/)*[a-z]\w*\.(?:hpp|cpp|py)\b")
COMMENT = re.compile(r"(?<![:\"])//.*")
# Files that are made by the build or belong to others.
FOREIGN_NAMES = {"manual_texts.cpp", "tgm_dump.py", "program.cpp", "f.cpp"}

# Small files that are right as they are, and why.
TINY = {
    "include/tgmap/*": "a public header of one function",
    "src/*_absent.cpp": "replaces a source whose library was not found",
    "src/*_unavailable.cpp": "the same",
    "src/cli/verbs/exchange/without_*.cpp": "the same",
    "src/cli/app/native_grids.cpp": "has a replacement for builds without the bridge",
    "src/*/enum_names.cpp": "names of enumerations that are defined in headers only",
    "src/*_format.hpp": "constants of a format, for its reader and its writer",
    "bench/codecs/*.cpp": "one codec a file, compiled if its library was found",
    "src/*_access.hpp": "opens the private parts of a public class to other components",
    "src/codec/aligned_doubles.hpp": "shared by codecs that are built independently of each other",
    "src/cli/print/json.hpp": "names of reports/json.hpp, for all verbs",
    "src/constant/bridge/archive_keys.hpp": "names of a format, for its reader and its writer",
    "src/edit/message_failure.hpp": "one helper of all edits",
    "src/convert/conversion.hpp": "the output and the error of every conversion",
    "src/core/text/*.hpp": "one function on text each, used by all components",
    "src/edit/message_failure.hpp": "one function, for the tools and the command",
    "src/archive/sequential_reads.hpp": "lets components above read in blocks, which may not include io",
    "src/core/or_throw.hpp": "the one helper of throwing overloads",
}

# The folder in which files are named after verbs, so that names may be those of other folders, too.
VERBS = "src/cli/verbs"

# Equal names that are right as they are, and why.
EQUAL_NAMES = {
}

# Folders that may have more names, and why.
LARGE_FOLDERS = {
    "tests/compile_fail": "each file is one program that must not compile",
    "fuzz": "each file is one target, which CMake finds by its name",
}


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
        other = path.with_suffix(".cpp" if path.suffix == ".hpp" else ".hpp")
        listed = any(fnmatch.fnmatch(path.as_posix(), pattern) for pattern in TINY)
        if path.parts[0] in ("src", "include", "bench") and lines < TINY_LINES and other not in sizes and not listed:
            yield f"{path}: {lines} lines; move them to the file that uses them, or name the reason in tests/lint/shape.py"


def equal_names(sources):
    """Files of one name within a component; a header and its source are one."""
    places = collections.defaultdict(set)
    for path in sources:
        if path.parts[0] == "src" and not path.is_relative_to(VERBS):
            places[component(path), path.stem].add(path.parent)
    for (where, name), folders in sorted(places.items()):
        if len(folders) > 1 and (where, name) not in EQUAL_NAMES:
            yield f"{where}: {name} is the name of files in {', '.join(sorted(map(str, folders)))}"


def large_folders(sources):
    names = {path.with_suffix("") for path in sources}
    for folder, count in sorted(collections.Counter(path.parent for path in names).items()):
        if count > FOLDER_NAMES and str(folder) not in LARGE_FOLDERS:
            yield f"{folder}: {count} names of files, the limit is {FOLDER_NAMES}"


def machine_paths(paths):
    for path in paths:
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # binary data
        for number, line in enumerate(text.splitlines(), start=1):
            if MACHINE_PATH.search(line):
                yield f"{path}:{number}: names a path of one machine: {line.strip()[:80]}"


def missing_files(paths):
    """Names of files in pages and in comments of sources that do not exist."""
    known = {path.name for path in paths}
    for path in paths:
        if path.suffix not in SOURCES | {".md"} or path.name == "CHANGELOG.md":  # which names old files, too
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            text = line if path.suffix == ".md" else " ".join(COMMENT.findall(line))
            for name in FILE_NAME.findall(text):
                last = name.rpartition("/")[2]
                there = last in known if name == last else any(path.as_posix().endswith(name) for path in paths)
                if not there and name not in FOREIGN_NAMES:
                    yield f"{path}:{number}: names {name}, which is not there"


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

    faults = [*large_files(sizes), *tiny_files(sources), *equal_names(sources), *large_folders(sources),
              *machine_paths(paths), *missing_files(paths)]
    print(*faults, sep="\n", end="\n" if faults else "")
    print(f"shape: {len(sources)} C++ files, {sum(sources.values())} lines, median {statistics.median(sources.values()):.0f}, "
          f"largest {max(sources.values())}; {len(faults)} faults")
    return 1 if faults else 0


if __name__ == "__main__":
    sys.exit(main())
