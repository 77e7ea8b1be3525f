# SPDX-License-Identifier: Apache-2.0
"""Reads random samples of a training set in one way, in a process of its own, and prints what a sample takes, as JSON.

usage: training_sides.py SIDE MODE FOLDER SAMPLES SEED    (MODE: warm, cold or workers)
"""

from __future__ import annotations

import importlib.util
import json
import os
import pathlib
import random
import resource
import sys
import time

import numpy

FIELDS, POINTS = 80, 40_320
SIDES = {
    "floor": "numpy.memmap of the same bytes",
    "samples": "`tgmap.samples`",
    "zarr": "Zarr, a chunk a date",
    "samples_zstd": "`tgmap.samples`, zstd",
    "zarr_zstd": "Zarr, a chunk a date, zstd",
    "one_by_one": "objects one by one, `torch.stack`",
}
LOADED = {
    "floor": "numpy.memmap of the same bytes",
    "dataset": "`tgmap.torch.Dataset`, its `collate`",
    "default": "`tgmap.torch.Dataset`, PyTorch's collate",
    "zarr": "Zarr, a chunk a date",
    "one_by_one": "objects one by one, `torch.stack`",
}
PACKAGES = {"zarr": "zarr", "zarr_zstd": "zarr", "one_by_one": "torch", "dataset": "torch", "default": "torch"}
BATCH = 4


def fields_of(date):
    """Return the fields of a date: smooth ones with noise of 14 bits, as analyses have."""
    rng = numpy.random.default_rng(date)
    waves = numpy.sin(numpy.linspace(0, 40 * numpy.pi, POINTS)) * 20
    noise = rng.integers(0, 1 << 14, (FIELDS, POINTS)) / 4096
    return (280 + numpy.arange(FIELDS)[:, None] + waves + noise).astype("f4")


def write_all(folder, dates):
    """Write the files that are not there, and return the sides that can be measured."""
    present = {side for side in {**SIDES, **LOADED} if importlib.util.find_spec(PACKAGES.get(side, "numpy"))}
    folder.mkdir(parents=True, exist_ok=True)
    done = folder / f"done{dates}{'zarr' if 'zarr' in present else ''}"
    if done.exists():
        return present
    import tgmap

    arrays = []
    if "zarr" in present:
        import zarr

        for name, compressors in (("plain.zarr", None), ("zstd.zarr", zarr.codecs.ZstdCodec(level=3))):
            shape, chunks = (dates, FIELDS, 1, POINTS), (1, FIELDS, 1, POINTS)
            options = {"shape": shape, "chunks": chunks, "dtype": "f4", "compressors": compressors}
            arrays.append(zarr.create_array(str(folder / name), overwrite=True, **options))
    raw = open(folder / "raw", "wb")
    with raw, tgmap.create(folder / "plain.tgm") as plain, tgmap.create(folder / "zstd.tgm") as zstd:
        for date in range(dates):
            fields = fields_of(date)
            raw.write(fields.tobytes())
            keys = [{"mars": {"date": 20000101 + date, "param": str(130 + i)}} for i in range(FIELDS)]
            plain.write([tgmap.NewObject(field, key) for field, key in zip(fields, keys)])
            options = {"compression": "zstd", "level": 3}
            zstd.write([tgmap.NewObject(field, key, **options) for field, key in zip(fields, keys)])
            for each in arrays:
                each[date, :, 0] = fields
    os.sync()
    done.touch()
    return present


# ---- sides ---------------------------------------------------------------------------------------------
# Each is a class that is made before the time begins, and gives a sample or a batch as an array or a tensor.


class Floor:
    def __init__(self, folder):
        self.array = numpy.memmap(folder / "raw", "f4", "r").reshape(-1, FIELDS, POINTS)

    def __len__(self):
        return len(self.array)

    def __getitem__(self, number):
        return numpy.array(self.array[number])


class Zarr:
    def __init__(self, folder, name="plain.zarr"):
        import zarr

        self.array = zarr.open_array(str(folder / name), mode="r")

    def __len__(self):
        return self.array.shape[0]

    def __getitem__(self, number):
        return self.array[number, :, 0]


