# SPDX-License-Identifier: Apache-2.0
"""tgmap.compat: decoding."""

from __future__ import annotations

import numpy as np
import pytest
import tgmap
from compat_messages import encoded, temperature
from tgmap import compat


def test_decode_and_its_parts():
    first, second = temperature(), np.arange(5, dtype=np.int16)
    message = encoded(first, second, metadata={"base": [{"param": "2t"}], "step": 6})
    metadata, objects = compat.decode(message)
    assert metadata["param"] == "2t" and metadata["step"] == 6
    np.testing.assert_array_equal(objects[0][1], first)
    np.testing.assert_array_equal(objects[1][1], second)
    assert compat.decode(bytearray(message), threads=2).objects[1][1].tolist() == second.tolist()
    found, descriptors = compat.decode_descriptors(message)
    assert [d.dtype for d in descriptors] == ["float64", "int16"] and found.num_objects == 2
    found, descriptor, array = compat.decode_object(message, 1)
    assert (found["param"], descriptor.shape, array.tolist()) == ("2t", [5], second.tolist())
    assert repr(descriptor) == (
        "DataObjectDescriptor(type='ntensor', shape=[5], dtype='int16', encoding='none', compression='none')"
    )
    assert (descriptor.obj_type, descriptor.ndim, descriptor.strides, descriptor.hash) == ("ntensor", 1, [1], None)
    with pytest.raises(ValueError, match="ObjectError: object index 2 out of range"):
        compat.decode_object(message, 2)
    with pytest.raises(OverflowError):
        compat.decode_object(message, -1)


@pytest.mark.parametrize("function", [compat.decode, compat.decode_metadata, compat.decode_descriptors])
def test_bytes_that_are_no_message(function):
    message = encoded(temperature())
    for damaged in (b"", b"TENSOGRM", b"x" * 500, message[:-1]):
        with pytest.raises(ValueError, match="FramingError: "):
            function(damaged)
    with pytest.raises(TypeError, match="memoryview"):
        function(memoryview(message))


@pytest.mark.parametrize(
    "pipeline",
    [
        {},
        {"encoding": "simple_packing", "sp_bits_per_value": 12},
        {"compression": "zstd"},
        {"filter": "shuffle", "shuffle_element_size": 8, "compression": "lz4"},
    ],
)
def test_decode_range(pipeline):
    message = encoded(temperature(), pipeline=pipeline)
    flat = compat.decode(message).objects[0][1].ravel()
    parts = compat.decode_range(message, 0, [(0, 3), (100, 40), (240, 0)])
    assert [part.tolist() for part in parts] == [flat[:3].tolist(), flat[100:140].tolist(), []]
    joined = compat.decode_range(message, 0, [(5, 2), (7, 2)], join=True)
    assert joined.tolist() == flat[5:9].tolist()
    assert compat.decode_range(message, 0, [], join=True).dtype == np.float64
    with pytest.raises(ValueError, match=r"range \(239, 241\) exceeds"):
        compat.decode_range(message, 0, [(239, 2)])


def test_ranges_of_masked_and_foreign_elements():
    values = np.array([1.0, np.nan, 3.0, 4.0])
    message = encoded(values, pipeline={"byte_order": "big"}, allow_nan=True)
    part = compat.decode_range(message, 0, [(1, 2)])[0]
    assert np.isnan(part[0]) and part[1] == 3
    assert compat.decode_range(message, 0, [(1, 2)], restore_non_finite=False)[0].tolist() == [0, 3]
    stored = compat.decode_range(message, 0, [(2, 2)], native_byte_order=False)[0]
    assert stored.view(">f8").tolist() == [3, 4]


def test_ranges_of_objects():
    item = tgmap.open(encoded(np.arange(10)))[0][0]
    assert [part.tolist() for part in item.ranges([(2, 3), [9, 1]], threads=2)] == [[2, 3, 4], [9]]
    with pytest.raises(IndexError, match="out of bounds for an object of 10"):
        item.ranges([(2**63, 2**63)])
    with pytest.raises(ValueError, match="pair"):
        item.ranges([(1, 2, 3)])


def test_scan_and_iter_messages():
    messages = [encoded(np.full(3, i)) for i in range(3)]
    buffer = b"junk" + messages[0] + b"\0\0" + messages[1] + messages[2] + messages[0][:50]
    begin = 6 + len(messages[0])
    places = [(4, len(messages[0])), (begin, len(messages[1])), (begin + len(messages[1]), len(messages[2]))]
    assert compat.scan(buffer) == places and compat.scan(b"") == []
    iterator = compat.iter_messages(buffer)
    assert len(iterator) == 3 and next(iterator).objects[0][1].tolist() == [0, 0, 0]
    assert len(iterator) == 2 and repr(iterator) == "MessageIter(position=1, remaining=2)"
    assert [objects[0][1][0] for _, objects in iterator] == [1, 2]


def test_verify_hash():
    message = bytearray(encoded(temperature(), np.arange(8.0)))
    payload = bytes(tgmap.open(bytes(message))[0][1].payload)
    assert compat.decode(message, verify_hash=True).objects[1][1].tolist() == list(range(8))
    message[message.index(payload)] ^= 1
    assert len(compat.decode(message).objects) == 2
    compat.decode_object(message, 0, verify_hash=True)
    for read in (
        lambda: compat.decode(message, verify_hash=True),
        lambda: compat.decode_object(message, 1, verify_hash=True),
        lambda: next(compat.iter_messages(bytes(message), verify_hash=True)),
    ):
        with pytest.raises(compat.HashMismatchError, match="HashMismatch: object_index=1, expected=") as caught:
            read()
        assert caught.value.object_index == 1 and len(caught.value.expected) == len(caught.value.actual) == 16
        assert caught.value.expected != caught.value.actual
    with pytest.raises(compat.MissingHashError, match="object_index=0") as caught:
        compat.decode(encoded(temperature(), hash=None), verify_hash=True)
    assert caught.value.object_index == 0 and isinstance(caught.value, compat.IntegrityError)


def test_compute_hash():
    assert compat.compute_hash(b"") == "2d06800538d394c2"
    assert compat.compute_hash(bytearray(b"abc"), "xxh3") == "78af5f94892f3950"
    assert f"{tgmap.xxh3(memoryview(b'abc')):016x}" == "78af5f94892f3950"
    with pytest.raises(ValueError, match="unknown hash type"):
        compat.compute_hash(b"", "md5")
    with pytest.raises(TypeError):
        compat.compute_hash("abc")


def test_threads(monkeypatch):
    message = encoded(temperature())
    monkeypatch.setenv("TENSOGRAM_THREADS", "2")
    assert len(compat.decode(message).objects) == 1
    monkeypatch.setenv("TENSOGRAM_THREADS", "many")
    with pytest.raises(ValueError, match="TENSOGRAM_THREADS"):
        compat.decode(message)
    with pytest.raises(OverflowError):
        compat.decode(message, threads=-1)
