# SPDX-License-Identifier: Apache-2.0
"""Parts of archives."""

from __future__ import annotations

import pickle

import numpy as np
import pytest
from archives import field, write_fields

import tgmap


@pytest.fixture(params=["file", "memory", "read"])
def archive(request, tmp_path):
    path = write_fields(tmp_path / "a.tgm", 20)
    if request.param == "memory":
        return tgmap.open(path.read_bytes())
    return tgmap.open(path, mode="auto" if request.param == "file" else "read")


@pytest.mark.parametrize("count", [1, 2, 3, 7, 20, 50])
def test_parts_have_all_messages_in_order(archive, count):
    parts = archive.partition(count)
    assert len(parts) == min(count, 20)
    numbers = [part.first_message + i for part in parts for i in range(len(part))]
    assert numbers == list(range(20))
    assert sum(part.nbytes for part in parts) == archive.nbytes
    for part in parts:
        for i, message in enumerate(part):
            assert np.array_equal(message[0].array, field(part.first_message + i))


def test_parts_of_parts_and_pickles(archive):
    part = archive.partition(2)[1].partition(2)[1]
    first, count = part.first_message, len(part)
    assert first + count == 20
    again = pickle.loads(pickle.dumps(part))
    assert (again.first_message, len(again), again.nbytes) == (first, count, part.nbytes)
    o = pickle.loads(pickle.dumps(part[1][0]))
    assert np.array_equal(o.array, field(first + 1))


def test_tables_and_arrays_of_parts(archive):
    parts = archive.partition(3)
    together = np.concatenate([part.gather(part.table("x")) for part in parts])
    assert np.array_equal(together, archive.gather(range(20)))


def test_mode_and_damage_are_kept(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 6)
    path.write_bytes(path.read_bytes() + b"damage" + path.read_bytes())
    parts = tgmap.open(path, damage="skip", mode="read").partition(4)
    assert {part.mode for part in parts} == {"read"}
    assert sum(map(len, parts)) == 12
    assert sum(len(part.gaps) for part in parts) == 1


def test_no_messages_and_wrong_counts(data, archive):
    assert tgmap.open(b"").partition(3) == []
    with pytest.raises(ValueError):
        archive.partition(0)


def test_archive_that_was_replaced(tmp_path):
    path = write_fields(tmp_path / "a.tgm", 20)
    archive = tgmap.open(path)
    size = path.stat().st_size
    path.unlink()
    path.write_bytes(bytes(size))
    with pytest.raises(ValueError, match="replaced"):
        archive.partition(2)


def test_file_descriptor(tmp_path):
    with open(write_fields(tmp_path / "a.tgm"), "rb") as file:
        with pytest.raises(TypeError, match="path"):
            tgmap.open(file).partition(2)
