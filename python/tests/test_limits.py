# SPDX-License-Identifier: Apache-2.0
"""A few bytes of a file cannot ask for more memory than it was opened for."""

from __future__ import annotations

import resource
import subprocess
import sys

import numpy as np
import pytest

import tgmap
import tgmap.compat

GIB = 1 << 30


def descriptor_of(dtype, shape, compression="none", **more):
    strides = [int(np.prod(shape[i + 1 :], dtype=object)) for i in range(len(shape))]
    return {"type": "ntensor", "ndim": len(shape), "shape": list(shape), "strides": strides, "dtype": dtype,
            "byte_order": "little", "encoding": "none", "filter": "none", "compression": compression, **more}  # fmt: skip


def zeros(size):
    """Return the payload of `size` bytes of zeros, compressed."""
    o = tgmap.open(tgmap.encode(np.zeros(size, "u1"), compression="zstd", check_elements=False))[0][0]
    return bytes(o.payload)


def opened(message, **options):
    return tgmap.open(message, **options)[0][0]


def bits(count):
    return tgmap.encode(np.zeros(count, bool), compression="zstd")


def every_way(o, archive=None):
    """Return all ways that decode a whole object."""
    archive = archive or o
    return {
        "array": lambda: o.array,
        "decode": lambda: o.decode(),
        "threads": lambda: o.decode(threads=2),
        "asarray": lambda: np.asarray(o),
        "astype": lambda: np.asarray(o, dtype="u1"),
        "subscript": lambda: o[0:2],
        "integer": lambda: o[1],
        "mask": lambda: o[np.zeros(o.shape, bool)],
        "list": lambda: o[[0, 1]],
        "ranges": lambda: o.ranges([(0, 5)]),
        "gather": lambda: archive.gather([o]),
        "gather a part": lambda: archive.gather([(0, 0)], slab=slice(0, 2)),
        "arrays": lambda: o.message.arrays(),
        "dlpack": lambda: np.from_dlpack(o),
        "show": lambda: tgmap.show(o),
    }


WAYS = list(every_way(None))


@pytest.mark.parametrize("way", WAYS)
def test_every_way_obeys_the_limit(way):
    message = tgmap.encode(np.arange(1000, dtype="f8"), compression="zstd")
    archive = tgmap.open(message, max_decoded=7999)
    with pytest.raises(ValueError, match="8000|7999|max-decoded") as raised:
        every_way(archive[0][0], archive)[way]()
    if way != "show":
        assert raised.value.code == "decoded_limit" and raised.value.expected == 7999
        assert str(raised.value).endswith("if you trust the file, open it with max_decoded=8000")
    archive = tgmap.open(message, max_decoded=np.int64(8000))
    every_way(archive[0][0], archive)[way]()


@pytest.mark.parametrize("way", [each for each in WAYS if each not in ("subscript", "integer", "ranges", "gather a part", "show")])
def test_a_bit_becomes_a_byte(way):
    message = bits(1000)
    archive = tgmap.open(message, max_decoded=999)
    with pytest.raises(tgmap.Error) as raised:
        every_way(archive[0][0], archive)[way]()
    assert (raised.value.code, raised.value.expected, raised.value.found) == ("decoded_limit", 999, 1000)
    archive = tgmap.open(message, max_decoded=1000)
    every_way(archive[0][0], archive)[way]()


def test_parts_of_bits_are_small():
    o = opened(bits(1000), max_decoded=200)
    assert o[10:20].tolist() == [False] * 10 and o.ranges([(0, 16)])[0].tolist() == [0, 0]
    with pytest.raises(tgmap.Error):
        o[0:201]
    out = np.ones(1000, bool)
    assert o.decode(out=out) is out and not out.any()  # memory of the caller


def test_masks_count_each_byte():
    values = np.array([np.nan, np.inf, -np.inf, 0.0] * 250, "f2")
    message = tgmap.encode(values, allow_nan=True, allow_infinity=True)
    with pytest.raises(tgmap.Error) as raised:
        opened(message, max_decoded=2999).masks()
    assert (raised.value.code, raised.value.found) == ("decoded_limit", 3000)
    assert [each.sum() for each in opened(message, max_decoded=3000).masks().values()] == [250] * 3
    with pytest.raises(ValueError, match="max_decoded"):
        np.asarray(opened(message, max_decoded=3000), dtype="f8")


