# SPDX-License-Identifier: Apache-2.0
"""Arrays of every dtype, byte order and stride are read back as they were, or refused."""

from __future__ import annotations

import array
import datetime
import decimal
import io

import numpy as np
import pytest

import tgmap

NAMES = ["f2", "f4", "f8", "c8", "c16", "i1", "i2", "i4", "i8", "u1", "u2", "u4", "u8", "?"]

LAYOUTS = {
    "dense": lambda a: a,
    "transposed": lambda a: a.T,
    "reversed": lambda a: a[::-1, :, ::-1],
    "sliced": lambda a: a[:, ::2, 1:4],
    "backwards": lambda a: a[2:0:-1, ::-2],
    "fortran": lambda a: np.asfortranarray(a),
    "scalar": lambda a: a[1, 2, 3],
    "zero_dimensions": lambda a: a[1, 2, 3].reshape(()),
    "empty": lambda a: a[:, :0],
    "broadcast": lambda a: np.broadcast_to(a[0], (2, 4, 5)),
    "one_column": lambda a: a[:, :, 1:2],
    "diagonal": lambda a: a[0].diagonal(),
}


def written(array, **pipeline):
    return tgmap.open(tgmap.encode(array, **pipeline))[0][0]


def numbers(name: str) -> np.ndarray:
    if name == "?":
        return (np.arange(60) % 7 < 3).reshape(3, 4, 5)
    return (np.arange(60) - (0 if name[0] == "u" else 30)).astype(name).reshape(3, 4, 5)


@pytest.mark.parametrize("order", "<>")
@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("name", NAMES)
def test_round_trip(name, layout, order):
    dense = numbers(name)
    array = LAYOUTS[layout](dense.astype(dense.dtype.newbyteorder(order)))
    back = written(array).array
    assert back.dtype.newbyteorder("=") == dense.dtype
    assert back.shape == np.shape(array)
    np.testing.assert_array_equal(back, array)


@pytest.mark.parametrize("name", [n for n in NAMES if n != "?"])
@pytest.mark.parametrize("stored", ["little", "big", "native"])
def test_stored_byte_order(name, stored):
    array = numbers(name).astype(np.dtype(name).newbyteorder(">"))
    found = written(array, byte_order=stored)
    expected = array.astype(array.dtype.newbyteorder({"little": "<", "big": ">", "native": "="}[stored]))
    assert bytes(found.payload) == expected.tobytes()
    np.testing.assert_array_equal(found.decode(), array)


def test_fields_of_records():
    records = np.zeros(7, "i2,f8,i1")
    records["f1"] = np.arange(7)
    np.testing.assert_array_equal(written(records["f1"]).array, np.arange(7))
    records = np.zeros(7, "i8,f8")
    records["f1"] = np.arange(7)
    np.testing.assert_array_equal(written(records["f1"][::-2]).array, np.arange(7)[::-2])


def test_memory_at_any_address():
    raw = np.frombuffer(b"x" + np.arange(9.0).tobytes(), "u1")[1:]
    np.testing.assert_array_equal(written(raw.view("f8")).array, np.arange(9.0))


@pytest.mark.parametrize("size", [0, 1, 7, 8, 9, 1000])
def test_bool_is_a_bitmask(size):
    array = np.arange(size) % 3 == 0
    found = written(array)
    assert found.descriptor.dtype == "bitmask"
    assert bytes(found.payload) == np.packbits(array).tobytes()
    np.testing.assert_array_equal(found.array, array)
    assert written(tgmap.NewObject(array, dtype="uint8")).array.dtype == np.uint8


def test_bfloat16():
    ml_dtypes = pytest.importorskip("ml_dtypes")
    array = np.linspace(-3, 3, 12).astype(ml_dtypes.bfloat16).reshape(3, 4)
    for given in (array, array.T, array[::-1, ::2]):
        found = written(given)
        assert found.descriptor.dtype == "bfloat16"
        np.testing.assert_array_equal(found.array, given)
    np.testing.assert_array_equal(
        written(tgmap.NewObject(np.linspace(-3, 3, 12, dtype="f4"), dtype="bfloat16")).array, array.reshape(-1)
    )


@pytest.mark.parametrize("opaque", ["u2", "V2"])
def test_bits_of_bfloat16(opaque):
    bits = np.array([0x3F80, 0xC000, 0x4120], "u2")
    found = written(tgmap.NewObject(bits.view(opaque)[::-1], dtype="bfloat16"))
    assert found.descriptor.dtype == "bfloat16"
    np.testing.assert_array_equal(np.asarray(found.array).view("u2"), bits[::-1])


