# SPDX-License-Identifier: Apache-2.0
"""Arrays: in place or decoded, whole or in part."""

from __future__ import annotations

import gc
import random
import sys
import tracemalloc

import numpy as np
import pytest
from conftest import described_files

import tgmap
from tgmap import compat


def all_objects(**options):
    for path, _ in described_files()[:80]:
        for message in tgmap.open(path, damage="skip", **options):
            if message.version > 1:
                yield from message


def bits(array) -> bytes:
    """Return the elements in C order and native byte order."""
    array = np.asarray(array)
    return (array if array.dtype.kind == "V" else array.astype(array.dtype.newbyteorder("="))).tobytes()


def readable(object) -> bool:
    try:
        object.decode()
    except tgmap.Error as error:
        assert error.code in ("codec_absent", "unsupported_strides")
        return False
    return True


def test_elements_in_place_are_the_file(plain):
    archive = tgmap.open(plain)
    object = archive[0][0]
    array = object.view()
    assert not array.flags.writeable and not array.flags.owndata
    assert array.tobytes() == bytes(object.payload) == plain.read_bytes()[slice(*_payload_range(archive, object))]
    with pytest.raises(ValueError):
        array[...] = 0
    with pytest.raises(ValueError):
        array.flags.writeable = True
    again = object.array
    assert again.__array_interface__["data"][0] == array.__array_interface__["data"][0]


def _payload_range(archive, object):
    stored = bytes(object.payload)
    begin = bytes(archive[0].bytes).find(stored)
    return begin, begin + len(stored)


def test_arrays_outlive_the_archive(plain):
    archive = tgmap.open(plain)
    array = archive[0][0].array
    part = archive[0][0][1:3]
    expected = array.copy()
    archive.close()
    del archive
    gc.collect()
    assert np.array_equal(array, expected)
    assert np.array_equal(part, expected.reshape(array.shape)[1:3])


def test_decoded_arrays_are_writable_copies():
    for object in all_objects():
        if not readable(object):
            continue
        decoded = object.decode()
        assert decoded.flags.writeable and decoded.dtype.isnative
        assert decoded.shape == object.shape == object.array.shape
        assert object.array.dtype == object.dtype
        assert object.array.nbytes == object.nbytes
        assert object.size == decoded.size and object.ndim == decoded.ndim
        if object.size:
            assert object.array.strides == object.strides
        assert bits(decoded) == bits(object.array)
        assert np.asarray(object).tobytes() == object.array.tobytes()


def test_decoding_into_an_array_and_on_threads():
    for object in all_objects():
        if not readable(object) or object.strides != np.empty(object.shape, object.dtype).strides:
            continue
        out = np.empty(object.shape, object.decode().dtype)
        assert object.decode(out) is out
        assert out.tobytes() == object.decode(threads=2).tobytes()


@pytest.mark.parametrize("byte_order", ["little", "big"])
def test_large_arrays_own_memory_of_the_library(byte_order, tmp_path):
    """Six megabytes, in the order of Fortran."""
    field = np.asfortranarray(np.arange(1_500_000, dtype="f4").reshape(1_000, 500, 3))
    descriptor = {"type": "ntensor", "ndim": 3, "shape": list(field.shape), "strides": [1, 1_000, 500_000],
                  "dtype": "float32", "byte_order": byte_order,
                  "encoding": "none", "filter": "none", "compression": "none"}  # fmt: skip
    stored = field.astype(field.dtype.newbyteorder(byte_order)).tobytes(order="F")
    (tmp_path / "large.tgm").write_bytes(tgmap.encode(tgmap.StoredObject(descriptor, stored)))
    archive = tgmap.open(tmp_path / "large.tgm")
    first, second = archive[0][0].decode(), archive[0][0].decode(threads=2)
    del archive
    gc.collect()
    assert first.flags.writeable and first.flags.aligned and first.dtype.isnative
    assert first.strides == field.strides
    assert type(first.base).__name__ == type(second.base).__name__ == "PyCapsule"  # memory of NumPy has none
    assert np.array_equal(first, field) and np.array_equal(second, field)
    first[...] = 0
    assert np.array_equal(second, field)
    kept = second[10:20]
    del first, second
    gc.collect()
    for _ in range(3):  # takes the memory of the first, but not of what is still seen
        tgmap.open(tmp_path / "large.tgm")[0][0].decode()[...] = 7
    assert np.array_equal(kept, field[10:20])


def test_outputs_must_fit(plain):
    object = tgmap.open(plain)[0][0]
    shape = object.shape
    for wrong, error in (
        (np.empty(shape, "f8"), TypeError),
        (np.empty((*shape, 2), "f4"), ValueError),
        (np.empty(shape, "f4")[..., ::-1], ValueError),
        ([0.0], TypeError),
    ):
        with pytest.raises(error, match="out must"):
            object.decode(wrong)
    read_only = np.empty(shape, "f4")
    read_only.flags.writeable = False
    with pytest.raises(ValueError, match="writable"):
        object.decode(read_only)


