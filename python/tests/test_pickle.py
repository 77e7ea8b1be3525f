# SPDX-License-Identifier: Apache-2.0
"""Pickles of archives, messages and objects."""

from __future__ import annotations

import gc
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
