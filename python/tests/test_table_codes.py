# SPDX-License-Identifier: Apache-2.0
"""Different values of columns, all keys, lists of keys, and what reading them costs."""

from __future__ import annotations

import os
import time

import numpy as np
import pytest

import tgmap
from tgmap._tables.codes import joined


def write(path, rows, **options):
    """Write a message with an object for each row, which is its metadata."""
    with tgmap.create(path, reproducible=True) as out:
        for number, row in enumerate(rows):
            out.write(np.full(options.get("shape", (3,)), number, "f4"), row)
    return path


def with_index(path):
    """Give an archive a current index."""
    before = time.time() - 3600
    os.utime(path, (before, before))
    tgmap.open(path, index="create")
    assert tgmap.open(path).index_is_current
    return path


def level_rows():
    levels = [500, "850", None, 500, 500.0, [500, 850], "[500,850]", {"a": 1}, True, b"\x01\xff", -(2**64), 2**64 - 1]
    return [{} if each is None else {"level": each} for each in levels]


def reads():
    with open("/proc/self/io") as status:
        return int(status.read().split("syscr:")[1].split()[0])


def test_codes_keep_types(tmp_path):
    table = tgmap.open(write(tmp_path / "a.tgm", level_rows())).table("level")
    codes = table.codes("level")
    assert codes.codes.dtype == np.int32 and not codes.codes.flags.writeable
    assert codes.codes.tolist() == [0, 1, -1, 0, 2, 3, 4, 5, 6, 7, 8, 9]
    expected = [500, "850", 500.0, "[500,850]", "[500,850]", '{"a":1}', True, b"\x01\xff", -(2**64), 2**64 - 1]
    assert codes.values == expected
    assert [type(each) for each in codes.values] == [type(each) for each in expected]
    kinds = "integer text floating array text map boolean bytes integer integer"
    assert codes.kinds == kinds.split()
    assert table.types("level") == ("boolean", "integer", "floating", "text", "bytes", "array", "map")
    assert table.present("level").tolist() == [True, True, False] + [True] * 9


def test_integers_with_holes_stay_integers(tmp_path):
    table = tgmap.open(write(tmp_path / "a.tgm", [{"n": 3}, {}, {"n": 4}])).table(["n", "@shape"])
    assert table.codes("n").values == [3, 4] and table.types("n") == ("integer",)
    assert table["n"].dtype == np.float64  # as before
    assert table.codes("message").codes.tolist() == [0, 1, 2]
    assert table.codes("object").values == [0]
    assert table.present("@shape").all() and table.codes("@shape").kinds == ["array"]
    for call in (table.codes, table.present, table.types):
        with pytest.raises(KeyError):
            call("other")


def test_codes_of_a_collection(tmp_path):
    contents = (level_rows(), [{"level": "850", "b": 1}], [])
    paths = [write(tmp_path / f"{i}.tgm", rows) for i, rows in enumerate(contents)]
    table = tgmap.open_many(paths).table("level")
    assert isinstance(table, dict) and table.rows == len(table["level"]) == 13
    assert table.codes("level").codes.tolist()[-2:] == [9, 1]
    assert table.codes("archive").codes.tolist() == [0] * 12 + [1]
    assert table.types("level")[0] == "boolean"
    assert table.present("level").sum() == 12
    everything = tgmap.open_many(paths).table(all_keys=True)
    assert list(everything) == ["archive", "message", "object", "b", "level", "level.a"]
    assert everything.codes("b").codes.tolist() == [-1] * 12 + [0]
    assert everything.types("level.a") == ("integer",) and "map" not in everything.types("level")


def test_joined_codes_are_those_of_one_table(tmp_path):
    rows = level_rows() + [{"level": float("nan")}, {"level": float("nan")}, {"level": 0.0}, {"level": -0.0}]
    whole = tgmap.open(write(tmp_path / "a.tgm", rows)).table("level").codes("level")
    parts = [
        tgmap.open(write(tmp_path / f"{i}.tgm", rows[i : i + 4])).table("level").codes("level") for i in range(0, 16, 4)
    ]
    found = joined(parts)
    assert found.codes.tolist() == whole.codes.tolist()
    assert repr(found.values) == repr(whole.values) and found.kinds == whole.kinds


