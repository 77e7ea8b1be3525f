#!/usr/bin/env python3
"""Proves that includes follow the arrows of the architecture: each folder includes only what it may know of.

Run from the root of the checkout.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<(?P<angle>[^>]+)>|"(?P<quote>[^"]+)")', re.MULTILINE)

# What `#include <name/...>`, or a C library's own header, stands for. What is not named here and has no folder is the
# standard library's.
LIBRARIES = {"boost": "boost", "fmt": "fmt", "CLI": "cli11", "nlohmann": "json", "benchmark": "benchmark", "re2": "re2",
             "hwy": "highway", "oneapi": "tbb", "SZ3": "sz3"}
HEADERS = {"cbor.h": "libcbor", "xxhash.h": "xxhash", "cairo.h": "cairo", "libaec.h": "libaec", "zstd.h": "zstd",
           "zstd_errors.h": "zstd", "lz4.h": "lz4", "lz4frame.h": "lz4", "zfp.h": "zfp", "zfp/bitstream.h": "zfp", "zlib.h": "zlib", "blosc2.h": "blosc2",
           "roaring/roaring.h": "roaring", "zmq.hpp": "zeromq", "zmq.h": "zeromq", "simdjson.h": "simdjson"}
STANDARD_FOLDERS = {"arpa", "netinet", "sys"}

ALLOWED = {
    "include/tgmap": {"public"},
    "src/runtime": {"runtime"},
    "src/wire": {"wire"},
    "src/core": {"core", "public", "build info"},
    "src/cbor": {"cbor", "wire", "core", "public", "libcbor"},
    "src/io": {"io", "core", "public", "boost"},
    "src/archive": {"archive", "io", "wire", "cbor", "core", "public", "xxhash"},
    "src/codec": {"codec", "runtime", "cbor", "wire", "core", "public", "highway", "libaec", "zstd", "lz4", "zfp", "roaring", "blosc2",
                  "sz3"},
    "src/decode": {"decode", "codec", "archive", "core", "public"},
    "src/encode": {"encode", "codec", "wire", "core", "public"},
    "src/write": {"write", "encode", "codec", "archive", "io", "cbor", "wire", "core", "public", "xxhash"},
    "src/parallel": {"parallel", "core", "public", "tbb"},
    "src/select": {"select", "public", "re2"},
    "src/explain": {"explain", "public"},
    "src/validate": {"validate", "wire", "public", "xxhash"},
    "src/convert": {"convert", "public", "zlib", "json"},
    "src/constant": {"constant", "runtime", "public", "simdjson", "lz4", "xxhash"},
    "src/zio": {"zio", "runtime", "public", "json", "simdjson", "zeromq"},
    "src/statistics": {"statistics", "public"},
    "src/picture": {"picture", "runtime", "statistics", "public", "fmt", "cairo"},
    "src/cli": {"cli", "convert", "picture", "statistics", "public", "build info", "fmt", "cli11", "json", "boost"},
}

# Public headers that join tgmap to a library of the user's own choice; nothing else in include/ names one.
ADAPTERS = {"multi_array.hpp", "iostreams.hpp", "mdspan.hpp"}


def meaning(match):
    """What an include reaches for: a folder of src/, "public", a library, or None for the standard library."""
    if match["quote"]:
        path = match["quote"]
        if path == "tgmap_build_info.hpp":
            return "build info"
        return path.partition("/")[0] if "/" in path else "a path without its folder"
    path = match["angle"]
    first, slash, _ = path.partition("/")
    if path in HEADERS:
        return HEADERS[path]
    if first == "tgmap":
        return "public"
    if not slash or first in STANDARD_FOLDERS:
        return None
    return LIBRARIES.get(first, first)


def violations(file, room, allowed):
    text = file.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        reached = meaning(match)
        if reached is None or reached in allowed:
            continue
        if room == "include/tgmap" and reached == "boost" and file.name in ADAPTERS:
            continue
        line = text.count("\n", 0, match.start()) + 1
        yield f"{file}:{line}: {room} must not include {match['angle'] or match['quote']} ({reached})"


def main():
    found, count = [], 0
    for room in sorted(pathlib.Path("src").iterdir()):
        sources = [file for file in room.rglob("*") if file.suffix in {".hpp", ".cpp"}] if room.is_dir() else []
        if sources and room.as_posix() not in ALLOWED:
            found.append(f"{room}: a folder whose arrows are not drawn in {pathlib.Path(__file__).name}")
    for room, allowed in ALLOWED.items():
        for file in sorted(pathlib.Path(room).rglob("*.[ch]pp")):
            count += 1
            found += violations(file, room, allowed)
    print(*found, sep="\n", end="\n" if found else "")
    print(f"arrows: {count} files, {len(found)} includes against the arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
