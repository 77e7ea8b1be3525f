# SPDX-License-Identifier: Apache-2.0
"""The archives that the rows read, written once."""

from __future__ import annotations

import numpy
import tgmap

MARS = {"class": "od", "stream": "oper", "type": "fc", "date": 20240101, "time": 0}


def keys_of(i):
    param = ("2t", "10u", "10v", "msl")[i % 4]
    return {"name": param, "mars": {**MARS, "param": param, "step": i % 240, "levelist": i % 137}}


def field(size, i=0):
    return numpy.random.default_rng(i).normal(280, 10, size // 4).astype("float32")


def write_all(folder, million):
    """Write the archives that are missing. `million`: messages of the largest one."""
    folder.mkdir(parents=True, exist_ok=True)

    def missing(name):
        return not (folder / name).exists()

    def write(name, messages):
        with tgmap.create(folder / (name + ".new")) as writer:
            for objects in messages:
                writer.write(objects)
        (folder / (name + ".new")).rename(folder / name)

    if missing("fields100k.tgm"):
        write("fields100k.tgm", ([tgmap.NewObject(field(100_000, i), keys_of(i))] for i in range(1_000)))
    if missing("fields10k.tgm"):
        write("fields10k.tgm", ([tgmap.NewObject(field(10_000, i), keys_of(i))] for i in range(1_000)))
    if missing("keys.tgm"):
        write("keys.tgm", ([tgmap.NewObject(field(64, i), keys_of(i))] for i in range(10_000)))
    if missing("objects.tgm"):
        write("objects.tgm", [[tgmap.NewObject(field(64, i), keys_of(i)) for i in range(10_000)]])
    for name, compression in (("packed.tgm", {}), ("szip.tgm", {"compression": "szip"})):
        if missing(name):
            large = numpy.random.default_rng(1).normal(280, 10, 1 << 22)
            packing = {"encoding": "simple_packing", "bits": 16, **compression}
            write(name, ([tgmap.NewObject(large, keys_of(i), **packing)] for i in range(2)))
    name = f"million{million}.tgm"
    if missing(name):
        one = tgmap.encode(tgmap.NewObject(field(64), {"name": "2t"}))
        with open(folder / (name + ".new"), "wb") as out:
            for _ in range(million // 1_000):
                out.write(one * 1_000)
        (folder / (name + ".new")).rename(folder / name)
