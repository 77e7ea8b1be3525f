# SPDX-License-Identifier: Apache-2.0
"""Pickles of archives, messages and objects."""

from __future__ import annotations

import gc
import os
import pickle
import shutil
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context

import numpy as np
import pytest
from archives import field, write_fields

import tgmap
from tgmap import _pickling


def copy_of(thing):
    return pickle.loads(pickle.dumps(thing))


@pytest.fixture
def path(tmp_path):
    return write_fields(tmp_path / "a.tgm", 50)


def test_archive(path):
    archive = tgmap.open(path)
    again = copy_of(archive)
    assert isinstance(again, tgmap.Archive)
    assert again.path == str(path) and len(again) == 50
    assert again.first_message == 0
    archive.close()
    with pytest.raises(ValueError, match="closed"):
        pickle.dumps(archive)


def test_nothing_is_scanned(path):
    archive = tgmap.open(path, index="none")
    third = archive[2]
    assert not archive.is_complete
    message, o = copy_of((third, third[0]))
    assert not archive.is_complete
    assert np.array_equal(o.array, field(2))
    assert message.offset == third.offset and message.index is None
    state = pickle.loads(pickle.dumps(archive))
    assert not state.is_complete
    assert state[1].index == 1  # finds two messages alone
    assert not state.is_complete


def test_handles_share_one_archive(path):
    gc.collect()
    _pickling._opened_archives.clear()
    archive = tgmap.open(path)
    text = [pickle.dumps(archive[i][0]) for i in range(20)]
    objects = [pickle.loads(each) for each in text]
    assert len({id(o._opened) for o in objects}) == 1
    assert objects[0]._opened is not archive._opened
    assert len(_pickling._opened_archives) == 1
    assert pickle.loads(text[3])._opened is objects[0]._opened
    for i, o in enumerate(objects):
        assert np.array_equal(o.array, field(i))
    del objects, o
    gc.collect()
    assert len(_pickling._opened_archives) == 0


def test_many_handles_are_small(path):
    archive = tgmap.open(path)
    one, many = len(pickle.dumps(archive[0])), len(pickle.dumps([m for m in archive]))
    assert many < one + 50 * 60


def test_relative_path(path, monkeypatch):
    monkeypatch.chdir(path.parent)
    archive = tgmap.open("a.tgm")
    text = pickle.dumps(archive[1])
    monkeypatch.chdir(path.parent.parent)
    assert pickle.loads(text)[0].shape == (4, 6)


def test_an_archive_that_has_grown_is_fine(path):
    text = pickle.dumps(tgmap.open(path)[49][0])
    with open(path, "ab") as file:
        file.write(tgmap.encode(field(50)))
    o = pickle.loads(text)
    assert np.array_equal(o.array, field(49))
    assert len(pickle.loads(pickle.dumps(tgmap.open(path)))) == 51


@pytest.mark.parametrize("change", ["first", "last", "shorter", "absent"])
def test_another_archive_is_an_error(path, change):
    text = pickle.dumps(tgmap.open(path)[1])
    data = bytearray(path.read_bytes())
    path.unlink()
    if change != "absent":
        data[100 if change == "first" else -100] ^= 255
        path.write_bytes(data[:-1000] if change == "shorter" else data)
    with pytest.raises(FileNotFoundError if change == "absent" else ValueError) as raised:
        pickle.loads(text)
    if change != "absent":
        assert "not the archive that was pickled" in str(raised.value)


def test_options_are_kept(path, tmp_path):
    moved = tmp_path / "moved.bin"
    moved.write_bytes(b"header" + path.read_bytes() + b"junk")
    size = path.stat().st_size
    archive = tgmap.open(moved, offset=6, length=size, mode="read", damage="skip")
    again = copy_of(archive)
    assert again.nbytes == size and again.mode == "read" and len(again) == 50