def test_views_say_why_there_is_none():
    codes = set()
    for object in all_objects():
        try:
            assert not object.view().flags.writeable
        except tgmap.Error as error:
            codes.add(error.code)
        except ValueError as error:
            assert "NumPy has no dtype" in str(error)
    assert codes >= {"encoded", "compressed"}


def test_no_view_without_a_mapping(plain):
    object = tgmap.open(plain, mode="read")[0][0]
    with pytest.raises(tgmap.Error) as raised:
        object.view()
    assert raised.value.code == "not_mapped"
    assert np.array_equal(object.array, tgmap.open(plain)[0][0].array)
    assert bytes(object.payload) == bytes(tgmap.open(plain)[0][0].payload)


def random_key(rng: random.Random, shape):
    def one(n):
        if n and rng.random() < 0.3:
            return rng.randrange(-n, n)
        bound = lambda: rng.choice([None, rng.randrange(-n - 2, n + 3)])  # noqa: E731
        return slice(bound(), bound(), rng.choice([None, 1, 2, 3, -1, -2]))

    keys = [one(n) for n in shape]
    if rng.random() < 0.3:
        at = rng.randrange(len(keys) + 1)
        keys[at : rng.randrange(at, len(keys) + 1)] = [...]
    elif rng.random() < 0.3:
        keys = keys[: rng.randrange(len(keys) + 1)]
    return tuple(keys)


def test_parts_are_those_of_the_array():
    rng = random.Random(23)
    for object in all_objects():
        if not readable(object):
            continue
        whole = object.array
        for _ in range(6):
            key = random_key(rng, object.shape)
            part = object[key]
            expected = whole[key]
            assert np.shape(part) == np.shape(expected)
            assert bits(part) == bits(expected), (object, key)
            cost = object.cost(key)
            assert cost.bytes_read <= object.stored_nbytes


def test_wrong_parts(plain):
    object = tgmap.open(plain)[0][0]
    rank = object.ndim
    with pytest.raises(IndexError):
        object[(0,) * (rank + 1)]
    with pytest.raises(IndexError):
        object[object.shape[0]]
    with pytest.raises(IndexError):
        object["x"]


def test_keys_of_other_kinds_work_as_numpy_has_them():
    for object in all_objects():
        if object.descriptor.compression == "zstd" and object.ndim == 1 and object.size > 4:
            assert np.array_equal(object[[0, 2]], object.array[[0, 2]])
            assert object[None].shape == (1, *object.shape)
            return
    pytest.fail("no such object")


def test_array_protocol(plain):
    object = tgmap.open(plain)[0][0]
    assert np.shares_memory(np.asarray(object), object.array)
    assert not np.shares_memory(np.array(object), object.array)
    assert np.asarray(object, "f8").dtype == np.float64
    assert len(object) == object.shape[0]
    assert bool(object)
    with pytest.raises(ValueError):
        object.__array__("f8", copy=False)


@pytest.mark.skipif(not hasattr(np, "from_dlpack"), reason="NumPy without DLPack")
def test_dlpack(plain):
    object = tgmap.open(plain)[0][0]
    assert object.__dlpack_device__() == (1, 0)
    imported = np.from_dlpack(object)
    assert np.array_equal(imported, object.array)
    if np.lib.NumpyVersion(np.__version__) >= "2.1.0":
        assert np.shares_memory(imported, object.array) and not imported.flags.writeable
        copied = np.from_dlpack(object, copy=True)
        assert not np.shares_memory(copied, object.array)
    legacy = object.__dlpack__()
    assert '"dltensor"' in repr(legacy)
    with pytest.raises(BufferError, match="read-only"):
        object.__dlpack__(copy=False)
    with pytest.raises(BufferError):
        object.__dlpack__(stream=1)
    del legacy
    gc.collect()
    assert np.array_equal(imported, object.array)


@pytest.mark.skipif(sys.version_info < (3, 12), reason="memoryview(object) needs Python 3.12")
def test_memoryview(plain):
    object = tgmap.open(plain)[0][0]
    view = memoryview(object)
    assert view.readonly and view.nbytes == object.nbytes
    assert view.tobytes() == object.array.tobytes()


def test_bits_are_bool(data):
    object = tgmap.open(data / "w0.24.0_bitmask_rle.tgm")[0][0]
    assert object.descriptor.dtype == "bitmask"
    assert object.array.dtype == bool and object.array.shape == object.shape
    out = np.empty(object.shape, bool)
    assert np.array_equal(object.decode(out), object.array)


