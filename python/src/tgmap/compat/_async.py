# SPDX-License-Identifier: Apache-2.0
"""Awaitable reading: every call runs in a thread of the event loop."""

from __future__ import annotations

import asyncio
import functools
from collections.abc import Awaitable

from .._core import _shown
from ._errors import unsigned
from ._file import TensogramFile, checked_source, checked_storage_options


def _in_thread(function, *args, **kwargs) -> Awaitable:
    """Start a call in a thread of the running event loop. Returns its future."""
    return asyncio.get_running_loop().run_in_executor(None, functools.partial(function, *args, **kwargs))


class AsyncTensogramFile:
    """A file of messages whose calls are awaited. Calls may run at the same time. Use ``await open(path)``."""

    def __init__(self, file: TensogramFile):
        self._file = file
        self._count = None

    @staticmethod
    def open(source, *, bidirectional=True) -> Awaitable[AsyncTensogramFile]:
        """Open a file. Wrong types raise TypeError at once."""
        if not isinstance(source, str):
            source = checked_source(source, bidirectional)
        elif type(bidirectional) is not bool:
            raise TypeError(f"'{type(bidirectional).__name__}' object is not an instance of 'bool'")
        return _in_thread(lambda: AsyncTensogramFile(TensogramFile.open(source, bidirectional=bidirectional)))

    @staticmethod
    def open_remote(source, storage_options=None, *, bidirectional=True) -> Awaitable[AsyncTensogramFile]:
        """Raise OSError: this package reads no remote files."""
        checked_storage_options(storage_options)
        if type(bidirectional) is not bool:
            raise TypeError(f"'{type(bidirectional).__name__}' object is not an instance of 'bool'")
        return _in_thread(TensogramFile.open_remote, source, storage_options, bidirectional=bidirectional)

    def decode_message(self, index, native_byte_order=True, threads=0, verify_hash=False) -> Awaitable:
        """Decode a message."""
        return _in_thread(
            self._file.decode_message, unsigned(index), native_byte_order, threads, verify_hash=verify_hash
        )

    def file_decode_metadata(self, msg_index) -> Awaitable:
        """Return the metadata of a message."""
        return _in_thread(self._file.file_decode_metadata, unsigned(msg_index))

    def file_decode_descriptors(self, msg_index) -> Awaitable:
        """Return metadata and descriptors of a message."""
        return _in_thread(self._file.file_decode_descriptors, unsigned(msg_index))

    def file_decode_object(
        self, msg_index, obj_index, native_byte_order=True, threads=0, verify_hash=False
    ) -> Awaitable:
        """Decode one object."""
        numbers = unsigned(msg_index), unsigned(obj_index)
        return _in_thread(self._file.file_decode_object, *numbers, native_byte_order, threads, verify_hash)

    def file_decode_range(
        self, msg_index, obj_index, ranges, join=False, native_byte_order=True, threads=0
    ) -> Awaitable:
        """Decode parts of an object."""
        numbers = unsigned(msg_index), unsigned(obj_index)
        return _in_thread(self._file.file_decode_range, *numbers, list(ranges), join, native_byte_order, threads)

    def file_decode_object_batch(
        self, msg_indices, obj_index, native_byte_order=True, threads=0, verify_hash=False
    ) -> Awaitable:
        """Raise OSError when it is awaited: batches are for remote files."""
        return _in_thread(self._file.file_decode_object_batch, msg_indices, obj_index)

    def file_decode_range_batch(
        self, msg_indices, obj_index, ranges, join=False, native_byte_order=True, threads=0
    ) -> Awaitable:
        """Raise OSError when it is awaited: batches are for remote files."""
        return _in_thread(self._file.file_decode_range_batch, msg_indices, obj_index, ranges)

    def prefetch_layouts(self, msg_indices) -> Awaitable[None]:
        """Do nothing: layouts of local files need no request."""
        numbers = [unsigned(each) for each in msg_indices]
        return _in_thread(lambda: numbers.clear())

    def read_message(self, index) -> Awaitable[bytes]:
        """Return the bytes of a message as stored."""
        return _in_thread(self._file.read_message, unsigned(index))

    def _counted(self) -> int:
        self._count = self._file.message_count()
        return self._count

    def message_count(self) -> Awaitable[int]:
        """Return the number of messages."""
        return _in_thread(self._counted)

    def messages(self) -> Awaitable[list[bytes]]:
        """Return the bytes of all messages."""
        return _in_thread(lambda: [self._file.read_message(i) for i in range(self._counted())])

    def is_remote(self) -> bool:
        """Return False: only local files are opened."""
        return self._file.is_remote()

    def source(self) -> str:
        """Return the path."""
        return self._file.source()

    async def __aenter__(self) -> AsyncTensogramFile:
        return self

    async def __aexit__(self, *_) -> bool:
        return False

    def __len__(self) -> int:
        if self._count is None:
            raise RuntimeError("message count not yet known; call 'await f.message_count()' first")
        return self._count

    def __bool__(self) -> bool:
        return True

    def __aiter__(self) -> AsyncTensogramFileIter:
        return AsyncTensogramFileIter(self, len(self))

    def __repr__(self) -> str:
        return f"AsyncTensogramFile(source='{_shown(self.source())}')"


class AsyncTensogramFileIter:
    """An asynchronous iterator over messages."""

    def __init__(self, file: AsyncTensogramFile, count: int):
        self._file = file
        self._count = count
        self._next = 0

    def __aiter__(self) -> AsyncTensogramFileIter:
        return self

    def __anext__(self) -> Awaitable:
        if self._next >= self._count:
            return _end_of_iteration()
        self._next += 1
        return self._file.decode_message(self._next - 1)

    def __len__(self) -> int:
        return self._count - self._next

    def __repr__(self) -> str:
        return f"AsyncTensogramFileIter(position={self._next}, remaining={len(self)})"


async def _end_of_iteration():
    raise StopAsyncIteration
