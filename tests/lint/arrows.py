#!/usr/bin/env python3
"""Checks that includes follow the architecture: each folder includes only headers of the modules that it may use, and the
subfolders of a module do not include each other in a circle, nor do the modules of the Python package.

A public header counts as a header of the module that implements it.

Run from the root of the checkout.
"""

import pathlib
import re
import sys

INCLUDE = re.compile(r'^\s*#\s*include\s*(?:<(?P<angle>[^>]+)>|"(?P<quote>[^"]+)")', re.MULTILINE)

# The library behind `#include <name/...>`, and behind a C library's header. A header without a folder that is not listed
# is one of the standard library.
LIBRARIES = {"boost": "boost", "fmt": "fmt", "CLI": "cli11", "nlohmann": "nlohmann", "benchmark": "benchmark", "re2": "re2",
             "hwy": "highway", "oneapi": "tbb", "SZ3": "sz3"}
HEADERS = {"cbor.h": "libcbor", "xxhash.h": "xxhash", "cairo.h": "cairo", "libaec.h": "libaec", "zstd.h": "zstd",
           "zstd_errors.h": "zstd", "lz4.h": "lz4", "lz4frame.h": "lz4", "zfp.h": "zfp", "zfp/bitstream.h": "zfp", "zlib.h": "zlib", "blosc2.h": "blosc2",
           "roaring/roaring.h": "roaring", "zmq.hpp": "zeromq", "zmq.h": "zeromq", "simdjson.h": "simdjson",
           "eccodes.h": "eccodes"}
STANDARD_FOLDERS = {"arpa", "netinet", "sys"}

# Public headers of the library, by the module that implements them.
PUBLIC = {
    "core": ["array_view", "build_info", "detail/dimensions", "dtype", "enum_names", "errc", "error", "export", "fwd", "mapping_guard",
             "options", "version"],
    "cbor": ["cbor_view", "descriptor", "write/cbor_value"],
    "io": ["byte_source", "detail/output_file", "write/sink"],
    "archive": ["archive", "detail/archive_iterator", "frame", "gap", "index_status", "message", "metadata", "object", "untyped_view"],
    "codec": ["decode/codecs", "write/pipeline"],
    "decode": ["decode/missing_mask", "decode/part_reader", "tensor"],
    "encode": ["write/new_message", "write/packing", "write/szip_offsets"],
    "write": ["write/appender", "write/stream_writer", "write/writer"],
    "gather": ["decode/archive_cache", "decode/gather"],
    "parallel": ["decode/decode_many", "decode/executor"],
    "query": ["query/indexed_selection", "query/key_columns", "query/key_listing", "query/known_keys", "query/metadata_key", "query/parameters", "query/selection",
              "query/selection_search", "query/sort_reader"],
    "explain": ["tools/explain"],
    "validate": ["tools/self_test", "tools/validate"],
    "index": ["tools/index"],
    "adapters": ["adapters/iostreams", "adapters/mdspan", "adapters/multi_array"],
    "everything": ["tgmap"],
}

# Those of the component tools, which the library itself does not include.
TOOLS = {
    "collection": ["tools/address", "tools/caption", "tools/collection", "tools/disk_usage", "tools/survey"],
    "edit": ["tools/compare", "tools/copy", "tools/metadata_edits", "tools/rewrite"],
    "grid": ["tools/grid"],
}
MODULE_OF = {f"tgmap/{name}.hpp": module for module, names in (PUBLIC | TOOLS).items() for name in names}

# "public": any header of the library, for modules that use it as programs do.
LIBRARY = set(PUBLIC) - {"adapters", "everything"}

