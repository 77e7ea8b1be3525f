# SPDX-License-Identifier: Apache-2.0
"""Which object is in which cell of which sample. Functions of columns, which read nothing."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from .._core import _shown
from ..cubes import Column
from ..cubes._texts import listed, quoted, short

Numbers = NDArray[np.int64]


class SampleError(ValueError):
    """Objects are no samples by the keys that were asked for. The text says what to do."""


class SampleWarning(UserWarning):
    """Messages of an archive are in no sample, because it is damaged or incomplete."""


class Described(Protocol):
    """Rows that errors name."""

    def address(self, row: int) -> str: ...

    def different_keys(self, one: int, other: int | None) -> list[str]: ...


@dataclass(frozen=True)
class Axis:
    """One axis of samples.

    Attributes:
        keys: that label it.
        labels: the values of the keys at each position, as tuples.
    """

    keys: tuple[str, ...]
    labels: list[tuple[Any, ...]]

    def __len__(self) -> int:
        return len(self.labels)

    def text(self, position: int) -> str:
        """Return the label of a position for people: ``mars.param=2t, mars.step=6``."""
        return _shown(", ".join(f"{key}={short(value)}" for key, value in zip(self.keys, self.labels[position])))

    def values(self) -> list[Any]:
        """Return the labels: values if there is one key, else tuples."""
        return [each[0] for each in self.labels] if len(self.keys) == 1 else list(self.labels)


@dataclass(frozen=True)
class Cells:
    """The objects of samples.

    Attributes:
        rows: numbers of rows, -1 in holes: one for each sample, position of the sequence, and channel.
        samples, sequence, channel: the axes.
    """

    rows: Numbers
    samples: Axis
    sequence: Axis
    channel: Axis

    def text(self, sample: int, position: int, channel: int) -> str:
        """Return the labels of a cell for people."""
        places = ((self.samples, sample), (self.sequence, position), (self.channel, channel))
        return ", ".join(axis.text(place) for axis, place in places if axis.keys)

    @classmethod
    def of_single_objects(cls, count: int) -> Cells:
        """Return the cells of samples that are one object each."""
        none = Axis((), [()])
        return cls(np.arange(count, dtype=np.int64).reshape(count, 1, 1), Axis((), [()] * count), none, none)

    def missing(self) -> str:
        """Return a text that names the first cell without an object, and says how many there are."""
        holes = np.argwhere(self.rows < 0)
        many = f"{len(holes)} of {self.rows.size} objects are missing, such as"
        return f"{many if len(holes) > 1 else 'there is no object'} {self.text(*map(int, holes[0]))}"

    def used(self) -> tuple[Numbers, Cells]:
        """Return the rows that are in a cell, and the cells with their positions among these."""
        used, rows = np.unique(self.rows, return_inverse=True)
        rows = rows.reshape(self.rows.shape).astype(np.int64)
        if len(used) and used[0] < 0:
            used, rows = used[1:], rows - 1
        return used, dataclasses.replace(self, rows=rows)

    def take(self, samples: Numbers) -> Cells:
        """Return the cells of some of the samples."""
        labels = [self.samples.labels[i] for i in samples.tolist()]
        return Cells(self.rows[samples], Axis(self.samples.keys, labels), self.sequence, self.channel)


def arrange(
    columns: Mapping[str, Column],
    sample: Sequence[str],
    sequence: Sequence[str],
    channel: Sequence[str],
    rows: Described,
    channels: Sequence[tuple[Any, ...]] | None = None,
) -> Cells:
    """Return the objects of samples: those of equal values of `sample` are one.

    Positions of axes are sorted by their values, numbers before text, objects without a key last.

    Args:
        rows: describes rows in errors.
        channels: the channels that are wanted, in their order; objects of others are left out.

    Raises:
        SampleError: an object has no key of an axis, two objects are in one cell, or a channel is in no sample.
    """
    codes, axes = [], []
    for keys in (sample, sequence, channel):
        chosen = [columns[key] for key in keys]
        _check_present(keys, chosen, rows)
        found, axis = _axis(keys, chosen, len(columns[sample[0]]))
        codes.append(found)
        axes.append(axis)
    if channels is not None:
        codes[2], axes[2] = _chosen(codes[2], axes[2], channels)
    shape = (len(axes[0]), len(axes[1]), len(axes[2]))
    kept = np.flatnonzero(codes[2] >= 0)
    flat = np.ravel_multi_index([each[kept] for each in codes], shape) if len(kept) else kept
    cells = np.full(shape, -1, dtype=np.int64)
    cells.reshape(-1)[flat] = kept
    out = Cells(cells, *axes)
    if len(kept) != int((cells >= 0).sum()):
        _refuse_duplicates(out, flat, kept, rows)
    return out


def _check_present(keys: Sequence[str], columns: Sequence[Column], rows: Described) -> None:
    """Raise SampleError if an object has none of the keys of an axis."""
    if not keys:
        return
    present = np.any([each.present for each in columns], axis=0)
    if not present.all():
        row = int(np.flatnonzero(~present)[0])
        count = int((~present).sum())
        names = " or ".join(f"'{each}'" for each in keys)
        if count == len(present):
            import difflib

            close = difflib.get_close_matches(keys[0], rows.different_keys(row, None), 1)
            hint = f"; did you mean '{close[0]}'?" if close else ""
            raise SampleError(_shown(f"no object has {names}{hint}"))
        others = f", nor have {count - 1} others" if count > 1 else ""
        choice = " or ".join(f"has {each}" for each in keys)
        text = f"{rows.address(row)} has no {names}{others}"
        raise SampleError(_shown(f'{text}; where="{choice}" leaves such objects out'))


def _axis(keys: Sequence[str], columns: Sequence[Column], count: int) -> tuple[Numbers, Axis]:
    """Return the position of each row on an axis, and the axis."""
    codes = np.zeros(count, dtype=np.int64)
    if not keys:
        return codes, Axis((), [()])
    for each in columns:
        ranks = _ranks(each)
        _, codes = np.unique(codes * (len(each.values) + 1) + ranks, return_inverse=True)
        codes = codes.astype(np.int64).reshape(-1)
    _, first = np.unique(codes, return_index=True)
    return codes, Axis(tuple(keys), [tuple(each.at(row) for each in columns) for row in first.tolist()])


def _ranks(column: Column) -> Numbers:
    """Return for each row the rank of its value among the values of the column; absent ones are last."""
    order = sorted(range(len(column.values)), key=lambda code: _sort_key(column.values[code]))
    ranks = np.empty(len(order) + 1, dtype=np.int64)
    ranks[order] = np.arange(len(order))
    ranks[-1] = len(order)
    return ranks[column.codes]


def _sort_key(value: Any) -> Any:
    return (0, value, "") if isinstance(value, (bool, int, float)) else (1, 0, str(value))


def _chosen(codes: Numbers, axis: Axis, wanted: Sequence[tuple[Any, ...]]) -> tuple[Numbers, Axis]:
    """Return positions on an axis of the labels that are wanted; -1 for those of others."""
    known = {label: i for i, label in enumerate(axis.labels)}
    lookup = np.full(len(axis.labels), -1, dtype=np.int64)
    for position, label in enumerate(wanted):
        if label not in known:
            some = listed(axis.values())
            one = label[0] if len(label) == 1 else label
            raise SampleError(_shown(f"there is no channel {quoted(one)} of {', '.join(axis.keys)}; there are {some}"))
        if lookup[known[label]] >= 0:
            raise SampleError(_shown(f"the channel {quoted(label if len(label) > 1 else label[0])} is given twice"))
        lookup[known[label]] = position
    return lookup[codes], Axis(axis.keys, list(wanted))


def _refuse_duplicates(cells: Cells, flat: Numbers, kept: Numbers, rows: Described) -> None:
    order = np.argsort(flat, kind="stable")
    second = int(np.flatnonzero(np.diff(flat[order]) == 0)[0]) + 1
    one, other = (int(kept[order[i]]) for i in (second - 1, second))
    cell = cells.text(*map(int, np.unravel_index(flat[order[second]], cells.rows.shape)))
    keys = ", ".join(f"'{each}'" for each in rows.different_keys(one, other)[:5])
    advice = f"they differ in {keys}: name such a key in sample=, sequence= or channel=, or select by where="
    text = f"{rows.address(one)} and {rows.address(other)} have the same {cell}"
    raise SampleError(_shown(f"{text}; {advice}" if keys else f"{text} and no key that differs; select one by where="))
