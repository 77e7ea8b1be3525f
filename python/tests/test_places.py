# SPDX-License-Identifier: Apache-2.0
"""Places of objects: what they hold, pickles, tokens, and files that change."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest
from archives import field, write_fields

import tgmap
from tgmap._gathering.coded import decode, encode
from tgmap._gathering.digits import read_digits, size_of_digits, write_digits


def places_of(*archives):
    """Return places of all first objects of archives."""
    numbers = [i for i, archive in enumerate(archives) for _ in archive]
    offsets = [message.offset for archive in archives for message in archive]
    return tgmap.Places(archives, numbers, offsets, np.zeros(len(numbers), int))


@pytest.fixture
def archives(tmp_path):
    write_fields(tmp_path / "a.tgm", 4)
    with tgmap.create(tmp_path / "b.tgm") as out:
        for i in (10, 11):
            out.write([field(i), field(i + 100)])
    return tgmap.open(tmp_path / "a.tgm"), tgmap.open(tmp_path / "b.tgm")


def test_rows(archives):
    places = places_of(*archives)
    assert len(places) == 6 and places.paths == [each.path for each in archives]
    assert places.archive_of_each.tolist() == [0, 0, 0, 0, 1, 1] and not places.holes.any()
    assert places[4:].paths == [archives[1].path] and places[4:].archive_of_each.tolist() == [0, 0]
    assert places[np.array([5, 0, -1])].offsets.tolist() == places.offsets[[5, 0, -1]].tolist()
    assert places[places.archive_of_each == 1] == places[[4, 5]] == places[4:]
    assert places[[]].paths == [] and len(places[[]]) == 0
    taken = places.take([[0, -1], [5, -1]])
    assert taken.holes.tolist() == [False, True, False, True] and taken.paths == places.paths
    assert places.address(5) == f"object 0 at byte {archives[1][1].offset} of b.tgm" and taken.address(1) == "no object"
    for wrong in ([6], [-2]):
        with pytest.raises(IndexError, match="from -1 to 5"):
            places.take(wrong)
    with pytest.raises(TypeError, match="one dimension"):
        places[0]
    with pytest.raises(ValueError, match="read-only"):
        places.offsets[0] = 1


def test_lists_have_the_same_places(archives):
    places = places_of(*archives)
    rows = [(archives[i], message.offset, 0) for i in (0, 1) for message in archives[i]]
    assert tgmap.Places.of(rows) == places
    assert tgmap.Places.of([(each.path, offset, 0) for each, offset, _ in rows]) == places
    assert tgmap.Places.of([None, *rows])[1:] == places and tgmap.Places.of([None]).holes.tolist() == [True]


@pytest.mark.parametrize(
    "columns, error, text",
    [
        (([0], [0, 1], [0]), ValueError, "one length, not 1, 2 and 1"),
        (([2], [0], [0]), ValueError, "from -1 to 1"),
        (([-2], [0], [0]), ValueError, "from -1 to 1"),
        (([0], [-1], [0]), ValueError, "negative"),
        (([0], [0], [-1]), ValueError, "negative"),
        (([0.0], [0], [0]), TypeError, "archive_of_each must be integers"),
        (([0], [2**64 - 1], [0]), ValueError, "offsets must be below"),
        (([0], [0], [[0]]), TypeError, "objects must be integers in one dimension"),
    ],
)
def test_columns_that_are_refused(archives, columns, error, text):
    with pytest.raises(error, match=text):
        tgmap.Places(archives, *columns)


@pytest.mark.parametrize("order", ["of the file", "transposed", "random"])
@pytest.mark.parametrize("sizes", ["equal", "different"])
def test_bytes_of_pickles(archives, order, sizes):
    rng = np.random.default_rng(1)
    count, most = 10_000, {"equal": 0.1, "different": 2.02}[sizes]  # sizes have log2(31,250) / 8 = 1.87 bytes
    offsets = np.cumsum(np.full(count, 40_968) if sizes == "equal" else rng.integers(250_000, 281_250, count) * 8)
    cells = np.arange(count)
    if order == "transposed":
        cells = cells.reshape(10, 50, 20).transpose(1, 2, 0).reshape(-1)
    if order == "random":
        cells, most = rng.permutation(count), most + 1.7  # no order without a pattern has less than 1.48
    places = tgmap.Places(archives[:1], np.zeros(count, int), offsets, np.arange(count) % 3)[cells]
    pickled = pickle.dumps(places)
    assert pickle.loads(pickled) == places
    assert len(pickled) <= most * count
    assert len(pickle.dumps(places[:100])) < 1024


@pytest.mark.parametrize("limit", [1, 2, 3, 10, 255, 256, 10_000, 2**31 - 1, 2**40 + 1, 2**62 + 1, 2**63])
def test_digits(limit):
    rng = np.random.default_rng(limit % 97)
    for count in (0, 1, 2, 7, 1000):
        numbers = rng.integers(0, limit, count, dtype=np.uint64)
        numbers[: count // 3] = limit - 1
        data = write_digits(numbers, limit)
        assert len(data) == size_of_digits(count, limit) <= count * max(1, (limit - 1).bit_length()) / 8 + 8
        assert read_digits(data, count, limit).tolist() == numbers.tolist()
        for wrong in (data + b"\0", data[:-1]) if data else (b"\0",):
            with pytest.raises(ValueError, match="another size"):
                read_digits(wrong, count, limit)
    assert size_of_digits(3000, 10_000) == 5000  # 40 bits for three


@pytest.mark.parametrize(
    "column",
    [
        [],
        [5],
        [0, 2**63 - 1, 0],
        [2**63 - 1, -1, 0, 5],
        list(range(1000, 0, -1)),
        [3, 3, 3],
        [0, 8, 24, 16] * 50,
    ],
)
def test_columns_of_pickles(column):
    found = np.array(column, dtype=np.int64)
    zeros = np.zeros_like(found)
    for columns in ((zeros, found, zeros), (found, zeros, zeros), (zeros, zeros, found)):
        assert [each.tolist() for each in decode(encode(*columns))] == [each.tolist() for each in columns]


def test_pickles_of_few(archives):
    for places in (places_of(*archives), places_of(*archives)[:0], places_of(*archives).take([-1, 5, 0, -1])):
        loaded = pickle.loads(pickle.dumps(places))
        assert loaded == places and loaded.token() == places.token()


def test_tokens(archives):
    places = places_of(*archives)
    token = places.token()
    assert places_of(*archives).token() == token and hash(token) == hash(places.token())
    assert places[::-1].token() != token != places[1:].token()
    assert places.take([0]).token() != places.take([-1]).token()
    os.utime(archives[0].path, ns=(0, 1))
    assert places_of(*archives).token() == token  # the archives are open in the state that they had
    assert places_of(*(tgmap.open(each.path) for each in archives)).token() != token
    contents = [tgmap.encode(field(i)) for i in (0, 1)]
    in_memory = [places_of(tgmap.open(contents[i])).token() for i in (0, 0, 1)]
    assert in_memory[0] == in_memory[1] != in_memory[2]


def test_offsets_of_objects(archives):
    content = open(archives[1].path, "rb").read()
    for message in archives[1]:
        assert content[message.offset : message.offset + 8] == b"TENSOGRM"
        for each in message:
            assert content[each.frame_offset : each.frame_offset + 2] == b"FR"
            assert content[each.payload_offset :][: each.nbytes] == each.array.tobytes()


def test_files_that_change(archives):
    places = places_of(*archives)
    loaded = pickle.loads(pickle.dumps(places))
    path = archives[0].path
    content = open(path, "rb").read()
    time = os.stat(path).st_mtime_ns
    with open(path, "r+b") as file:
        file.write(content)
    os.utime(path, ns=(time, time + 1))
    for each in (places, loaded):
        with pytest.raises(tgmap.ChangedFileError, match=r"a\.tgm.*time of change") as raised:
            tgmap.gather(each)
        assert (raised.value.code, raised.value.expected, raised.value.found) == ("archive_changed", time, time + 1)
        assert isinstance(pickle.loads(pickle.dumps(raised.value)), tgmap.ChangedFileError)
        assert len(tgmap.gather(each[4:])) == 2  # of the other file
    with open(path, "ab") as file:
        file.write(b"more")
    with pytest.raises(tgmap.ChangedFileError, match="bytes instead of") as raised:
        tgmap.gather(loaded)
    assert (raised.value.expected, raised.value.found) == (len(content), len(content) + 4)
    os.remove(path)
    with pytest.raises(FileNotFoundError):
        tgmap.gather(loaded)


def test_files_that_were_replaced(archives):
    path = archives[0].path
    os.replace(archives[1].path, path)
    with pytest.raises(tgmap.ChangedFileError, match="leads to another file"):
        tgmap.Places([archives[0]], [0], [0], [0])
    assert np.array_equal(tgmap.gather(tgmap.Places([path], [0], [0], [1])), [field(110)])


def test_archives_without_a_path(monkeypatch, tmp_path):
    places = places_of(tgmap.open(tgmap.encode(field(3))))
    assert np.array_equal(tgmap.gather(pickle.loads(pickle.dumps(places))), [field(3)])
    monkeypatch.setattr("tgmap._gathering.places._LARGEST_PICKLED", 64)
    with pytest.raises(TypeError, match="write it to a file"):
        pickle.dumps(places)
    with open(write_fields(tmp_path / "a.tgm"), "rb") as file:
        of_descriptor = places_of(tgmap.open(file.fileno()))
    assert np.array_equal(tgmap.gather(of_descriptor)[9], field(9))
    with pytest.raises(TypeError):
        pickle.dumps(of_descriptor)


@pytest.mark.parametrize("rows", [[True, False], [0.7, 1.9], ["1"], np.ma.array([0, 1], mask=[False, True])], ids=str)
def test_rows_that_are_refused(archives, rows):
    with pytest.raises(TypeError, match="rows must"):
        places_of(*archives).take(rows)


def test_rows_that_do_not_wrap(archives):
    with pytest.raises(ValueError, match="rows must be below"):
        places_of(*archives).take(np.array([2**64 - 1], "u8"))


def test_archives_that_are_refused(archives):
    for wrong in ("a.tgm", archives[0], os.fsencode("a.tgm")):
        with pytest.raises(TypeError, match="brackets"):
            tgmap.Places(wrong, [0], [0], [0])
    for size, time in ((-1, 0), (2**63, 0), (0, -(2**70))):
        with pytest.raises(ValueError, match="64 bits"):
            tgmap.Places([("a.tgm", size, time)], [0], [0], [0])


def flipped(value, rng):
    """Return a part of a pickle in which one number or one byte is another one."""
    if isinstance(value, tuple):
        at = int(rng.integers(len(value)))
        return (*value[:at], flipped(value[at], rng), *value[at + 1 :])
    if isinstance(value, bytes):
        at = int(rng.integers(len(value)))
        return value[:at] + bytes([value[at] ^ int(rng.integers(1, 256))]) + value[at + 1 :]
    return 7 if value is None else value + int(rng.integers(1, 2**62))


def test_damaged_pickles(archives):
    places = places_of(*archives)[::-1]
    rng = np.random.default_rng(2)
    restore, (entries, coded) = places.__reduce__()
    assert restore(entries, coded) == places
    for wrong in ((), entries[:1]):
        with pytest.raises(ValueError, match="archive_of_each"):
            restore(wrong, coded)
    damaged = [flipped(coded, rng) for _ in range(200)]
    for wrong in ((), coded[:-1], (0, *coded[1:]), (coded[0], 2**60, *coded[2:]), *damaged):
        with pytest.raises(ValueError, match="pickle of places is damaged"):
            restore(entries, wrong)
