# SPDX-License-Identifier: Apache-2.0
"""Lazy slices of archives and messages."""

from __future__ import annotations

from collections.abc import Sequence


class _Slice(Sequence):
    """Items of another sequence, found when they are used."""

    __slots__ = ("_of", "_numbers")

    def __init__(self, of, wanted: slice | range):
        self._of = of
        self._numbers = range(len(of))[wanted] if isinstance(wanted, slice) else wanted

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, number):
        found = self._numbers[number]
        return type(self)(self._of, found) if isinstance(found, range) else self._of[found]

    def __iter__(self):
        return map(self._of.__getitem__, self._numbers)

    def __repr__(self) -> str:
        return f"<{len(self)} {type(self).__name__.lower()}>"


class Messages(_Slice):
    """Messages of an archive: ``archive[10:20]``."""

    __slots__ = ()


class Objects(_Slice):
    """Objects of a message: ``message[:3]``."""

    __slots__ = ()
