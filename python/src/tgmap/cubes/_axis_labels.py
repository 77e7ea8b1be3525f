# SPDX-License-Identifier: Apache-2.0
"""Labels of axes inside objects: keys whose values are lists."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._columns import Column, Rows
from ._profiles import dimension_names
from ._roles import CANDIDATES, role_keys

NAME_LABELS = frozenset({"variables", "variable"})
"""Labels that are names of variables, which are text always."""

AXIS_KEYS = ("variables", "variable", *(key for role in CANDIDATES for key in role_keys(role)))
"""Keys whose lists label the one axis that is as long. Those of other keys label the axis that has their name."""

INTEGERS = "tgmap_integers"
"""The encoding of labels of text that lists the integers among them, for writing."""


class AxisLabels(NamedTuple):
    """Labels of one axis.

    Attributes:
        name: of the coordinate.
        dim: the axis, by name or number.
        values: the labels.
        key: whose list they are.
    """

    name: str
    dim: Any
    values: tuple[Any, ...]
    key: str


def lists_of(rows: Rows, names: Collection[str]) -> dict[str, Column]:
    """Return the columns of lists that may label axes: those of AXIS_KEYS, and those of names of axes."""
    found = {}
    for key in (*AXIS_KEYS, *sorted(set(names) - set(AXIS_KEYS))):
        column = rows.columns.get(key)
        if column is not None and any(isinstance(value, tuple) for value in column.values):
            found[key] = column.map(lambda value: value if isinstance(value, tuple) else None)
    return found


def stored_names(rows: Rows) -> set[str]:
    """Return all names of axes that objects have."""
    out: set[str] = set()
    for stored in rows.dim_names.values:
        for each in stored if isinstance(stored, tuple) else ():
            name = each[1] if isinstance(each, tuple) and len(each) == 2 else each
            if isinstance(name, str):
                out.add(name)
    return out


def labels_of(
    row: int,
    shape: tuple[int, ...],
    names: list[str | None],
    lists: Mapping[str, Column],
    taken: set[int],
    notes: list[str],
) -> list[AxisLabels]:
    """Return keys whose lists are labels of an axis of an object, and name axes by them.

    Args:
        names: of the axes, as far as they are known; those that get a name are changed.
        taken: axes that have coordinates.
        notes: gets a text for each list that labels nothing.
    """
    out = []
    taken = set(taken)
    for key, column in lists.items():
        values = column.at(row)
        if values is None:
            continue
        if any(each is None or isinstance(each, tuple) for each in values):
            notes.append(f"the list of {len(values)} values of {key} has lists, maps or null, and labels none")
            continue
        leaf = key.rpartition(".")[2] if key in AXIS_KEYS else key
        free = [axis for axis in range(len(shape)) if axis not in taken and shape[axis] == len(values)]
        named = [axis for axis in free if _mean_the_same(names[axis], leaf)]
        free = named or (free if key in AXIS_KEYS else [])
        name = names[free[0]] if named else leaf
        if len(free) == 1 and _are_unique(name, values) and name not in names[: free[0]] + names[free[0] + 1 :]:
            assert name is not None
            names[free[0]] = names[free[0]] or name
            taken.add(free[0])
            out.append(AxisLabels(name, free[0], values, key))
        elif key in AXIS_KEYS:
            why = "fits several axes" if len(free) > 1 else "fits no axis"
            notes.append(f"the list of {len(values)} values of {key} {why} of the shape {shape}, and labels none")
    return out


def typed_labels(name: str, values: tuple[Any, ...]) -> tuple[list[Any], dict[str, Any]]:
    """Return labels, and the encoding of their coordinate: names of variables are text, also those that are numbers.

    >>> typed_labels("variables", (167, "2t"))
    (['167', '2t'], {'tgmap_integers': ['167']})
    """
    if name not in NAME_LABELS:
        return list(values), {}
    integers = [str(each) for each in values if isinstance(each, int) and not isinstance(each, bool)]
    return list(map(str, values)), {INTEGERS: integers} if integers else {}


def stored_labels(values: NDArray[Any], encoding: Mapping[str, Any]) -> list[Any]:
    """Return the labels of a coordinate as metadata has them, which typed_labels() reads again."""
    integers = set(encoding.get(INTEGERS, ()))
    return [int(each) if isinstance(each, str) and each in integers else each for each in np.asarray(values).tolist()]


def _mean_the_same(axis: str | None, leaf: str) -> bool:
    """Return whether the name of an axis is that of a list, or another name of the same: ``level`` and ``levelist``."""
    if axis is None or axis == leaf:
        return axis == leaf
    roles = dimension_names()
    return {axis, leaf} <= NAME_LABELS or (axis in roles and roles[axis] == roles.get(leaf))


def _are_unique(name: str | None, values: tuple[Any, ...]) -> bool:
    return len(set(map(str, values) if name in NAME_LABELS else values)) == len(values)
