# SPDX-License-Identifier: Apache-2.0
"""Columns of tables as numbers of their different values, and tables of several archives."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

KINDS = ("boolean", "integer", "floating", "text", "bytes", "array", "map")


class Codes(NamedTuple):
    """The different values of a column, and which one each row has. See :meth:`Table.codes`.

    Attributes:
        codes: for each row the position of its value in `values`, -1 without one: int32.
        values: the different values, in the order in which they first occur. They keep their types: ``500``, ``500.0``
            and ``"500"`` are three. Arrays and maps are their JSON text.
        kinds: for each value ``"boolean"``, ``"integer"``, ``"floating"``, ``"text"``, ``"bytes"``, ``"array"`` or
            ``"map"``.
    """

    codes: NDArray[np.int32]
    values: list[Any]
    kinds: list[str]

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which rows have a value."""
        return read_only(self.codes >= 0)

    @property
    def types(self) -> tuple[str, ...]:
        """The kinds that occur, in the order of `kinds` above."""
        found = set(self.kinds)
        return tuple(each for each in KINDS if each in found)


def codes_of_integers(numbers: NDArray[Any]) -> Codes:
    """Return the codes of numbers of archives, messages or objects."""
    values, first, codes = np.unique(numbers, return_index=True, return_inverse=True)
    order = np.argsort(first)  # of values, as they first occur
    rank = np.empty(len(order), dtype=np.int32)
    rank[order] = np.arange(len(order), dtype=np.int32)
    return Codes(read_only(rank[codes.reshape(-1)]), values[order].tolist(), ["integer"] * len(values))


def joined(parts: Sequence[Codes]) -> Codes:
    """Return the codes of columns one after another."""
    if len(parts) == 1:
        return parts[0]
    numbers: dict[tuple[str, Any], int] = {}
    out = []
    for part in parts:
        # The last one is for rows without a value. NaN is one value, and 0.0 is not -0.0.
        lookup = [numbers.setdefault(_identity(*each), len(numbers)) for each in zip(part.values, part.kinds)] + [-1]
        out.append(np.array(lookup, dtype=np.int32)[part.codes])
    first: dict[int, Any] = {}
    for part in parts:
        for value, kind in zip(part.values, part.kinds):
            first.setdefault(numbers[_identity(value, kind)], value)
    codes = np.concatenate(out) if out else np.empty(0, dtype=np.int32)
    return Codes(read_only(codes), [first[i] for i in range(len(numbers))], [kind for kind, _ in numbers])


def _identity(value: Any, kind: str) -> tuple[str, Any]:
    return kind, np.float64(value).tobytes() if kind == "floating" else value


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    array.flags.writeable = False
    return array


class CollectionTable(dict[str, "NDArray[Any]"]):
    """Columns of several archives by their names, as :meth:`Collection.table` returns them, which pandas takes.

    Attributes:
        omitted: keys that ``all_keys`` leaves out, as in :class:`Table`.
    """

    def __init__(self, columns: dict[str, NDArray[Any]], tables: Iterable[Any], omitted: Iterable[str] = ()):
        super().__init__(columns)
        self._tables = list(tables)
        self.omitted = tuple(omitted)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self["archive"])

    def codes(self, name: str) -> Codes:
        """Return the different values of a column of all archives, and which one each row has.

        See :meth:`Table.codes`.
        """
        if name not in self:
            raise KeyError(name)
        if name == "archive":
            return codes_of_integers(self[name])
        return joined([each.codes(name) if name in each else _absent(len(each)) for each in self._tables])

    def present(self, name: str) -> NDArray[np.bool_]:
        """Return which rows have a value."""
        return self.codes(name).present

    def types(self, name: str) -> tuple[str, ...]:
        """Return the kinds of values that occur in a column. See :class:`Codes`."""
        return self.codes(name).types


def _absent(rows: int) -> Codes:
    return Codes(read_only(np.full(rows, -1, dtype=np.int32)), [], [])
