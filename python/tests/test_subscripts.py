# SPDX-License-Identifier: Apache-2.0
"""Subscripts of objects give what NumPy gives for the decoded array, however the elements are stored."""

from __future__ import annotations

import random
import warnings

import numpy as np
import pytest

import tgmap

SHAPES = [(), (1,), (7,), (0, 3), (4, 5), (3, 1, 6), (2, 3, 4, 3)]
KINDS = {
    "plain": ({}, "f4", "map"),
    "foreign": ({"byte_order": "big"}, "i2", "map"),
    "read": ({}, "f8", "read"),
    "zstd": ({"compression": "zstd"}, "i4", "map"),
    "shuffle": ({"filter": "shuffle", "shuffle_size": 8, "compression": "lz4"}, "f8", "read"),
    "packed": ({"encoding": "simple_packing", "bits": 16}, "f8", "map"),
    "complex": ({"compression": "zstd"}, "c8", "map"),
    "bits": ({}, "?", "map"),
    "bits read": ({}, "?", "read"),
    "rle": ({"compression": "rle"}, "?", "map"),
    "fortran": (None, "f4", "map"),
    "fortran read": (None, "f4", "read"),
}


def stored(options, dtype, shape):
    """Return a message of one object with different elements."""
    numbers = np.arange(np.prod(shape, dtype=int)).reshape(shape)
    array = (numbers % 3 == 0) if dtype == "?" else numbers.astype(dtype)
    if options is not None:
        return tgmap.encode(array, **options)
    strides = [int(each) for each in np.cumprod([1, *shape])[:-1]]
    descriptor = {"type": "ntensor", "ndim": len(shape), "shape": list(shape), "strides": strides, "dtype": "float32",
                  "byte_order": "little", "encoding": "none", "filter": "none", "compression": "none"}  # fmt: skip
    return tgmap.encode(tgmap.StoredObject(descriptor, array.astype("<f4").tobytes(order="F")))


def objects_of(name, folder):
    options, dtype, mode = KINDS[name]
    for number, shape in enumerate(SHAPES):
        if options is None and 0 in shape:
            continue
        path = folder / f"{number}.tgm"
        path.write_bytes(stored(options, dtype, shape))
        o = tgmap.open(path, mode=mode)[0][0]
        yield o, o.decode()


def random_index(pick, extent):
    """Return an index of one dimension, mostly a valid one."""
    integer = pick.randint(-extent - 1, extent) if pick.random() < 0.1 or extent == 0 else pick.randrange(-extent, extent)
    ends = [pick.choice([None, pick.randint(-extent - 2, extent + 2)]) for _ in range(2)]
    step = pick.choice([None, 1, 2, 3, -1, -2, np.int64(-3), 7])
    valid = [pick.randrange(-extent, extent) for _ in range(pick.randint(0, 3))] if extent else []
    return pick.choice([
        integer, np.int32(integer), np.array(integer), slice(*ends, step), slice(*ends, step), slice(None),
        valid, np.array(valid, dtype=int), np.array([valid], dtype="i2"),
        np.array([pick.random() < 0.5 for _ in range(extent)], dtype=bool),
    ])  # fmt: skip


def random_key(pick, shape):
    keys = [random_index(pick, extent) for extent in shape[: pick.randint(0, len(shape))]]
    for other in (None, Ellipsis, Ellipsis, True, np.False_, 0, 1.0, "x", np.newaxis):
        if pick.random() < (0.15 if other in (None, Ellipsis) else 0.03):
            keys.insert(pick.randint(0, len(keys)), other)
    if pick.random() < 0.1:
        return np.array([pick.random() < 0.5 for _ in range(int(np.prod(shape)))], dtype=bool).reshape(shape)
    if len(shape) >= 2 and pick.random() < 0.05:
        return np.ix_(*([pick.randrange(extent)] if extent else [] for extent in shape))
    return keys[0] if len(keys) == 1 and pick.random() < 0.7 else tuple(keys)


def result(of, key):
    """Return the result of a subscript, or its exception."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            return of[key]
    except Exception as error:
        return error


def is_same(found, wanted):
    if isinstance(wanted, Exception):
        return type(found) is type(wanted) and str(found) == str(wanted)
    if isinstance(found, Exception) or isinstance(found, np.ndarray) != isinstance(wanted, np.ndarray):
        return False
    return found.shape == wanted.shape and found.dtype == wanted.dtype and np.array_equal(found, wanted)


@pytest.mark.parametrize("name", KINDS)
def test_random_subscripts(name, tmp_path):
    pick = random.Random(name)
    for o, decoded in objects_of(name, tmp_path):
        native = decoded if name != "foreign" else decoded.astype(o.dtype)
        for _ in range(150):
            key = random_key(pick, o.shape)
            found, wanted = result(o, key), result(native, key)
            assert is_same(found, wanted), (o.shape, key, found, wanted)


@pytest.mark.parametrize("name", KINDS)
def test_subscripts_of_every_kind(name, tmp_path):
    (o, decoded), *_ = (each for each in objects_of(name, tmp_path) if each[0].shape == (4, 5))
    mask = np.arange(20).reshape(4, 5) % 3 == 1
    keys = [mask, mask[:, 0], (slice(None), mask[0]), np.array([0, 2]), [0, 2], ([0, 2], [1, 3]), np.ix_([0, 3], [1, 2]),
            None, np.newaxis, (None, 1), (1, None), (..., None), (None, ..., 0), ([0, 2], ...), (..., [0, 2]),
            (..., -1, slice(None, None, -2)), slice(None, None, -1), (slice(3, 0, -2), None, slice(4, None, -3)), True,
            np.True_, np.False_, np.array(True), np.array(2), (np.int8(1), np.uint64(2)), (), ...]  # fmt: skip
    for key in keys:
        found, wanted = o[key], decoded[key]
        assert np.array_equal(found, wanted) and np.shape(found) == wanted.shape, key
    for key in (4, (0, 5), (0, 0, 0), (..., ...), [4], 1.5, "x", 2**70, np.zeros(3, bool), slice(0, 2, 0), slice(1.0)):
        assert is_same(result(o, key), result(decoded, key)), key


def test_new_axes_need_no_other_elements(tmp_path):
    path = tmp_path / "a.tgm"
    path.write_bytes(tgmap.encode(np.arange(100_000.0).reshape(1000, 100)))
    o = tgmap.open(path, mode="read")[0][0]
    assert o.cost((None, 3)) == o.cost(3) and o.cost(3).bytes_read == 800
    assert o[None, 3].shape == (1, 100)
