# SPDX-License-Identifier: Apache-2.0
"""Compares 1,000 fields that are read through Zarr: our store, references of VirtualiZarr and kerchunk, Zarr itself.

usage: python/bench/references.py [--rounds N] [--folder FOLDER] [--only SIDE] [--json FILE]

A field has 50 x 50 elements of float32, 10 KB; 20 steps x 50 levels are one variable. A side is measured in processes
of its own, which take turns, so that a busy machine slows all of them. Values are medians of processes, of the fastest
of five reads in each: CPU time, also of threads, and seconds. Bars: 20 ms for the store, 300 ms for VirtualiZarr.
"""

from __future__ import annotations

import importlib.util
import json
import pathlib
import sys
import time
import warnings
from typing import Any

import numpy as np
from sides import machine, measure, parse, write_json

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "build" / "python_bench" / "references"
CELLS, FIELD = (20, 50), (50, 50)
SIDES = {
    "floor": "numpy.memmap, copied",
    "dataset": "tgmap.to_dataset",
    "store": "tgmap's store, a run of fields a chunk",
    "store_fields": "tgmap's store, a chunk for each field",
    "zarr": "zarr, a chunk for each field",
    "virtualizarr": "VirtualiZarr, bytes as they are",
    "packed": "VirtualiZarr, packed, by the codec tgmap",
    "kerchunk": "kerchunk's JSON, bytes as they are",
}
NEEDED = {"floor": (), "dataset": ("xarray",), "store": ("zarr",), "store_fields": ("zarr",), "zarr": ("zarr",)}
VIRTUAL = ("virtualizarr", "kerchunk", "xarray", "zarr")
BARS = {"store": 0.02, "virtualizarr": 0.3, "packed": 0.3}


def write_all(folder: pathlib.Path) -> None:
    """Write the fields for each side that is possible here."""
    if (folder / "complete").exists():
        return
    import tgmap

    folder.mkdir(parents=True, exist_ok=True)
    fields = np.random.default_rng(1).random((*CELLS, *FIELD), dtype=np.float32)
    np.save(folder / "fields.npy", fields)
    plain: Any
    packed: Any
    with tgmap.create(folder / "a.tgm") as plain, tgmap.create(folder / "packed.tgm") as packed:
        for step, level in np.ndindex(*CELLS):
            keys = {"date": 20240101, "time": "0000", "param": "t", "levtype": "pl"}
            metadata = {"mars": {**keys, "step": step, "levelist": level + 1}}
            plain.write([tgmap.NewObject(fields[step, level], metadata)])
            pipeline: dict[str, Any] = {"dtype": "float64", "encoding": "simple_packing", "bits": 16}
            packed.write([tgmap.NewObject(fields[step, level], metadata, **pipeline)])
    if importlib.util.find_spec("zarr"):
        import zarr

        options: dict[str, Any] = {"shape": fields.shape, "chunks": (1, 1, *FIELD), "dtype": "f4", "compressors": None}
        zarr.create_array(folder / "a.zarr", overwrite=True, **options)[...] = fields
    if all(map(importlib.util.find_spec, VIRTUAL)):
        from tgmap.references import manifest_store

        references = manifest_store(folder / "a.tgm").to_virtual_dataset()
        references.vz.to_kerchunk(str(folder / "a.json"), format="json")
    (folder / "complete").touch()


def opened(side: str, folder: pathlib.Path) -> Any:
    """Return what `[...]` reads."""
    if side == "floor":
        return np.load(folder / "fields.npy", mmap_mode="r")
    if side == "dataset":
        import tgmap

        return tgmap.to_dataset(folder / "a.tgm")["t"].variable
    import zarr

    if side == "zarr":
        return zarr.open_array(folder / "a.zarr", mode="r")
    from tgmap import references

    if side in ("store", "store_fields"):
        chunks = {"step": 1, "levelist": 1} if side == "store_fields" else None
        return zarr.open_array(references.ArchiveStore(folder / "a.tgm", chunks=chunks), path="t", mode="r")
    if side == "kerchunk":
        from kerchunk.utils import refs_as_store

        return zarr.open_array(refs_as_store(str(folder / "a.json")), path="t", mode="r", zarr_format=2)
    store = references.manifest_store(folder / ("packed.tgm" if side == "packed" else "a.tgm"))
    return zarr.open_array(store, path="t", mode="r", zarr_format=3)


def run(side: str, folder: pathlib.Path) -> dict[str, float]:
    """Return the least CPU time and time of some reads."""
    warnings.simplefilter("ignore")
    array = opened(side, folder)
    expected = np.load(folder / "fields.npy")
    cpu, seconds = [], []
    for _ in range(5):
        begin, begin_cpu = time.perf_counter(), time.process_time()
        found: Any = np.array(array) if side == "floor" else array[...]
        found = found.values if side == "dataset" else found
        seconds.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - begin_cpu)
        assert np.abs(found - expected).max() < 1e-4
        if side == "dataset":
            array = opened(side, folder)  # it keeps what was read
    return {"cpu": min(cpu), "seconds": min(seconds)}


def main() -> int:
    options = parse(__doc__, SIDES, FOLDER, "processes of each side")
    if options.run:
        print(json.dumps(run(options.run, options.folder)))
        return 0
    write_all(options.folder)
    present = []
    for side, name in SIDES.items():
        missing = [each for each in NEEDED.get(side, VIRTUAL) if not importlib.util.find_spec(each)]
        if missing:
            print(f"SKIPPED: {name} ({missing[0]} is not here)")
        else:
            present.append(side)
    results = measure(__file__, present, options)
    print(machine())
    print("| | CPU ms | ms | bar |\n|---|---|---|---|")
    for side, value in results.items():
        bar = f"{BARS[side] * 1e3:.0f}" if side in BARS else ""
        print(f"| {SIDES[side]} | {value['cpu'] * 1e3:.1f} | {value['seconds'] * 1e3:.1f} | {bar} |")
    write_json(results, options)
    return 0


if __name__ == "__main__":
    sys.exit(main())
