# SPDX-License-Identifier: Apache-2.0
"""The cells of cubes: their labels, and the rows of their objects."""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np

from ._dates import parse_date, parse_step
from ._plan import Coordinate, CubeError, Group, Variable
from ._roles import suggestion
from ._texts import listed, short

_SHOWN = 3


class Cell(NamedTuple):
    """A cell of a variable.

    Attributes:
        group, variable: names.
        labels: of its dimensions between objects.
        row: of its object; -1 for a hole.
    """

    group: str
    variable: str
    labels: Mapping[str, Any]
    row: int


def cells(groups: Sequence[Group], variables: Iterable[str], labels: Mapping[str, Any]) -> Iterator[Cell]:
    """Yield the cells that have some labels: those of all variables, or of some.

    Args:
        variables: names; none for all.
        labels: a label of a dimension or of a scalar coordinate, or a list of labels: ``{"step": ["0h", "6h"]}``.

    Raises:
        CubeError: there is no such variable, no variable has the dimension, or none of those has the label.
    """
    chosen = list(_chosen(groups, list(variables)))
    finder = _Finder(labels)
    for name in labels:
        _check_label(chosen, name, labels[name], finder)
    for group, variable in chosen:
        where = [finder.positions(group, variable, name) for name in labels]
        if any(each is None for each in where):
            continue
        positions = [range(size) for size in variable.cells.shape]
        for each in where:
            if each is not None and each[0] >= 0:
                positions[each[0]] = each[1]  # type: ignore[call-overload]
        outer = [(dim, label_values(group, dim)) for dim, _ in zip(variable.dims, variable.cells.shape)]
        for index in itertools.product(*positions):
            of_cell = {dim: values[i] for (dim, values), i in zip(outer, index)}
            yield Cell(group.name, variable.name, of_cell, int(variable.cells[index]))


def label_values(group: Group, dim: str) -> Any:
    """Return the labels of a dimension between objects."""
    values = group.coordinates[dim].values
    assert values is not None  # only coordinates inside objects have none
    return values


def check_variables(groups: Sequence[Group], variables: Iterable[str]) -> None:
    """Raise CubeError for names of no variable."""
    known = {name for group in groups for name in group.variables}
    for name in variables:
        if name not in known:
            hint = suggestion(name, known)
            raise CubeError(f"there is no variable '{short(name)}'; there are {listed(sorted(known))}{hint}")


def _chosen(groups: Sequence[Group], variables: Sequence[str]) -> Iterator[tuple[Group, Variable]]:
    check_variables(groups, variables)
    for group in groups:
        for name, variable in group.variables.items():
            if not variables or name in variables:
                yield group, variable


def _check_label(chosen: Sequence[tuple[Group, Variable]], name: str, label: Any, finder: _Finder) -> None:
    """Raise CubeError if no variable has the dimension or scalar coordinate, or none has the label."""
    found = [(group, variable) for group, variable in chosen if _axis(group, variable, name) is not None]
    if not found:
        known = {dim for group, each in chosen for dim in _labelled(group, each)}
        hint = suggestion(name, known)
        raise CubeError(f"there is no dimension '{short(name)}'; there are {listed(sorted(known))}{hint}")
    if not any(finder.positions(group, variable, name) for group, variable in found):
        values = _coordinate(found[0][0], name).reshape(-1)
        wanted = label.tolist() if isinstance(label, np.ndarray) else label
        shown = listed(list(map(text_of, values)), _SHOWN)
        raise CubeError(f"{name} has no label {short(wanted)}; there are {shown}")


def _labelled(group: Group, variable: Variable) -> list[str]:
    """Return the dimensions between the objects of a variable, and the scalar coordinates."""
    outer = [dim for dim, _ in zip(variable.dims, variable.cells.shape)]
    return outer + [each.name for each in group.coordinates.values() if _is_scalar(each)]


def _is_scalar(coordinate: Coordinate) -> bool:
    return coordinate.values is not None and not coordinate.dims


def _axis(group: Group, variable: Variable, name: str) -> int | None:
    """Return the axis of a dimension between objects, -1 for a scalar coordinate, None for other names."""
    outer = [dim for dim, _ in zip(variable.dims, variable.cells.shape)]
    if name in outer:
        return outer.index(name)
    return -1 if name in group.coordinates and _is_scalar(group.coordinates[name]) else None


def _coordinate(group: Group, name: str) -> Any:
    return np.atleast_1d(label_values(group, name))


class _Finder:
    """Finds the positions of labels. Variables of a group have the same, which are found once."""

    def __init__(self, labels: Mapping[str, Any]):
        self._labels = labels
        self._found: dict[tuple[str, str], list[int]] = {}

    def positions(self, group: Group, variable: Variable, name: str) -> tuple[int, list[int]] | None:
        """Return the axis and the positions of the labels of a dimension, or None if the variable has none of them."""
        axis = _axis(group, variable, name)
        if axis is None:
            return None
        key = (group.name, name)
        if key not in self._found:
            self._found[key] = _positions(_coordinate(group, name), self._labels[name])
        found = self._found[key]
        return (axis, found) if found else None


def _positions(values: Any, label: Any) -> list[int]:
    """Return the positions of a label or of some labels."""
    found: list[int] = []
    for each in label if isinstance(label, (list, tuple)) else [label]:
        found += np.flatnonzero(values == converted(each, values)).tolist()
    return sorted(set(found))


def position(name: str, values: Any, label: Any) -> int:
    """Return the position of a label. Raises CubeError if there is none."""
    found = np.flatnonzero(values == converted(label, values))
    if len(found):
        return int(found[0])
    raise CubeError(f"{name} has no {short(label)}")


def converted(label: Any, values: Any) -> Any:
    """Return a label that is text as labels of a coordinate are: a number, a date, a duration such as ``"6h"``.

    >>> converted("500", np.array([500])), converted("6h", np.array([0], "timedelta64[s]")).item().seconds
    (500, 21600)
    """
    kind = values.dtype.kind
    if not isinstance(label, str):
        return np.datetime64(label) if kind == "M" else label
    if kind == "m":
        return np.timedelta64(parse_step(label).end, "s")
    if kind == "M":
        return np.datetime64(parse_date(label).seconds, "s")
    if kind == "b":
        return {"true": True, "false": False}.get(label.lower())
    if kind in "iuf":
        for number in (int, float):
            try:
                return number(label)
            except ValueError:
                continue
        return None
    return label


def text_of(value: Any) -> str:
    """Return a label for people: dates to the minute, and durations in hours."""
    if isinstance(value, np.datetime64):
        return str(value.astype("datetime64[m]"))
    if isinstance(value, np.timedelta64):
        return f"{value / np.timedelta64(1, 'h'):g}h"
    return str(value)
