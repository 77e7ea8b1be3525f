# SPDX-License-Identifier: Apache-2.0
"""Many objects as one array."""

from __future__ import annotations

import decimal
import fractions

import numpy as np
import pytest
from archives import field, write_fields

import tgmap

PIPELINES = [
    {},
    {"byte_order": "big"},
    {"filter": "shuffle", "compression": "zstd"},
    {"compression": "lz4"},
    {"compression": "blosc2"},
]
SLABS = [np.s_[:], np.s_[2], np.s_[1:3, ::2], np.s_[..., 3], np.s_[::-1, 1], np.s_[-1, ::-2], np.s_[:0], np.s_[1, 2]]


@pytest.fixture(params=PIPELINES, ids=str)
def archive(request, tmp_path):
    return tgmap.open(write_fields(tmp_path / "a.tgm", **request.param))


@pytest.fixture
def plain_archive(tmp_path):
    return tgmap.open(write_fields(tmp_path / "a.tgm"))


def stacked(numbers, dtype="f4"):
    return np.stack([field(i, dtype) for i in numbers])


def test_all_objects_of_a_table(archive):
    out = archive.gather(archive.table("x"))
    assert out.dtype == np.dtype("f4") and out.flags.c_contiguous and out.flags.writeable
    assert np.array_equal(out, stacked(range(10)))


@pytest.mark.parametrize("slab", SLABS, ids=str)
def test_parts(archive, slab):
    expected = np.stack([field(i)[slab] for i in (7, 0, 7)])
    assert np.array_equal(archive.gather([7, 0, 7], slab), expected)
    out = np.full(expected.shape, -1, "f4")
    assert archive.gather([7, 0, 7], slab, out=out) is out
    assert np.array_equal(out, expected)
    assert np.array_equal(archive.gather([7, 0, 7], slab, threads=2), expected)


def test_addresses(plain_archive):
    expected = stacked([1, 9])
    for addresses in ([1, 9], [(1, 0), (9, 0)], np.array([1, 9], "u1"), [(1, 0), (-1, 0)], [(1, -1), (9, -1)]):
        assert np.array_equal(plain_archive.gather(addresses), expected)
    assert plain_archive.gather(plain_archive.table("x", where="x=0.5/4.5")).shape == (2, 4, 6)
    for wrong in ([(0, 1)], [10], [(-11, 0)], [(0, -2)]):
        with pytest.raises(IndexError, match="no object"):
            plain_archive.gather(wrong)
    for wrong in ([0.5], ["a"], [[0.0, 1.0]]):
        with pytest.raises(TypeError):
            plain_archive.gather(wrong)
    with pytest.raises(ValueError, match="shape"):
        plain_archive.gather([(0, 0, 0)])
    with pytest.raises(ValueError, match="address"):
        plain_archive.gather([])


def test_wrong_parts(plain_archive):
    with pytest.raises(IndexError):
        plain_archive.gather([0], np.s_[4])
    with pytest.raises(IndexError):
        plain_archive.gather([0], np.s_[0, 0, 0])
    for key in (None, [0, 1]):
        if key is not None:
            with pytest.raises(TypeError, match="slab"):
                plain_archive.gather([0], key)
    with pytest.raises(ValueError, match="shape"):
        plain_archive.gather([0], out=np.empty((2, 4, 6), "f4"))
    with pytest.raises(TypeError, match="float32"):
        plain_archive.gather([0], out=np.empty((1, 4, 6), "f8"))


def test_first_object_that_differs():
    messages = [field(0), field(1), field(2).reshape(6, 4), field(3, "f8")]
    archive = tgmap.open(b"".join(map(tgmap.encode, messages)))
    with pytest.raises(ValueError, match=r"object 2:0 has float32 \(6, 4\), and object 0:0 has float32 \(4, 6\)"):
        archive.gather([0, 1, 2, 3])
    with pytest.raises(ValueError, match="object 3:0 has float64"):
        archive.gather([0, 1, 3])


@pytest.mark.parametrize("dtype", ["u1", "i2", "i8", "f2", "f8", "c8", "?", ">f4", ">i4"])
def test_dtypes(dtype):
    fields = [field(i, dtype) for i in range(5)]
    archive = tgmap.open(b"".join(map(tgmap.encode, fields)))
    out = archive.gather(range(5), np.s_[1:, 2:])
    assert out.dtype == np.dtype(dtype).newbyteorder("=")
    assert np.array_equal(out, np.stack(fields)[:, 1:, 2:])
    assert np.array_equal(archive.gather(range(5)), np.stack(fields))


def test_missing_elements_are_restored():
    fields = [field(i, "f8") for i in range(3)]
    for i, each in enumerate(fields):
        each[i, i] = np.nan
    archive = tgmap.open(b"".join(tgmap.encode(each, allow_nan=True) for each in fields))
    assert np.array_equal(archive.gather([0, 1, 2]), np.stack(fields), equal_nan=True)
    assert np.array_equal(archive.gather([0, 1, 2], np.s_[1]), np.stack(fields)[:, 1], equal_nan=True)