ALLOWED = {
    "include/tgmap": {"public", "bridge", "constant", "zio"} | set(TOOLS),
    "src/runtime": {"runtime"},
    "src/core/text": {"text"},
    "src/wire": {"wire"},
    "src/core": {"core", "build info", "xxhash"},
    "src/cbor": {"cbor", "wire", "core", "libcbor"},
    "src/io": {"io", "core", "xxhash", "boost"},
    "src/index_file": {"index_file", "io", "wire", "core", "xxhash"},
    "src/index": {"index", "parallel", "index_file", "archive", "io", "cbor", "wire", "core"},
    "src/archive": {"archive", "index_file", "io", "wire", "cbor", "core", "xxhash"},
    "src/codec": {"codec", "runtime", "cbor", "wire", "core", "highway", "libaec", "zstd", "lz4", "zfp", "roaring",
                  "blosc2", "sz3"},
    "src/decode": {"decode", "codec", "archive", "cbor", "core"},
    "src/gather": {"public", "gather", "decode", "archive", "index_file", "io", "cbor", "wire", "core"},
    "src/encode": {"encode", "codec", "wire", "core"},
    "src/write": {"write", "index", "encode", "codec", "archive", "io", "cbor", "wire", "core", "xxhash"},
    "src/parallel": {"public", "parallel", "core", "tbb"},
    "src/query": {"public", "query", "json", "index", "index_file", "archive", "cbor", "core", "re2"},
    "src/explain": {"public", "explain", "archive"},
    "src/validate": {"public", "validate", "wire", "xxhash"},
    "src/json": {"public", "json", "core", "nlohmann", "simdjson"},
    "src/convert": {"public", "convert", "collection", "edit", "grid", "json", "core", "zlib"},
    "src/bridge": {"public", "bridge", "grid", "runtime", "core", "xxhash", "libaec", "eccodes"},
    "src/constant": {"public", "constant", "json", "runtime", "core", "simdjson", "lz4", "xxhash"},
    "src/zio": {"public", "zio", "json", "runtime", "core", "nlohmann", "zeromq"},
    "src/statistics": {"public", "statistics"},
    "src/reports": {"public", "reports", "collection", "edit", "statistics", "json", "core", "fmt", "nlohmann"},
    "src/grid": {"public", "grid", "core"},
    "src/picture": {"public", "picture", "grid", "runtime", "statistics", "fmt", "cairo"},
    "src/collection": {"public", "collection", "edit", "core"},
    "src/edit": {"public", "edit", "json", "core"},
    "src/manual": {"manual", "fmt"},
    "src/cli": {"public", "cli", "collection", "edit", "grid", "manual", "convert", "picture", "reports", "statistics", "core",
                "bridge", "constant", "zio", "build info", "fmt", "cli11", "json"},
    "python/cpp": {"public", "collection", "cpp", "nanobind", "numpy"},
}

# Includes against the arrows, and why they stay.
EXCEPTIONS = {
    # An executor is an interface: decoding runs its tasks on the one that the caller passes.
    ("src/decode", "tgmap/decode/executor.hpp"),
}

# Folders in a module whose subfolders do not include each other in a circle, either.
DEEPER = ["src/bridge/grib"]

# Subfolders of a module, and modules of Python, that include each other in a circle, and why they still do.
KNOWN_CYCLES = {}

# Helpers for text, which every folder may include.
for room in ALLOWED:
    if room.startswith(("src/", "python/")):
        ALLOWED[room].add("text")

# Public headers that join tgmap to a library of the user's own choice; nothing else in include/ names one.
ADAPTERS = {"multi_array.hpp", "iostreams.hpp", "mdspan.hpp"}


def meaning(match):
    """The module or library of an include; None for the standard library."""
    if match["quote"]:
        path = match["quote"]
        if path == "tgmap_build_info.hpp":
            return "build info"
        if path.startswith("core/text/"):
            return "text"
        return path.partition("/")[0] if "/" in path else "a path without its folder"
    path = match["angle"]
    first, slash, rest = path.partition("/")
    if path in HEADERS:
        return HEADERS[path]
    if first == "tgmap":
        return MODULE_OF.get(path, rest.partition("/")[0] if "/" in rest else "a public header without a module")
    if not slash or first in STANDARD_FOLDERS:
        return None
    return LIBRARIES.get(first, first)


