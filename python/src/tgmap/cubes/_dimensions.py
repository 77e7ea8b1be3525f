# SPDX-License-Identifier: Apache-2.0
"""Solving one variable: which keys are its dimensions, and which object is in which cell."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._columns import Column, Numbers, combined
from ._plan import CubeError
from ._roles import sort_key

_SHOWN = 5


@dataclass(frozen=True)
class Choice:
    """The keys that are dimensions, in order, and for each other key that varies what it depends on."""

    kept: tuple[str, ...]
    dropped: Mapping[str, str]


def choose(columns: Mapping[str, Column], count: int, ensured: Sequence[str] = ()) -> Choice:
    """Return the dimensions of the objects of one variable.

    Of the keys that vary, from the last to the first, each is dropped whose removal keeps all objects distinct: it
    depends on the others. Fewer keys make the cube smaller, so no removal adds a hole.

    >>> choose({"step": Column.of([0, 6]), "stream": Column.of(["a", "b"])}, 2).kept
    ('step',)
    """
    varying = [name for name, column in columns.items() if column.varies()]
    kept = list(varying)
    distinct = _count([columns[name].codes for name in kept], count)
    dropped: dict[str, str] = {}
    for name in reversed(varying):
        others = [each for each in kept if each != name]
        if name not in ensured and _count([columns[each].codes for each in others], count) == distinct:
            kept = others
            dropped[name] = f"objects are distinct without it, by {_listed(others)}"
    ordered = [name for name in columns if name in kept or (name in ensured and len(columns[name].values))]
    return Choice(tuple(ordered), dropped)


def _count(codes: Sequence[Numbers], count: int) -> int:
    found = combined(codes, count)
    return int(found.max()) + 1 if count else 0


def _listed(names: Sequence[str]) -> str:
    return " and ".join(names) if names else "nothing"


@dataclass(frozen=True)
class Placement:
    """The cells of a variable.

    Attributes:
        labels: the sorted values of each dimension.
        cells: the row of the object of each cell, -1 for a hole.
        positions: for each row its position along each dimension.
    """

    labels: Mapping[str, list[Any]]
    cells: Numbers
    positions: Mapping[str, Numbers]


@dataclass(frozen=True)
class Rules:
    """What to do with cells of none or several objects, and how to name them in errors."""

    duplicates: str
    allow_holes: bool
    variable: str
    address: Callable[[int], str]
    label: Callable[[str, Any], str]
    differing: Callable[[int, int], str]
    hint: str = ""


def place(columns: Mapping[str, Column], count: int, rules: Rules) -> Placement:
    """Return which row is in which cell. Every key of `columns` is present in all rows.

    Raises:
        CubeError: a cell has several objects, or none, and `rules` do not allow it.
    """
    labels: dict[str, list[Any]] = {}
    positions: dict[str, Numbers] = {}
    for name, column in columns.items():
        order = sorted(range(len(column.values)), key=lambda code: sort_key(column.values[code]))
        rank = np.empty(len(order), dtype=np.int64)
        rank[order] = np.arange(len(order))
        labels[name] = [column.values[code] for code in order]
        positions[name] = rank[column.codes]
    shape = tuple(len(each) for each in labels.values())
    flat = np.zeros(count, dtype=np.int64)
    for name, size in zip(labels, shape):
        flat = flat * size + positions[name]
    flat, shape = _without_duplicates(flat, shape, labels, positions, rules)
    check_size(shape, count, rules.variable)
    cells = np.full(shape, -1, dtype=np.int64)
    rows = np.arange(count, dtype=np.int64)
    if rules.duplicates == "first":
        flat, rows = flat[::-1], rows[::-1]
    cells.reshape(-1)[flat] = rows
    _check_holes(cells, labels, rules)
    return Placement(labels, cells, positions)


def _without_duplicates(
    flat: Numbers,
    shape: tuple[int, ...],
    labels: dict[str, list[Any]],
    positions: dict[str, Numbers],
    rules: Rules,
) -> tuple[Numbers, tuple[int, ...]]:
    order = np.argsort(flat, kind="stable")
    is_repeated = np.zeros(len(flat), dtype=bool)
    is_repeated[order[1:]] = flat[order[1:]] == flat[order[:-1]]
    if not is_repeated.any() or rules.duplicates in ("first", "last"):
        return flat, shape
    if rules.duplicates == "error":
        raise _duplicates(flat, is_repeated, shape, labels, rules)
    begins = np.flatnonzero(~is_repeated[order])
    lengths = np.diff(np.append(begins, len(flat)))
    copy = np.empty(len(flat), dtype=np.int64)
    copy[order] = np.arange(len(flat)) - np.repeat(begins, lengths)
    size = int(lengths.max())
    labels["duplicate"] = list(range(size))
    positions["duplicate"] = copy
    return flat * size + copy, (*shape, size)


def _duplicates(
    flat: Numbers, is_repeated: NDArray[np.bool_], shape: tuple[int, ...], labels: dict[str, list[Any]], rules: Rules
) -> CubeError:
    repeated = np.flatnonzero(is_repeated)
    lines = []
    for cell in np.unique(flat[repeated])[:_SHOWN].tolist():
        found = np.flatnonzero(flat == cell).tolist()
        names = ", ".join(rules.address(row) for row in found[:_SHOWN]) + (", ..." if len(found) > _SHOWN else "")
        lines.append(f"  {_cell(cell, shape, labels, rules)}: {names}{rules.differing(found[0], found[1])}")
    count = len(np.unique(flat[repeated]))
    lines += [f"  and {count - _SHOWN} more"] if count > _SHOWN else []
    return CubeError(
        f"the variable '{rules.variable}' has several objects for {_plural(count, 'cell')}:",
        *lines,
        "Take duplicates='first', 'last' or 'stack', add a key that tells them apart by dims=, or select by where=",
    )


def check_size(shape: tuple[int, ...], count: int, variable: str) -> None:
    """Raise CubeError if a variable has far more cells than objects: their numbers would take memory."""
    cells = 1
    for size in shape:
        cells *= size
    if cells > 1000 * count + 1_000_000:
        sizes = " x ".join(map(str, shape))
        raise CubeError(
            f"the variable '{variable}' has {count} objects in {sizes} cells; select fewer of them by where="
        )


def _check_holes(cells: Numbers, labels: Mapping[str, list[Any]], rules: Rules) -> None:
    holes = np.flatnonzero(cells.reshape(-1) < 0)
    if not len(holes) or rules.allow_holes:
        return
    shown = [f"  {_cell(cell, cells.shape, labels, rules)}" for cell in holes[:_SHOWN].tolist()]
    shown += [f"  and {len(holes) - _SHOWN} more"] if len(holes) > _SHOWN else []
    raise CubeError(
        f"the variable '{rules.variable}' has no object for {_plural(len(holes), 'cell')} of {cells.size}:",
        *shown,
        f"Take {rules.hint}allow_holes=True for missing values there, or select by where=",
    )


def _cell(cell: int, shape: tuple[int, ...], labels: Mapping[str, list[Any]], rules: Rules) -> str:
    place = np.unravel_index(cell, shape) if shape else ()
    return (
        ", ".join(f"{name}={rules.label(name, each[int(i)])}" for (name, each), i in zip(labels.items(), place))
        or "all"
    )


def _plural(count: int, noun: str) -> str:
    return f"{count} {noun}" if count == 1 else f"{count} {noun}s"


def depends_on(column: Column, positions: Mapping[str, Numbers], whole: bool = False) -> tuple[str, ...] | None:
    """Return the dimensions that a key depends on: one, or with `whole` also two, or None if there are none.

    >>> depends_on(Column.of(["a", "b", "a"]), {"step": np.array([0, 1, 0])})
    ('step',)
    """
    count = len(column)
    if not column.varies():
        return ()
    names = list(positions)
    found: list[tuple[str, ...]] = [(name,) for name in names]
    if whole:
        found += [(a, b) for i, a in enumerate(names) for b in names[i + 1 :]]
    for dims in found:
        cells = combined([positions[name] for name in dims], count)
        codes = np.empty(int(cells.max()) + 1, dtype=np.int64)
        codes[cells] = column.codes  # one of each cell
        if bool((codes[cells] == column.codes).all()):
            return dims
    return None