class OneByOne:
    """What a dataset of PyTorch does that knows of one object at a time."""

    def __init__(self, folder):
        import tgmap
        import torch

        torch.set_num_threads(1)  # as in workers: several that wait for processors take longer on a busy machine
        self.archive = tgmap.open(folder / "plain.tgm", mode="read")

    def __len__(self):
        return len(self.archive)

    def __getitem__(self, number):
        import torch

        message = self.archive[number]
        return torch.stack([torch.from_numpy(message[i].decode()) for i in range(FIELDS)])


def samples_of(folder, name="plain.tgm"):
    from tgmap.samples import Samples

    return Samples(folder / name, sample="mars.date", channel="mars.param")


def side_of(name, folder):
    if name in ("samples", "dataset", "default"):
        return samples_of(folder)
    if name == "samples_zstd":
        return samples_of(folder, "zstd.tgm")
    if name == "zarr_zstd":
        return Zarr(folder, "zstd.zarr")
    return {"floor": Floor, "zarr": Zarr, "one_by_one": OneByOne}[name](folder)


# ---- measuring -----------------------------------------------------------------------------------------


def drop_pages(folder):
    """Let the operating system forget the pages of all files."""
    for path in folder.rglob("*"):
        if path.is_file():
            file = os.open(path, os.O_RDONLY)
            os.posix_fadvise(file, 0, 0, os.POSIX_FADV_DONTNEED)
            os.close(file)


def open_files(folder):
    """Return how many files of a folder this process has open or mapped, without those that are both."""
    found = set()
    for name in os.listdir("/proc/self/fd"):
        try:
            found.add(os.readlink(f"/proc/self/fd/{name}"))
        except OSError:
            pass  # that of the listing
    found |= {line.split()[-1] for line in open("/proc/self/maps")}
    return sum(each.startswith(f"{folder}/") for each in found)


def cpu_seconds():
    parts = [resource.getrusage(each) for each in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in parts)


def order_of(count, samples, seed):
    return random.Random(seed).choices(range(count), k=samples)


def measure_alone(side, mode, folder, samples, seed):
    """Return what a sample takes that this process reads."""
    order = order_of(len(side), samples, seed)
    if mode == "warm":
        for number in set(order):
            side[number]
    else:
        side[order[0]]  # opens files
        drop_pages(folder)
    begin, cpu = time.perf_counter(), cpu_seconds()
    total = 0.0
    for number in order:
        total += float(side[number][-1, -1])
    return time.perf_counter() - begin, cpu_seconds() - cpu, open_files(folder)


def measure_loader(name, side, folder, samples, seed):
    """Return what a sample takes of a DataLoader with workers, without their start."""
    import torch
    from torch.utils.data import DataLoader

    dataset, options = side, {}
    if name in ("dataset", "default"):
        import tgmap.torch

        dataset = tgmap.torch.Dataset(side)
        options = {"collate_fn": tgmap.torch.collate} if name == "dataset" else {}
    order = order_of(len(side), samples // BATCH * BATCH, seed)
    for number in set(order):
        side[number]
    loader = DataLoader(
        dataset, batch_size=BATCH, sampler=order, num_workers=2, multiprocessing_context="fork", **options
    )
    cpu = cpu_seconds()
    batches = iter(loader)
    next(batches)
    begin, total = time.perf_counter(), 0.0
    for batch in batches:
        total += float(torch.as_tensor(batch)[-1, -1, -1])
    seconds = (time.perf_counter() - begin) * len(order) / (len(order) - BATCH)
    del batches  # ends the workers, whose time then counts
    return seconds, cpu_seconds() - cpu, open_files(folder)


def main():
    name, mode, folder, samples, seed = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), *map(int, sys.argv[4:6])
    folder = folder.resolve()
    side = side_of(name, folder)
    if mode == "workers":
        seconds, cpu, files = measure_loader(name, side, folder, samples, seed)
    else:
        seconds, cpu, files = measure_alone(side, mode, folder, samples, seed)
    print(json.dumps({"seconds": seconds / samples, "cpu": cpu / samples, "files": files}))


if __name__ == "__main__":
    main()
