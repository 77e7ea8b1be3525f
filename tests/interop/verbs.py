#!/usr/bin/env python3
"""Reads the output of our command by the reference implementation's package: archives that `create` makes from NumPy arrays,
and archives written by `upgrade`, `convert` and `merge`.

usage: tests/interop/verbs.py FOLDER OUR_COMMAND
Run by a Python that has a release of the package `tensogram` that reads version 3; FOLDER is as interop_matrix fills it.
"""

import json
import pathlib
import subprocess
import sys

import numpy
import tensogram

from complaints import Complaints

DTYPES = "float16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()
PIPELINES = {
    "plain": [],
    "shuffled": ["--filter", "shuffle", "--compression", "zstd", "--compression-level", "7"],
    "lz4": ["--compression", "lz4"],
    "blosc2": ["--compression", "blosc2", "--blosc2-codec", "zstd"],
    "streamed": ["--stream"],
    "footer": ["--index", "footer"],
    "aligned": ["--align", "4096"],
    "separate": ["--separate"],
}
LOSSY = {
    "packed": (["--encoding", "simple_packing", "--bits", "24", "--compression", "szip"], 1e-5),
    "within": (["--encoding", "simple_packing", "--max-error", "0.01"], 0.01),
    "zfp": (["--compression", "zfp", "--zfp-tolerance", "0.001"], 0.001),
    "sz3": (["--compression", "sz3", "--sz3-bound", "0.001"], 0.001),
}


class Verbs:
    def __init__(self, folder, command):
        self.folder, self.command = folder / "verbs", command
        self.matrix = folder
        self.folder.mkdir(exist_ok=True)
        self.complaints, self.faults, self.archives = Complaints(), [], 0

    def run(self, *arguments):
        done = subprocess.run([self.command, *map(str, arguments)], capture_output=True, text=True, check=False)
        if done.returncode:
            self.faults.append(f"{' '.join(map(str, arguments))}: {done.stderr.strip()[:400]}")
        return done.returncode == 0

    def objects_of(self, path, about):
        """Returns every object of an archive, and the result of validating it."""
        data = path.read_bytes()
        self.archives += 1
        for at, size in tensogram.scan(data):
            message = data[at:at + size]
            for issue in tensogram.validate(message, level="full", check_canonical=True)["issues"]:
                self.complaints.add(f"verb {about}", "", issue["code"], issue["description"])
            yield from tensogram.decode(message).objects

    def compare(self, about, path, expected, bound=0.0):
        found = [numpy.asarray(array) for _, array in self.objects_of(path, about)]
        if len(found) != len(expected):
            self.faults.append(f"{about}: {len(found)} objects of {len(expected)}")
        for j, (was, now) in enumerate(zip(expected, found)):
            same = was.tobytes() == now.tobytes() if not bound else numpy.max(numpy.abs(was - now.reshape(was.shape))) <= bound
            if not same or (was.shape, was.dtype) != (now.shape, now.dtype):
                self.faults.append(f"{about}, object {j}: {was.dtype} {was.shape} came back as {now.dtype} {now.shape}"
                                   f"{'' if same else ', other values'}")

    def create(self):
        arrays, paths = [], []
        for j, dtype in enumerate(DTYPES):
            for shape, order, turned in (((5, 7), "C", False), ((3, 4, 2), "F", True), ((), "C", False)):
                array = (numpy.arange(numpy.prod(shape, dtype=int)) * 3 + j).astype(dtype).reshape(shape)
                paths.append(self.folder / f"{dtype}_{len(shape)}.npy")
                stored = array.astype(array.dtype.newbyteorder(">")) if turned else array
                numpy.save(paths[-1], numpy.asarray(stored, order=order))
                arrays.append(array)
        for name, flags in PIPELINES.items():
            out = self.folder / f"{name}.tgm"
            if self.run("create", *flags, out, *paths):
                self.compare(f"create {name}", out, arrays)
        field = 280 + 20 * numpy.sin(numpy.arange(4096.0) / 50).reshape(64, 64)
        numpy.save(self.folder / "field.npy", field)
        for name, (flags, bound) in LOSSY.items():
            out = self.folder / f"{name}.tgm"
            if self.run("create", *flags, out, self.folder / "field.npy"):
                self.compare(f"create {name}", out, [field], bound)
        field[3:5, 7], field[9, 9], field[9, 10] = numpy.nan, numpy.inf, -numpy.inf
        numpy.save(self.folder / "holes.npy", field)
        if self.run("create", "--allow-nan", "--allow-inf", self.folder / "holes.tgm", self.folder / "holes.npy"):
            self.compare("create with masks", self.folder / "holes.tgm", [field])

    def convert(self):
        field = self.folder / "plain.tgm"
        before = [numpy.asarray(array) for _, array in self.objects_of(field, "convert")]
        for name in ("shuffled", "lz4"):
            out = self.folder / f"converted_{name}.tgm"
            if self.run("convert", *PIPELINES[name], field, out):
                self.compare(f"convert {name}", out, before)

    def merge(self):
        parts = [self.folder / f"{name}.tgm" for name in ("plain", "lz4")]
        before = [numpy.asarray(array) for part in parts for _, array in self.objects_of(part, "merge")]
        if self.run("merge", *parts, "-o", self.folder / "merged.tgm"):
            self.compare("merge", self.folder / "merged.tgm", before)

    def upgrade(self):
        """Upgrades every message of version 2 that the library can write."""
        out = self.folder / "upgraded.tgm"
        if not self.run("upgrade", "--verify", self.matrix / "wire2.tgm", out):
            return
        values = (self.matrix / "values.bin").read_bytes()
        wanted = [m for m in json.loads((self.matrix / "manifest.json").read_text()) if m["wire"] == 2]
        expected = [values[o["values"][0]:sum(o["values"])] for message in wanted for o in message["objects"]]
        found = [numpy.asarray(array).tobytes() for _, array in self.objects_of(out, "upgrade")]
        if found != expected:
            self.faults.append(f"upgrade: {len(found)} objects of {len(expected)}, or other values")

    def everything(self):
        for verb in (self.create, self.convert, self.merge, self.upgrade):
            verb()
        for fault in self.faults[:40]:
            print(f"WRONG: {fault}")
        unexplained = self.complaints.tell(whole=False)
        print(f"{self.archives} archives of our command read: {len(self.faults)} wrong, {unexplained} complaints without a reason")
        return 1 if self.faults or unexplained or not self.archives else 0


if __name__ == "__main__":
    sys.exit(Verbs(pathlib.Path(sys.argv[1]), sys.argv[2]).everything())
