# SPDX-License-Identifier: Apache-2.0
"""Writers, streams and appenders: their targets, their contexts, and what readers see meanwhile."""

from __future__ import annotations

import io
import os
import threading

import numpy as np
import pytest

import tgmap


class Pieces:
    """A file object that takes a few bytes at a time, as raw files may."""

    def __init__(self):
        self.bytes = b""

    def write(self, data):
        self.bytes += data[:100]
        return min(len(data), 100)


class Broken:
    def write(self, data):
        raise ZeroDivisionError("no room")


class Nested:
    """A file object that uses its own writer."""

    def write(self, data):
        self.writer.write(np.zeros(1))


def steps(archive):
    return [m.metadata["step"] for m in archive]


def test_create(tmp_path):
    path = tmp_path / "a.tgm"
    with tgmap.create(path) as out:
        for step in range(3):
            out.write(np.full(4, step), {"step": step})
        assert out.messages == 3 and not out.is_closed
    assert out.is_closed and out.path == str(path)
    assert out.nbytes == path.stat().st_size
    archive = tgmap.open(path)
    assert steps(archive) == [0, 1, 2]
    with pytest.raises(ValueError, match="closed"):
        out.write(np.zeros(1))
    out.close()


def test_a_message_that_is_refused_leaves_no_bytes(tmp_path):
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write(np.zeros(3), {"step": 0})
        with pytest.raises(tgmap.Error):
            out.write(np.array([np.nan]))
        with pytest.raises(TypeError):
            out.write(np.array(["text"]))
        out.write(np.zeros(3), {"step": 1})
    assert steps(tgmap.open(tmp_path / "a.tgm")) == [0, 1]


def test_a_replaced_file_stays_readable(tmp_path):
    path = tmp_path / "a.tgm"
    path.write_bytes(tgmap.encode(np.arange(100000)))
    array = tgmap.open(path)[0][0].array
    with tgmap.create(path) as out:
        out.write(np.zeros(1))
    np.testing.assert_array_equal(array, np.arange(100000))
    assert len(tgmap.open(path)[0][0].array) == 1


def test_wrong_options_replace_nothing(tmp_path):
    path = tmp_path / "a.tgm"
    path.write_bytes(b"precious")
    for call in (tgmap.create, tgmap.stream):
        with pytest.raises(TypeError, match="compression"):
            call(path, compression="zstd")
        with pytest.raises(ValueError, match="alignment"):
            call(path, alignment=5)
        with pytest.raises(FileExistsError):
            call(path, exclusive=True)
    with pytest.raises(TypeError, match="unexpected"):
        tgmap.append(path, colour="red")
    assert path.read_bytes() == b"precious"


def test_targets(tmp_path):
    expected = tgmap.encode(np.arange(5), reproducible=True)
    memory = io.BytesIO()
    with tgmap.create(memory, reproducible=True) as out:
        out.write(np.arange(5))
    assert memory.getvalue() == expected
    pieces = Pieces()
    with tgmap.create(pieces, reproducible=True) as out:
        out.write(np.arange(5))
    assert pieces.bytes == expected
    with open(tmp_path / "a", "wb") as file, tgmap.create(file, reproducible=True) as out:
        out.write(np.arange(5))
    assert (tmp_path / "a").read_bytes() == expected
    with open(tmp_path / "b", "wb") as file, tgmap.create(file.fileno(), reproducible=True, sync=True) as out:
        out.write(np.arange(5))
        out.flush(sync=True)
        assert (tmp_path / "b").read_bytes() == expected
    read_end, write_end = os.pipe()
    with tgmap.create(write_end, reproducible=True) as out:
        out.write(np.arange(5))
    os.close(write_end)
    with open(read_end, "rb") as pipe:
        assert pipe.read() == expected


def test_wrong_targets(tmp_path):
    with pytest.raises(FileNotFoundError):
        tgmap.create(tmp_path / "none" / "a.tgm")
    with pytest.raises(IsADirectoryError):
        tgmap.create(tmp_path)
    with pytest.raises(TypeError, match="binary"):
        tgmap.create(io.StringIO())
    with pytest.raises(TypeError, match="cannot write to float"):
        tgmap.create(1.5)
    with pytest.raises(TypeError, match="exclusive"):
        tgmap.create(io.BytesIO(), exclusive=True)


