#!/usr/bin/env python3
"""Writes all kinds of archives by the reference implementation's package and reads them by interop_matrix: values, shapes, keys
and hashes must be those that the package itself reads.

usage: tests/interop/write_reference.py FOLDER WIRE_VERSION INTEROP_MATRIX
Run by a Python that has the package `tensogram`, of a release that writes that version.
"""

import collections
import itertools
import json
import pathlib
import subprocess
import sys

import numpy
import tensogram

WIDTHS = {"float16": 2, "bfloat16": 2, "float32": 4, "float64": 8, "complex64": 8, "complex128": 16, "int8": 1, "int16": 2,
          "int32": 4, "int64": 8, "uint8": 1, "uint16": 2, "uint32": 4, "uint64": 8, "bitmask": 0}
UNITS = dict(WIDTHS, complex64=4, complex128=8)
MASK_METHODS = "none rle roaring lz4 zstd blosc2".split()
COMPRESSIONS = {
    "none": [{}],
    "szip": [{"szip_rsi": 128, "szip_block_size": 16, "szip_flags": 8}, {"szip_rsi": 2, "szip_block_size": 64, "szip_flags": 9}],
    "zstd": [{"zstd_level": 3}],
    "lz4": [{}],
    "blosc2": [{"blosc2_codec": codec, "blosc2_clevel": 5} for codec in "blosclz lz4 lz4hc zlib zstd".split()],
    "zfp": [{"zfp_mode": "fixed_rate", "zfp_rate": 32.0}, {"zfp_mode": "fixed_precision", "zfp_precision": 30},
            {"zfp_mode": "fixed_accuracy", "zfp_tolerance": 1e-3}],
    "sz3": [{"sz3_error_bound_mode": mode, "sz3_error_bound": bound} for mode, bound in (("abs", 1e-3), ("rel", 1e-3), ("psnr", 80.0))],
    "rle": [{}],
    "roaring": [{}],
}
SHAPES = ([], [0], [1], [3, 0, 2], [17], [2, 3, 4], [1, 2, 1, 3, 1, 2, 1, 2])


def possible(wire, dtype, compression, shuffled, bits=None):
    """Returns true if values survive. The reference rejects some and loses others (format §7.4, §7.7, §7.8)."""
    if compression in ("zfp", "sz3"):
        return dtype == "float64" and not shuffled and bits is None
    if compression in ("rle", "roaring"):
        return wire == 3 and dtype == "bitmask" and not shuffled
    if compression == "szip" and bits is not None:
        return bits in (8, 16, 24, 32)
    if compression == "szip":
        return dtype != "bitmask" and (shuffled or WIDTHS[dtype] <= 4)
    return not (compression == "blosc2" and dtype == "bitmask" and not shuffled)


def elements(dtype, shape, seed, smooth):
    """Little-endian."""
    count = int(numpy.prod(shape, dtype=int))
    noise = numpy.random.default_rng(seed)
    if smooth:
        return (280 + 20 * numpy.sin(numpy.arange(count) / 9) + noise.random(count)).astype("<f8").tobytes()
    size = (count + 7) // 8 if dtype == "bitmask" else count * WIDTHS[dtype]
    out = bytearray(noise.integers(0, 256, size, dtype=numpy.uint8).tobytes())
    if "float" in dtype or "complex" in dtype:
        out = bytearray(byte & 0x3B for byte in out)  # none is NaN or infinite
    elif dtype == "bitmask" and count % 8:
        out[-1] &= 0xFF << (8 - count % 8) & 0xFF
    return bytes(out)


def turned(dtype, data):
    unit = UNITS[dtype]
    return data if unit < 2 else numpy.frombuffer(data, f"u{unit}").byteswap().tobytes()


