# SPDX-License-Identifier: Apache-2.0
"""Writers: their targets, their contexts, and threads."""

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
