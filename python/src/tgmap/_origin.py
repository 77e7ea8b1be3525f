# SPDX-License-Identifier: Apache-2.0
"""How archives were opened, and whether what their path leads to is still the same."""

from __future__ import annotations

import os

from ._core import xxh3
from ._paths import printable

_COMPARED_BYTES = 4096
_COMPARED_PLACES = 64


class Origin:
    """How an archive was opened, so that it can be opened again.

    Attributes:
        path: the absolute path, or None.
        is_memory: it is in memory, and has no path.
        options: those of ``tgmap.open``.
        first_message: number of its first message in the archive that it is a part of.
        is_prefix: it ends where that of a pickle ends, although the file has grown; `options` do not say so.
        is_touched: the file has another time than it had for a pickle, so that payloads are compared.
    """

    __slots__ = ("path", "is_memory", "options", "first_message", "is_prefix", "is_touched", "_state")

    def __init__(self, path, is_memory, options, first_message=0):
        self.path = path
        self.is_memory = is_memory
        self.options = options
        self.first_message = first_message
        self.is_prefix = self.is_touched = False
        self._state = None

    def copy(self) -> Origin:
        """Return the origin of the same archive with another size."""
        return Origin(self.path, self.is_memory, self.options, self.first_message)

    def state(self, opened):
        """Return what a pickle holds. Handles of one archive share it, so that a pickle of many has it once."""
        if self.is_memory:
            options = {**self.options, "offset": 0, "length": None}
            return opened.read(0, opened.nbytes), options, self.first_message
        if self.path is None:
            raise TypeError("an archive of a file descriptor or a pipe cannot be pickled; open it by its path")
        check_path(opened)
        time = os.stat(self.path).st_mtime_ns
        if self._state is None or self._state[3][1] != time:
            options = dict(self.options)
            if options["index"] in ("create", "checked"):
                options["index"] = "use"
            self._state = (self.path, options, self.first_message, _fingerprint(opened, time))
        return self._state


def check_path(opened) -> None:
    """Raise ValueError if the path of an archive leads to another file now."""
    if opened.is_replaced():
        path = printable(opened.origin.path)
        raise ValueError(f"'{path}' was replaced by another file since the archive was opened; refresh() opens that one")


def _fingerprint(opened, time):
    """Return the size, the time, a hash of both ends, and one of many places."""
    size = opened.nbytes
    return size, time, hash_ends(opened, size), hash_places(opened, size)


def hash_ends(opened, size) -> int:
    return _hash_bytes(opened, size, 2)


def hash_places(opened, size) -> int:
    return _hash_bytes(opened, size, _COMPARED_PLACES)


def _hash_bytes(opened, size, count) -> int:
    """Return a hash of bytes at places of equal distance, from the first bytes to the last ones; of all in small files."""
    if size <= count * _COMPARED_BYTES:
        return xxh3(opened.read(0, size))
    step = (size - _COMPARED_BYTES) // (count - 1)
    places = [i * step for i in range(count - 1)] + [size - _COMPARED_BYTES]
    return xxh3(b"".join(opened.read(place, _COMPARED_BYTES) for place in places))


def check_part(part, whole, begin) -> None:
    """Raise ValueError if a part that was opened again does not have the bytes of the whole archive."""
    count = min(part.nbytes, _COMPARED_BYTES)
    for offset in (0, part.nbytes - count):
        if part.read(offset, count) != whole.read(begin + offset, count):
            raise ValueError("the archive was replaced by another one since it was opened")
