# SPDX-License-Identifier: Apache-2.0
"""Objects of many archives by their places: every part of every kind of object, and outputs of every layout."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys

import numpy as np
import pytest
from archives import field, write_fields

import tgmap
from tgmap import Places, gather

PIPELINES = [
    {},
    {"byte_order": "big"},
    {"filter": "shuffle", "compression": "zstd"},
    {"compression": "lz4"},
    {"compression": "blosc2"},
    {"compression": "szip"},
    {"encoding": "simple_packing"},
]
SLABS = [None, np.s_[:], np.s_[2], np.s_[1:3, ::2], np.s_[..., 3], np.s_[::-1, 1], np.s_[-1, ::-2], np.s_[:0], np.s_[1, 2]]


def all_of(*archives):
    """Return the places of all objects."""
    return Places.of((a, m.offset, j) for a in archives for m in a for j in range(len(m)))


def large(number, dtype="f4", shape=(60, 200)):
    """Return a field that is larger than what is read with a header, of values that packing keeps."""
    return (np.arange(np.prod(shape)).reshape(shape) % 1000 + number).astype(dtype)


def part(values, slab):
    """Return a part of each object."""
    return values if slab is None else values[(slice(None), *(slab if isinstance(slab, tuple) else (slab,)))]


def make(dtype, number):
    return large(number, dtype) if dtype != "?" else large(number, "i4") % 3 == 0


@pytest.fixture(params=PIPELINES, ids=str, scope="module")
def fields(request, tmp_path_factory):
    """An archive of small and one of large fields, of 3 messages of one object and one of 4."""
    folder = tmp_path_factory.mktemp("fields")
    options = dict(request.param)
    dtype = "f8" if "encoding" in options else "f4"
    out = []
    for name, one in (("small", lambda i: field(i, dtype)), ("large", lambda i: large(i, dtype))):
        with tgmap.create(folder / f"{name}.tgm") as file:
            for i in range(3):
                file.write([tgmap.NewObject(one(i), {"n": "x" * (7 * i)}, **options)])
            file.write([tgmap.NewObject(one(i), **options) for i in range(3, 7)])
        out.append((all_of(tgmap.open(folder / f"{name}.tgm")), np.stack([one(i) for i in range(7)])))
    return out


@pytest.mark.parametrize("slab", SLABS, ids=str)
def test_parts(fields, slab):
    for places, values in fields:
        for rows in (np.arange(7), np.array([6, 0, 3, 3, -1, 1])):
            expected = part(values[rows], slab)
            chosen = places[rows]
            found = gather(chosen, slab)
            assert found.dtype == values.dtype
            np.testing.assert_array_equal(found, expected)
            np.testing.assert_array_equal(gather(chosen, slab, threads=1), expected)
            for out in outputs(expected):
                assert gather(chosen, slab, out=out) is out
                np.testing.assert_array_equal(out, expected)


def outputs(like):
    """Return arrays of a shape in several layouts: of C and Fortran, reversed, a part of a larger one, transposed."""
    shape, dtype = like.shape, like.dtype
    yield np.zeros(shape, dtype)
    yield np.zeros(shape, dtype, order="F")
    yield np.zeros(shape, dtype)[tuple([slice(None, None, -1)] * len(shape))]
    yield np.zeros([2 * n + 3 for n in shape], dtype)[tuple(slice(1, 2 * n + 1, 2) for n in shape)]
    yield np.zeros(shape[::-1], dtype).T


def test_points(fields):
    rng = np.random.default_rng(3)
    for places, values in fields:
        rows, columns = values.shape[1:]
        y, x = rng.integers(0, rows, 9), rng.integers(-columns, columns, 9)
        np.testing.assert_array_equal(gather(places, points=(y, x)), values[:, y, x])
        np.testing.assert_array_equal(gather(places, points=(0, [1, 2, 3])), values[:, 0, 1:4])
        each_y, each_x = rng.integers(0, rows, (7, 5)), rng.integers(0, columns, (7, 5))
        expected = values[np.arange(7)[:, None], each_y, each_x]
        np.testing.assert_array_equal(gather(places, points=(each_y, each_x)), expected)
        for out in outputs(expected):
            gather(places, points=(each_y, each_x), out=out)
            np.testing.assert_array_equal(out, expected)
        holes = gather(places.take([0, -1, 6]), points=(y, x), fill=-5)
        np.testing.assert_array_equal(holes[[0, 2]], values[[0, 6]][:, y, x])
        assert (holes[1] == -5).all()
        assert gather(places, points=([], [])).shape == (7, 0)


@pytest.mark.parametrize("wrong, error, text", [
    (([0],), ValueError, "each of the 2 dimensions, not 1"),
    (([0], [24]), IndexError, "index 24 is out of bounds for dimension 1 of size 6"),
    (([-5], [0]), IndexError, "index -5 is out of bounds for dimension 0 of size 4"),
    (([0.5], [0]), TypeError, "integers"),
    (([[0]], [[0]]), ValueError, r"the shape \(k,\) or \(10, k\)"),
])
def test_points_that_are_refused(tmp_path, wrong, error, text):
    places = all_of(tgmap.open(write_fields(tmp_path / "a.tgm")))
    with pytest.raises(error, match=text):
        gather(places, points=wrong)
    with pytest.raises(TypeError, match="not both"):
        gather(places, 0, points=([0], [0]))


@pytest.mark.parametrize("dtype", ["u1", "i2", "i8", "f2", "f8", "c8", "c16", "?", ">f4", ">i4"])
def test_dtypes(dtype):
    values = np.stack([make(dtype, i) for i in range(4)])
    places = all_of(tgmap.open(b"".join(tgmap.encode(each) for each in values)))
    for slab in (None, np.s_[1:, ::3], np.s_[::-1, 7]):
        expected = part(values, slab)
        found = gather(places, slab)
        assert found.dtype == np.dtype(dtype).newbyteorder("=")
        np.testing.assert_array_equal(found, expected)
        for out in outputs(found):
            np.testing.assert_array_equal(gather(places, slab, out=out), expected)
    np.testing.assert_array_equal(gather(places, points=([3, 0, 59], [9, 1, 199])), values[:, [3, 0, 59], [9, 1, 199]])


def test_bfloat16():
    bfloat16 = pytest.importorskip("ml_dtypes", reason="SKIPPED: bfloat16 (ml_dtypes is not here)").bfloat16
    values = np.stack([field(i).astype(bfloat16) for i in range(3)])
    places = all_of(tgmap.open(b"".join(tgmap.encode(each) for each in values)))
    found = gather(places.take([0, 1, 2, -1]), np.s_[:, 1])
    assert found.dtype == bfloat16
    np.testing.assert_array_equal(found[:3].astype("f4"), values[:, :, 1].astype("f4"))
    assert np.isnan(found[3].astype("f4")).all()


@pytest.mark.parametrize("options", PIPELINES[:5], ids=str)
def test_missing_elements_are_restored(options):
    values = np.stack([large(i, "f8") for i in range(4)])
    values[0, 1, 1] = values[1, :, 3] = values[2, 2, 2] = np.nan
    new = [tgmap.NewObject(each, allow_nan=True, **options) for each in values]
    places = all_of(tgmap.open(b"".join(tgmap.encode([each]) for each in new)))
    for slab in (None, np.s_[:3], np.s_[:, 1:4]):
        expected = part(values, slab)
        np.testing.assert_array_equal(gather(places, slab), expected)
    np.testing.assert_array_equal(gather(places, points=([1, 2, 0], [1, 2, 0])), values[:, [1, 2, 0], [1, 2, 0]])


def test_strides_of_payloads():
    """Payloads in Fortran order have the elements where their shape has them."""
    values = np.stack([large(i) for i in range(4)])
    archives = [tgmap.open(tgmap.encode(np.asfortranarray(each) if i % 2 else each)) for i, each in enumerate(values)]
    places = all_of(*archives)
    for slab in (None, np.s_[5:7, ::4], np.s_[3]):
        expected = part(values, slab)
        np.testing.assert_array_equal(gather(places, slab), expected)
    np.testing.assert_array_equal(gather(places, points=([7, 59], [0, 150])), values[:, [7, 59], [0, 150]])


def test_many_archives(tmp_path):
    for i in range(30):
        write_fields(tmp_path / f"{i}.tgm", 4)
    archives = [tgmap.open(tmp_path / f"{i}.tgm") for i in range(30)]
    rng = np.random.default_rng(5)
    order = rng.permutation(120)
    places = pickle.loads(pickle.dumps(all_of(*archives)[order]))
    expected = np.stack([field(i % 4) for i in order])
    tgmap._core._clear_archive_cache()
    opened = tgmap._core._archive_cache()[1]
    for _ in range(3):
        np.testing.assert_array_equal(gather(places), expected)
    is_open, now, _ = tgmap._core._archive_cache()
    assert (is_open, now - opened) == (30, 30)
    for threads in (1, 2):
        np.testing.assert_array_equal(gather(places, max_open=5, threads=threads), expected)
        is_open, _, most = tgmap._core._archive_cache()
        assert is_open == most == 5


def test_descriptors_are_closed(tmp_path):
    write_fields(tmp_path / "a.tgm", 4)
    places = all_of(tgmap.open(tmp_path / "a.tgm"))
    gather(places)
    before = len(os.listdir("/proc/self/fd"))
    for i in range(40):
        write_fields(tmp_path / f"{i}.tgm", 1)
        gather(Places([tmp_path / f"{i}.tgm"], [0], [0], [0]), max_open=3)
    assert len(os.listdir("/proc/self/fd")) <= before + 3


def test_holes():
    places = all_of(tgmap.open(b"".join(tgmap.encode(field(i)) for i in range(2)))).take([-1, 1, -1, 0])
    found = gather(places, np.s_[1])
    np.testing.assert_array_equal(found[[1, 3]], [field(1)[1], field(0)[1]])
    assert np.isnan(found[[0, 2]]).all()
    for out in outputs(gather(places)):
        out[...] = 7
        gather(places, out=out, fill=-1)
        np.testing.assert_array_equal(out[[1, 3]], [field(1), field(0)])
        assert (out[[0, 2]] == -1).all()
    of_integers = all_of(tgmap.open(tgmap.encode(field(0, "i2")))).take([0, -1])
    with pytest.raises(ValueError, match="int16 has no NaN; pass fill"):
        gather(of_integers)
    for wrong in (0.5, 2**15):
        with pytest.raises(ValueError, match="does not fit into int16"):
            gather(of_integers, fill=wrong)
    assert (gather(of_integers, fill=-3)[1] == -3).all()


def test_only_holes():
    holes = Places.of([None, None])
    for places in (holes, holes[:0]):
        with pytest.raises(ValueError, match="no dtype and shape"):
            gather(places)
    out = np.ones((2, 3))
    assert gather(holes, out=out) is out and np.isnan(out).all()
    with pytest.raises(ValueError, match="2 rows"):
        gather(holes, out=np.ones(3))
    assert gather(holes[:0], out=np.ones((0, 3))).shape == (0, 3)


def test_the_extension_refuses_places_without_an_object():
    for count in (0, 2):
        holes, zeros = np.full(count, -1), np.zeros(count, dtype=np.int64)
        with pytest.raises(ValueError, match="gather needs an object"):
            tgmap._core._Gatherer([], holes, zeros, zeros, str, 1, 8)


def test_places_beyond_the_end_among_alike_ones(tmp_path):
    path = tmp_path / "a.tgm"
    with tgmap.create(path) as out:
        for i in range(6):
            out.write(np.full(1000, i, "f4"))
    offsets = [each.offset for each in tgmap.open(path)]
    for beyond in (path.stat().st_size, 2**62, 2**63 - 1):
        with pytest.raises(IndexError):
            gather(Places([path], [0] * 7, [*offsets, beyond], [0] * 7), threads=1)


def test_objects_that_differ(tmp_path):
    messages = [field(0), field(1), field(2).reshape(6, 4), field(3, "f8")]
    path = tmp_path / "a.tgm"
    path.write_bytes(b"".join(map(tgmap.encode, messages)))
    places = all_of(tgmap.open(path))
    where = r"object 0 at byte \d+ of a\.tgm"
    with pytest.raises(ValueError, match=rf"{where} has float32 \(6, 4\), and {where} has float32 \(4, 6\)"):
        gather(places)
    with pytest.raises(ValueError, match=rf"{where} has float64 \(4, 6\), and {where} has float32 \(4, 6\); gather needs"):
        gather(places[[0, 3]], np.s_[0])
    assert len(gather(places[[0, 1]])) == 2


def test_objects_that_are_not_there(tmp_path):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 3))
    offsets = [message.offset for message in archive]
    for offset, number in ((offsets[1], 1), (offsets[1], 2**40), (2**50, 0), (archive.nbytes, 0)):
        with pytest.raises(IndexError, match=rf"there is no object {number} at byte {offset} of a\.tgm"):
            gather([(archive.path, offsets[0], 0), (archive.path, offset, number)])
    with pytest.raises(tgmap.Error) as raised:
        gather([(archive.path, offsets[0], 0), (archive.path, offsets[1] + 8, 0)])
    assert raised.value.code == "not_a_message" and raised.value.offset == offsets[1] + 8 and "a.tgm" in str(raised.value)


@pytest.mark.parametrize("out, error, text", [
    (np.zeros((2, 4, 6), "f8"), TypeError, "float32"),
    (np.zeros((2, 4, 5), "f4"), ValueError, "shape"),
    (np.zeros((2, 4, 6), ">f4"), TypeError, "float32"),
    (np.broadcast_to(np.zeros(6, "f4"), (2, 4, 6)), ValueError, "writable"),
    ([0.0], TypeError, "array of NumPy"),
])
def test_outputs_that_are_refused(tmp_path, out, error, text):
    places = all_of(tgmap.open(write_fields(tmp_path / "a.tgm", 2)))
    with pytest.raises(error, match=text):
        gather(places, out=out)


def test_damage_names_the_object(tmp_path):
    path = write_fields(tmp_path / "a.tgm", filter="shuffle", compression="zstd")
    archive = tgmap.open(path)
    places, start = all_of(archive), archive[4][0].payload_offset
    content = bytearray(path.read_bytes())
    content[start : start + 8] = b"\0" * 8
    path.write_bytes(content)
    places = Places([path], places.archive_of_each, places.offsets, places.objects)
    for slab in (None, 0):
        with pytest.raises(tgmap.Error, match="a.tgm") as raised:
            gather(places, slab)
        assert raised.value.object == 0 and places.offsets[4] <= raised.value.offset < places.offsets[5]
    np.testing.assert_array_equal(gather(places[[3, 5]]), [field(3), field(5)])


def test_real_files(data):
    """Files of all versions and layouts give what their archive gives."""
    compared = 0
    for file in sorted(data.glob("*.tgm")):
        archive = tgmap.open(file, damage="skip")
        for message in archive:
            for j in range(len(message)):
                try:
                    expected = message[j].decode()
                except tgmap.Error as error:
                    with pytest.raises(tgmap.Error) as raised:
                        gather([(file, message.offset, j)])
                    assert raised.value.code == error.code
                    continue
                found = gather([(file, message.offset, j)] * 2)
                assert found.shape[1:] == expected.shape and found[1].tobytes() == expected.tobytes()
                if expected.ndim and expected.size:
                    part = gather([(file, message.offset, j)], 0)[0]
                    assert part.tobytes() == expected[0].tobytes()
                compared += 1
    assert compared > 100


def test_files_that_are_rewritten_in_place(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 3)
    places = all_of(tgmap.open(path))
    gather(places)
    content, status = path.read_bytes(), os.stat(path)
    with open(path, "r+b") as file:
        file.write(content)
    os.utime(path, ns=(0, status.st_mtime_ns + 1))
    with pytest.raises(tgmap.ChangedFileError, match="time of change"):
        gather(places)
    assert len(gather(Places([path], [0], [0], [0]))) == 1
    os.utime(path, ns=(0, status.st_mtime_ns))
    copy = tmp_path / "copy"
    copy.write_bytes(content)
    gather(places)  # it is in the cache again
    os.utime(copy, ns=(0, status.st_mtime_ns))
    os.replace(copy, path)
    with pytest.raises(tgmap.ChangedFileError, match="another file than before"):
        gather(places)


def test_a_child_of_a_fork_begins_anew(tmp_path):
    places = all_of(tgmap.open(write_fields(tmp_path / "a.tgm", 3)))
    gather(places)
    child = os.fork()
    if child == 0:
        is_right = tgmap._core._archive_cache()[0] == 0 and len(gather(places)) == 3
        os._exit(0 if is_right and tgmap._core._archive_cache()[0] == 1 else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_parts_of_files(tmp_path):
    path = tmp_path / "a"
    content = write_fields(tmp_path / "b.tgm", 4).read_bytes()
    path.write_bytes(b"before" + content + b"behind")
    archive = tgmap.open(path, offset=6, length=len(content))
    np.testing.assert_array_equal(gather(pickle.loads(pickle.dumps(all_of(archive))))[3], field(3))
    for part in archive.partition(2):
        np.testing.assert_array_equal(gather(all_of(part))[0], field(part.first_message))


def test_max_decoded(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 2)
    places = all_of(tgmap.open(path, max_decoded=90))
    with pytest.raises(tgmap.Error, match="max_decoded=96"):
        gather(places)
    assert gather(places, 0).shape == (2, 6)


def test_places_of_addresses(tmp_path):
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 5))
    every = all_of(archive)
    assert archive.places(range(5)) == archive.places(archive.table("x")) == archive.places(archive[:]) == every
    assert archive.places([(4, 0), -2, archive[0][0]]) == archive.places([4, -2, 0]) == every[[4, 3, 0]]
    assert len(archive.places([])) == 0
    for wrong in ([5], [-6], [(0, -1)], [(1, 0), (7, 0)]):
        with pytest.raises(IndexError, match="there is no"):
            archive.places(wrong)
    with pytest.raises(TypeError, match="another archive"):
        archive.places([tgmap.open(tgmap.encode(field(1)))[0][0]])


def test_an_index_lists_the_offsets(tmp_path):
    """Places of messages that an index lists need no read of the archive."""
    path = write_fields(tmp_path / "a.tgm", 50)
    expected = all_of(tgmap.open(path))
    tgmap.open(path, index="create").close()
    archive = tgmap.open(path)
    assert archive.uses_index
    assert archive.places(range(50)) == expected
    np.testing.assert_array_equal(archive.gather([49, 3]), [field(49), field(3)])


def test_numbers_that_are_refused(tmp_path):
    places = all_of(tgmap.open(write_fields(tmp_path / "a.tgm", 2)))
    for options, error, text in [
        ({"threads": -1}, ValueError, "threads must be at least 0"),
        ({"threads": None}, TypeError, "threads must be an integer"),
        ({"max_open": 0}, ValueError, "max_open must be at least 1"),
        ({"max_open": 1.5}, TypeError, "max_open must be an integer"),
        ({"points": ([0], np.array([2**64 - 1], "u8"))}, IndexError, "out of bounds for dimension 1"),
        ({"out": [1.0]}, TypeError, "array of NumPy"),
    ]:
        with pytest.raises(error, match=text):
            gather(places, **options)
    assert len(gather(places, threads=2**40, max_open=10**30)) == 2


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("fill, error", [(1j, TypeError), ("x", TypeError), (np.datetime64("2024"), TypeError),
                                         (1e300, ValueError), ([1, 2], ValueError)], ids=str)
def test_fills_that_are_refused(tmp_path, fill, error):
    places = all_of(tgmap.open(write_fields(tmp_path / "a.tgm", 2))).take([0, -1])
    with pytest.raises(error, match="fill"):
        gather(places, fill=fill)
    assert np.isposinf(gather(places, fill=np.inf)[1]).all()
    of_integers = all_of(tgmap.open(tgmap.encode(field(0, "i4")))).take([0, -1])
    with pytest.raises((TypeError, ValueError), match="fill"):
        gather(of_integers, fill=1e10 if fill == 1j else fill)


def test_few_descriptors(tmp_path):
    """More files than a process may open are read, and descriptors are left for the program."""
    for i in range(60):
        write_fields(tmp_path / f"{i}.tgm", 1)
    code = f"""
import resource, tgmap
resource.setrlimit(resource.RLIMIT_NOFILE, (40, 40))
places = tgmap.Places.of([(f"{tmp_path}/{{i}}.tgm", 0, 0) for i in range(60)])
held = []
assert tgmap.gather(places).shape == (60, 4, 6)
is_open, opened, _ = tgmap._core._archive_cache()
assert is_open == 20 and opened == 60, (is_open, opened)
try:
    while True: held.append(open("/dev/null"))
except OSError:
    held.pop(), held.pop()
assert len(held) >= 10
assert tgmap.gather(places).shape == (60, 4, 6)  # the cache gives its descriptors back
tgmap.close_files()
assert tgmap._core._archive_cache()[0] == 0
"""
    subprocess.run([sys.executable, "-c", code], check=True)
