# SPDX-License-Identifier: Apache-2.0
"""Compares reading objects by their places with numpy.memmap and Zarr, and checks bars.

usage: python/bench/places.py [--rounds N] [--gate] [--folder FOLDER]

Each side is measured in processes of its own, which take turns; a value is the median of their CPU times. Each process
reads another small file first, so that libraries are loaded, and then measures its second call: memory is warm, and the
file is in the page cache. Zarr has one chunk for each field, without compression. Bytes are those that the system counts
for the process. --gate: the exit status is 1 if a row misses its bar.
"""

from __future__ import annotations

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import sys
from collections.abc import Callable
from typing import Any

HERE = pathlib.Path(__file__).resolve()
FOLDER = HERE.parents[2] / "build" / "python_bench" / "places"
STEPS, LEVELS = 50, 20
SMALL, LARGE = (50, 50), (512, 512)  # of float32: 10 KB, 1 MB
ROWS = {  # what is measured, its sides, and its bars: of another side, in milliseconds, or of the bytes of all elements
    "fields": ("1,000 fields of 10 KB", ("tgmap", "memmap", "zarr"), (("memmap", 1.2),)),
    "point": ("one point of 1,000 fields", ("tgmap", "zarr"), (("ms", 4.0),)),
    "steps": ("20 steps of one level", ("tgmap", "memmap", "zarr"), (("ms", 0.5),)),
    "all": ("100 fields of 1 MB", ("tgmap", "memmap", "zarr"), ()),
    "rows": ("a tenth of the rows of each", ("tgmap", "memmap", "zarr"), (("bytes", 0.12),)),
    "columns": ("a tenth of the columns of each", ("tgmap", "memmap", "zarr"), (("bytes", 0.6),)),
    "points": ("two points of each", ("tgmap", "memmap", "zarr"), (("bytes", 0.12),)),
}


def write_all(folder: pathlib.Path) -> None:
    """Write the same fields as an archive, as raw bytes, and as a store of Zarr."""
    import numpy as np
    import tgmap
    import zarr

    folder.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(1)
    for name, count, shape in (("warm", 20, SMALL), ("small", STEPS * LEVELS, SMALL), ("large", 100, LARGE)):
        if (folder / f"{name}.zarr").exists():
            continue
        values = random.normal(280, 10, (count, *shape)).astype("f4")
        values.tofile(folder / f"{name}.raw")
        with tgmap.create(folder / f"{name}.tgm") as out:
            for i, each in enumerate(values):
                mars = {"param": "t", "date": 20240101, "time": 0, "step": i // LEVELS, "levelist": i % LEVELS}
                out.write([tgmap.NewObject(each, {"mars": mars})])
        store = zarr.create_array(
            str(folder / f"{name}.zarr"), shape=values.shape, chunks=(1, *shape), dtype="f4", compressors=None
        )
        store[:] = values


def part(row: str) -> tuple[str, Any, Any]:
    """Return the file of a row, its fields, and the part of each."""
    return {
        "fields": ("small", slice(None), ()),
        "point": ("small", slice(None), (25, 25)),
        "steps": ("small", slice(3, 20 * LEVELS, LEVELS), ()),
        "all": ("large", slice(None), ()),
        "rows": ("large", slice(None), (slice(51),)),
        "columns": ("large", slice(None), (slice(None), slice(51))),
        "points": ("large", slice(None), ([0, 511], [0, 511])),
    }[row]


def reader(side: str, folder: pathlib.Path, name: str, fields: Any, inner: Any) -> Callable[[], Any]:
    """Return a function that opens nothing that may stay open, and reads."""
    is_points = bool(inner) and isinstance(inner[0], list)
    if side == "tgmap":
        import tgmap

        archive = tgmap.open(folder / f"{name}.tgm")
        places = archive.places(range(len(archive)))[fields]
        if is_points:
            return lambda: tgmap.gather(places, points=inner, threads=1)
        return lambda: tgmap.gather(places, inner, threads=1)
    if side == "memmap":
        import numpy as np

        shape = LARGE if name == "large" else SMALL
        return lambda: np.array(np.memmap(folder / f"{name}.raw", "f4", "r").reshape(-1, *shape)[(fields, *inner)])
    import zarr

    store: Any = zarr.open_array(str(folder / f"{name}.zarr"), mode="r")
    if is_points:
        import numpy as np

        return lambda: store.vindex[(np.arange(100)[:, None], *(np.array([each]) for each in inner))]
    return lambda: store[(fields, *inner)]


def measure(side: str, row: str, folder: pathlib.Path) -> dict[str, float]:
    """Return milliseconds and bytes of one call, and print nothing else."""
    name, fields, inner = part(row)
    reader(side, folder, "warm", slice(None), ())()
    read = reader(side, folder, name, fields, inner)
    read()
    bytes_before, before = read_bytes(), cpu()
    read()
    after = cpu()
    return {"ms": (after - before) * 1e3, "bytes": read_bytes() - bytes_before}


def cpu() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def read_bytes() -> int:
    for line in pathlib.Path("/proc/self/io").read_text().splitlines():
        if line.startswith("rchar:"):
            return int(line.split()[1])
    raise RuntimeError("the system counts no bytes")


def main() -> int:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--rounds", type=int, default=5)
    arguments.add_argument("--folder", type=pathlib.Path, default=FOLDER)
    arguments.add_argument("--gate", action="store_true")
    arguments.add_argument("--measure", nargs=2, help=argparse.SUPPRESS)
    options = arguments.parse_args()
    if options.measure:
        print(json.dumps(measure(*options.measure, options.folder)))
        return 0
    write_all(options.folder)
    all_passed = True
    bytes_of_all = 1.0
    for row, (what, sides, bars) in ROWS.items():
        found: dict[str, list[dict[str, float]]] = {side: [] for side in sides}
        for _ in range(options.rounds):
            for side in sides:
                call = [sys.executable, HERE, "--folder", options.folder, "--measure", side, row]
                found[side].append(json.loads(subprocess.run(call, capture_output=True, check=True).stdout))
        middle = {side: statistics.median(each["ms"] for each in of) for side, of in found.items()}
        read = statistics.median(each["bytes"] for each in found["tgmap"])
        if row == "all":
            bytes_of_all = read
        times = ", ".join(f"{side} {time:.2f} ms" for side, time in middle.items())
        print(f"{row:8} {what}: {times}; {read / 1e6:.2f} MB read")
        for kind, limit in bars:
            own = middle["tgmap"]
            value = own if kind == "ms" else read / bytes_of_all if kind == "bytes" else own / middle[kind]
            passed = value <= limit
            all_passed = all_passed and passed
            print(f"         {value:.3g} {'ms' if kind == 'ms' else 'x ' + kind}, bar {limit:g}{'' if passed else '  MISSED'}")
    return 1 if options.gate and not all_passed else 0


if __name__ == "__main__":
    sys.exit(main())
