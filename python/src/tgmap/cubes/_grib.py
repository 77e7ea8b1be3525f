# SPDX-License-Identifier: Apache-2.0
"""The first sections of a GRIB message, which its import keeps as ``grib_sections``: bytes or hexadecimal digits."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator
from typing import Any

from ._columns import ByteText

_SECONDS = {0: 60, 1: 3600, 2: 86400, 10: 10800, 11: 21600, 12: 43200, 13: 1}
_STATISTICAL_TEMPLATES = frozenset({8, 11, 12})  # of GRIB 2: intervals of fields, members, and what is derived of these
_STATISTICAL_RANGES = frozenset({2, 3, 4, 5})  # of GRIB 1: range, average, accumulation, difference
_GRIB1_SECONDS = {**_SECONDS, 13: 900, 14: 1800, 254: 1}


def grid_section(sections: Any) -> str | None:
    """Return a digest of the grid section, or None if there is none."""
    grid = dict(_sections(sections)).get(2 if _edition(sections) == 1 else 3)
    return hashlib.blake2b(grid, digest_size=8).hexdigest() if grid else None


def interval_start(sections: Any) -> int | None:
    """Return the start of an interval in seconds, or None for an instant and for products that are not understood."""
    found = dict(_sections(sections))
    if _edition(sections) == 1:
        product = found.get(1, b"")
        if len(product) < 21 or product[20] not in _STATISTICAL_RANGES or product[17] not in _GRIB1_SECONDS:
            return None
        return product[18] * _GRIB1_SECONDS[product[17]]
    product = found.get(4, b"")
    if len(product) < 34 or int.from_bytes(product[7:9], "big") not in _STATISTICAL_TEMPLATES:
        return None
    if product[17] not in _SECONDS:
        return None
    time = int.from_bytes(product[18:22], "big")  # the first bit is the sign
    return None if time >= 1 << 31 else time * _SECONDS[product[17]]


def _bytes(sections: Any) -> bytes:
    if not isinstance(sections, (str, bytes, tuple)):  # bytes(10**12) are so many zeros
        return b""
    try:
        if isinstance(sections, ByteText):
            data = sections.content
        else:
            data = bytes.fromhex(sections) if isinstance(sections, str) else bytes(sections)
    except (TypeError, ValueError):
        return b""
    return data if data[:4] == b"GRIB" else b""


def _edition(sections: Any) -> int:
    data = _bytes(sections)
    return data[7] if len(data) > 7 else 0


def _sections(sections: Any) -> Iterator[tuple[int, bytes]]:
    """Yield the number and the bytes of each whole section after the first."""
    data = _bytes(sections)
    if len(data) < 12:
        return
    if data[7] == 1:
        yield from _sections_of_grib1(data)
        return
    begin = 16
    while begin + 5 <= len(data):
        length = int.from_bytes(data[begin : begin + 4], "big")
        if length < 5 or begin + length > len(data):
            return
        yield data[begin + 4], data[begin : begin + length]
        begin += length


def _sections_of_grib1(data: bytes) -> Iterator[tuple[int, bytes]]:
    product = data[8 : 8 + int.from_bytes(data[8:11], "big")]
    yield 1, product
    if len(product) > 7 and product[7] & 0x80:
        begin = 8 + len(product)
        length = int.from_bytes(data[begin : begin + 3], "big")
        if 3 < length <= len(data) - begin:
            yield 2, data[begin : begin + length]