@pytest.mark.parametrize(
    "array, text",
    [
        (np.array(["a"]), "<U1"),
        (np.array([b"ab"]), "frombuffer"),
        (np.array([object()]), "object"),
        (np.array(["2020-01-01"], "M8[D]"), "datetime64"),
        (np.array([1], "m8[s]"), "timedelta64"),
        (np.zeros(2, "V2"), "bfloat16"),
        (np.zeros(2, "i4,f4"), "f1"),
        (np.ma.masked_array([1.0, 2.0], [True, False]), "filled"),
    ],
)
def test_elements_that_the_format_lacks(array, text):
    with pytest.raises(TypeError, match=text):
        tgmap.encode(array)


@pytest.mark.skipif(np.dtype(np.longdouble).itemsize == 8, reason="long double is double here")
def test_longdouble_is_refused():
    with pytest.raises(TypeError, match="no elements of dtype"):
        tgmap.encode(np.zeros(3, np.longdouble))
    with pytest.raises(TypeError, match="no elements of dtype"):
        tgmap.encode(np.zeros(3, np.clongdouble))


@pytest.mark.parametrize("name", ["float8_e5m2", "float8_e4m3fn", "int4", "uint4"])
def test_small_elements_are_refused(name):
    ml_dtypes = pytest.importorskip("ml_dtypes")
    with pytest.raises(TypeError, match=name):
        tgmap.encode(np.zeros(3, getattr(ml_dtypes, name)))


@pytest.mark.parametrize("value", [3, 2.5, None, "text", [1, 2], {"a": 1}])
def test_only_arrays_are_objects(value):
    with pytest.raises(TypeError, match="cannot write"):
        tgmap.encode(value if isinstance(value, list) else [value])


def test_buffers_are_arrays():
    for given in (array.array("i", [1, 2]), memoryview(array.array("i", [1, 2])), np.array([1, 2], "i4")):
        found = written([given])
        assert found.array.dtype == np.int32 and found.array.tolist() == [1, 2]
    assert written(bytearray(b"ab")).array.tolist() == [97, 98]
    with pytest.raises(TypeError, match="frombuffer"):
        tgmap.encode(b"ab")


def test_conversion_on_request():
    assert written(tgmap.NewObject([1, 2, 3], dtype="int16")).array.dtype == np.int16
    assert written(tgmap.NewObject(np.arange(3.0), dtype=np.float32)).array.dtype == np.float32
    assert written(tgmap.NewObject(np.arange(3, dtype="i2"), dtype="f8")).array.tolist() == [0, 1, 2]
    for array, dtype in [([1.5], "i4"), ([300], "u1"), ([1j], "f8"), ([2], "bitmask")]:
        with pytest.raises(TypeError, match="cast"):
            tgmap.NewObject(np.array(array), dtype=dtype)
    with pytest.raises(OverflowError):
        tgmap.NewObject([300], dtype="uint8")
    with pytest.raises(TypeError):
        tgmap.NewObject([1], dtype="no such dtype")


def test_new_object_can_be_written_again():
    one = tgmap.NewObject(np.arange(6.0).reshape(2, 3), {"name": "t"}, descriptor={"unit": "K"})
    assert one.shape == (2, 3) and one.dtype == "float64"
    message = tgmap.open(tgmap.encode([one, one]))[0]
    assert [m.metadata["name"] for m in message] == ["t", "t"]
    np.testing.assert_array_equal(message[1].array, np.arange(6.0).reshape(2, 3))


def test_array_lives_until_it_is_written():
    one = tgmap.NewObject(np.arange(100000.0))  # nothing else refers to the array
    np.testing.assert_array_equal(written(one).array, np.arange(100000.0))


def test_objects_are_copied_as_they_are_stored():
    source = tgmap.open(tgmap.encode([np.arange(5), np.linspace(0, 1, 9)], {"a": 1}))[0]
    copy = tgmap.open(tgmap.encode([source[1], source[0]], {"b": 2}))[0]
    assert bytes(copy[0].payload) == bytes(source[1].payload)
    np.testing.assert_array_equal(copy[1].array, np.arange(5))
    assert copy.metadata["b"] == 2 and "a" not in copy.metadata


def flipped(data: bytes, at: int) -> bytes:
    return data[:at] + bytes([data[at] ^ 1]) + data[at + 1 :]


