# SPDX-License-Identifier: Apache-2.0
"""Columns of keys: what the rules of cubes read. A row is an object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class Column:
    """The values of one key in all rows, as numbers of its different values.

    Attributes:
        codes: for each row the position of its value in `values`, or -1 if the key is absent.
        values: the different values: bool, int, float, text, and tuples for lists.
    """

    __slots__ = ("codes", "values")

    def __init__(self, codes: Numbers, values: list[Any]):
        self.codes = codes
        self.values = values

    @classmethod
    def of(cls, values: Iterable[Any]) -> Column:
        """Return a column of values. None and NaN are absent.

        >>> Column.of(["t", None, "u", "t"]).codes.tolist()
        [0, -1, 1, 0]
        """
        if isinstance(values, np.ndarray) and values.dtype.kind in "iu":
            found, codes = np.unique(values, return_inverse=True)
            return cls(codes.astype(np.int64).reshape(-1), found.tolist())
        numbers: dict[Any, int] = {}
        out = []
        for each in values.tolist() if isinstance(values, np.ndarray) else values:
            value = plain(each)
            if value is None or value != value:
                out.append(-1)
            else:  # True is 1 for a dict
                out.append(numbers.setdefault((type(value) is bool, value), len(numbers)))
        return cls(np.array(out, dtype=np.int64), [value for _, value in numbers])

    @classmethod
    def absent(cls, count: int) -> Column:
        """Return a column of a key that no row has."""
        return cls(np.full(count, -1, dtype=np.int64), [])

    def __len__(self) -> int:
        return len(self.codes)

    def at(self, row: int) -> Any:
        """Return the value of a row, or None."""
        code = int(self.codes[row])
        return None if code < 0 else self.values[code]

    @property
    def present(self) -> NDArray[np.bool_]:
        """Which rows have the key."""
        return self.codes >= 0

    def constant(self) -> Any:
        """Return the value that all rows have, or None."""
        return self.values[0] if len(self.values) == 1 and len(self) and bool((self.codes == 0).all()) else None

    def varies(self) -> bool:
        """Return whether rows differ; an absent value is one, too."""
        return len(self.values) > 1 or (len(self.values) == 1 and bool((self.codes < 0).any()))

    def map(self, function: Callable[[Any], Any]) -> Column:
        """Return the column of function(value). The function is called once for each different value."""
        found = Column.of([function(value) for value in self.values])
        lookup = np.append(found.codes, -1)  # the last one for absent values
        return Column(lookup[self.codes], found.values)

    def take(self, rows: Numbers) -> Column:
        """Return the column of some rows, without values that none of them has."""
        chosen = self.codes[rows]
        if len(chosen) and bool((chosen == chosen[0]).all()):  # most keys of a variable
            first = int(chosen[0])
            return Column(np.zeros_like(chosen), [self.values[first]]) if first >= 0 else Column(chosen, [])
        kept, codes = np.unique(chosen, return_inverse=True)
        codes = codes.astype(np.int64).reshape(-1)
        if len(kept) and kept[0] < 0:
            codes, kept = codes - 1, kept[1:]
        return Column(codes, [self.values[code] for code in kept.tolist()])

    def or_else(self, other: Column) -> Column:
        """Return this column with the values of another one where it has none."""
        if not len(other.values) or bool(self.present.all()):
            return self
        return Column.of([self.at(i) if self.codes[i] >= 0 else other.at(i) for i in range(len(self))])

    def to_list(self) -> list[Any]:
        """Return the values of all rows, None for absent ones."""
        values = [*self.values, None]
        return [values[code] for code in self.codes.tolist()]


def plain(value: Any) -> Any:
    """Return a value as Python has it, and lists, arrays and maps as tuples, which can be keys of a dict."""
    if type(value) in (str, int, float, bool, type(None)):
        return value
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, Mapping):
        return tuple((plain(key), plain(each)) for key, each in value.items())
    if isinstance(value, (list, tuple)):
        return tuple(plain(each) for each in value)
    return value


def combined(columns: Sequence[Numbers], count: int) -> Numbers:
    """Return numbers from 0 on that are equal in two rows if all columns are."""
    out = np.zeros(count, dtype=np.int64)
    for codes in columns:
        _, codes = np.unique(codes, return_inverse=True)
        width = int(codes.max()) + 1 if count else 1
        if width > 1:
            _, out = np.unique(out * width + codes.reshape(-1), return_inverse=True)
            out = out.astype(np.int64).reshape(-1)
    return out


def derived(columns: Sequence[Column], function: Callable[..., Any]) -> Column:
    """Return the column of function(row, *values), which is called once for each different combination of values.

    The row is the first one that has them.
    """
    codes = combined([each.codes for each in columns], len(columns[0]))
    _, first = np.unique(codes, return_index=True)
    found = Column.of([function(row, *(each.at(row) for each in columns)) for row in first.tolist()])
    return Column(found.codes[codes], found.values)


@dataclass(frozen=True)
class Rows:
    """Keys of objects, one row an object. See :meth:`of`."""

    columns: Mapping[str, Column]
    dtypes: Column
    shapes: Column
    dim_names: Column
    digests: Column
    messages: Numbers
    objects: Numbers
    address: Callable[[int], str]

    @classmethod
    def of(
        cls,
        columns: Mapping[str, Iterable[Any]],
        *,
        dtypes: Iterable[str],
        shapes: Iterable[Sequence[int]],
        dim_names: Iterable[Any] | None = None,
        digests: Iterable[Any] | None = None,
        messages: Iterable[int] | None = None,
        objects: Iterable[int] | None = None,
        address: Callable[[int], str] | None = None,
    ) -> Rows:
        """Return rows.

        Args:
            columns: the values of each key, such as ``"mars.param"``; None where it is absent.
            dtypes, shapes: of the objects.
            dim_names: names of the dimensions of each object: a list, or a map of sizes to names; None without.
            digests: of the elements of each object; needed of latitudes and longitudes.
            messages: numbers of the messages; equal for objects of one message. Default: a message for each.
            objects: numbers of the objects in their messages.
            address: the text that names a row in errors.
        """
        of_dtypes = Column.of(dtypes)
        count = len(of_dtypes)
        found = {key: each if isinstance(each, Column) else Column.of(each) for key, each in columns.items()}
        for key, column in found.items():
            if len(column) != count:
                raise ValueError(f"the column '{key}' has {len(column)} rows, not {count}")
        numbers = np.arange(count, dtype=np.int64)
        of_messages = numbers if messages is None else np.asarray(list(messages), dtype=np.int64)
        of_objects = np.zeros_like(numbers) if objects is None else np.asarray(list(objects), dtype=np.int64)
        return cls(
            found,
            of_dtypes,
            Column.of([tuple(each) for each in shapes]),
            Column.absent(count) if dim_names is None else Column.of(dim_names),
            Column.absent(count) if digests is None else Column.of(digests),
            of_messages,
            of_objects,
            address or (lambda row: f"{of_messages[row]}:{of_objects[row]}"),
        )

    def __len__(self) -> int:
        return len(self.dtypes)

    def column(self, *keys: str) -> Column:
        """Return the values of the first of these keys that each row has."""
        out = Column.absent(len(self))
        for key in keys:
            if key in self.columns:
                out = out.or_else(self.columns[key]) if len(out.values) else self.columns[key]
        return out
