# SPDX-License-Identifier: Apache-2.0
"""Tables of keys."""

from __future__ import annotations

import numpy as np
import pytest
from archives import field, with_values, write_fields

import tgmap


@pytest.fixture
def archive(tmp_path):
    return tgmap.open(write_fields(tmp_path / "a.tgm"))


def test_columns_have_the_values_of_metadata(archive):
    table = archive.table(["mars.param", "mars.step", "x", "ok", "source"])
    assert table.names == ("message", "object", "mars.param", "mars.step", "x", "ok", "source")
    assert table.rows == len(table) == 10
    assert table["message"].tolist() == list(range(10))
    assert table["object"].tolist() == [0] * 10
    assert table["mars.param"].tolist() == ["10u", "2t"] * 5
    assert table["mars.step"].tolist() == [0, 0, 6, 6, 12, 12, 18, 18, 24, 24]
    assert table["x"].tolist() == [i / 2 for i in range(10)]
    assert table["ok"].tolist() == [True] * 5 + [False] * 5
    assert table["source"].tolist() == ["demo"] * 10
    kinds = {name: table[name].dtype.str[1:] for name in table.names}
    assert kinds == {
        "message": "i8",
        "object": "i8",
        "mars.param": "O",
        "mars.step": "i8",
        "x": "f8",
        "ok": "b1",
        "source": "O",
    }
    assert table["mars.param"][0] is table["mars.param"][2]
    assert not table["x"].flags.writeable
    assert table["x"] is table["x"]


def test_table_outlives_its_archive(archive):
    table = archive.table("x")
    archive.close()
    del archive
    assert table["x"].sum() == 22.5
    column = table["message"]
    del table
    assert column.sum() == 45


def test_rows_are_messages(archive, data):
    table = archive.table("mars.param", objects=False)
    assert table.names == ("message", "mars.param")
    assert table.addresses.tolist() == [[i, 0] for i in range(10)]
    several = tgmap.open(data / "mixed_0.tgm")
    counts = several.table("@objects", objects=False)["@objects"].tolist()
    assert counts == [len(m) for m in several]
    assert len(several.table([])) == sum(counts)


def test_selected_rows(archive):
    table = archive.table("x", where="mars.param=2t and mars.step>=12")
    assert table["message"].tolist() == [5, 7, 9]
    assert table.addresses.tolist() == [[5, 0], [7, 0], [9, 0]]
    assert table.addresses.dtype == np.int64
    assert len(archive.table("x", where="mars.param=none")) == 0
    with pytest.raises(tgmap.Error, match="selection"):
        archive.table("x", where="mars.param")


def test_index_gives_the_same_table(tmp_path):
    path = write_fields(tmp_path / "a.tgm")
    keys, where = ["mars.param", "x"], "mars.step>6"
    without = tgmap.open(path, index="none").table(keys, where=where)
    with_index = tgmap.open(path, index="create")
    assert with_index.uses_index
    table = with_index.table(keys, where=where)
    for name in table.names:
        assert table[name].tolist() == without[name].tolist()


def test_missing_values():
    def column(values):
        array = with_values(values).table("k")["k"]
        return array.dtype.str[1:], [None if x != x else x for x in array.tolist()]

    assert column([1, None]) == ("f8", [1.0, None])
    assert column([2**60 + 1, None]) == ("O", [2**60 + 1, None])
    assert column([-(2**60), None]) == ("O", [-(2**60), None])
    assert column([2**63 + 1, 1]) == ("u8", [2**63 + 1, 1])
    assert column([2**63 + 1, None]) == ("O", [2**63 + 1, None])
    assert column([1.5, None]) == ("f8", [1.5, None])
    assert column([True, None]) == ("O", [True, None])
    assert column(["a", None, "a"]) == ("O", ["a", None, "a"])
    assert column([None, None]) == ("O", [None, None])
    assert column([1, 2.5]) == ("f8", [1.0, 2.5])
    assert column([1, "1", [1, 2], 0.5]) == ("O", ["1", "1", "[1,2]", "0.5"])


def test_wrong_names(archive):
    table = archive.table("x")
    with pytest.raises(KeyError):
        table["y"]
    assert "x" in table and "y" not in table
    with pytest.raises(ValueError, match="twice"):
        archive.table(["x", "x"])
    with pytest.raises(ValueError, match="@message"):
        archive.table(["message"])
    with pytest.raises(TypeError, match="text"):
        archive.table([1])
    with pytest.raises(tgmap.Error):
        archive.table("@nothing")
    archive.close()
    with pytest.raises(ValueError, match="closed"):
        archive.table("x")