def test_object_whose_keys_are_damaged():
    sound = tgmap.encode(tgmap.NewObject(np.arange(4.0), {"step": "12h"}))
    message = tgmap.open(flipped(sound, sound.index(b"12h")))[0]
    writer = io.BytesIO()
    with tgmap.create(writer) as out:
        for write in (tgmap.encode, out.write):
            with pytest.raises(tgmap.Error, match="header metadata: the stored hash 0x.* is not the hash 0x") as raised:
                write(message[0])
            assert raised.value.code == "hash_mismatch" and raised.value.message == 0
        with pytest.raises(tgmap.Error, match="header metadata"):
            write([np.arange(3.0), message[0]])
        out.write(message[0], take_damaged=True)
        out.write(message)  # byte for byte, with the wrong hash
    assert tgmap.open(writer.getvalue())[0][0].metadata["step"] == "02h"
    found = tgmap.validate(writer.getvalue()).findings
    assert [(each.message, each.code) for each in found] == [(1, "hash_mismatch")]


def test_payload_of_version_2_is_compared_before_it_gets_a_new_hash():
    sound = tgmap.encode(np.arange(4.0), version=2)
    payload = sound.index(np.arange(4.0).tobytes())
    one = tgmap.open(flipped(sound, payload))[0][0]
    with pytest.raises(tgmap.Error) as raised:
        tgmap.encode(one)
    assert raised.value.code == "hash_mismatch" and raised.value.object == 0
    tgmap.encode(one, version=2)  # keeps its hash, which is still wrong
    tgmap.encode(one, take_damaged=True)


def test_stored_object():
    payload = np.arange(4, dtype="<i4").tobytes()
    descriptor = {"type": "ntensor", "ndim": 1, "shape": [4], "strides": [1], "dtype": "int32", "byte_order": "little",
                  "encoding": "none", "filter": "none", "compression": "none"}  # fmt: skip
    found = written(tgmap.StoredObject(descriptor, payload, {"k": 1}))
    assert found.array.tolist() == [0, 1, 2, 3]
    assert found.metadata["k"] == 1
    with pytest.raises(tgmap.Error):
        tgmap.encode(tgmap.StoredObject({"type": "ntensor"}, payload))


MASKED = np.ma.array([1.0, 2.0], mask=[False, True])


@pytest.mark.parametrize(
    "values, dtype",
    [
        *[([1j], "f8"), ([np.complex64(1)], "f4"), (1j, "f8"), ([1j], "i4")],
        *[(["1"], "f8"), ("1", "f8"), (["1"], "bitmask"), ([b"1"], "f8"), ([1, "a"], "i4")],
        *[([np.datetime64("2020")], "i8"), ([np.timedelta64(1, "s")], "f8"), ([datetime.date(2020, 1, 1)], "i8")],
        *[([2], "bitmask"), ([0.5], "bitmask"), ([1.5], "i4"), ([np.nan], "i4"), ([None], "f8"), ([{}], "f8")],
        *[([MASKED], "f8"), ([[MASKED[1]]], "f8"), ([MASKED], None), ([np.ma.masked], "i4")],
        *[([1], "\udcff"), ([1], "M8[s]"), ([1], "U3")],
    ],
)
def test_lists_that_are_refused(values, dtype):
    with pytest.raises(TypeError):
        tgmap.NewObject(values, dtype=dtype)


@pytest.mark.parametrize(
    "values, dtype",
    [([2**63], "int64"), ([2**63, -1], "int64"), ([2**63, -1], "uint64"), ([-1], "u1"), ([2**64], "u8")],
)
def test_integers_of_lists_that_do_not_fit(values, dtype):
    for kind in (ValueError, OverflowError):
        with pytest.raises(kind, match="does not fit"):
            tgmap.NewObject(values, dtype=dtype)


@pytest.mark.parametrize(
    "values, dtype, expected",
    [
        *[([0, 1, 1], "bitmask", [0, 1, 1]), ([0.0, 1.0], "bitmask", [0, 1]), ([True], "f8", [1])],
        *[([1.0, 2], "i4", [1, 2]), ([2**63, 1], "uint64", [2**63, 1]), ([2**64], "f8", [2.0**64]), ([], "f4", [])],
        *[([decimal.Decimal("1.5"), 2], "f8", [1.5, 2]), (decimal.Decimal(2), "i4", 2), ([1], "complex64", [1])],
        *[([2**63 - 1, 0.0], "i8", [2**63 - 1, 0]), ([[1, 2], [3, 4]], "i2", [[1, 2], [3, 4]])],
    ],
)
def test_lists_that_fit(values, dtype, expected):
    assert written(tgmap.NewObject(values, dtype=dtype)).array.tolist() == expected
