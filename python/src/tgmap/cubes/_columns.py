# SPDX-License-Identifier: Apache-2.0
"""Columns of keys: what the rules of cubes read. A row is an object."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

Numbers = NDArray[np.int64]


class ByteText(str):
    """A byte string of metadata as text, such as ``h'0612'``: no number, no date, and equal to no hexadecimal text.

    >>> ByteText.of(bytes([6, 18]))
    "h'0612'"
    """

    __slots__ = ()

    @classmethod
    def of(cls, content: bytes) -> ByteText:
        return cls(f"h'{content.hex()}'")

    @property
    def content(self) -> bytes:
        """The bytes."""
        return bytes.fromhex(self[2:-1])


class Column:
    """The values of one key in all rows, as numbers of its different values.

    Attributes:
        codes: for each row the position of its value in `values`, or -1 if the key is absent.
        values: the different values: bool, int, float, text, and tuples for lists.
    """

    __slots__ = ("codes", "values", "_is_uniform")

    def __init__(self, codes: Numbers, values: list[Any], is_uniform: bool | None = None):
        self.codes = codes
        self.values = values
        self._is_uniform = is_uniform

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

    def is_uniform(self) -> bool:
        """Return whether all rows have the same value, or none of them has one, as for most keys of a cube."""
        if self._is_uniform is None:  # codes do not change
            self._is_uniform = not len(self.codes) or bool((self.codes == self.codes[0]).all())
        return self._is_uniform

    def constant(self) -> Any:
        """Return the value that all rows have, or None."""
        return self.at(0) if len(self.values) == 1 and len(self) and self.is_uniform() else None

    def varies(self) -> bool:
        """Return whether rows differ; an absent value is one, too."""
        return len(self.values) > 1 or (len(self.values) == 1 and bool((self.codes < 0).any()))

    def map(self, function: Callable[[Any], Any]) -> Column:
        """Return the column of function(value). The function is called once for each different value."""
        found = Column.of([function(value) for value in self.values])
        if len(found.values) == len(self.values):  # they are numbered in order
            return Column(self.codes, found.values, self._is_uniform)
        lookup = np.append(found.codes, -1)  # the last one for absent values
        return Column(lookup[self.codes], found.values)

    def take(self, rows: Numbers) -> Column:
        """Return the column of some rows, without values that none of them has."""
        if self.is_uniform() and len(self) and len(rows):
            first = self.at(0)
            codes = np.full(len(rows), -1 if first is None else 0, dtype=np.int64)
            return Column(codes, [] if first is None else [first], True)
        return Column(self.codes[rows], self.values).compact()

    def compact(self) -> Column:
        """Return the same column without values that no row has."""
        codes = self.codes
        if len(codes) and self.is_uniform():
            first = int(codes[0])
            return Column(np.zeros_like(codes), [self.values[first]]) if first >= 0 else Column(codes, [])
        if len(self.values) > _most_cells(len(codes)):
            kept, codes = np.unique(codes, return_inverse=True)
            codes = codes.astype(np.int64).reshape(-1)
            if len(kept) and kept[0] < 0:
                codes, kept = codes - 1, kept[1:]
            return Column(codes, [self.values[code] for code in kept.tolist()])
        is_used = np.zeros(len(self.values) + 1, dtype=bool)  # the last one is that of absent values, -1
        is_used[codes] = True
        is_used[-1] = False
        if bool(is_used[:-1].all()):
            return self
        numbers = np.cumsum(is_used, dtype=np.int64) - 1
        numbers[-1] = -1
        return Column(numbers[codes], [value for value, used in zip(self.values, is_used.tolist()) if used])

    def codes_of(self, rows: Numbers) -> Numbers:
        """Return the different codes of some rows, in order; -1 if one of them lacks the key."""
        if len(rows) and self.is_uniform():
            return self.codes[:1]
        chosen = self.codes[rows]
        if len(chosen) and bool((chosen == chosen[0]).all()):
            return chosen[:1]
        return np.unique(chosen)

    def constant_of(self, rows: Numbers) -> Any:
        """Return the value that all of some rows have, or None."""
        if len(rows) and self.is_uniform():
            return self.at(0)
        chosen = self.codes[rows]
        if not len(chosen) or chosen[0] < 0 or not bool((chosen == chosen[0]).all()):
            return None
        return self.values[int(chosen[0])]

    def or_else(self, other: Column) -> Column:
        """Return this column with the values of another one where it has none."""
        if not len(other.values) or bool(self.present.all()):
            return self
        both = Column.of([*self.values, *other.values])  # equal values get one number
        of_self, of_other = np.split(both.codes, [len(self.values)])
        codes = np.where(self.present, np.append(of_self, -1)[self.codes], np.append(of_other, -1)[other.codes])
        return Column(codes, both.values).compact()

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


def first_of(columns: Mapping[str, Column], keys: Iterable[str], count: int) -> Column:
    """Return the values of the first of some keys that each row has."""
    out = Column.absent(count)
    for key in keys:
        if key in columns:
            out = out.or_else(columns[key]) if len(out.values) else columns[key]
    return out


def combined(columns: Sequence[Numbers], count: int) -> Numbers:
    """Return numbers from 0 on that are equal in two rows if all columns are."""
    out = np.zeros(count, dtype=np.int64)
    height = 1  # numbers so far
    for codes in columns:
        if not count:
            break
        smallest = int(codes.min())
        width = int(codes.max()) - smallest + 1
        if width > 1:
            if width > _most_cells(count):
                codes, width = _numbered(codes - smallest, width)
                smallest = 0
            out, height = _numbered(out * width + (codes - smallest), height * width)
    return out


def _most_cells(count: int) -> int:
    """Return how large a table of numbers of `count` rows may be."""
    return 8 * count + 16


def _numbered(numbers: Numbers, limit: int) -> tuple[Numbers, int]:
    """Return numbers below `limit` as those from 0 on, in the same order, and how many there are.

    A table of all numbers takes a tenth of the time of sorting them, where it is not too large.
    """
    if limit > _most_cells(len(numbers)):
        kept, out = np.unique(numbers, return_inverse=True)
        return out.astype(np.int64).reshape(-1), len(kept)
    is_met = np.zeros(limit, dtype=bool)
    is_met[numbers] = True
    ranks = np.cumsum(is_met, dtype=np.int64)
    return ranks[numbers] - 1, int(ranks[-1])


def first_rows(codes: Numbers) -> Numbers:
    """Return for each number of `codes`, which are those from 0 on, the first row that has it."""
    out = np.empty(int(codes.max()) + 1 if len(codes) else 0, dtype=np.int64)
    out[codes[::-1]] = np.arange(len(codes) - 1, -1, -1)
    return out


def derived(columns: Sequence[Column], function: Callable[..., Any]) -> Column:
    """Return the column of function(row, *values), which is called once for each different combination of values.

    The row is the first one that has them.
    """
    codes = combined([each.codes for each in columns], len(columns[0]))
    found = Column.of([function(row, *(each.at(row) for each in columns)) for row in first_rows(codes).tolist()])
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
        return first_of(self.columns, keys, len(self))