class Writer:
    def __init__(self, folder, wire, command):
        self.folder, self.wire, self.command = folder, wire, command
        self.messages, self.expected, self.counts = [], [], collections.Counter()

    def metadata(self, count):
        keys = {"n": 7, "text": "Köln", "real": 0.1, "map": {"deep": [1, None, True, {"x": "y"}]}}
        out = {"base": [dict(keys, j=j) for j in range(count)], "source": "here"}
        return dict(out, version=2) if self.wire == 2 else out

    def write(self, objects, route, **options):
        """`objects`: (descriptor, bytes) each."""
        meta = self.metadata(len(objects))
        if route == "encode":
            data = tensogram.encode(meta, objects, **options)
        else:
            out = tensogram.StreamingEncoder(meta, **options)
            for descriptor, values in objects:
                out.write_object(descriptor, values)
            data = bytes(out.finish() if route == "stream" else out.finish_backfilled())
        self.keep(data, len(objects), route)

    def keep(self, data, count, route):
        decoded = tensogram.decode(data)
        assert len(decoded.objects) == count
        self.messages.append(data)
        self.expected.append((meta_of(decoded), [(d.dtype, list(d.shape), numpy.asarray(a).tobytes()) for d, a in decoded.objects]))
        self.counts[route] += 1

    def descriptor(self, dtype, shape, order="little", **more):
        return {"type": "ntensor", "dtype": dtype, "shape": shape, "byte_order": order, **more}

    def lossless(self):
        for compression, options in COMPRESSIONS.items():
            for parameters, shuffled in itertools.product(options, (False, True)):
                objects = []
                for dtype, order in itertools.product(WIDTHS, ("little", "big")):
                    if not possible(self.wire, dtype, compression, shuffled):
                        continue
                    more = dict(parameters, compression=compression, filter="none")
                    if shuffled:
                        more.update(filter="shuffle", shuffle_element_size=max(1, WIDTHS[dtype]))
                    data = elements(dtype, [8, 16], len(objects), compression in ("zfp", "sz3"))
                    data = data if order == "little" else turned(dtype, data)
                    objects.append((self.descriptor(dtype, [8, 16], order, encoding="none", **more), data))
                if objects:
                    yield objects

    def packed(self):
        for compression, options in COMPRESSIONS.items():
            objects = []
            for shuffled, bits in itertools.product((False, True), (0, 1, 8, 12, 16, 24, 32, 53)):
                if not possible(self.wire, "float64", compression, shuffled, bits) or bits == 0 and compression == "blosc2":
                    continue
                if self.wire == 2 and compression == "blosc2" and bits % 8:
                    continue  # it would lose the last bytes (format §7.7)
                data = elements("float64", [1008], bits, True)
                packing = tensogram.compute_packing_params(numpy.frombuffer(data, "<f8"), bits, bits % 3)
                more = dict(options[0], compression=compression, filter="none", encoding="simple_packing", **packing)
                if shuffled:
                    more.update(filter="shuffle", shuffle_element_size=max(1, (bits + 7) // 8))
                objects.append((self.descriptor("float64", [1008], **more), data))
            if objects:
                yield objects

    def shapes(self):
        plain = dict(encoding="none", filter="none", compression="none")
        yield [(self.descriptor(dtype, shape, **plain), elements(dtype, shape, 5, False))
               for shape in SHAPES for dtype in ("bitmask", "uint8", "float32", "complex128")]
        yield []

    def masked(self):
        for method, small in itertools.product(MASK_METHODS, (0, 128)):
            objects = []
            for dtype in ("float16", "float32", "float64"):
                values = numpy.arange(2000).astype(dtype)
                values[3::5], values[4::7], values[5::11] = numpy.nan, numpy.inf, -numpy.inf
                for compression in ("none", "zstd"):
                    objects.append((self.descriptor(dtype, [50, 40], encoding="none", filter="none", compression=compression,
                                                    **COMPRESSIONS[compression][0]), values.tobytes()))
            options = {"nan_mask_method": method, "pos_inf_mask_method": method, "neg_inf_mask_method": method}
            yield objects, dict(options, allow_nan=True, allow_inf=True, small_mask_threshold_bytes=small)

    def everything(self):
        routes = ["encode", "stream"] + (["backfilled"] if self.wire == 3 else [])
        for objects in itertools.chain(self.lossless(), self.packed(), self.shapes()):
            for route, hashes in itertools.product(routes, ("xxh3", None)):
                self.write(objects, route, hash=hashes)
        if self.wire == 3:
            for objects, options in self.masked():
                for route in routes:
                    self.write(objects, route, **options)
        self.appended()

    def appended(self):
        """Writes messages by the package's class of files."""
        path = self.folder / f"appended{self.wire}.tgm"
        path.unlink(missing_ok=True)
        with tensogram.TensogramFile.create(str(path)) as file:
            for objects in itertools.islice(self.lossless(), 3):
                file.append(self.metadata(len(objects)), objects)
        data = path.read_bytes()
        for at, size in tensogram.scan(data):
            message = data[at:at + size]
            self.keep(message, len(tensogram.decode(message).objects), "file")

    def compare(self):
        """Compares everything with the result of our reader."""
        archive, values = self.folder / f"reference{self.wire}.tgm", self.folder / f"reference{self.wire}.bin"
        archive.write_bytes(b"".join(self.messages))
        done = subprocess.run([self.command, "read", archive, values], capture_output=True, text=True, check=False)
        if done.returncode:
            return [f"our reader fails: {done.stderr.strip()}"]
        found, read, at, faults = [json.loads(line) for line in done.stdout.splitlines()], values.read_bytes(), 0, []
        if len(found) != len(self.expected):
            return [f"{len(found)} messages of {len(self.expected)} are read"]
        for i, (ours, (keys, objects)) in enumerate(zip(found, self.expected)):
            if (ours["version"], ours["extra"]) != (self.wire, keys["extra"]) or len(ours["objects"]) != len(objects):
                faults.append(f"message {i}: {ours['extra']}, {len(ours['objects'])} objects")
                continue
            for j, (one, (dtype, shape, expected)) in enumerate(zip(ours["objects"], objects)):
                same = read[at:at + one["size"]] == expected
                at += one["size"]
                if not same or (one["dtype"], one["shape"]) != (dtype, shape) or one["hash"] == "mismatch" or \
                        one["base"] != {**keys["extra"], **keys["base"][j]}:
                    faults.append(f"message {i}, object {j}: {one}, where the reference has {dtype} {shape}"
                                  f"{'' if same else ', other values'}")
        return faults


def meta_of(decoded):
    base = [{key: value for key, value in entry.items() if key != "_reserved_"} for entry in decoded.metadata.base]
    return {"extra": decoded.metadata.extra, "base": base}


def main():
    writer = Writer(pathlib.Path(sys.argv[1]), int(sys.argv[2]), sys.argv[3])
    writer.everything()
    faults = writer.compare()
    for fault in faults[:40]:
        print(f"WRONG: {fault}")
    routes = ", ".join(f"{n} {route}" for route, n in sorted(writer.counts.items()))
    print(f"we read {len(writer.messages)} messages ({routes}), {sum(len(objects) for _, objects in writer.expected)} objects, "
          f"of the package's wire version {writer.wire}: {len(faults)} wrong")
    return 1 if faults or not writer.messages else 0


if __name__ == "__main__":
    sys.exit(main())
