# SPDX-License-Identifier: Apache-2.0
"""Coordinates of a group, with names, types and attributes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._axis_labels import typed_labels
from ._dates import dates, durations, fits_nanoseconds, next_month
from ._keys import DATE_ROLES, Keys
from ._plan import Coordinate, CubeError, Options, Reason
from ._profiles import coordinate_attrs, dimension_name, is_decreasing, variable_name
from ._roles import COORDINATE_ROLES
from ._solve import Part

_DATE_ENCODING = {"units": "seconds since 1970-01-01", "calendar": "proleptic_gregorian", "dtype": np.dtype("int64")}
_STEP_ENCODING = {"units": "seconds", "dtype": np.dtype("int64")}

Auxiliary = tuple[tuple[str, ...], NDArray[Any]]


def time_unit(parts: Sequence[Part], options: Options) -> str:
    """Return the unit of dates and steps: nanoseconds if all values fit, else seconds. Units are never mixed."""
    if options.time_unit is not None:
        return options.time_unit
    limits = []
    for part in parts:
        base, step = [0], [0]
        for role in (*DATE_ROLES, "step"):
            found = [*part.labels.get(role, ()), *([part.scalars[role]] if role in part.scalars else [])]
            found += [each for each in part.auxiliary[role][1].reshape(-1).tolist()] if role in part.auxiliary else []
            known = [each for each in found if each is not None]
            (step if role == "step" else base).extend(known)
        limits += [min(base), max(base) + max(step), max(step)]
        limits += [next_month(each) for each in part.labels.get("month", ())]
    return "ns" if fits_nanoseconds(limits) else "s"


class Coordinates:
    """Makes the coordinates of one group."""

    def __init__(self, keys: Keys, parts: Sequence[Part], unit: str):
        self._keys = keys
        self._options = keys.options
        self._parts = parts
        self._unit = unit
        self._levtype = parts[0].levtype
        self._coordinates: dict[str, Coordinate] = {}
        self._keys_of_labels: set[str] = set()  # those that label axes inside objects
        self._flipped = {role for role in parts[0].labels if is_decreasing(role, self._options.names, self._levtype)}
        of_variables = {variable_name(part.variable, self._options.names) for part in parts}
        # A name of a variable and of a coordinate means the variable.
        self._rename = {old: new for old, new in self._options.rename.items() if old not in of_variables}
        self._keys.names |= of_variables | {str(part.variable) for part in parts}

    def _make_coordinates(self) -> None:
        first = self._parts[0]
        for role, labels in first.labels.items():
            self._add(role, (role,), np.array(labels, dtype=object))
        for role, value in first.scalars.items():
            if role in COORDINATE_ROLES or (role == "levelist" and self._agree_on_level()):
                self._add(role, (), np.array(value, dtype=object))
        self._add_auxiliary()
        self._add_bounds()
        self._add_valid_time()
        self._add_inner()

    def _variable_name(self, part: Part) -> str:
        name = variable_name(part.variable, self._options.names)
        rename = self._options.rename
        return rename.get(str(part.variable), rename.get(name, name))  # two variables may have one name, not one value

    def _dim(self, role: str) -> str:
        return self._renamed(dimension_name(role, self._options.names, self._levtype))

    def _renamed(self, name: str) -> str:
        self._keys.names.add(name)
        return self._rename.get(name, name)

    def _agree_on_level(self) -> bool:
        return len({part.scalars.get("levelist") for part in self._parts}) == 1

    def _add(self, role: str, dims: tuple[str, ...], values: NDArray[Any], name: str | None = None) -> None:
        for axis, each in enumerate(dims):
            if each in self._flipped:
                values = np.flip(values, axis)
        typed, encoding = self._typed(role, values)
        if dims == (role,) and len(np.unique(typed)) < len(typed):
            raise CubeError(
                f"labels of {self._dim(role)} that differ in the files are equal as {typed.dtype}; leave "
                "the key out by ignore=, or select by where="
            )
        self._put(name or self._dim(role), tuple(self._dim(each) for each in dims), typed, role, encoding)

    def _put(
        self,
        name: str,
        dims: tuple[str, ...],
        values: Any,
        role: str,
        encoding: Any,
        row: int | None = None,
        attrs: Mapping[str, Any] | None = None,
    ) -> None:
        is_derived = attrs is not None  # then it replaces a key of the same name
        if name in self._coordinates and not (is_derived and self._coordinates[name].dims != (name,)):
            raise self._collision(name, "two coordinates")
        known = coordinate_attrs(role, self._levtype) if attrs is None else attrs
        attrs = {**known, **self._options.attrs.get(name, {})}
        self._coordinates[name] = Coordinate(name, dims, values, attrs, encoding, row)

    def _typed(self, role: str, values: NDArray[Any]) -> tuple[NDArray[Any], dict[str, Any]]:
        flat = values.reshape(-1).tolist()
        if role in DATE_ROLES:
            return self._times(flat, dates, "datetime64").reshape(values.shape), dict(_DATE_ENCODING)
        if role in ("step", "step_of_month"):
            return self._times(flat, durations, "timedelta64").reshape(values.shape), dict(_STEP_ENCODING)
        return typed_array(flat).reshape(values.shape), {}

    def _times(self, seconds: list[Any], convert: Any, kind: str) -> NDArray[Any]:
        out = convert([0 if each is None else each for each in seconds], self._unit)
        out[[each is None for each in seconds]] = np.array("NaT", dtype=f"{kind}[{self._unit}]")
        return np.asarray(out)

    def _add_auxiliary(self) -> None:
        """Add keys that depend on dimensions, if all variables of the group agree on them."""
        taken = {self._variable_name(part) for part in self._parts} | set(self._parts[0].inner.names)
        for key in dict.fromkeys(key for part in self._parts for key in part.auxiliary):
            found = [part.auxiliary.get(key) for part in self._parts]
            first = found[0]
            same = all(each is not None and first is not None and _are_equal(first, each) for each in found)
            role = "step" if key == "step_of_month" else key
            name = self._dim(role)
            if name in taken or name in self._coordinates:
                self._note(key, "not used", "its name is taken")
                continue
            if first is None or not same:
                self._note(key, "not used", "variables of the group have other values of it")
                continue
            self._add(role, first[0], first[1], name)
            if key in COORDINATE_ROLES or key == "step_of_month":
                by = f"depends on {', '.join(map(self._dim, first[0]))}" if first[0] else "all objects have the same"
                self._note(key, "auxiliary", by)

    def _add_bounds(self) -> None:
        month = self._parts[0].labels.get("month", [self._parts[0].scalars.get("month")])
        if month != [None]:
            values = np.array([[each, next_month(each)] for each in month], dtype=object)
            self._bounds("month", values if "month" in self._parts[0].labels else values[0])
        known = [part.starts for part in self._parts if part.starts is not None]
        if not known:
            return
        if len(known) < len(self._parts) or not all(_are_equal(known[0], each) for each in known[1:]):
            for part in self._parts:
                if part.starts is not None:
                    self._step_bounds(part, f"{self._dim('step')}_bounds_{self._variable_name(part)}")
            return
        self._step_bounds(self._parts[0], None)

    def _step_bounds(self, part: Part, name: str | None) -> None:
        assert part.starts is not None
        dims, starts = part.starts
        end = part.labels["step"] if dims else part.labels.get("step", [part.scalars.get("step")])
        if None in end:
            return
        starts = np.broadcast_to(starts, (len(end),))
        values = np.array([[a, b] for a, b in zip(starts.tolist(), end)], dtype=object)
        self._bounds("step", values if "step" in part.labels else values[0], name)

    def _bounds(self, role: str, values: NDArray[Any], name: str | None = None) -> None:
        of = self._dim(role)
        if values.ndim == 2 and role in self._flipped:
            values = values[::-1]
        typed, encoding = self._typed(role, values)
        dims = (of, "bounds") if values.ndim == 2 else ("bounds",)
        own = self._renamed(name or f"{of}_bounds")
        self._put(own, dims, typed, "", encoding, attrs={})
        if name is None:
            old = self._coordinates[of]
            self._coordinates[of] = Coordinate(of, old.dims, old.values, {**old.attrs, "bounds": own}, old.encoding)

    def _add_valid_time(self) -> None:
        """Add the time that values are valid for: that of the forecast, or of the hindcast, and the step."""
        base = self._seconds("hdate") or self._seconds("forecast_reference_time")
        step = self._seconds("step")
        if base is None or step is None or self._dim("valid_time") in self._coordinates:
            return
        dims = tuple(dict.fromkeys((*base[0], *step[0])))
        total = _along(base, dims) + _along(step, dims)
        self._add("valid_time", dims, np.array(total, dtype=object))

    def _seconds(self, role: str) -> Auxiliary | None:
        part = self._parts[0]
        if role in part.labels:
            return (role,), np.array(part.labels[role], dtype=object)
        if role in part.scalars:
            return (), np.array(part.scalars[role], dtype=object)
        found = part.auxiliary.get(role)
        return None if found is None or None in found[1].reshape(-1).tolist() else found

    def _add_inner(self) -> None:
        inner = self._parts[0].inner
        for name, dim, given, key in inner.labels:
            if name in self._coordinates:
                self._note(name, "not used", f"the labels of the axis {dim} have a name that is taken")
                continue
            values, encoding = typed_labels(name, given)
            self._put(self._renamed(name), (self._renamed(dim),), typed_array(values), name, encoding)
            self._keys_of_labels.add(key)
        for name, dims, row in inner.coordinates:
            self._put(self._renamed(name), tuple(map(self._renamed, dims)), None, name, {}, row)
        self._add_spectra()

    def _add_spectra(self) -> None:
        """Add degrees and hertz of the indices of wave spectra, as far as ecCodes' tables of them are stored."""
        for role, name, unit in (("direction", "direction_degrees", "degrees"), ("frequency", "frequency_hz", "s-1")):
            part = self._parts[0]
            own = "directions" if role == "direction" else "frequencies"
            scale = "directionScalingFactor" if role == "direction" else "frequencyScalingFactor"
            table = self._stored(part, f"scaled{own.capitalize()}")
            factor = self._stored(part, scale)
            index = part.labels.get(role)
            if index is None or not isinstance(table, tuple) or not isinstance(factor, (int, float)) or not factor:
                continue
            if all(isinstance(i, int) and 1 <= i <= len(table) for i in index):
                values = np.array([table[i - 1] / factor for i in index], dtype=np.float64)
                self._put(self._renamed(name), (self._dim(role),), values, name, {}, attrs={"units": unit})

    def _stored(self, part: Part, leaf: str) -> Any:
        for key, column in self._keys.rows.columns.items():
            if key.rpartition(".")[2] == leaf:
                return column.constant_of(part.rows)
        return None

    def _collision(self, name: str, what: str, value: Any = None) -> CubeError:
        old = name if value is None else str(value)
        return CubeError(
            f"{what} are called '{name}'; rename one by rename={{'{old}': 'other'}}, take the names of another key by "
            "variable_key=, or other names of dimensions by names="
        )

    def _note(self, key: str, role: str, text: str) -> None:
        for part in self._parts:
            self._keys.note(
                Reason(variable_name(part.variable, self._options.names), key, role, text), int(part.rows[0])
            )


