# SPDX-License-Identifier: Apache-2.0
"""tgmap.compat: files, and awaiting them."""

from __future__ import annotations

import asyncio

import numpy as np
import pytest
from compat_messages import describe, encoded
from tgmap import compat


@pytest.fixture
def path(tmp_path):
    """Path of a file of four messages of two objects."""
    path = tmp_path / "folder" / "four.tgm"
    with compat.TensogramFile.create(path) as file:
        for i in range(4):
            arrays = np.full(6, i), np.arange(4, dtype=np.float32) + i
            file.append({"base": [{"number": i}]}, [(describe(each), each) for each in arrays])
    return str(path)


def test_reading(path):
    file = compat.TensogramFile.open(path)
    assert len(file) == file.message_count() == 4 and not file.is_remote() and file.source() == path
    assert repr(file) == f"TensogramFile(source='{path}')"
    assert file.decode_message(2).objects[0][1].tolist() == [2] * 6
    assert file.file_decode_metadata(3)["number"] == 3
    found = file.file_decode_descriptors(1)
    assert found["metadata"]["number"] == 1 and [d.dtype for d in found["descriptors"]] == ["int64", "float32"]
    found = file.file_decode_object(1, 1, verify_hash=True)
    assert found["data"].tolist() == [1, 2, 3, 4] and found["descriptor"].dtype == "float32"
    assert [part.tolist() for part in file.file_decode_range(3, 1, [(1, 2)])] == [[4, 5]]
    assert b"".join(file.messages()) == open(path, "rb").read()
    assert compat.decode(file.read_message(1)).metadata["number"] == 1


def test_sequence(path):
    file = compat.TensogramFile.open(path)
    assert file[-1].metadata["number"] == 3
    assert [message.metadata["number"] for message in file[::-2]] == [3, 1]
    iterator = iter(file)
    assert len(iterator) == 4 and repr(iterator) == "TensogramFileIter(position=0, remaining=4)"
    assert [message.metadata["number"] for message in iterator] == [0, 1, 2, 3]
    with pytest.raises(IndexError, match="message index 4 out of range for file with 4 messages"):
        file[4]
    with pytest.raises(TypeError, match="integers or slices"):
        file["0"]


def test_errors(path, tmp_path):
    file = compat.TensogramFile.open(path)
    with pytest.raises(ValueError, match=r"message index 4 out of range \(count=4\)"):
        file.decode_message(4)
    with pytest.raises(OverflowError):
        file.read_message(-1)
    with pytest.raises(ValueError, match="ObjectError"):
        file.file_decode_object(0, 2)
    with pytest.raises(OSError, match="requires a remote backend"):
        file.file_decode_object_batch([0], 0)
    with pytest.raises(OSError, match="requires a remote backend"):
        file.file_decode_range_batch([0], 0, [(0, 1)])
    with pytest.raises(OSError, match="file not found: .*none.tgm"):
        compat.TensogramFile.open(str(tmp_path / "none.tgm"))
    with pytest.raises(TypeError):
        compat.TensogramFile.open(path, bidirectional=1)
    for open_file in (compat.TensogramFile.open, compat.TensogramFile.open_remote):
        with pytest.raises(OSError, match="RemoteError"):
            open_file("https://example.org/f.tgm")
    with pytest.raises(OSError, match="RemoteError"):
        compat.TensogramFile.open_remote(path)


def test_appending_and_damage(path):
    file = compat.TensogramFile.open(path)
    assert len(file) == 4
    file.append({"number": 4}, [])
    assert len(file) == 5 and file[4].objects == [] and file[4].metadata["number"] == 4
    with open(path, "ab") as raw:
        raw.write(b"damage" + encoded(np.zeros(3)) + encoded(np.zeros(3))[:40])
    assert len(compat.TensogramFile.open(path)) == 6
    with open(path, "wb"):
        pass
    assert len(compat.TensogramFile.open(path)) == 0
    assert list(compat.TensogramFile.create(path)) == []


def test_awaiting(path):
    async def read():
        async with await compat.AsyncTensogramFile.open(path) as file:
            assert file.source() == path and not file.is_remote() and "AsyncTensogramFile" in repr(file)
            with pytest.raises(RuntimeError, match="message_count"):
                len(file)
            assert await file.message_count() == len(file) == 4
            results = await asyncio.gather(*(file.file_decode_object(i, 0) for i in range(4)))
            assert [each["data"][0] for each in results] == [0, 1, 2, 3]
            assert (await file.decode_message(1)).metadata["number"] == 1
            assert (await file.file_decode_metadata(2))["number"] == 2
            assert len((await file.file_decode_descriptors(2))["descriptors"]) == 2
            assert (await file.file_decode_range(2, 1, [(0, 2)], join=True)).tolist() == [2, 3]
            assert (await file.messages())[3] == await file.read_message(3)
            assert await file.prefetch_layouts([0, 1]) is None
            iterator = aiter(file) if hasattr(__builtins__, "aiter") else file.__aiter__()
            assert len(iterator) == 4
            assert [message.metadata["number"] async for message in iterator] == [0, 1, 2, 3]
            for call in (file.file_decode_object_batch([0], 0), file.file_decode_range_batch([0], 0, [(0, 1)])):
                with pytest.raises(OSError, match="remote backend"):
                    await call
            with pytest.raises(ValueError, match="out of range"):
                await file.decode_message(9)
            with pytest.raises(TypeError):
                compat.AsyncTensogramFile.open(path, bidirectional=1)
        with pytest.raises(OSError, match="not found"):
            await compat.AsyncTensogramFile.open(path + ".none")
        with pytest.raises(OSError, match="RemoteError"):
            await compat.AsyncTensogramFile.open_remote("s3://bucket/f.tgm")

    asyncio.run(read())
