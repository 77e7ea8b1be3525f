# SPDX-License-Identifier: Apache-2.0
"""Compares the mean of 10,000 fields on a cluster of two processes with Zarr, and with a memory-mapped file.

usage: python/bench/clusters.py [--rounds N] [--folder FOLDER] [--only SIDE] [--json FILE]

A field has 40 x 64 elements of float32, 10 KB; all are 10 members x 50 steps x 20 levels. Each task has the fields of
one member. A side is measured in clusters of its own, which take turns, so that a busy machine slows all of them.
Values are medians of the second mean in each cluster: CPU time of the workers, seconds, and how much the memory of the
worker that grew most is larger afterwards. The bar is 700 ms of CPU.
"""

from __future__ import annotations

import functools
import importlib.util
import json
import os
import pathlib
import sys
import time

import numpy as np
from sides import machine, measure, parse, write_json

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "build" / "python_bench" / "clusters"
CELLS, FIELD = (10, 50, 20), (40, 64)
SIDES = {
    "floor": "numpy.memmap",
    "tgmap": "tgmap",
    "zarr": "zarr, a chunk for each field",
    "zarr_members": "zarr, a chunk for each member",
}
BAR = 0.7


def write_all(folder: pathlib.Path) -> list[str]:
    """Write the fields for each side that is possible here, and return the sides."""
    import tgmap

    folder.mkdir(parents=True, exist_ok=True)
    fields = np.random.default_rng(1).random((*CELLS, *FIELD), dtype="f4")
    if not (folder / "fields.npy").exists():
        np.save(folder / "fields.npy", fields)
    if not (folder / "fields.tgm").exists():
        with tgmap.create(folder / "fields.tgm") as out:
            for index in np.ndindex(*CELLS):
                keys = dict(zip(("number", "step", "levelist"), index), param="t", levtype="ml")
                out.write([tgmap.NewObject(fields[index], {"mars": keys})])
    if importlib.util.find_spec("zarr") is None:
        return ["floor", "tgmap"]
    import zarr

    for side, chunks in (("zarr", (1, 1, 1, *FIELD)), ("zarr_members", (1, *CELLS[1:], *FIELD))):
        if not (folder / side).exists():
            made = zarr.create_array(folder / side, shape=fields.shape, chunks=chunks, dtype="f4", compressors=None)
            made[:] = fields
    return list(SIDES)


def opened(side: str, folder: pathlib.Path):
    """Return the fields as an array of Dask with a chunk for each member."""
    import dask.array

    chunks = (1, *CELLS[1:], *FIELD)
    if side == "tgmap":
        import tgmap

        return tgmap.to_dataset(folder / "fields.tgm", chunks={"number": 1})["t"].data
    if side.startswith("zarr"):
        import zarr

        return dask.array.from_array(zarr.open_array(folder / side, mode="r"), chunks=chunks)
    mapped = np.load(folder / "fields.npy", mmap_mode="r")
    read = functools.partial(read_member, folder / "fields.npy")
    return dask.array.map_blocks(
        read, chunks=dask.array.core.normalize_chunks(chunks, mapped.shape), dtype="f4", meta=np.empty(0, "f4")
    )


def read_member(path, block_id=()):
    return np.array(np.load(path, mmap_mode="r")[block_id[0] : block_id[0] + 1])


def resident() -> int:
    with open("/proc/self/statm") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGESIZE")


def run(side: str, folder: pathlib.Path) -> dict[str, float]:
    """Return what the second mean takes in a new cluster."""
    from distributed import Client, LocalCluster

    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": ":0"}
    with LocalCluster(**options) as cluster, Client(cluster) as client:
        client.wait_for_workers(2)
        array = opened(side, folder)
        first = float(array.mean().compute())  # imports modules on the workers
        before, memory = client.run(time.process_time), client.run(resident)
        begin = time.perf_counter()
        assert float((array + 0).mean().compute()) == first
        seconds = time.perf_counter() - begin
        after, memory_after = client.run(time.process_time), client.run(resident)
    cpu = sum(after[each] - before[each] for each in before)
    return {"cpu": cpu, "seconds": seconds, "memory": max(memory_after[each] - memory[each] for each in memory)}


def main() -> int:
    options = parse(__doc__, SIDES, FOLDER, "clusters of each side")
    if options.run:
        print(json.dumps(run(options.run, options.folder)))
        return 0
    present = write_all(options.folder)
    for side, name in SIDES.items():
        if side not in present:
            print(f"SKIPPED: {name} (its package is not here)")
    results = measure(__file__, present, options)
    print(f"{machine()}; bar: {BAR * 1e3:.0f} ms of CPU")
    print("| | CPU ms of workers | ms | MB more afterwards |\n|---|---|---|---|")
    for side, value in results.items():
        row = (f"{value['cpu'] * 1e3:.0f}", f"{value['seconds'] * 1e3:.0f}", f"{value['memory'] / 1e6:.1f}")
        print(f"| {SIDES[side]} | {' | '.join(row)} |")
    write_json(results, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