def typed_array(values: list[Any]) -> NDArray[Any]:
    """Return labels as an array: of integers, floats, bool or text."""
    known = [each for each in values if each is not None]
    if any(isinstance(each, str) for each in known):
        return np.array(["" if each is None else str(each) for each in values], dtype=str)
    if len(known) < len(values):
        return np.array([np.nan if each is None else each for each in values], dtype=np.float64)
    if all(isinstance(each, bool) for each in known):
        return np.array(values, dtype=bool)
    if all(isinstance(each, int) and -(2**63) <= each < 2**63 for each in known):
        return np.array(values, dtype=np.int64)
    if all(isinstance(each, int) and 0 <= each < 2**64 for each in known):
        return np.array(values, dtype=np.uint64)
    return np.array(values, dtype=np.float64)


def _are_equal(a: Auxiliary, b: Auxiliary) -> bool:
    return a[0] == b[0] and a[1].shape == b[1].shape and a[1].reshape(-1).tolist() == b[1].reshape(-1).tolist()


def _along(found: Auxiliary, dims: tuple[str, ...]) -> NDArray[Any]:
    """Return values with an axis for each of `dims`, of length 1 where they do not depend on it."""
    own, values = found
    order = sorted(range(len(own)), key=lambda i: dims.index(own[i]))
    values = values.transpose(order)
    sizes = iter(values.shape)
    return np.reshape(values, tuple(next(sizes) if dim in own else 1 for dim in dims))
