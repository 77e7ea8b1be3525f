# SPDX-License-Identifier: Apache-2.0
"""Measures one row on one side in a process of its own and prints seconds for each operation, as JSON.

usage: worker.py SIDE ROW FOLDER MILLION    (SIDE: tgmap, numpy or reference)
"""

from __future__ import annotations

import json
import pathlib
import sys
import threading
import time

SIDE, ROW, FOLDER, MILLION = sys.argv[1], sys.argv[2], pathlib.Path(sys.argv[3]), sys.argv[4]
SECONDS = 0.3  # for each value; the least of several is printed


def path(name):
    return str(FOLDER / name)


def measure(call, operations=1, rounds=5):
    """Print the least of several times of a call, divided by its operations."""
    call()  # warm
    begin = time.perf_counter()
    call()
    loops = max(1, int(SECONDS / max(time.perf_counter() - begin, 1e-9)))
    best = float("inf")
    for _ in range(rounds):
        begin = time.perf_counter()
        for _ in range(loops):
            call()
        best = min(best, (time.perf_counter() - begin) / loops)
    print(json.dumps(best / operations))


# ---- tgmap -----------------------------------------------------------------------------------------


def tgmap_rows():
    import hashlib

    import numpy
    import tgmap

    def open_one():
        return tgmap.open(path("fields100k.tgm"), index="none")[0][0].array

    def views(use):
        archive = tgmap.open(path("fields100k.tgm"))
        len(archive)

        def call():
            for i in range(1_000):
                use(archive[i][0].array)

        return call

    def known():
        archive = tgmap.open(path("fields100k.tgm"))
        len(archive)
        return lambda: archive[500][0].array

    def metadata():
        archive = tgmap.open(path("keys.tgm"))
        len(archive)
        return lambda: [m[0].metadata.to_dict() for m in archive]

    def objects():
        archive = tgmap.open(path("objects.tgm"))
        return lambda: [o.array for o in archive[0]]

    def table():
        archive = tgmap.open(path("keys.tgm"))
        return lambda: archive.table(["mars.param", "mars.step", "mars.levelist", "mars.date"])

    def gather():
        archive = tgmap.open(path("fields10k.tgm"))
        numbers = list(range(1_000))
        return lambda: archive.gather(numbers)

    def threads(work):
        def both():
            running = [threading.Thread(target=work, args=(i,)) for i in range(2)]
            for each in running:
                each.start()
            for each in running:
                each.join()

        def one_after_another():
            work(0)
            work(1)

        def ratio():
            best = [float("inf"), float("inf")]
            for _ in range(9):
                for i, call in enumerate((one_after_another, both)):
                    begin = time.perf_counter()
                    call()
                    best[i] = min(best[i], time.perf_counter() - begin)
            print(json.dumps(best[0] / best[1]))

        return ratio

    if ROW in ("szip_threads", "unpack_threads"):
        archive = tgmap.open(path("szip.tgm" if ROW == "szip_threads" else "packed.tgm"))
        return threads(lambda i: archive[i][0].decode())
    if ROW == "copy_threads":
        source, copies = numpy.ones(1 << 22), [numpy.zeros(1 << 22), numpy.zeros(1 << 22)]
        return threads(lambda i: numpy.copyto(copies[i], source))
    if ROW == "hashlib_threads":
        data = bytes(64 << 20)
        return threads(lambda i: hashlib.sha256(data))
    return {
        "open": lambda: measure(open_one),
        "known": lambda: measure(known()),
        "views": lambda: measure(views(lambda a: None), 1_000),
        "sums": lambda: measure(views(lambda a: a.sum()), 1_000),
        "metadata": lambda: measure(metadata(), 10_000, 3),
        "objects": lambda: measure(objects(), 10_000, 3),
        "len": lambda: measure(lambda: len(tgmap.open(path(f"million{MILLION}.tgm"), index="none")), 1, 3),
        "table": lambda: measure(table(), 1, 3),
        "gather": lambda: measure(gather()),
    }[ROW]


# ---- NumPy: the same by numpy.memmap, with known offsets ---------------------------------------------


def places(name):
    import tgmap

    found = []
    for message in tgmap.open(path(name)):
        start = message.offset + bytes(message.bytes).index(bytes(message[0].payload))
        found.append((start, message[0].nbytes))
    return found


def numpy_rows():
    import numpy

    def open_one():
        return numpy.memmap(path("fields100k.tgm"), "float32", "r", start, (size // 4,))

    if ROW == "open":
        start, size = places("fields100k.tgm")[0]
        return lambda: measure(open_one)
    if ROW == "gather":
        where = places("fields10k.tgm")

        def gather():
            mapped = numpy.memmap(path("fields10k.tgm"), "uint8", "r")
            out = numpy.empty((len(where), where[0][1] // 4), "float32")
            for i, (begin, length) in enumerate(where):
                out[i] = mapped[begin : begin + length].view("float32")
            return out

        return lambda: measure(gather)
    raise KeyError(ROW)


# ---- the command, for calls in C++ -------------------------------------------------------------------


def command_rows():
    import subprocess

    import tgmap._command

    command = tgmap._command.path()

    def run(*arguments):
        subprocess.run([command, *arguments], check=True, stdout=subprocess.DEVNULL)

    def best(*arguments):
        out = float("inf")
        for _ in range(5):
            begin = time.perf_counter()
            run(*arguments)
            out = min(out, time.perf_counter() - begin)
        return out

    name = path(f"million{MILLION}.tgm")
    # The package never installs a guard, so its scan reads.
    return lambda: print(json.dumps(best("count", "--no-index", "--io", "read", name) - best("--version")))


# ---- the reference implementation's package ----------------------------------------------------------


def reference_rows():
    from tensogram import TensogramFile

    def views(use):
        file = TensogramFile.open(path("fields100k.tgm"))
        len(file)

        def call():
            for i in range(1_000):
                use(file.file_decode_object(i, 0)["data"])

        return call

    def known():
        file = TensogramFile.open(path("fields100k.tgm"))
        len(file)
        return lambda: file.file_decode_object(500, 0)

    def open_one():
        return TensogramFile.open(path("fields100k.tgm")).file_decode_object(0, 0)

    def metadata():
        file = TensogramFile.open(path("keys.tgm"))
        len(file)
        return lambda: [file.file_decode_metadata(i).base for i in range(10_000)]

    def objects():
        file = TensogramFile.open(path("objects.tgm"))
        return lambda: [array for _, array in file.decode_message(0).objects]

    return {
        "open": lambda: measure(open_one),
        "known": lambda: measure(known()),
        "views": lambda: measure(views(lambda a: None), 1_000, 2),
        "sums": lambda: measure(views(lambda a: a.sum()), 1_000, 2),
        "metadata": lambda: measure(metadata(), 10_000, 2),
        "objects": lambda: measure(objects(), 10_000, 2),
        "len": lambda: measure(lambda: len(TensogramFile.open(path(f"million{MILLION}.tgm"))), 1, 1),
    }[ROW]


SIDES = {"tgmap": tgmap_rows, "numpy": numpy_rows, "command": command_rows, "reference": reference_rows}
SIDES[SIDE]()()
