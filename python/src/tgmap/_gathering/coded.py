# SPDX-License-Identifier: Apache-2.0
"""Columns of numbers in few bytes, for pickles of places.

Rows are sorted by archive, offset and object. Differences of neighbours are small then, and mostly equal; the order of
the rows is a column of its own. Each column becomes what is smallest: differences, of which each byte is compressed by
itself; differences as digits; or the numbers as digits. Nothing can be smaller than the entropy: log2(n!) / n bits for an
order of n rows without a pattern, 1.48 bytes a row for 10,000, and log2(k) bits for k sizes of messages that are equally
frequent.
"""

from __future__ import annotations

import zlib
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .digits import read_digits, size_of_digits, write_digits

_Column = NDArray[np.int64]
_LEVEL = 6
_CONSTANT, _STEPS, _STEP_DIGITS, _DIGITS = range(4)  # how a column is stored


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
    """Return a column in the fewest bytes: how, the first number, the smallest one, their unit, a limit, and bytes or
    None."""
    if not len(column):
        return _CONSTANT, 0, 0, 1, 1, None
    first = int(column[0])
    steps = _as_differences(column, first)
    if steps[0] == _CONSTANT:
        return steps
    values = _as_values(column, first)
    return steps if values is None or len(steps[-1]) <= len(values[-1]) else values


def _as_differences(column: _Column, first: int) -> tuple[Any, ...]:
    """Return differences, as bytes that are compressed or as digits."""
    steps = np.diff(column)
    smallest = int(steps.min()) if len(steps) else 0
    above = (steps - smallest).astype(np.uint64)
    unit = int(np.gcd.reduce(above)) if len(above) else 0  # sizes of messages are multiples of 8
    if unit == 0:
        return _CONSTANT, first, smallest, 1, 1, None
    above //= np.uint64(unit)
    limit = int(above.max()) + 1
    width = next(each for each in (1, 2, 4, 8) if limit <= 1 << 8 * each)
    planes = above.astype(f"<u{width}").view(np.uint8).reshape(-1, width).T
    compressed = zlib.compress(planes.tobytes(), _LEVEL)
    if limit <= 1 << 63 and size_of_digits(len(above), limit) < len(compressed):
        return _STEP_DIGITS, first, smallest, unit, limit, write_digits(above, limit)
    return _STEPS, first, smallest, unit, width, compressed


def _as_values(column: _Column, first: int) -> tuple[Any, ...] | None:
    """Return the numbers themselves as digits, which is best for an order without a pattern; None if they are too large."""
    smallest = int(column.min())
    limit = int(column.max()) - smallest + 1
    if limit > 1 << 63:
        return None
    return _DIGITS, first, smallest, 1, limit, write_digits((column - smallest).astype(np.uint64), limit)


def _unpack(packed: Any, count: int) -> _Column:
    if len(packed) != 6:
        raise ValueError("its columns are not those of this version")
    how, first, smallest, unit, limit, data = packed
    if how == _DIGITS:
        values: _Column = read_digits(data, count, limit).astype(np.int64) + smallest
        return values
    out = np.full(count, smallest, dtype=np.int64)
    if count:
        out[0] = first
    if how == _STEPS:
        size = limit * (count - 1)  # the limit is the width
        found = zlib.decompressobj().decompress(data, size + 1)  # a few bytes may state any number of others
        planes = np.frombuffer(found, dtype=np.uint8).reshape(limit, count - 1)
        out[1:] += np.ascontiguousarray(planes.T).view(f"<u{limit}").reshape(-1).astype(np.int64) * unit
    elif how == _STEP_DIGITS:
        out[1:] += read_digits(data, count - 1, limit).astype(np.int64) * unit
    elif how != _CONSTANT:
        raise ValueError("its columns are not those of this version")
    return np.cumsum(out)