def test_errors_of_a_file_object():
    out = tgmap.create(Broken())
    with pytest.raises(ZeroDivisionError, match="no room"):
        out.write(np.zeros(3))
    with pytest.raises(tgmap.Error):  # the archive ends somewhere in a message
        out.write(np.zeros(3))
    nested = Nested()
    nested.writer = tgmap.create(nested)
    with pytest.raises(RuntimeError, match="in use"):
        nested.writer.write(np.zeros(1))
    nested.writer = None


def test_copy_of_messages(tmp_path):
    source = tgmap.encode(np.arange(9), {"step": 4})
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write(tgmap.open(source)[0])
        with pytest.raises(TypeError, match="metadata"):
            out.write(tgmap.open(source)[0], {"step": 5})
    assert (tmp_path / "a.tgm").read_bytes() == source


def test_threads_share_a_writer(tmp_path):
    field = np.random.default_rng(1).normal(size=30000)
    with tgmap.create(tmp_path / "a.tgm") as out:

        def work(number):
            for step in range(10):
                out.write(field + step, {"step": 10 * number + step}, encoding="simple_packing", bits=24)

        threads = [threading.Thread(target=work, args=(number,)) for number in range(8)]
        for each in threads:
            each.start()
        for each in threads:
            each.join()
    archive = tgmap.open(tmp_path / "a.tgm")
    assert sorted(steps(archive)) == list(range(80))
    for message in archive:
        np.testing.assert_allclose(message[0].array, field + message.metadata["step"] % 10, atol=1e-5)
        assert message.verify() is True


@pytest.mark.parametrize("backfill", [True, False])
def test_stream(tmp_path, backfill):
    out = tgmap.stream(tmp_path / "a.tgm", {"step": 1})
    out.write(np.arange(5), {"name": "a"}, filter="shuffle")
    out.write([np.zeros(3), tgmap.NewObject(np.ones(2), {"name": "c"})])
    out.begin_object((4, 3), "float32", {"name": "d"})
    out.append(np.arange(6, dtype="f4").reshape(3, 2).T)
    out.append(np.zeros((2, 3), ">f4"))
    with pytest.raises(TypeError, match="float32"):
        out.append(np.zeros(3))
    out.end_object()
    out.finish(backfill=backfill)
    out.close()
    assert out.objects == 4 and out.is_closed
    message = tgmap.open(tmp_path / "a.tgm")[0]
    assert message.is_streamed is not backfill and not message.is_incomplete
    assert message.metadata["step"] == 1
    assert message[0].metadata["name"] == "a" and message[2].metadata["name"] == "c"
    expected = np.zeros((4, 3))
    expected[:2] = np.arange(6).reshape(3, 2).T
    np.testing.assert_array_equal(message[3].array, expected)
    assert message.verify() is True


def test_stream_to_memory_gets_its_length():
    memory = io.BytesIO(b"in front")
    memory.seek(0, io.SEEK_END)
    with tgmap.stream(memory) as out:
        out.write(np.arange(5))
    data = memory.getvalue()
    assert data[:8] == b"in front"
    assert not tgmap.open(data[8:])[0].is_streamed
    pieces = Pieces()  # cannot seek
    with tgmap.stream(pieces) as out:
        out.write(np.arange(5))
    assert tgmap.open(pieces.bytes)[0].is_streamed


def test_stream_in_order():
    out = tgmap.stream(io.BytesIO())
    with pytest.raises(ValueError, match="no object"):
        out.append(np.zeros(1))
    with pytest.raises(tgmap.Error):
        out.end_object()
    with pytest.raises(tgmap.Error):
        out.begin_object(3, "f8", filter="shuffle")
    out.begin_object(3, "f8")
    with pytest.raises(tgmap.Error):
        out.write(np.zeros(1))
    with pytest.raises(tgmap.Error):
        out.finish()
    out.append(np.zeros(3))
    with pytest.raises(tgmap.Error):
        out.append(np.zeros(1))
    out.abort()
    with pytest.raises(ValueError, match="closed"):
        out.write(np.zeros(1))


def test_exception_does_not_finish_a_stream(tmp_path):
    with pytest.raises(ZeroDivisionError), tgmap.stream(tmp_path / "a.tgm") as out:
        out.write(np.arange(5))
        raise ZeroDivisionError
    message = tgmap.open(tmp_path / "a.tgm")[0]
    assert message.is_incomplete
    np.testing.assert_array_equal(message[0].array, np.arange(5))


