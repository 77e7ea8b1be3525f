# SPDX-License-Identifier: Apache-2.0
"""Pictures of cubes as text: which cells have an object."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import _shown
from ._cells import label_values, text_of
from ._plan import Group, Variable

FILLED, PARTLY, EMPTY = "#", "+", "."
_MAX_LABEL = 24


def cell_map(group: Group, variable: Variable, title: str, width: int = 80, height: int = 40) -> str:
    """Return a picture of the cells of a variable: ``#`` for objects, ``.`` for none, ``+`` for several cells with both.

    It has the two dimensions along which the holes differ most. A character is several cells if there are more
    dimensions, or more labels than fit.

    Args:
        title: the name of the variable, and what tells it from others.
        width, height: of the picture in characters.
    """
    is_filled = variable.cells >= 0
    dims = list(zip(variable.dims, variable.cells.shape))
    holes = f"{variable.holes} of {variable.cells.size} cells empty" if variable.holes else "no cell is empty"
    lines = [f"{title}: {holes}"]
    if not dims:
        return _joined([*lines, f"  |{FILLED if bool(is_filled) else EMPTY}|"])
    axes = _axes(is_filled)
    others = tuple(axis for axis in range(len(dims)) if axis not in axes)
    share = is_filled.mean(axis=others)
    if share.ndim == 1:
        share = share[np.newaxis]
    columns = dims[axes[-1]]
    rows = dims[axes[0]] if len(axes) == 2 else None
    names = [""] if rows is None else [_label(each) for each in label_values(group, rows[0])]
    margin = max(map(len, names))
    room = max(8, width - margin - 5)
    share, of_column = _binned(share, 1, room)
    share, of_row = _binned(share, 0, height)
    labels = label_values(group, columns[0])
    ends = _label(labels[0]) + (f" to {_label(labels[-1])}" if len(labels) > 1 else "")
    each = f", {of_column} each" if of_column > 1 else ""
    lines.append(f"  {columns[0]} from left to right: {ends}{each}")
    if rows is not None:
        lines.append(f"  {rows[0]} downwards" + (f", {of_row} each" if of_row > 1 else ""))
    if others:
        shown = ", ".join(f"{dims[axis][1]} of {dims[axis][0]}" for axis in others)
        lines.append(f"  each cell is {shown}")
    for number, row in enumerate(share):
        name = names[number * of_row]
        lines.append(f"  {name:>{margin}} |{''.join(map(_character, row.tolist()))}|")
    return _joined(lines)


def _axes(is_filled: NDArray[np.bool_]) -> list[int]:
    """Return the two axes along which the share of filled cells differs most, or the only one."""
    if is_filled.ndim < 3:
        return list(range(is_filled.ndim))
    differs = []
    for axis in range(is_filled.ndim):
        along = is_filled.mean(axis=tuple(other for other in range(is_filled.ndim) if other != axis))
        differs.append((-float(along.var()), -is_filled.shape[axis], axis))
    return sorted(axis for _, _, axis in sorted(differs)[:2])


def _binned(share: NDArray[Any], axis: int, room: int) -> tuple[NDArray[Any], int]:
    """Return means of as many neighbours as fit, and their number."""
    size = share.shape[axis]
    each = math.ceil(size / room)
    if each == 1:
        return share, 1
    begins = np.arange(0, size, each)
    counts = np.diff(np.append(begins, size))
    sums = np.add.reduceat(share, begins, axis=axis)
    return sums / (counts if axis == 1 else counts[:, np.newaxis]), each


def _character(share: float) -> str:
    return FILLED if share > 1 - 1e-9 else EMPTY if share < 1e-9 else PARTLY


def _label(value: Any) -> str:
    text = _shown(text_of(value))
    return text if len(text) <= _MAX_LABEL else text[: _MAX_LABEL - 1] + "~"


def _joined(lines: list[str]) -> str:
    return "\n".join(map(_shown, lines))