def test_all_keys_are_columns(tmp_path):
    rows = [{"mars": {"step": i, "grid": [1, 2]}, "name": "t"} for i in range(40)] + [{"mars": {"rare": {"a": 1}}}]
    archive = tgmap.open(write(tmp_path / "a.tgm", rows))
    table = archive.table(all_keys=True)
    assert table.names == ("message", "object", "mars.grid", "mars.rare.a", "mars.step", "name")
    assert table.codes("mars.rare.a").codes.tolist() == [-1] * 40 + [0]
    assert table.omitted == () and not table.omits_more
    assert archive.table("mars.step", all_keys=True).names[2:4] == ("mars.step", "mars.grid")
    assert archive.table(all_keys=True, where="mars.step=3")["mars.grid"].tolist() == ["[1,2]"]


def test_keys_are_listed(tmp_path):
    rows = [{"mars": {"step": i % 3, "level": i if i % 2 else "s"}} for i in range(6)] + [{"mars": {"grid": [1]}}]
    path = write(tmp_path / "a.tgm", rows)
    keys = tgmap.open(path).keys()
    assert dict(keys) == {
        "mars.grid": tgmap.KeySummary(1, 1, False, ("array",)),
        "mars.level": tgmap.KeySummary(6, 4, False, ("integer", "text")),
        "mars.step": tgmap.KeySummary(6, 3, False, ("integer",)),
    }
    assert not keys.is_by_index and not keys.omits_more and keys.unread == []
    assert repr(keys).splitlines() == [
        "key         messages  values  kinds",
        "mars.grid          1       1  array",
        "mars.level         6       4  integer, text",
        "mars.step          6       3  integer",
        "[3 keys]",
    ]
    assert "<td>mars.level</td><td>6</td>" in keys._repr_html_()
    with_index(path)
    by_index = tgmap.open(path).keys()
    assert dict(by_index) == dict(keys) and by_index.is_by_index
    other = write(tmp_path / "b.tgm", [{"mars": {"step": 7}}, {"x": "\x1b[0m"}])
    both = tgmap.open_many([path, other]).keys()
    assert both["mars.step"] == tgmap.KeySummary(7, 4, False, ("integer",))
    assert list(both) == ["mars.grid", "mars.level", "mars.step", "x"]


def test_names_in_lists_of_keys_are_escaped(tmp_path):
    keys = tgmap.open(write(tmp_path / "a.tgm", [{"\x1b[31m": 1}])).keys()
    assert "\x1b" not in repr(keys)


def test_kinds_are_numbers_of_dtypes_and_shapes(tmp_path):
    path = tmp_path / "a.tgm"
    with tgmap.create(path, reproducible=True) as out:
        for array in (np.zeros((2, 3), "f4"), np.zeros((3, 2), "f4"), np.ones((2, 3), "f4"), np.zeros((2, 3), "i4")):
            out.write(array)
    archive = tgmap.open(path)
    kinds = archive.table("@kind").codes("@kind")
    assert kinds.codes.tolist() == [0, 1, 0, 2]
    assert all(0 <= each < 2**53 for each in kinds.values)
    assert len(archive.table("@shape", where={"@kind": kinds.values[0]})) == 2
    assert kinds.values[0] == 992732959689604  # the same everywhere, at any time


def test_a_table_reads_few_times_and_none_with_an_index(tmp_path):
    rows = [{"mars": {"step": i % 50, "level": i % 7, "grid": [1, 2]}, "name": "t"} for i in range(2000)]
    path = write(tmp_path / "a.tgm", rows, shape=(40,))
    keys = ["@dtype", "@shape", "name"]

    def reads_of_table(**options):
        archive = tgmap.open(path, **options)
        len(archive)
        before = reads()
        table = archive.table(keys, all_keys=True, threads=1)
        assert table.names[5:] == ("mars.grid", "mars.level", "mars.step") and len(table) == 2000
        return reads() - before

    for mode in ("map", "read"):
        assert reads_of_table(index="none", mode=mode) < 2000 * (0.5 if mode == "map" else 2.5)
    with_index(path)
    pages = os.path.getsize(f"{path}.tgx") // 4096
    assert reads_of_table(index="use") <= 3 * pages + 20
    # Nothing of the archive is read: its bytes are gone, with the same size and time.
    archive = tgmap.open(path)
    len(archive)
    status = os.stat(path)
    with open(path, "r+b") as file:
        file.write(bytes(status.st_size))
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))
    assert len(archive.table(keys, all_keys=True)) == 2000
    assert archive.keys()["mars.level"] == tgmap.KeySummary(2000, 7, False, ("integer",))
    with pytest.raises(tgmap.Error):
        archive.table("@hash")