def test_scalars():
    archive = tgmap.open(b"".join(tgmap.encode(np.array(i, "i4")) for i in range(4)))
    assert archive.gather([3, 1]).tolist() == [3, 1]


def test_positioned_reads(tmp_path):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm"), mode="read")
    assert np.array_equal(archive.gather(range(10)), stacked(range(10)))


def test_damage_names_the_object(tmp_path):
    path = write_fields(tmp_path / "a.tgm", filter="shuffle", compression="zstd")
    bytes_ = bytearray(path.read_bytes())
    archive = tgmap.open(path)
    start = archive.table("@payload")["@payload"][4]
    archive.close()
    bytes_[start : start + 8] = b"\0" * 8
    path.write_bytes(bytes_)
    with pytest.raises(tgmap.Error) as raised:
        tgmap.open(path).gather(range(10))
    assert raised.value.message == 4 and raised.value.object == 0


def test_real_files(data):
    compared = 0
    for file in sorted(data.glob("w0.24*.tgm")):
        archive = tgmap.open(file)
        for message in archive:
            for o in message:
                if o.size == 0:
                    continue
                out = archive.gather([(message.index, o.index)])
                assert out.shape[1:] == o.shape
                assert out[0].tobytes() == o.decode().tobytes()
                compared += 1
    assert compared > 40


def test_objects_and_messages_are_addresses(plain_archive):
    archive = plain_archive
    objects = [m[0] for m in archive]
    wanted = archive.gather(range(len(archive)))
    assert np.array_equal(archive.gather(objects), wanted)
    assert np.array_equal(archive.gather(tuple(objects)), wanted)
    assert np.array_equal(archive.gather(iter(objects)), wanted)
    assert np.array_equal(archive.gather(archive[:]), wanted)
    assert np.array_equal(archive.gather(list(archive)), wanted)
    assert np.array_equal(archive.gather(archive.find_objects()), wanted)
    assert np.array_equal(archive.gather([objects[2], (0, 0), archive[1], 3, (-1, -1)]), wanted[[2, 0, 1, 3, -1]])
    assert np.array_equal(archive.gather(objects[1]), wanted[1:2])
    assert np.array_equal(archive.gather(archive[1]), wanted[1:2])
    assert np.array_equal(archive.gather(archive[1][:]), wanted[1:2])
    assert np.array_equal(archive.gather(archive.at_offset(archive[4].offset)[:]), wanted[4:5])
    assert np.array_equal(archive.gather(objects, slab=(slice(None, None, -1), 2)), wanted[:, ::-1, 2])
    other = tgmap.open(tgmap.encode(objects[1].decode() + 1))
    assert np.array_equal(archive.gather([objects[1], other[0][0]])[1], objects[1].decode() + 1)
    with pytest.raises(ValueError, match=r"object 0:0 has float64 \(2,\)"):
        archive.gather([objects[0], tgmap.open(tgmap.encode(np.zeros(2)))[0][0]])
    with pytest.raises(IndexError):
        archive.gather([objects[0], (99, 0)])
    for wrong in ([objects[0], "x"], [objects[0], 1.5], [objects[0], None], "ab", [object()]):
        with pytest.raises((TypeError, ValueError)):
            archive.gather(wrong)


@pytest.mark.parametrize(
    "wanted",
    [np.array([2**64 - 1], "u8"), [2**64 - 1], [0, 2**64 - 1], [-1, 2**64 - 1], [[0, 2**64 - 1]], [2**70], [10**5000]],
    ids=["array", "list", "mixed", "signs", "object", "beyond 64 bits", "huge"],
)
def test_numbers_that_do_not_wrap(tmp_path, wanted):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 3))
    with pytest.raises(IndexError, match="there is no object"):
        archive.gather(wanted)


def test_addresses_that_are_refused(tmp_path):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 3))
    masked = np.ma.array([0, 1], mask=[False, True])
    for wrong in (masked, [np.ma.masked], [[0, masked[1]]], [1.0], [True], [None], [tgmap.Object.__new__(tgmap.Object)]):
        with pytest.raises(TypeError):
            archive.gather(wrong)
    for wrong in ([1, 2], [None], [tgmap.Object.__new__(tgmap.Object)]):
        with pytest.raises(TypeError, match="objects of an archive"):
            tgmap._core._gather(archive._opened, wrong, None, None, 0)
    with pytest.raises(IndexError, match="-5:0"):
        archive.gather([-5])


def test_numbers_of_all_kinds(tmp_path):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 3))
    expected = archive.gather([1, 2], (1, slice(0, 2)))
    wanted = [decimal.Decimal(1), fractions.Fraction(2)]
    for row in (decimal.Decimal(1), np.array(1), np.uint8(1)):
        np.testing.assert_array_equal(archive.gather(wanted, (row, slice(decimal.Decimal(0), np.array(2)))), expected)
    np.testing.assert_array_equal(archive.gather([1, 2], np.array(1), threads=2**32 - 1), archive.gather([1, 2], 1))
