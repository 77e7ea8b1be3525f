# SPDX-License-Identifier: Apache-2.0
"""Dividing objects into parts that are one cube each, and solving each part alone."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._columns import Column, Numbers, combined
from ._dimensions import Placement, Rules, choose, depends_on, place
from ._grids import Inner
from ._intervals import split
from ._keys import Keys, is_noise, label_text
from ._plan import CubeError, Options, Reason
from ._profiles import dimension_name, variable_name
from ._roles import CANDIDATES, COORDINATE_ROLES, role_keys, scalars_of, suggestion


@dataclass(frozen=True)
class Part:
    """Objects of one variable that are one cube.

    Attributes:
        variable: the value that names the variable.
        node: values of the roles that keep groups apart.
        tags: how it differs from other parts of the variable: kind and value.
        rows: numbers of the objects.
        labels: the sorted values of each dimension between objects, by roles. Dates and steps are seconds.
        cells: the row of each cell, or -1.
        scalars: roles of one value.
        auxiliary: keys that depend on dimensions: dimensions, values; None where there is no object.
        starts: starts of intervals, as an auxiliary key has them, if they are known.
        inner: axes of the objects.
        dtype: of the objects.
    """

    variable: Any
    node: tuple[Any, ...]
    tags: tuple[tuple[str, Any], ...]
    rows: Numbers
    labels: Mapping[str, list[Any]]
    cells: Numbers
    scalars: Mapping[str, Any]
    auxiliary: Mapping[str, tuple[tuple[str, ...], NDArray[Any]]]
    starts: tuple[tuple[str, ...], NDArray[Any]] | None
    inner: Inner
    dtype: str

    @property
    def levtype(self) -> Any:
        return self.node[0]


def solve(keys: Keys) -> list[Part]:
    """Return the parts of all objects that are not coordinates."""
    fields = np.flatnonzero(~keys.is_coordinate.present)
    _note_coordinates_without_fields(keys, fields)
    if not len(fields):
        return []
    _check_names(keys)
    columns = [keys.variable.codes, keys.kind.codes, keys.axes, *(each.codes for each in keys.node.values())]
    found: list[Part] = []
    for rows in _parts(fields, combined([each[fields] for each in columns], len(fields))):
        name = variable_name(keys.variable.at(int(rows[0])), keys.options.names)
        by_dtype = _by_dtype(keys, rows)
        hint = _hint_of([dtype for dtype, _ in by_dtype])
        for dtype, of_dtype in by_dtype:
            tags: tuple[tuple[str, Any], ...] = (("type", keys.kind.at(int(rows[0]))), ("dtype", dtype))
            starts = keys.starts.take(of_dtype)
            divided = split(keys.candidates["step"].take(of_dtype), starts, keys.options.intervals)
            for interval, members_of in divided:
                if interval:
                    text = f"intervals neither begin together nor have one length: a part of {interval}"
                    keys.note(Reason(name, "step", "split", text))
                found += _solve(keys, of_dtype[members_of], (*tags, ("interval", interval)), dtype, hint)
    return found


def _note_coordinates_without_fields(keys: Keys, fields: Numbers) -> None:
    messages = keys.rows.messages
    alone = np.flatnonzero(keys.is_coordinate.present & ~np.isin(messages, messages[fields]))
    if len(alone):
        shown = ", ".join(keys.rows.address(row) for row in alone[:3].tolist()) + (", ..." if len(alone) > 3 else "")
        text = f"latitudes and longitudes are those of their own message, and these messages have no fields: {shown}"
        keys.note(Reason("", "", "not used", text))


def _check_names(keys: Keys) -> None:
    """Raise CubeError for dimensions that were asked for and that no object has."""
    options = keys.options
    levtypes = [None, *keys.node["levtype"].values]
    for name in options.ensure_dims:
        roles = [role for role in keys.candidates if any(_is_named(role, name, options, each) for each in levtypes)]
        if not any(len(keys.candidates[role].values) for role in roles):
            names = {dimension_name(role, options.names, each) for role in keys.candidates for each in levtypes}
            hint = f"; fill={{'{name}': VALUE}} gives them one" if roles else suggestion(name, names)
            raise CubeError(f"ensure_dims names '{name}', and no object has it{hint}")
    for key in options.dims:
        if not len(keys.candidates[key].values):
            hint = suggestion(key, keys.rows.columns)
            raise CubeError(f"dims names '{key}', and no object has this key{hint}")


def _is_named(role: str, name: str, options: Options, levtype: Any) -> bool:
    return name in (role, dimension_name(role, options.names, levtype))


def _parts(rows: Numbers, codes: Numbers) -> list[Numbers]:
    order = np.argsort(codes, kind="stable")
    begins = np.flatnonzero(np.diff(codes[order])) + 1
    return np.split(rows[order], begins)


def _by_dtype(keys: Keys, rows: Numbers) -> list[tuple[str, Numbers]]:
    """Divide rows by their dtype, unless they may be promoted and the larger dtype holds all values."""
    dtypes = keys.rows.dtypes.take(rows)
    if len(dtypes.values) == 1:
        return [(dtypes.values[0], rows)]
    common = common_dtype(dtypes.values) if keys.options.promote else None
    name = variable_name(keys.variable.at(int(rows[0])), keys.options.names)
    if common is not None:
        keys.note(Reason(name, "dtype", "promoted", f"{' and '.join(sorted(dtypes.values))} become {common}"))
        return [(common, rows)]
    why = "no dtype holds both" if keys.options.promote else "promote=True makes one of them, if a dtype holds both"
    keys.note(Reason(name, "dtype", "split", f"{' and '.join(sorted(dtypes.values))} are apart; {why}"))
    return [(each, rows[dtypes.codes == code]) for code, each in enumerate(dtypes.values)]


def common_dtype(dtypes: list[str]) -> str | None:
    """Return the dtype that holds all values of some dtypes, or None.

    >>> common_dtype(["float32", "float64"]), common_dtype(["int64", "float64"])
    ('float64', None)
    """
    if not {"bfloat16", "bitmask"}.isdisjoint(dtypes):  # NumPy has no such dtypes
        return None
    found = [np.dtype(each) for each in dtypes]
    common = np.result_type(*found)
    digits = np.finfo(common).nmant + 1 if common.kind in "fc" else 64
    for each in found:
        if not np.can_cast(each, common) or (each.kind in "iu" and each.itemsize * 8 - (each.kind == "i") > digits):
            return None
    return str(common)


def _hint_of(dtypes: list[str]) -> str:
    """Return the way out of holes in a variable that is divided by dtypes."""
    common = common_dtype(dtypes) if len(dtypes) > 1 else None
    return "" if common is None else f"promote=True for one variable of {' and '.join(sorted(dtypes))} as {common}, "


def _solve(keys: Keys, rows: Numbers, tags: tuple[tuple[str, Any], ...], dtype: str, hint: str) -> list[Part]:
    options = keys.options
    columns = {role: column.take(rows) for role, column in keys.candidates.items()}
    columns = {role: column for role, column in columns.items() if len(column.values)}
    name = variable_name(keys.variable.at(int(rows[0])), options.names)
    levtype = keys.node["levtype"].at(int(rows[0]))
    wanted = [role for role in columns if _is_ensured(role, options, levtype)]
    if not options.squeeze:
        wanted += [role for role in columns if role in COORDINATE_ROLES or role == "levelist"]
    choice = choose(columns, len(rows), wanted)
    for role in choice.kept:
        if not columns[role].present.all():
            keys.note(Reason(name, role, "split", "some objects do not have it, and are apart"))
            out = []
            for has in (True, False):
                out += _solve(keys, rows[columns[role].present == has], (*tags, (f"has_{role}", has)), dtype, hint)
            return out
    placed = place({role: columns[role] for role in choice.kept}, len(rows), _rules(keys, rows, name, hint))
    scalars = {role: column.constant() for role, column in columns.items() if role not in choice.kept}
    part = Part(
        keys.variable.at(int(rows[0])),
        tuple(column.at(int(rows[0])) for column in keys.node.values()),
        tags,
        rows,
        placed.labels,
        _global_cells(placed.cells, rows),
        {role: value for role, value in scalars.items() if value is not None},
        {},
        None,
        _inner(keys, rows),
        dtype,
    )
    _explain(keys, name, part, columns, choice.dropped)
    return [_with_auxiliary(keys, part, placed, columns)]


def _is_ensured(role: str, options: Options, levtype: Any) -> bool:
    return any(_is_named(role, name, options, levtype) for name in options.ensure_dims)


def _inner(keys: Keys, rows: Numbers) -> Inner:
    found = keys.inner[int(keys.axes[int(rows[0])])]
    assert found is not None  # rows of coordinates are in no part
    return found


def _global_cells(cells: Numbers, rows: Numbers) -> Numbers:
    return np.append(rows, -1)[cells]


def _rules(keys: Keys, rows: Numbers, name: str, hint: str) -> Rules:
    options = keys.options

    def differing(first: int, second: int) -> str:
        a, b = int(rows[first]), int(rows[second])
        found = [key for key, column in keys.rows.columns.items() if column.at(a) != column.at(b) and not is_noise(key)]
        return f" (they differ in {', '.join(found[:3])})" if found else ""

    return Rules(
        options.duplicates,
        options.allow_holes or options.join == "outer",
        name,
        lambda row: keys.rows.address(int(rows[row])),
        lambda role, value: label_text(role, value),
        differing,
        hint,
    )


def _with_auxiliary(keys: Keys, part: Part, placed: Placement, columns: Mapping[str, Column]) -> Part:
    """Add the keys that depend on dimensions."""
    auxiliary: dict[str, tuple[tuple[str, ...], NDArray[Any]]] = {}
    found = {role: column for role, column in columns.items() if role not in placed.labels and role not in part.scalars}
    found["step_of_month"] = keys.step_of_month.take(part.rows)
    # The type differs only in an ensemble with its control.
    roles = {key for role in (*keys.candidates, "date") for key in role_keys(role)} | set(keys.candidates)
    for key, column in keys.rows.columns.items():
        if key in roles or is_noise(key):
            continue
        if column.is_uniform():
            continue
        codes = column.codes[part.rows]
        if not bool((codes == codes[0]).all()):  # most keys are equal in all objects of a variable
            found[key] = scalars_of(column.take(part.rows))
    for key, column in found.items():
        if not len(column.values) or not column.varies():
            if key == "step_of_month" and len(column.values):
                auxiliary[key] = ((), _spread(column, (), placed))
            continue
        dims = depends_on(column, placed.positions, whole=key in CANDIDATES or key == "step_of_month")
        if dims is not None:
            auxiliary[key] = (dims, _spread(column, dims, placed))
    starts = keys.starts.take(part.rows)
    of_starts = None
    if len(starts.values):
        ends = {"step": placed.positions["step"]} if "step" in placed.positions else {}
        merged = starts.or_else(keys.candidates["step"].take(part.rows))
        dims = depends_on(merged, ends)
        if dims is not None:
            of_starts = (dims, _spread(merged, dims, placed))
    return replace(part, auxiliary=auxiliary, starts=of_starts)


def _spread(column: Column, dims: tuple[str, ...], placed: Placement) -> NDArray[Any]:
    """Return the values of a key along dimensions that it depends on."""
    codes = np.full(tuple(len(placed.labels[name]) for name in dims), -1, dtype=np.int64)
    if dims:
        codes[tuple(placed.positions[name] for name in dims)] = column.codes
    elif len(column):
        codes[()] = column.codes[0]
    values = np.full(len(column.values) + 1, None, dtype=object)  # the last one of absent values
    for code, value in enumerate(column.values):
        values[code] = value
    out = np.empty(codes.shape, dtype=object)
    out[...] = values[codes]
    return out


def _explain(keys: Keys, name: str, part: Part, columns: Mapping[str, Column], dropped: Mapping[str, str]) -> None:
    def add(reason: Reason) -> None:
        keys.note(reason, int(part.rows[0]))

    for role in keys.candidates:
        if role in part.labels:
            count = len(part.labels[role])
            why = "it varies" if count > 1 else "it was asked for"
            add(Reason(name, role, "dimension", f"{count} {'value' if count == 1 else 'values'}: {why}"))
        elif role in dropped:
            add(Reason(name, role, "not used", dropped[role]))
        elif role in part.scalars:
            add(Reason(name, role, "scalar", f"all objects have {label_text(role, part.scalars[role])}"))
    if "duplicate" in part.labels:
        add(Reason(name, "duplicate", "dimension", f"up to {len(part.labels['duplicate'])} objects for one cell"))
    for note in part.inner.notes:
        add(Reason(name, ", ".join(part.inner.names), "axes of objects", note))
    add(Reason(name, "grid", "grid", f"known by {part.inner.source}"))
    holes = int((part.cells < 0).sum())
    if holes:
        add(Reason(name, "", "holes", f"{holes} of {part.cells.size} cells have no object"))
