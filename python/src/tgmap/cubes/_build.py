# SPDX-License-Identifier: Apache-2.0
"""Groups of parts: variables with names and attributes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

import numpy as np

from ._columns import Numbers
from ._coordinates import Coordinates
from ._keys import is_noise
from ._plan import CubeError, Group, Reason, Variable
from ._profiles import variable_attrs, variable_name
from ._roles import DATASET_ATTRIBUTES, role_keys
from ._solve import Part

_IDENTIFYING = frozenset(
    {"name", "param", "shortName", "paramId", "units", "long_name", "standard_name", "levelist", "level"}
)


"""The key with the names of attributes of a Dataset, which its writer stores if readers would find others."""


class Builder(Coordinates):
    """Makes one group."""

    def build(self, name: str, where: str) -> Group:
        """Return the group. Raises CubeError if two things have one name."""
        self._make_coordinates()
        variables = self._variables()
        attrs = self._common_attrs(variables)
        return Group(name, where, variables, self._coordinates, attrs, tuple(self._reasons()))

    def _reasons(self) -> Iterator[Reason]:
        """Yield what was said of the variables of this group, by the names that they have now."""
        for part in self._parts:
            old, first = variable_name(part.variable, self._options.names), int(part.rows[0])
            for reason in (*self._keys.reasons_of.get(old, ()), *self._keys.reasons_of.get(first, ())):
                yield reason._replace(variable=self._variable_name(part))

    def _variables(self) -> dict[str, Variable]:
        out: dict[str, Variable] = {}
        values: dict[str, Any] = {}
        dims = {dim for each in self._coordinates.values() for dim in each.dims}
        for part in self._parts:
            name = self._variable_name(part)
            if name in out:
                other = part.variable if str(part.variable) != name else values[name]
                raise self._collision(name, "two variables", other)
            values[name] = part.variable
            inner = tuple(map(self._renamed, part.inner.names))
            if name in self._coordinates or name in dims or name in inner:
                raise self._collision(name, "a variable and a coordinate", part.variable)
            cells: Numbers = part.cells
            for axis, role in enumerate(part.labels):
                cells = np.flip(cells, axis) if role in self._flipped else cells
            check_integers(name, part.dtype, int((cells < 0).sum()))
            outer = tuple(self._dim(role) for role in part.labels)
            if len(set(inner)) < len(inner):
                raise CubeError(f"rename gives one name to two axes of the objects of '{name}'")
            scalars = {name for name, each in self._coordinates.items() if name not in each.dims}
            if set(inner) & (scalars | set(outer)):
                shared = ", ".join(sorted(set(inner) & (scalars | set(outer))))
                raise CubeError(
                    f"the axis '{shared}' of the objects of '{name}' has the name of a dimension or "
                    "coordinate between objects; rename the axes by dim_names="
                )
            attrs = self._attrs(part)
            out[name] = Variable(name, (*outer, *inner), cells, part.inner.shape, part.dtype, attrs)
        return out

    def _attrs(self, part: Part) -> dict[str, Any]:
        out: dict[str, Any] = dict(variable_attrs(part.variable))
        coordinates = {role for role in part.scalars if self._dim(role) in self._coordinates}
        hidden = {key for role in (*part.labels, *part.auxiliary, *coordinates) for key in role_keys(role)}
        hidden |= {"mars.date", "date", "mars.time", "time"} if self._has_time(part) else set()
        hidden |= self._keys_of_labels | {DATASET_ATTRIBUTES}
        own_name = self._variable_name(part)
        for key, column in self._keys.rows.columns.items():
            value = column.constant_of(part.rows)
            if value is None or key in hidden or is_noise(key) or (key == "name" and value == own_name):
                continue
            if isinstance(value, tuple) and not all(isinstance(each, (int, float, str)) for each in value):
                continue
            name = key[5:] if key.startswith("mars.") else key
            out[name] = list(value) if isinstance(value, tuple) else str(value) if isinstance(value, str) else value
        return {**out, **self._options.attrs.get(self._variable_name(part), {})}

    def _has_time(self, part: Part) -> bool:
        roles = {"forecast_reference_time", "month"}
        return bool(roles & {*part.labels, *part.scalars, *part.auxiliary})

    def _listed_attributes(self) -> set[str] | None:
        """Return the attributes that objects say to be those of the Dataset, or None."""
        column = self._keys.rows.columns.get(DATASET_ATTRIBUTES)
        found = {None if column is None else column.constant_of(part.rows) for part in self._parts}
        listed = found.pop()
        if found or not isinstance(listed, tuple) or not all(isinstance(each, str) for each in listed):
            return None
        return set(listed)

    def _common_attrs(self, variables: dict[str, Variable]) -> dict[str, Any]:
        """Take attributes that all variables have out of them, and return them.

        These are the ones that the writer of a Dataset has listed; else, of several variables, all that identify none.
        """
        attrs = [each.attrs for each in variables.values()]
        wanted = self._listed_attributes()
        names = common_attributes(attrs) if wanted is None else _shared(attrs, wanted)
        common = {key: value for key, value in attrs[0].items() if key in names}
        for name, each in variables.items():
            own = {key: value for key, value in each.attrs.items() if key not in common}
            variables[name] = Variable(name, each.dims, each.cells, each.inner_shape, each.dtype, own)
        return common


def common_attributes(attrs: Sequence[Mapping[str, Any]]) -> set[str]:
    """Return the names of attributes of variables that become those of the Dataset, if no list names them."""
    return _shared(attrs, attrs[0].keys() - _IDENTIFYING) if len(attrs) > 1 else set()


def _shared(attrs: Sequence[Mapping[str, Any]], names: Iterable[str]) -> set[str]:
    """Return those of some names of which all variables have an attribute of one value."""
    first = attrs[0]
    return {key for key in names if key in first and all(key in each and each[key] == first[key] for each in attrs)}


def check_integers(name: str, dtype: str, holes: int) -> None:
    """Raise CubeError if a variable of integers has holes: no integer means that a value is missing."""
    if holes and not dtype.startswith(("float", "bfloat", "complex")):
        raise CubeError(
            f"the variable '{name}' has {holes} cells without an object, and no {dtype} means that a value is "
            "missing; select by where= so that no cell is empty"
        )
