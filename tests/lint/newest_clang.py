#!/usr/bin/env python3
"""Compiles every public header and source with the newest clang and libc++, newer than those of distributions.

usage: tests/lint/newest_clang.py BUILD_DIRECTORY FOLDER COMPILER...

BUILD_DIRECTORY is configured by clang with CMAKE_UNITY_BUILD=OFF. COMPILER is Zig's, such as `python -m ziglang c++`: it
contains libc++ and the headers of each system. Objects in FOLDER are not used. For macOS only the public headers and the
sources without calls of Linux are compiled.
"""

import concurrent.futures
import os
import pathlib
import re
import subprocess
import sys

from units import ROOT, units

LINUX, MACOS = "x86_64-linux-gnu", "aarch64-macos"
# Sources that are compiled for macOS, too. The others call functions of Linux.
PORTABLE = re.compile(r"src/(cbor|core|archive|decode|encode|query)/")
# Headers of other projects. The other headers of this machine belong to another C library.
FOREIGN = ("boost", "CLI", "cbor", "cbor.h", "fmt", "hwy", "libaec.h", "lz4.h", "lz4hc.h", "lz4frame.h", "nlohmann", "oneapi",
           "re2", "roaring", "simdjson.h", "szlib.h", "tbb", "xxh3.h", "xxhash.h", "zconf.h", "zfp", "zfp.h", "zlib.h", "zmq.h",
           "zmq.hpp", "zstd.h", "zstd_errors.h")
# Boost 1.74 uses classes that C++17 removed.
BOOST_1_74 = ["-D_LIBCPP_ENABLE_CXX17_REMOVED_UNARY_BINARY_FUNCTION"]


def link_headers(folder):
    folder.mkdir(parents=True, exist_ok=True)
    for name in FOREIGN:
        link = folder / name
        link.unlink(missing_ok=True)
        link.symlink_to(pathlib.Path("/usr/include", name).resolve(strict=True))


def ours(flags):
    """The flags that do not depend on the compiler of the build."""
    dropped = re.compile(r"-O\d|-g\d?|-fPIC|-D_GLIBCXX_ASSERTIONS")
    return [word for word in flags[1:] if not dropped.fullmatch(word)]


def main():
    build, folder, *compiler = sys.argv[1:]
    folder = pathlib.Path(folder).resolve()
    link_headers(folder / "include")
    (folder / "objects").mkdir(exist_ok=True)
    environment = {**os.environ, "ZIG_GLOBAL_CACHE_DIR": str(folder / "cache"), "ZIG_LOCAL_CACHE_DIR": str(folder / "cache")}

    def fault(target, source, flags, directory):
        """The compiler's errors for a source; empty if there are none."""
        # Other checks cover sanitizers and optimisation.
        command = [*compiler, "-target", target, *ours(flags), "-O0", "-fno-sanitize=all", *BOOST_1_74, "-isystem", folder / "include",
                   "-c", source, "-o", folder / "objects" / f"{target}.{str(source).replace('/', '_')}.o"]
        done = subprocess.run(command, cwd=directory, env=environment, capture_output=True, text=True, check=False)
        return f"{source}, {target}\n{done.stderr}" if done.returncode else ""

    found = list(units(build))
    _, flags, directory = next(unit for unit in found if "/src/core/" in unit[0])
    headers = sorted(str(path.relative_to(ROOT / "include")) for path in (ROOT / "include/tgmap").rglob("*.hpp"))
    jobs = []
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        for header in headers:
            alone = folder / "objects" / (header.replace("/", "_") + ".cpp")
            alone.write_text(f"#include <{header}>\n", encoding="utf-8")
            jobs += [pool.submit(fault, target, alone, flags, directory) for target in (LINUX, MACOS)]
        jobs += [pool.submit(fault, LINUX, *unit) for unit in found]
        jobs += [pool.submit(fault, MACOS, *unit) for unit in found if PORTABLE.search(unit[0])]
        faults = [text for text in (job.result() for job in jobs) if text]
    print("\n".join(faults) + f"newest clang: {len(headers)} headers, {len(found)} sources, "
          f"{len(jobs) - 2 * len(headers) - len(found)} of them for macOS, {len(faults)} with faults")
    return 1 if faults or not headers else 0


if __name__ == "__main__":
    sys.exit(main())