def violations(file, folder, allowed):
    text = file.read_text(encoding="utf-8")
    for match in INCLUDE.finditer(text):
        reached = meaning(match)
        path = match["angle"] or match["quote"]
        if reached is None or reached in allowed:
            continue
        if match["angle"] and reached in LIBRARY and "public" in allowed:
            continue
        if (folder, path) in EXCEPTIONS or file.as_posix() == "include/tgmap/tgmap.hpp":
            continue
        if folder == "include/tgmap" and reached == "boost" and file.name in ADAPTERS:
            continue
        line = text.count("\n", 0, match.start()) + 1
        yield f"{file}:{line}: {folder} must not include {path} ({reached})"


PYTHON_IMPORT = re.compile(r"^[ ]*(?:from \. import (?P<names>[\w, ]+)|from \.(?P<module>\w+) import)", re.MULTILINE)


def subfolder_arrows(module):
    """The arrows between the subfolders of a module. Files beside the subfolders join these, and are left out."""
    out = set()
    for file in pathlib.Path(module).rglob("*.[ch]pp"):
        inside = file.relative_to(module).parts
        for match in INCLUDE.finditer(file.read_text(encoding="utf-8")):
            reached = pathlib.PurePath("src", match["quote"] or "")
            if len(inside) > 1 and reached.is_relative_to(module) and len(reached.relative_to(module).parts) > 1:
                out.add((f"{module}/{inside[0]}", f"{module}/{reached.relative_to(module).parts[0]}"))
    return out


def python_arrows(folder):
    """The arrows between the modules of a package of Python, also those of imports in functions."""
    out = set()
    for file in pathlib.Path(folder).glob("*.py"):
        for match in PYTHON_IMPORT.finditer(file.read_text(encoding="utf-8")):
            for name in re.findall(r"\w+", match["names"] or match["module"]):
                out.add((f"{folder}/{file.stem}", f"{folder}/{name}"))
    return out


def circles(arrows):
    """The largest sets of places that reach each other."""
    reach = {place: {b for a, b in arrows if a == place} for arrow in arrows for place in arrow}
    for middle in reach:  # Warshall's algorithm
        for ends in reach.values():
            if middle in ends:
                ends |= reach[middle]
    return {frozenset({b for b in reach[a] if a in reach[b]} | {a}) for a in reach if a in reach[a]} - \
           {frozenset({a}) for a in reach}


def cycle_violations():
    arrows = set().union(*(subfolder_arrows(module) for module in [*ALLOWED, *DEEPER] if module.startswith("src/")))
    found = circles(arrows) | circles(python_arrows("python/src/tgmap"))
    for circle in found:
        if not any(circle <= known for known in KNOWN_CYCLES):
            yield f"{', '.join(sorted(circle))}: include each other in a circle"
    for known in KNOWN_CYCLES:
        if not any(circle <= known for circle in found):
            yield f"{', '.join(sorted(known))}: a known circle that is none any more; remove it from the list"


def main():
    found, count = [], 0
    for folder in sorted(pathlib.Path("src").iterdir()):
        sources = [file for file in folder.rglob("*") if file.suffix in {".hpp", ".cpp"}] if folder.is_dir() else []
        if sources and folder.as_posix() not in ALLOWED:
            found.append(f"{folder}: not listed in {pathlib.Path(__file__).name}")
    known = {path.relative_to("include").as_posix() for path in pathlib.Path("include/tgmap").rglob("*.hpp")}
    unlisted = {path for path in known - set(MODULE_OF) if not path.startswith(("tgmap/bridge/", "tgmap/constant/", "tgmap/zio/"))}
    found += [f"include/{path}: no module is listed for this header" for path in sorted(unlisted)]
    for folder, allowed in ALLOWED.items():
        for file in sorted(pathlib.Path(folder).rglob("*.[ch]pp")):
            count += 1
            found += violations(file, folder, allowed)
    found += sorted(cycle_violations())
    print(*found, sep="\n", end="\n" if found else "")
    print(f"arrows: {count} files, {len(found)} includes against the arrows")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
