# SPDX-License-Identifier: Apache-2.0
"""Small results."""

from __future__ import annotations

from typing import NamedTuple


class Gap(NamedTuple):
    """Bytes [begin, end) of an archive that belong to no message."""

    begin: int
    end: int
    code: str
    reason: str


class Tail(NamedTuple):
    """The incomplete message at the end of an archive, bytes [begin, end)."""

    begin: int
    end: int
    code: str
    reason: str


class PartCost(NamedTuple):
    """What reading a part of an object takes."""

    bytes_read: int
    bytes_decoded: int
    decodes_whole_object: bool
