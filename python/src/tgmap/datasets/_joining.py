# SPDX-License-Identifier: Apache-2.0
"""One archive of the messages of several, which replaces another one when all of it is written."""

from __future__ import annotations

import contextlib
import errno
import os
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._archive import open as open_archive
from .._writing import append, create

_MAX_OPEN = 64
_COPIED_BYTES = 64 << 20
_NOT_COPIED_BY_THE_SYSTEM = (errno.EXDEV, errno.ENOSYS, errno.EINVAL, errno.EOPNOTSUPP, errno.EPERM, errno.EBADF)


@dataclass(frozen=True)
class Part:
    """An archive with some messages of another one.

    Attributes:
        path: its file.
        numbers: for each of its messages the number of that message in the other archive.
        sizes: for each of its messages the number of bytes.
    """

    path: str
    numbers: NDArray[np.int64]
    sizes: NDArray[np.int64]


@dataclass(frozen=True)
class _Run:
    """Messages that follow each other in a part and in the joined archive."""

    part: int
    offset: int
    size: int


def join(parts: Sequence[Part], path: str) -> None:
    """Write the messages of all parts in the order of their numbers to a file of the name `path`.

    A file of this name is replaced by the writer of the library, which keeps its owner, permissions and access list. The
    bytes of a new one are copied by the system where it can, without reading them into the process.
    """
    target = os.path.realpath(path)
    if os.path.exists(target):
        out: Any
        with create(target) as out:
            for message in _messages(parts):
                out.write(message)
        return
    joined = os.path.join(os.path.dirname(parts[0].path), "joined.tgm") if parts else f"{target}.empty"
    descriptor = os.open(joined, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o666)
    try:
        with _sources(parts) as source:
            for run in _runs(parts):
                _copy(source(run.part), descriptor, run.offset, run.size)
    finally:
        os.close(descriptor)
    os.replace(joined, target)


def extend(parts: Sequence[Part], path: str, size: int) -> None:
    """Append the messages of all parts in the order of their numbers to an archive of `size` bytes.

    Raises:
        Error: another program appends to the archive.
        ValueError: it has another size. An archive is as before after every error.
    """
    out: Any
    with append(path, create=False) as out:
        found = os.path.getsize(path)
        if found != size:
            raise ValueError(f"'{path}' has {found} bytes, and had {size} when the labels were compared; write again")
        try:
            for message in _messages(parts):
                out.write(message)
        except BaseException:
            os.truncate(path, size)
            raise


def _messages(parts: Sequence[Part]) -> Iterator[Any]:
    """Yield the messages of parts in the order of their numbers. Few parts are open at once."""
    opened: dict[int, Any] = {}
    for run in _runs(parts):
        if run.part not in opened:
            while len(opened) >= _MAX_OPEN:
                opened.pop(next(iter(opened)))
            opened[run.part] = open_archive(parts[run.part].path, index="none")
        offset = run.offset
        while offset < run.offset + run.size:
            message = opened[run.part].at_offset(offset)
            yield message
            offset += message.length


def _runs(parts: Sequence[Part]) -> Iterator[_Run]:
    """Return the bytes of parts in the order of the numbers of messages, in runs as long as possible."""
    if not any(len(each.numbers) for each in parts):
        return
    owners = np.repeat(np.arange(len(parts)), [len(each.numbers) for each in parts])
    sizes = np.concatenate([each.sizes for each in parts])
    offsets = np.concatenate([np.cumsum(each.sizes) - each.sizes for each in parts])
    order = np.argsort(np.concatenate([each.numbers for each in parts]), kind="stable")
    owners, sizes, offsets = owners[order], sizes[order], offsets[order]
    is_next = (owners[1:] == owners[:-1]) & (offsets[1:] == offsets[:-1] + sizes[:-1])
    begins = np.concatenate([[0], np.flatnonzero(~is_next) + 1])
    for part, offset, size in zip(owners[begins], offsets[begins], np.add.reduceat(sizes, begins)):
        yield _Run(int(part), int(offset), int(size))


@contextlib.contextmanager
def _sources(parts: Sequence[Part]) -> Iterator[Callable[[int], int]]:
    """Return a function that gives the descriptor of a part. Few stay open."""
    opened: dict[int, int] = {}

    def descriptor_of(number: int) -> int:
        if number not in opened:
            while len(opened) >= _MAX_OPEN:
                os.close(opened.pop(next(iter(opened))))
            opened[number] = os.open(parts[number].path, os.O_RDONLY)
        return opened[number]

    try:
        yield descriptor_of
    finally:
        for each in opened.values():
            os.close(each)


def _copy(source: int, target: int, offset: int, size: int) -> None:
    """Copy bytes to the end of what was written. Raises OSError if the source ends before."""
    end = offset + size
    is_by_system = hasattr(os, "copy_file_range")
    while offset < end:
        wanted = min(end - offset, _COPIED_BYTES)
        if is_by_system:
            try:
                count = os.copy_file_range(source, target, wanted, offset)
            except OSError as error:
                if error.errno not in _NOT_COPIED_BY_THE_SYSTEM:
                    raise
                is_by_system = False
                continue
        else:
            count = _copy_bytes(source, target, wanted, offset)
        if count == 0:
            raise OSError(errno.EIO, "a part of the archive became shorter while it was copied")
        offset += count


def _copy_bytes(source: int, target: int, count: int, offset: int) -> int:
    content = memoryview(os.pread(source, min(count, 8 << 20), offset))
    written = 0
    while written < len(content):
        written += os.write(target, content[written:])
    return written
