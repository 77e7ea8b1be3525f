# SPDX-License-Identifier: Apache-2.0
"""Axes inside of objects: their names, their coordinates, and which objects have the same grid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._axis_labels import AxisLabels, labels_of, lists_of, stored_names
from ._columns import Column, Numbers, Rows, combined, derived, first_of, first_rows
from ._grib import grid_section
from ._plan import CubeError, Options
from ._roles import grid_keys

COORDINATE_NAMES = {
    "latitude": "latitude",
    "lat": "latitude",
    "latitudes": "latitude",
    "nav_lat": "latitude",
    "longitude": "longitude",
    "lon": "longitude",
    "longitudes": "longitude",
    "nav_lon": "longitude",
    "grid_latitude": "grid_latitude",
    "rlat": "grid_latitude",
    "grid_longitude": "grid_longitude",
    "rlon": "grid_longitude",
}
"""Objects with these names, in lower or upper case, are coordinates of the fields of their message."""


@dataclass(frozen=True)
class Inner:
    """The axes of an object.

    Attributes:
        names, shape: of its dimensions.
        labels: of axes.
        coordinates: objects that are coordinates: name, dimensions, row.
        identity: equal for objects of the same grid.
        source: where the identity is from.
        notes: what people should know about the names.
    """

    names: tuple[str, ...]
    shape: tuple[int, ...]
    labels: tuple[AxisLabels, ...]
    coordinates: tuple[tuple[str, tuple[str, ...], int], ...] = field(compare=False)
    identity: Any
    source: str = field(compare=False)
    notes: tuple[str, ...] = field(compare=False)


COORDINATE_KEYS = ("anemoi.variable", "name", "mars.param", "param", "mars.shortName", "shortName")
"""Keys with the names of coordinates: the first one that an object has."""


def coordinate_names(rows: Rows) -> Column:
    """Return for each object the name of the coordinate that it is; absent for all others."""
    return coordinate_names_of(rows.columns, len(rows))


def coordinate_names_of(columns: Mapping[str, Column], count: int) -> Column:
    """Return the same of columns."""
    name = first_of(columns, COORDINATE_KEYS, count)
    return name.map(lambda value: COORDINATE_NAMES.get(value.lower()) if isinstance(value, str) else None)


def inner_axes(rows: Rows, options: Options) -> tuple[Numbers, list[Inner | None], Column]:
    """Return for each object the number of its axes, the axes, and which objects are coordinates.

    Objects that are coordinates have no axes here. They belong to the fields of their message whose axes they fit, and
    are shared by digest.
    """
    kinds = coordinate_names(rows)
    bound = _coordinates_of_messages(rows, kinds)
    given = options.dim_names or ()
    lists = lists_of(rows, {*stored_names(rows), *map(str, given.values() if isinstance(given, Mapping) else given)})
    grid = _grid_keys(rows)
    numbers_of: dict[Any, int] = {}  # once for each message: a forged one has many coordinates
    of_message = {message: numbers_of.setdefault(each, len(numbers_of)) for message, (each, _) in bound.items()}
    signature = np.full(len(rows), -1, dtype=np.int64)
    if of_message:
        signature = np.array([of_message.get(message, -1) for message in rows.messages.tolist()], dtype=np.int64)
    codes = combined(
        [
            kinds.present.astype(np.int64),
            rows.shapes.codes,
            rows.dim_names.codes,
            signature,
            *(each.codes for each in [*lists.values(), grid]),
        ],
        len(rows),
    )
    found: list[Inner | None] = []
    for row in first_rows(codes).tolist():
        coordinates = bound.get(int(rows.messages[row]), ((), ()))[1]
        is_field = kinds.codes[row] < 0
        found.append(_axes(rows, row, kinds, coordinates, lists, grid, options) if is_field else None)
    numbers: dict[Inner | None, int] = {}  # stored names may be those that axes get without any
    same = np.array([numbers.setdefault(each, i) for i, each in enumerate(found)], dtype=np.int64)
    return same[codes], found, kinds


def _grid_keys(rows: Rows) -> Column:
    """Return what tells grids apart without coordinates: the grid section of GRIB, else the keys of the grid."""
    section = rows.column("grib_sections").map(grid_section)
    keys = [rows.column(key) for key in grid_keys(rows)]

    def identity(_: int, digest: str | None, *values: Any) -> Any:
        if digest is not None:
            return ("grib_sections", digest)
        return values if any(value is not None for value in values) else None

    return derived([section, *keys], identity)


def _coordinates_of_messages(rows: Rows, kinds: Column) -> dict[int, tuple[tuple[Any, ...], tuple[int, ...]]]:
    """Return the coordinates of each message: what tells them apart, and their rows."""
    out: dict[int, list[int]] = {}
    for row in np.flatnonzero(kinds.codes >= 0).tolist():
        out.setdefault(int(rows.messages[row]), []).append(row)
    found = {}
    for message, members in out.items():
        members.sort(key=lambda row: int(rows.objects[row]))
        found[message] = (tuple(_digest(rows, kinds, row) for row in members), tuple(members))
    return found


def _digest(rows: Rows, kinds: Column, row: int) -> tuple[Any, ...]:
    digest = rows.digests.at(row)
    own = row if digest is None else -1
    return kinds.at(row), rows.shapes.at(row), rows.dim_names.at(row), rows.dtypes.at(row), digest, own


def _axes(
    rows: Rows,
    row: int,
    kinds: Column,
    coordinates: Sequence[int],
    lists: Mapping[str, Column],
    grid: Column,
    options: Options,
) -> Inner:
    shape: tuple[int, ...] = rows.shapes.at(row)
    notes: list[str] = []
    names = _stored_names(rows, row, shape, options, notes)
    bound: list[tuple[str, tuple[int, ...], int]] = []
    for each in coordinates:
        axes = _axes_of_coordinate(rows, each, kinds.at(each), row, names, notes)
        if axes is not None:
            bound.append((kinds.at(each), axes, each))
    _name_by_coordinates(names, bound)
    labels = labels_of(row, shape, names, lists, {axis for _, axes, _ in bound for axis in axes}, notes)
    _name_the_others(names, shape, notes)
    complete = tuple(name or "" for name in names)
    used: dict[str, tuple[str, tuple[str, ...], int]] = {}
    for name, axes, each in bound:
        if name in used:
            text = (
                f"{rows.address(row)}: its message has two objects that may be its {name}; name their axes by dim_names"
            )
            raise CubeError(text)
        used[name] = (name, tuple(complete[axis] for axis in axes), each)
    if used:
        source = "the digests of latitudes and longitudes"
        identity: Any = tuple((name, dims, _digest(rows, kinds, each)[4:]) for name, dims, each in used.values())
        if len(used) == 1:  # latitudes alone may be those of several grids
            identity = (identity, grid.at(row))
    else:
        identity = grid.at(row)
        source = "nothing: only the shape is known"
        if identity is not None:
            source = "the grid section of GRIB" if identity[0] == "grib_sections" else "keys of the grid"
    named = tuple(each._replace(dim=complete[each.dim]) for each in labels)
    return Inner(complete, shape, named, tuple(used.values()), identity, source, tuple(notes))


def _stored_names(rows: Rows, row: int, shape: tuple[int, ...], options: Options, notes: list[str]) -> list[str | None]:
    """Return the names of `dim_names`, of the caller or of the object."""
    given = options.dim_names
    if given is not None:
        if isinstance(given, Mapping):
            names = _by_size({int(size): str(name) for size, name in given.items()}, shape)
        else:
            names = [str(each) for each in given]
            if len(names) != len(shape):
                return [None] * len(shape)  # objects of other shapes keep their own names
        if _are_unique(names):
            return names
        raise CubeError(f"dim_names gives one name to two axes of the shape {shape}; pass a list of {len(shape)} names")
    stored = rows.dim_names.at(row)
    if not isinstance(stored, tuple) or not stored:
        return [None] * len(shape)
    if all(isinstance(each, str) for each in stored):
        names = list(stored)
    elif all(isinstance(each, tuple) and len(each) == 2 for each in stored):
        names = _by_size({int(size): str(name) for size, name in stored if str(size).isdigit()}, shape)
    else:
        names = []
    if len(names) == len(shape) and _are_unique(names):
        return names
    notes.append(f"the stored dim_names do not fit the shape {shape}, and are not used")
    return [None] * len(shape)


def _by_size(names: Mapping[int, str], shape: tuple[int, ...]) -> list[str | None]:
    return [names.get(size) for size in shape]


def _are_unique(names: Sequence[str | None]) -> bool:
    known = [name for name in names if name is not None]
    return len(set(known)) == len(known)


def _axes_of_coordinate(
    rows: Rows, coordinate: int, kind: str, row: int, names: Sequence[str | None], notes: list[str]
) -> tuple[int, ...] | None:
    """Return the axes of an object that a coordinate has, or None if it does not fit.

    Raises:
        CubeError: several axes have its length.
    """
    shape: tuple[int, ...] = rows.shapes.at(row)
    own: tuple[int, ...] = rows.shapes.at(coordinate)
    stored = rows.dim_names.at(coordinate)
    if isinstance(stored, tuple) and len(stored) == len(own) and all(name in names for name in stored):
        axes = tuple(names.index(name) for name in stored)
        if all(shape[axis] == size for axis, size in zip(axes, own)):
            return axes
    address = rows.address(coordinate)
    fits_not = f"the coordinate {address} of shape {own} does not fit the shape {shape}, and is not used"
    if len(own) == 1:
        meant = [COORDINATE_NAMES.get(name or "") for name in names]
        by_name = [i for i, each in enumerate(meant) if each == kind]
        fitting = [i for i in (by_name or range(len(shape))) if shape[i] == own[0] and meant[i] in (None, kind)]
        if len(fitting) > 1:
            raise CubeError(
                f"{rows.address(coordinate)}: a coordinate of {own[0]} elements fits several axes of the shape {shape} "
                f"of {rows.address(row)}; name the axes by dim_names, such as dim_names=['latitude', 'longitude']"
            )
        if fitting:
            return (fitting[0],)
    if len(own) == 2 and shape[-2:] == own:
        return (len(shape) - 2, len(shape) - 1)
    notes.append(fits_not)
    return None


def _name_by_coordinates(names: list[str | None], bound: Sequence[tuple[str, tuple[int, ...], int]]) -> None:
    """Give an axis without a name that of its only coordinate."""
    for axis, name in enumerate(names):
        found = [each for each, axes, _ in bound if axes == (axis,)]
        if name is None and len(found) == 1 and found[0] not in names:
            names[axis] = found[0]


def _name_the_others(names: list[str | None], shape: tuple[int, ...], notes: list[str]) -> None:
    if all(name is not None for name in names):
        return
    defaults = ["values"] if len(shape) == 1 else [f"dim_{i}" for i in range(len(shape) - 2)] + ["y", "x"]
    for axis, name in enumerate(names):
        if name is None:
            default = defaults[axis]
            names[axis] = f"dim_{axis}" if default in names else default
    shown = ", ".join(str(name) for name in names)
    notes.append(f"the axes of the shape {shape} have no names in the file, and are called {shown}")