def test_views_in_place_take_no_memory():
    o = opened(tgmap.encode(np.arange(1000.0)), max_decoded=8)
    assert o.array.sum() == o.view().sum() == 499500 and o[5:7].tolist() == [5, 6]
    with pytest.raises(tgmap.Error, match="max_decoded=8000"):
        o.decode()


def test_the_limit_stays(tmp_path):
    import pickle

    path = tmp_path / "a.tgm"
    path.write_bytes(bits(1000) * 3)
    archive = tgmap.open(path, max_decoded=999)
    archive.refresh()
    for each in (archive, pickle.loads(pickle.dumps(archive)), archive.partition(2)[1]):
        with pytest.raises(tgmap.Error, match="max_decoded=1000"):
            each[0][0].decode()
    assert pickle.loads(pickle.dumps(tgmap.open(path)))[0][0].decode().shape == (1000,)
    for wrong in (-1, "x", 1.5):
        with pytest.raises(TypeError):
            tgmap.open(path, max_decoded=wrong)


FORGED = """
import functools, sys, numpy as np, tgmap, tgmap.compat
data = open(sys.argv[1], "rb").read()
tgmap.compat._decode.open_archive = opened = functools.partial(tgmap.open, max_decoded=2**30)
o = opened(data)[0][0]
ways = [lambda: o.array, lambda: o.decode(), lambda: np.asarray(o), lambda: o[np.array([0])], lambda: o.masks(),
        lambda: opened(data).gather([0]), lambda: o[...], lambda: o[0:2**33], lambda: o.ranges([(0, o.size)]),
        lambda: tgmap.compat.decode(data), lambda: tgmap.compat.decode_with_masks(data)]
for number, way in enumerate(ways):
    try:
        way()
    except (tgmap.Error, ValueError) as error:
        print(number, getattr(error, "code", ""))
"""


@pytest.mark.parametrize("kind", ["bits", "masks", "shape"])
def test_forged_sizes_allocate_nothing(kind, tmp_path):
    """With 3 GiB of memory every way ends in an error before it asks for more."""
    count = 7 * GIB if kind == "bits" else 2**60 if kind == "shape" else GIB // 2
    dtype = {"bits": "bitmask", "masks": "float16", "shape": "float64"}[kind]
    more = {}
    if kind == "masks":
        more = {"masks": {each: {"method": "rle", "offset": 16, "length": 10} for each in ("nan", "inf+", "inf-")}}
    stored = tgmap.StoredObject(descriptor_of(dtype, [count], "zstd", **more), b"\x28\xb5\x2f\xfd\0\0\1\0\0" + b"\0" * 32)
    path = tmp_path / "forged.tgm"
    try:
        path.write_bytes(tgmap.encode(stored))
    except tgmap.Error as error:
        pytest.skip(f"the writer refuses it: {error}")

    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (3 * GIB, 3 * GIB))

    done = subprocess.run([sys.executable, "-c", FORGED, path], capture_output=True, text=True, preexec_fn=limit)
    assert "MemoryError" not in done.stderr and done.returncode == 0, done.stderr
    assert done.stdout.count("decoded_limit") >= {"bits": 6, "masks": 1, "shape": 8}[kind], done.stdout


def test_the_default_is_that_of_the_command():
    for o in (opened(tgmap.encode(np.zeros(1))), tgmap.open(tgmap.encode(np.zeros(1)), max_decoded=4 * GIB)[0][0]):
        assert o._opened.max_decoded == 4 * GIB
    stored = tgmap.StoredObject(descriptor_of("bitmask", [28 * GIB], "zstd"), b"\x28\xb5\x2f\xfd\0\0\1\0\0")
    with pytest.raises(tgmap.Error, match="30064771072 bytes would come out, but max_decoded_bytes is 4294967296"):
        opened(tgmap.encode(stored)).array


@pytest.mark.parametrize("shape", [(0, 2**63), (0, 2**64 - 1), (2**62, 0, 4)])
def test_extents_beyond_numpy(shape):
    """Without elements such a shape is sound: it is shown as it is, and no array can have it."""
    descriptor = descriptor_of("float64", shape) | {"strides": [1] * len(shape)}
    archive = tgmap.open(tgmap.encode(tgmap.StoredObject(descriptor, b"")))
    o = archive[0][0]
    assert o.shape == o.descriptor.shape == shape
    assert str(shape) in repr(o)
    for call in (lambda: o.array, o.decode, lambda: archive.gather([0])):
        with pytest.raises(tgmap.Error, match="exceed") as error:
            call()
        assert error.value.code == "shape_overflow"