def test_messages_that_cannot_be_read():
    good = tgmap.encode(field(0), {"k": 1})
    position = good.index(b"\x64base")  # a key of the metadata
    damaged = good[:position] + b"\xff" + good[position + 1 :]
    archive = tgmap.open(good + damaged + good)
    with pytest.raises(tgmap.Error):
        archive.table("k")
    table = archive.table("k", skip_unread=True)
    assert table["message"].tolist() == [0, 2]
    assert [number for number, _ in table.unread] == [1]
    assert "CBOR" in table.unread[0][1]


def test_real_files_have_the_values_of_lookups(data):
    files = sorted(data.glob("w0.24*.tgm"))
    assert len(files) > 20
    for file in files:
        archive = tgmap.open(file)
        table = archive.table(["dtype", "@payload", "name"])
        rows = [(m, o) for m in archive for o in m]
        assert len(table) == len(rows)
        for row, (message, o) in enumerate(rows):
            assert table["message"][row] == message.index
            assert table["object"][row] == o.index
            if "dtype" not in o.metadata:
                assert table["dtype"][row] == str(o.descriptor.dtype)
            expected = o.metadata.get("name")
            if isinstance(expected, str):
                assert table["name"][row] == expected


def test_print(archive):
    text = repr(archive.table(["mars.param", "x"]))
    assert text.splitlines()[0].split() == ["message", "object", "mars.param", "x"]
    assert text.endswith("[10 rows x 4 columns]")
    assert "<th>mars.param</th>" in archive.table(["mars.param"])._repr_html_()
    assert "..." in repr(tgmap.open(b"".join([tgmap.encode(field(0))] * 30)).table([]))
    assert repr(archive.table([], where="x=99")).endswith("[0 rows x 2 columns]")


def test_pandas(archive):
    pandas = pytest.importorskip("pandas")
    frame = archive.to_pandas(["mars.param", "x"], where="mars.param=2t")
    assert isinstance(frame, pandas.DataFrame)
    assert frame["x"].tolist() == [0.5, 1.5, 2.5, 3.5, 4.5]
    frame["x"] = frame["x"] * 2
    assert dict(archive.table("x"))["x"].tolist() == [i / 2 for i in range(10)]


VALUES = {
    "integer": [1, None, 3],
    "large": [2**63, 1, None],
    "real": [0.5, None, 2.5],
    "truth": [True, False, None],
    "text": ["é", None, "é"],
    "nothing": [None, None, None],
    "whole": [7, 8, 9],
}


def all_types():
    rows = [{name: column[i] for name, column in VALUES.items() if column[i] is not None} for i in range(3)]
    return tgmap.open(b"".join(tgmap.encode([tgmap.NewObject(field(0), row)]) for row in rows)).table(list(VALUES))


def test_pyarrow():
    pyarrow = pytest.importorskip("pyarrow")
    table = pyarrow.table(all_types())
    table.validate(full=True)
    assert table.column_names == ["message", "object", *VALUES]
    for name, expected in VALUES.items():
        assert table[name].to_pylist() == expected
    assert pyarrow.types.is_dictionary(table.schema.field("text").type)
    del table


def test_pyarrow_of_many_rows(tmp_path):
    pyarrow = pytest.importorskip("pyarrow")
    archive = tgmap.open(write_fields(tmp_path / "a.tgm", 500))
    keys = ["mars.param", "ok", "x"]
    table = pyarrow.table(archive.table(keys))
    table.validate(full=True)
    archive.close()
    for name in keys:
        assert table[name].to_pylist() == tgmap.open(tmp_path / "a.tgm").table(keys)[name].tolist()
    assert pyarrow.table(tgmap.open(tmp_path / "a.tgm").table(keys, where="x=-1")).num_rows == 0


def test_a_stream_that_nobody_reads():
    table = all_types()
    for _ in range(10):
        assert "arrow_array_stream" in repr(table.__arrow_c_stream__())


def test_polars():
    polars = pytest.importorskip("polars")
    frame = polars.DataFrame(all_types())
    for name in ("integer", "large", "real", "truth", "whole"):
        assert frame[name].to_list() == VALUES[name]
    assert frame["text"].cast(polars.String).to_list() == VALUES["text"]
