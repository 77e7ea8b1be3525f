#!/usr/bin/env python3
"""Checks that every hash table of the sources uses core::seeded_hash.

std::hash is the same in every process, and of a number it is the number. A file could hold keys that all collide, and make
a table quadratic. Tables whose keys never come from a file may be listed here.

Run from the root of the checkout.
"""

import pathlib
import re
import sys

FOLDERS = ("src", "include", "python/cpp")
TABLE = re.compile(r"\b(?:std::(?:pmr::)?unordered_\w+|boost::(?:unordered(?:::|_)\w+|concurrent_flat_\w+)|absl::\w+_hash_\w+)\s*<")
HASH = re.compile(r"\b(?:std|boost)::hash\s*<|\bboost::hash_(?:combine|range|value)\b|\bstd::_Hash_bytes\b")
COMMENT_OR_STRING = re.compile(r'//[^\n]*|/\*.*?\*/|"(?:\\.|[^"\\\n])*"', re.DOTALL)

# File: why the keys of its tables come from no file.
ALLOWED = {
}


def arguments(text, begin):
    """The template arguments that begin at a position, up to the bracket that closes them."""
    depth = 1
    for end in range(begin, len(text)):
        depth += {"<": 1, ">": -1}.get(text[end], 0)
        if depth == 0:
            return text[begin:end]
    return text[begin:]


def faults(text):
    """Lines with a table without the seeded hash, or with a hash of the standard library, and what is there."""
    text = COMMENT_OR_STRING.sub(lambda match: re.sub(r"[^\n]", " ", match[0]), text)
    for match in TABLE.finditer(text):
        if not re.search(r"\bseeded_hash\b", arguments(text, match.end())):
            yield text.count("\n", 0, match.start()) + 1, match[0] + arguments(text, match.end()) + ">"
    for match in HASH.finditer(text):
        yield text.count("\n", 0, match.start()) + 1, match[0]


def self_test():
    bad = ["std::unordered_map<std::string, int> a;", "std::unordered_set<std::uint64_t> b;", "std::hash<std::string_view>{}(c);",
           "std::unordered_map<std::string,\n  std::vector<int>> d;", "boost::unordered_map<int, int> e;",
           "std::unordered_map<std::string, std::unordered_map<int, int, core::seeded_hash>, std::hash<std::string>> f;"]
    good = ["std::unordered_map<std::string, int, seeded_hash, std::equal_to<>> a;", "core::text_map<std::vector<int>> b;",
            "// std::unordered_map<std::string, int>", 'f("std::hash<int>");', "std::map<std::string, int> c;"]
    assert all(list(faults(text)) for text in bad), [text for text in bad if not list(faults(text))]
    assert not any(list(faults(text)) for text in good), [text for text in good if list(faults(text))]


def main():
    self_test()
    found, count = [], 0
    for folder in FOLDERS:
        for file in sorted(pathlib.Path(folder).rglob("*.[ch]pp")):
            count += 1
            if file.as_posix() not in ALLOWED:
                found += [f"{file}:{line}: {what} needs core::seeded_hash, of core/seeded_hash.hpp" for line, what in
                          faults(file.read_text(encoding="utf-8"))]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"hashes: {count} files, {len(found)} tables without a seed")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
