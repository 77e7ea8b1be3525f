# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers in few bytes, for pickles of places.

Rows are sorted by archive, offset and object. Differences of neighbours are small then, and mostly equal; the order of
the rows is a column of its own. Each column becomes differences, of which each byte is compressed by itself.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Column = NDArray[np.int64]
_LEVEL = 6


def encode(numbers: _Column, offsets: _Column, objects: _Column) -> tuple[Any, ...]:
    """Return a checksum, the number of rows, and their columns as bytes."""
    order = np.lexsort((objects, offsets, numbers))
    is_sorted = bool((np.diff(order) > 0).all())
    columns = [each if is_sorted else each[order] for each in (numbers, offsets, objects)]
    coded = (len(numbers), None if is_sorted else _pack(np.argsort(order)), *map(_pack, columns))
    return _checksum(coded), *coded


def decode(coded: tuple[Any, ...]) -> tuple[_Column, _Column, _Column]:
    """Return the columns of encode(). Raises ValueError if they are damaged."""
    try:
        checksum, count, order, *columns = coded
        if checksum != _checksum(coded[1:]):  # before memory is taken for what it states
            raise ValueError("its checksum is another one")
        numbers, offsets, objects = (_unpack(each, count) for each in columns)
        if order is None:
            return numbers, offsets, objects
        rank = _unpack(order, count)
        if len(rank) and not 0 <= rank.min() <= rank.max() < count:
            raise ValueError("a row is out of range")
        return numbers[rank], offsets[rank], objects[rank]
    except (ValueError, TypeError, OverflowError, zlib.error) as error:
        raise ValueError(f"the pickle of places is damaged: {error}") from None


def _checksum(coded: Any) -> int:
    if isinstance(coded, bytes):
        return zlib.crc32(coded)
    if isinstance(coded, tuple):
        return zlib.crc32(repr([_checksum(each) for each in coded]).encode())
    return zlib.crc32(repr(coded).encode())


def _pack(column: _Column) -> Any:
    """Return the first number, the smallest difference, and what the differences are above it: None if all are 0."""
    if not len(column):
        return 0, 0, 1, None
    steps = np.diff(column)
    smallest = int(steps.min()) if len(steps) else 0
    above = (steps - smallest).astype(np.uint64)
    largest = int(above.max()) if len(above) else 0
    if largest == 0:
        return int(column[0]), smallest, 1, None
    width = next(each for each in (1, 2, 4, 8) if largest < 1 << 8 * each)
    planes = above.astype(f"<u{width}").view(np.uint8).reshape(-1, width).T
    return int(column[0]), smallest, width, zlib.compress(planes.tobytes(), _LEVEL)


def _unpack(packed: Any, count: int) -> _Column:
    first, smallest, width, compressed = packed
    out = np.full(count, smallest, dtype=np.int64)
    if count:
        out[0] = first
    if compressed is not None:
        size = width * (count - 1)
        found = zlib.decompressobj().decompress(compressed, size + 1)  # a few bytes may state any number of others
        planes = np.frombuffer(found, dtype=np.uint8).reshape(width, count - 1)
        out[1:] += np.ascontiguousarray(planes.T).view(f"<u{width}").reshape(-1).astype(np.int64)
    return np.cumsum(out)