def test_append_while_a_reader_is_open(tmp_path):
    path = tmp_path / "a.tgm"
    with tgmap.append(path) as out:
        out.write(np.arange(5), {"step": 0})
        archive = tgmap.open(path)
        view = archive[0][0].array
        for step in range(1, 20):
            out.write(np.full(1000, step), {"step": step})
            assert len(archive) == step
            archive.refresh()
            assert steps(archive) == list(range(step + 1))
        with pytest.raises(tgmap.Error) as raised:
            tgmap.append(path)
        assert raised.value.code == "archive_locked"
        out.sync()
        assert out.nbytes == path.stat().st_size
    np.testing.assert_array_equal(view, np.arange(5))
    assert out.is_closed
    with pytest.raises(ValueError, match="closed"):
        out.write(np.zeros(1))
    with tgmap.append(path, create=False, sync=True) as out:
        out.write(archive[0])
        out.write(archive[1][0], {"step": 21})
    assert steps(tgmap.open(path))[-2:] == [0, 21]
    with pytest.raises(FileNotFoundError):
        tgmap.append(tmp_path / "b.tgm", create=False)


def test_append_after_a_cut(tmp_path):
    path = tmp_path / "a.tgm"
    whole = tgmap.encode(np.arange(5), {"step": 0})
    path.write_bytes(whole + whole[:-9])
    with pytest.raises(tgmap.Error) as raised:
        tgmap.append(path)
    assert raised.value.code == "incomplete_tail"
    with tgmap.append(path, on_tail="truncate") as out:
        out.write(np.arange(5), {"step": 1})
    assert steps(tgmap.open(path)) == [0, 1]


def test_stream_of_an_appender(tmp_path):
    path = tmp_path / "a.tgm"
    with tgmap.append(path) as out:
        out.write(np.arange(5), {"step": 0})
        with out.begin_stream({"step": 1}) as stream:
            stream.write(np.arange(3))
            with pytest.raises(tgmap.Error):
                out.write(np.zeros(1))
        out.write(np.arange(5), {"step": 2})
    before = path.read_bytes()
    assert steps(tgmap.open(path)) == [0, 1, 2]
    with pytest.raises(ZeroDivisionError), tgmap.append(path) as out:
        with out.begin_stream({"step": 3}) as stream:
            stream.write(np.zeros(200000))
            raise ZeroDivisionError
    assert stream.is_closed and out.is_closed
    assert path.read_bytes() == before


def test_metadata_of_every_kind():
    keys = {"whole": 2**64 - 1, "negative": -(2**64), "small": -3, "real": 0.5, "text": "ä", "none": None,
            "truth": True, "bytes": b"\0\xff", "list": [1, [2.5, "x"]], "tuple": (1, 2), "map": {"a": {"b": 1}},
            "scalar": np.float32(0.5), "count": np.uint64(2**63)}  # fmt: skip
    message = tgmap.open(tgmap.encode(tgmap.NewObject(np.zeros(1), keys), keys))[0]
    expected = {**keys, "tuple": [1, 2]}
    assert message.metadata.to_dict() == expected
    found = message.base(0).to_dict()
    found.pop("_reserved_", None)
    assert found == expected


@pytest.mark.parametrize(
    "value, kind, text",
    [
        (np.datetime64("2020-01-01"), TypeError, "str"),
        (__import__("datetime").date(2020, 1, 1), TypeError, "isoformat"),
        (2**64, OverflowError, "64 bits"),
        (-(2**64) - 1, OverflowError, "64 bits"),
        (np.arange(3), TypeError, "tolist"),
        ({1: 2}, TypeError, "must be text"),
        ({1, 2}, TypeError, "set"),
        (1j, TypeError, "complex"),
    ],
)
def test_metadata_that_is_refused(value, kind, text):
    with pytest.raises(kind, match=text):
        tgmap.encode(np.zeros(1), {"key": value})
    with pytest.raises(kind, match=text):
        tgmap.NewObject(np.zeros(1), {"key": [value]})


def test_reserved_keys_are_refused():
    for objects, keys in [(np.zeros(1), {"_reserved_": {}}), (tgmap.NewObject(np.zeros(1), {"_reserved_": {}}), {})]:
        with pytest.raises(tgmap.Error) as raised:
            tgmap.encode(objects, keys)
        assert raised.value.code == "reserved_key"
    with pytest.raises(TypeError, match="mapping"):
        tgmap.encode(np.zeros(1), [1])