def test_in_memory(path):
    archive = tgmap.open(path.read_bytes())
    again = copy_of(archive)
    assert again.nbytes == archive.nbytes and np.array_equal(again[7][0].array, field(7))
    message, o = copy_of(archive[7]), copy_of(archive[7][0])
    assert np.array_equal(message[0].array, field(7)) and np.array_equal(o.array, field(7))
    assert len(pickle.dumps(archive[7])) < 2 * archive[7].length


def test_file_descriptors_cannot_be_pickled(path):
    with open(path, "rb") as file:
        archive = tgmap.open(file)
        with pytest.raises(TypeError, match="descriptor"):
            pickle.dumps(archive)
        with pytest.raises(TypeError, match="descriptor"):
            pickle.dumps(archive[0][0])


def test_refreshed_archive(path):
    archive = tgmap.open(path)
    pickle.dumps(archive)
    with open(path, "ab") as file:
        file.write(tgmap.encode(field(50)))
    archive.refresh()
    assert np.array_equal(copy_of(archive[50][0]).array, field(50))


def test_index_is_used_again(path):
    archive = tgmap.open(path, index="create")
    again = copy_of(archive)
    assert again.uses_index
    assert again is not archive


def test_arrays_and_metadata_become_plain(path):
    archive = tgmap.open(path)
    array, metadata = copy_of((archive[3][0].array, archive[3][0].metadata))
    assert type(array) is np.ndarray and np.array_equal(array, field(3))
    assert type(metadata) is dict and metadata["mars"]["param"] == "2t"


def total(o):
    return float(o.array.sum())


def first_number(archive):
    return archive.first_message, len(archive)


@pytest.mark.parametrize("method", ["spawn", "fork"])
def test_worker_processes(path, method):
    archive = tgmap.open(path)
    archive.gather(range(50), threads=2)
    with ProcessPoolExecutor(2, mp_context=get_context(method)) as pool:
        totals = list(pool.map(total, (m[0] for m in archive), chunksize=10))
        assert totals == [float(field(i).sum()) for i in range(50)]
        parts = list(pool.map(first_number, archive.partition(3)))
    assert sum(count for _, count in parts) == 50


def test_copies_of_a_file_are_two_archives(path, tmp_path):
    other = tmp_path / "b.tgm"
    shutil.copy(path, other)
    one, two = copy_of((tgmap.open(path)[0], tgmap.open(other)[0]))
    assert one._opened is not two._opened
    assert one != two


def grow(path, count=1):
    with open(path, "ab") as file:
        for _ in range(count):
            file.write(tgmap.encode(field(50)))


def test_a_copy_sees_what_its_original_sees(path):
    archive = tgmap.open(path)
    before = pickle.dumps(archive)
    grow(path, 2)
    for text in (before, pickle.dumps(archive)):
        again = pickle.loads(text)
        assert (len(again), again.nbytes) == (50, archive.nbytes)
        again.refresh()
        assert len(again) == 52
    archive.refresh()
    assert [len(copy_of(archive)), len(pickle.loads(before))] == [52, 50]
    grow(path)
    again = copy_of(copy_of(archive))  # a copy of a copy
    assert len(again) == 52 and sum(len(part) for part in again.partition(3)) == 52
    archive.refresh()
    assert len(copy_of(archive)) == 53 and np.array_equal(copy_of(archive[52][0]).array, field(50))


def test_a_part_sees_what_its_original_sees(path):
    size = path.stat().st_size
    part = tgmap.open(path).partition(2)[1]
    grow(path)
    assert [len(copy_of(part)), copy_of(part).nbytes] == [len(part), part.nbytes]
    whole = tgmap.open(path, length=size)
    assert len(copy_of(whole)) == 50


def touch(path, seconds):
    status = path.stat()
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + seconds * 10**9))


def rewrite(path, offset, keeps_time):
    """Change a byte in place."""
    status = path.stat()
    with open(path, "r+b") as file:
        file.seek(offset)
        byte = file.read(1)
        file.seek(offset)
        file.write(bytes([byte[0] ^ 255]))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns + (0 if keeps_time else 10**9)))


HASHES = {"hashes": {}, "no hashes": {"hashes": False}, "version 2": {"version": 2}}


