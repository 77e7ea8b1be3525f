# SPDX-License-Identifier: Apache-2.0
"""Appending to an archive along a dimension: the labels that it has, and those that are added."""

from __future__ import annotations

import math
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from .._core import _shown
from .._paths import printable
from ..cubes import CubeError, Group, Plan
from ..cubes._profiles import dimension_name, variable_name
from ..cubes._texts import listed
from ._joining import Part
from ._labels import shown_labels
from ._layout import Field, MessageSet
from ._read import read_plan


class Extension:
    """An archive to which messages are appended along a dimension, and what it has before.

    Args:
        path: the archive.
        dim: the name of the dimension in the dataset.
        role: its role.
        sets: the messages that are appended.

    Attributes:
        size: bytes of the archive.

    Raises:
        CubeError: the archive is no cube, has one of the labels already, or has other labels along another dimension.
    """

    def __init__(self, path: str, dim: str, role: str, sets: Sequence[MessageSet]):
        self._path = path
        self._dim = dim
        self._role = role
        self._name = dimension_name(role, "mars")
        self._count = max((each.sizes[each.dims.index(dim)] for each in sets), default=0)
        self.size = os.path.getsize(path)
        groups = self._plan([path]).groups
        self._check(sets, groups)
        self._before = {_names(each): (each.sizes, _holes(each)) for each in groups}
        added = sum(math.prod(each.sizes) * len(each.fields) for each in sets)
        self._filled = sum(map(_filled, groups)) + added

    def _plan(self, paths: Sequence[str]) -> Plan:
        options = {"ensure_dims": [self._name], "allow_holes": True}
        if self._name != self._role:
            options["dims"] = [self._role]
        return read_plan(list(paths), None, options)[0]

    def _check(self, sets: Sequence[MessageSet], groups: Sequence[Group]) -> None:
        """Raise CubeError for what can be known before anything is written."""
        fields = [(of_set, field) for of_set in sets for field in of_set.fields]
        added = {name for _, field in fields for name in _names_of(field)}
        for of_set, field in fields:
            found = [each for each in groups if _names_of(field) & set(each.variables)]
            if not found:
                there = listed(sorted({each for group in groups for each in group.variables}))
                raise self._error(f"has no variable '{field.name}'; there are {there}")
            if len(found) > 1:
                continue  # the parts are compared when they are written
            absent = sorted(set(found[0].variables) - added)
            if absent:
                raise self._error(f"has also the variable '{absent[0]}', of which nothing would be appended")
            (name,) = _names_of(field) & set(found[0].variables)
            old = found[0].variables[name]
            facts: Any = (("dtype", field.dtype, old.dtype), ("shape", field.shape, old.inner_shape))
            for what, here, there in facts:
                if here != there:
                    raise self._error(f"has objects of the {what} {there} for '{name}', not {here}")
            self._check_labels(of_set, field.name, found[0])

    def _check_labels(self, of_set: MessageSet, name: str, group: Group) -> None:
        for label in of_set.labels:
            coordinate = group.coordinates.get(dimension_name(label.role, "mars"))
            if coordinate is None or coordinate.values is None or len(label.dims) > 1 or len(coordinate.dims) > 1:
                continue
            here, there = (np.atleast_1d(values) for values in (label.values, coordinate.values))
            own_labels, old_labels = set(_plain(here)), set(_plain(there))
            shared = own_labels & old_labels
            if label.role == self._role:
                if shared:
                    raise self._error(f"has the {self._dim} {shown_labels(here[np.isin(here, there)], 3)} already")
            elif label.role != "valid_time" and label.dims != (self._dim,) and own_labels != old_labels:
                own, old = shown_labels(here, 5), shown_labels(there, 5)
                raise self._error(f"has other labels of {label.role}: {old}, where '{name}' has {own}")

    def check_parts(self, parts: Sequence[Part]) -> None:
        """Raise CubeError unless the archive and the parts together are the same cubes, longer in one dimension.

        This is what readers will find, by the same rules.
        """
        found = os.path.getsize(self._path)
        if found != self.size:
            text = f"has {found} bytes, and had {self.size} when the labels were compared: it has changed; write again"
            raise self._error(text)
        after = self._plan([self._path, *(each.path for each in parts)]).groups
        if sorted(self._before) != sorted(map(_names, after)):
            raise self._error("and the new objects are no cube of the same variables: their keys or grids differ")
        for group in after:
            sizes, holes = self._before[_names(group)]
            if group.sizes == sizes:
                continue
            expected = {**sizes, self._name: sizes.get(self._name, 1) + self._count}
            if group.sizes != expected or _holes(group) > holes:
                raise self._error(
                    f"and the new objects are no cube: {_shape(sizes)} became {_shape(group.sizes)} with "
                    f"{_holes(group)} holes, where {self._dim} should be {expected[self._name]}"
                )
        if sum(map(_filled, after)) != self._filled:
            raise self._error("and the new objects are no cube: not all of the new ones are fields of it")

    def _error(self, text: str) -> CubeError:
        return CubeError(_shown(f"{printable(self._path)} {text}; nothing was appended"))


def _names_of(field: Field) -> set[str]:
    """Return the names that a variable may have with the names of MARS."""
    metadata: Any = field.metadata
    return {variable_name(metadata.get("name", metadata.get("mars", {}).get("param", field.name)), "mars")}


def _names(group: Group) -> tuple[Any, ...]:
    return (group.name, *sorted(group.variables))


def _holes(group: Group) -> int:
    return sum(each.holes for each in group.variables.values())


def _filled(group: Group) -> int:
    return sum(each.cells.size - each.holes for each in group.variables.values())


def _shape(sizes: Mapping[str, int]) -> str:
    return "(" + ", ".join(f"{name}: {size}" for name, size in sizes.items()) + ")"


def _plain(values: Iterable[Any]) -> list[Any]:
    """Return labels that compare equal if they mean the same, whatever their unit."""
    found = np.asarray(values)
    if found.dtype.kind in "Mm":
        found = found.astype(f"{found.dtype.kind}8[s]").astype(np.int64)
    return list(found.tolist())
