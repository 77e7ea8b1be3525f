# SPDX-License-Identifier: Apache-2.0
"""Measures how long archives take to be opened as cubes of xarray, with and without indexes.

usage: python/bench/cubes.py [--rounds N] [--folder FOLDER] [--only SIDE] [--json FILE]

10,000 messages of 53 keys are one variable of 10 x 50 x 20 cells; 300 files of 100 messages each are one of 300 x 2 x 50.
Elements are not read. A side is measured in processes of its own, which take turns, so that a busy machine slows all of
them. Values are medians of processes, of the fastest of nine in each: CPU time, also of threads, and seconds. Floors: a
Dataset of arrays in memory with as many cells and attributes, and the bytes of the archive, read and hashed.
Bars: 60 ms for the messages, 25 ms with an index, half a millisecond for each file.
"""

from __future__ import annotations

import datetime
import itertools
import json
import pathlib
import shutil
import subprocess
import sys
import time
import warnings
from collections.abc import Callable, Iterable
from typing import Any

import numpy as np
from sides import machine, measure, parse, write_json

FOLDER = pathlib.Path(__file__).resolve().parents[2] / "build" / "python_bench" / "cubes"
KEYS, CELLS, FILES = 53, (10, 50, 20), 300
SIDES = {
    "messages": "10,000 messages",
    "indexed": "10,000 messages with an index",
    "files": "300 files of 100 messages",
    "indexed_files": "300 files with indexes",
    "list": "a list of 300 files",
    "memory": "floor: a Dataset of arrays in memory",
    "bytes": "floor: the bytes of 10,000 messages, read and hashed",
}
BARS = {"messages": 0.06, "indexed": 0.025, "files": 0.15, "indexed_files": 0.15, "list": 0.15}


def keys_of(number: int, step: int, level: int, date: int = 20240101) -> dict[str, Any]:
    """Return the keys of a message."""
    keys: dict[str, Any] = {"class": "od", "type": "pf", "stream": "enfo", "expver": "0001", "date": date, "time": "0000"}
    keys |= {"domain": "g", "levtype": "pl", "param": "t", "number": number, "step": step, "levelist": level}
    for i in range(KEYS - len(keys)):
        keys[f"other{i:02}" + "Key" * (i % 4)] = (i, 1000 * i, f"text {i}", i / 4, 100_000 * i, "a longer text")[i % 6]
    return {"mars": keys}


def write(path: pathlib.Path, cells: Iterable[tuple[int, int, int]], **keys: int) -> None:
    """Write a message for each cell, and a copy in the folder "indexed" with an index."""
    import tgmap

    out: Any
    with tgmap.create(path) as out:
        for cell in cells:
            out.write([tgmap.NewObject(np.zeros((4, 5), np.float32), keys_of(*cell, **keys))])
    shutil.copy(path, path.parent / "indexed" / path.name)


def write_all(folder: pathlib.Path) -> None:
    """Write the archives and their indexes."""
    if (folder / "complete").exists():
        return
    (folder / "files" / "indexed").mkdir(parents=True, exist_ok=True)
    (folder / "indexed").mkdir(exist_ok=True)
    numbers, steps, levels = (range(size) for size in CELLS)
    write(folder / "a.tgm", itertools.product(numbers, steps, (50 * level + 50 for level in levels)))
    for i in range(FILES):
        date = datetime.date(2024, 1, 1) + datetime.timedelta(days=i)
        cells = itertools.product(range(2), range(50), (500,))
        write(folder / "files" / f"{i:03}.tgm", cells, date=int(date.strftime("%Y%m%d")))
    indexed = [folder / "indexed" / "a.tgm", *sorted((folder / "files" / "indexed").glob("*.tgm"))]
    subprocess.run([sys.executable, "-m", "tgmap", "index", "create", "--no-sync", *indexed], check=True, stdout=subprocess.DEVNULL)
    (folder / "complete").touch()


def dataset_in_memory() -> Any:
    """Return a Dataset like that of the messages."""
    import xarray

    dims = ("number", "step", "levelist")
    attributes = {f"mars_other{i}": i for i in range(KEYS)}
    coordinates: dict[str, Any] = {name: np.arange(size) for name, size in zip(dims, CELLS)}
    coordinates["step"] = coordinates["step"].astype("timedelta64[h]").astype("timedelta64[ns]")
    coordinates["time"] = np.datetime64("2024-01-01", "ns")
    elements = np.zeros((*CELLS, 4, 5), np.float32)
    return xarray.Dataset({"t": ((*dims, "y", "x"), elements, attributes)}, coordinates)


def work_of(side: str, folder: pathlib.Path) -> Callable[[], Any]:
    """Return what is measured."""
    if side == "memory":
        return dataset_in_memory
    import tgmap

    if side == "bytes":
        return lambda: tgmap.xxh3((folder / "a.tgm").read_bytes())
    files = folder / "files" / ("indexed" if side == "indexed_files" else "")
    given: Any = {"messages": folder / "a.tgm", "indexed": folder / "indexed" / "a.tgm"}.get(side, str(files / "*.tgm"))
    if side == "list":
        given = sorted(files.glob("*.tgm"))
    return lambda: tgmap.to_dataset(given)


def run(side: str, folder: pathlib.Path) -> dict[str, float]:
    """Return the least CPU time and time of some calls."""
    warnings.simplefilter("ignore")
    work = work_of(side, folder)
    found = work()
    if side != "bytes":
        expected = CELLS if side in ("messages", "indexed", "memory") else (2, FILES, 50)
        assert found["t"].size == np.prod(expected) * 20, found["t"].shape
    cpu, seconds = [], []
    for _ in range(9):
        begin, begin_cpu = time.perf_counter(), time.process_time()
        work()
        seconds.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - begin_cpu)
    return {"cpu": min(cpu), "seconds": min(seconds)}


def main() -> int:
    options = parse(__doc__, SIDES, FOLDER, "processes of each side")
    if options.run:
        print(json.dumps(run(options.run, options.folder)))
        return 0
    write_all(options.folder)
    results = measure(__file__, SIDES, options)
    print(machine())
    print("| | CPU ms | ms | bar |\n|---|---|---|---|")
    missed = False
    for side, values in results.items():
        bar = BARS.get(side)
        missed = missed or (bar is not None and values["cpu"] > bar)
        shown = "–" if bar is None else f"{bar * 1e3:.0f} ms" + (", missed" if values["cpu"] > bar else "")
        print(f"| {SIDES[side]} | {values['cpu'] * 1e3:.1f} | {values['seconds'] * 1e3:.1f} | {shown} |")
    write_json(results, options)
    return int(missed)


if __name__ == "__main__":
    sys.exit(main())
