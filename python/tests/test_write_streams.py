# SPDX-License-Identifier: Apache-2.0
"""Streams and appenders: their contexts, and what readers see meanwhile."""

from __future__ import annotations

import io

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


def steps(archive):
    return [m.metadata["step"] for m in archive]


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


@pytest.mark.parametrize("shape", [b"\x02", bytearray(b"\x02"), "2", {3: 1}, {3}, None, [2.0]])
def test_shapes_that_are_refused(shape):
    stream = tgmap.stream(io.BytesIO())
    with pytest.raises(TypeError):
        stream.begin_object(shape, "f4")
    with pytest.raises(TypeError, match=r"\\udcff"):
        stream.begin_object((2,), "\udcff")


@pytest.mark.parametrize("begin", [tgmap.create, tgmap.stream])
def test_file_objects_that_answer_nonsense(begin):
    class Taking:
        def __init__(self, taken):
            self.taken = taken

        def write(self, data):
            return self.taken

    for taken in (-1, 10**9, 2**70):
        with pytest.raises(ValueError, match="write()"):
            begin(Taking(taken)).write(np.zeros(100))
    for kind, position in [(TypeError, "x"), (ValueError, 2**80), (ValueError, -5)]:
        file = type("File", (io.BytesIO,), {"tell": lambda self, position=position: position})()
        with pytest.raises(kind, match="tell()"):
            begin(file)
