# SPDX-License-Identifier: Apache-2.0
"""Numbers below a limit in few bits: some of them together are one larger number of whole bits.

Numbers below 10,000 have 13.3 bits. One alone takes 14, three together 40.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

_Numbers = NDArray[np.uint64]


def size_of_digits(count: int, limit: int) -> int:
    """Return the number of bytes of write_digits()."""
    together, bits = _grouping(limit)
    return (-(-count // together) * bits + 7) // 8


def write_digits(numbers: _Numbers, limit: int) -> bytes:
    """Return numbers, which are all below `limit`, as bytes. The limit is at most 2**63."""
    together, bits = _grouping(limit)
    padded = np.zeros(-(-len(numbers) // together) * together, dtype=np.uint64)
    padded[: len(numbers)] = numbers
    groups = padded.reshape(-1, together)
    joined = np.zeros(len(groups), dtype=np.uint64)
    for column in groups.T:
        joined = joined * np.uint64(limit) + column
    of_bytes = joined.astype(">u8").view(np.uint8).reshape(-1, 8)
    return np.packbits(np.unpackbits(of_bytes, axis=1)[:, 64 - bits :]).tobytes()


def read_digits(data: bytes, count: int, limit: int) -> _Numbers:
    """Return the numbers of write_digits(). Raises ValueError if the bytes are not those of so many."""
    if limit < 1 or limit > 1 << 63 or len(data) != size_of_digits(count, limit):
        raise ValueError("its numbers have another size")
    together, bits = _grouping(limit)
    groups = -(-count // together)
    found = np.unpackbits(np.frombuffer(data, dtype=np.uint8), count=groups * bits).reshape(groups, bits)
    wide = np.zeros((groups, 64), dtype=np.uint8)
    wide[:, 64 - bits :] = found
    joined = np.packbits(wide, axis=1).view(">u8").reshape(-1).astype(np.uint64)
    out = np.empty((groups, together), dtype=np.uint64)
    for column in reversed(range(together)):
        joined, out[:, column] = np.divmod(joined, np.uint64(limit))
    return out.reshape(-1)[:count]


def _grouping(limit: int) -> tuple[int, int]:
    """Return how many numbers are joined, and the bits of all of them together, so that one takes the fewest."""
    most = max(1, int(63 / math.log2(limit))) if limit > 1 else 1
    choices = [(together, (limit**together - 1).bit_length()) for together in range(1, most + 1)]
    return min((each for each in choices if each[1] <= 63 or each[0] == 1), key=lambda each: each[1] / each[0])