@pytest.fixture(params=HASHES.values(), ids=HASHES)
def large(request, tmp_path):
    """An archive whose middle message is far from its ends, and has two objects."""
    with tgmap.create(tmp_path / "large.tgm", **request.param) as out:
        for i in range(3):
            out.write([tgmap.NewObject(np.full(40_000, 10.0 * i + j), {"name": f"{i}{j}"}) for j in range(2)])
    return tmp_path / "large.tgm"


def offset_of(o):
    """Return where the elements of an object begin, which are stored as they are."""
    message = o.message.bytes
    first = np.frombuffer(o.payload, "u1").ctypes.data - np.frombuffer(message, "u1").ctypes.data
    return o.message.offset + first


def test_another_time_alone_is_no_other_archive(large, tmp_path):
    archive = tgmap.open(large)
    texts = [pickle.dumps(each) for each in (archive, archive[1], archive[1][0])]
    touch(large, 5)
    copied, message, o = (pickle.loads(each) for each in texts)
    assert len(copied) == 3 and message[1].array[0] == 11 and o.array[0] == 10
    del copied, message, o
    other = tmp_path / "other.tgm"
    shutil.copyfile(large, other)
    os.replace(other, large)  # another number and another time
    copied, message, o = (pickle.loads(each) for each in texts)
    assert len(copied) == 3 and message[1].array[0] == 11 and o.array[0] == 10


def test_another_payload_is_noticed_by_another_time(large):
    archive = tgmap.open(large, mode="read")
    first, second, message = (pickle.dumps(each) for each in (archive[1][0], archive[1][1], archive[1]))
    rewrite(large, offset_of(tgmap.open(large)[1][0]) + 200_000, keeps_time=False)
    for text in (first, message):
        with pytest.raises(ValueError, match="not the archive that was pickled"):
            pickle.loads(text)
    assert pickle.loads(second).array[0] == 11  # its own bytes are the same


def test_other_metadata_is_noticed_at_the_same_time(large):
    archive = tgmap.open(large, mode="read")
    texts = [pickle.dumps(each) for each in (archive[1][0], archive[1])]
    message = tgmap.open(large)[1]
    at = bytes(message.bytes).index(b"name\x6210") + 5
    rewrite(large, message.offset + at, keeps_time=True)
    for text in texts:
        with pytest.raises(ValueError, match="not the archive that was pickled"):
            pickle.loads(text)


def test_another_descriptor_is_noticed_at_the_same_time(tmp_path):
    paths = [tmp_path / name for name in ("a.tgm", "b.tgm")]
    for path, shape in zip(paths, ((20, 12), (12, 20))):
        with tgmap.create(path, reproducible=True) as out:
            for i in range(200):
                out.write(np.zeros(shape if i == 100 else (20, 12)))
    assert paths[0].stat().st_size == paths[1].stat().st_size
    text = pickle.dumps(tgmap.open(paths[0])[100][0])
    status = paths[0].stat()
    os.utime(paths[1], ns=(status.st_atime_ns, status.st_mtime_ns))
    os.replace(paths[1], paths[0])
    with pytest.raises(ValueError, match="not the archive that was pickled"):
        pickle.loads(text)


def test_a_replaced_file_is_not_pickled_as_the_old_one(path, tmp_path):
    archive = tgmap.open(path)
    message = archive[1]
    shutil.copy2(path, tmp_path / "b.tgm")  # the same size, time and content
    os.replace(tmp_path / "b.tgm", path)
    for each in (archive, message, message[0]):
        with pytest.raises(ValueError, match="replaced"):
            pickle.dumps(each)
    with pytest.raises(ValueError, match="replaced"):
        archive.partition(2)
    with pytest.warns(tgmap.ReplacedWarning):
        archive.refresh()
    assert len(copy_of(archive)) == 50 and np.array_equal(message[0].array, field(1))


def test_damaged_messages_can_be_pickled(data):
    archive = tgmap.open(data / "gap_between.tgm", damage="skip")
    assert [copy_of(m).offset for m in archive] == [m.offset for m in archive]