def test_masks(data):
    for message in tgmap.open(data / "mask_nan_only.tgm"):
        for object in message:
            masks = object.masks()
            if "nan" not in masks:
                continue
            assert np.array_equal(masks["nan"], np.isnan(object.array))
            assert not np.isnan(object.decode(restore_missing=False)).any()


def test_hashes(data, tmp_path):
    path = data / "w0.24.0_hash_xxh3_both.tgm"
    archive = tgmap.open(path)
    assert archive[0].verify() is True
    object = archive[0][0]
    assert object.verify() is True
    content = bytearray(path.read_bytes())
    begin = content.find(bytes(object.payload))
    content[begin] ^= 1
    damaged = tgmap.open(content)
    assert damaged[0].verify() is False and damaged[0][0].verify() is False
    with pytest.raises(tgmap.Error) as raised:
        damaged[0][0].decode(verify=True)
    assert raised.value.code == "hash_mismatch"
    assert raised.value.expected != raised.value.found


@pytest.mark.parametrize("mode", ["memory", "read"])
def test_a_shape_beyond_the_payload_takes_no_memory(mode, tmp_path):
    content = tgmap.encode(np.zeros(70_000, "u1"))
    stated = b"\x1a" + (70_000).to_bytes(4, "big")  # the extent, as CBOR has it
    at = content.rindex(stated)
    content = content[:at] + b"\x1a\xf0\x00\x00\x00" + content[at + 5 :]
    path = tmp_path / "forged.tgm"
    path.write_bytes(content)
    object = tgmap.open(content)[0][0] if mode == "memory" else tgmap.open(path, mode="read")[0][0]
    assert object.shape == (0xF0000000,)
    tracemalloc.start()
    for read in (object.decode, lambda: object[5:], lambda: object.array):
        with pytest.raises(tgmap.Error) as raised:
            read()
        assert raised.value.code == "decoded_size_mismatch"
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 1 << 20


@pytest.mark.parametrize("dtype", ["f4", "i2", "c16", "f8"])
@pytest.mark.parametrize("order", ["C", "F"])
def test_strides_in_bytes(dtype, order, tmp_path):
    """The C and C++ examples of the reference implementation write strides in bytes."""
    expected = np.arange(6).reshape(2, 3).astype(dtype).copy(order)
    descriptor = {"type": "ntensor", "shape": [2, 3], "dtype": expected.dtype.name, "strides": list(expected.strides)}
    path = tmp_path / "b.tgm"
    path.write_bytes(compat.encode({}, [(descriptor, expected.ravel(order="K").reshape(2, 3))] * 2))
    for mode in ("map", "read"):
        archive = tgmap.open(path, mode=mode)
        object = archive[0][0]
        assert object.descriptor.strides == expected.strides == object.strides == object.array.strides
        assert np.array_equal(object.array, expected) and np.array_equal(object.decode(), expected)
        assert np.array_equal(object[1, ::2], expected[1, ::2]) and np.array_equal(object[...], expected)
        assert np.array_equal(archive.gather([(0, 0), (0, 1)]), [expected, expected])
        assert np.array_equal(archive.gather([(0, 1)], np.s_[:, 1]), [expected[:, 1]])
        if dtype != "c16":
            assert np.array_equal(np.from_dlpack(object), expected)
        assert [f.code for f in tgmap.validate(archive, "full").findings] == ["strides_in_bytes"] * 2
    stored = np.asarray(object.decode(ignore_strides=True))
    assert np.array_equal(stored.ravel(), expected.ravel(order="K"))


def test_strides_that_are_dense_in_neither():
    descriptor = {"type": "ntensor", "shape": [2, 3], "dtype": "float32", "strides": [12, 1]}
    object = tgmap.open(compat.encode({}, [(descriptor, np.zeros((2, 3), "f4"))]))[0][0]
    with pytest.raises(tgmap.Error) as raised:
        object.decode()
    assert raised.value.code == "unsupported_strides"


def test_arguments_of_protocols(forecast):
    o = tgmap.open(forecast)[0][0]
    for copy in (1, np.True_, True):
        assert o.__array__(copy=copy).flags.writeable and o.__dlpack__(copy=copy)
    assert not o.__array__(copy=np.False_).flags.writeable
    for wrong in ({"copy": []}, {"dl_device": "ab"}, {"dl_device": (1.0, 0)}, {"dl_device": ()}, {"max_version": "ab"}):
        with pytest.raises(TypeError):
            o.__dlpack__(**wrong)
    with pytest.raises(BufferError):
        o.__dlpack__(dl_device=(2**40, 0))
    with pytest.raises(TypeError):
        o.__array__(copy="yes")
