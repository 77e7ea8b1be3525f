# SPDX-License-Identifier: Apache-2.0
"""Objects of all messages as Datasets, stacked along the keys in which they differ."""

from __future__ import annotations

import logging
import math
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray

from ..._core import _shown
from ._messages import ObjectInfo, Source, scan_file, unique_name, variable_of
from ._names import coordinate_name, dimensions, stored_names, variable_name, without_conflicts, without_structure

_log = logging.getLogger(__name__)


def open_datasets(
    path: str | os.PathLike[str],
    *,
    dim_names: Sequence[str] | None = None,
    variable_key: str | None = None,
    range_threshold: float = 0.5,
    verify_hash: bool = False,
    storage_options: Mapping[str, Any] | None = None,
) -> list[xarray.Dataset]:
    """Return the objects of all messages as Datasets, one for each shape and dtype.

    Keys that have one value are attributes. Those that vary are dimensions if there is one object for each combination
    of their values; else each object is a variable.

    Args:
        path: of an archive.
        dim_names: names of the dimensions of objects.
        variable_key: the key whose values are the names of variables.
        range_threshold, storage_options: accepted, see :class:`TensogramBackendEntrypoint`.
        verify_hash: compare hashes of objects when they are read.

    Raises:
        ValueError: two coordinates of one name have different shapes, or one combination of values has several objects
            and another none.
    """
    source = Source(os.fspath(path), verify_hash)
    objects = scan_file(source)
    coordinates: dict[str, xarray.Variable] = {}
    fields: dict[tuple[tuple[int, ...], str], list[ObjectInfo]] = {}
    for each in objects:
        name = coordinate_name(each.merged)
        if name is None:
            fields.setdefault((each.shape, each.dtype), []).append(each)
        elif name not in coordinates:
            coordinates[name] = variable_of(source, [each], (name,), each.metadata)
        elif coordinates[name].shape != each.shape:
            raise ValueError(
                f"coordinate {name!r} has conflicting shapes: existing {coordinates[name].shape} vs new {each.shape} "
                f"(message {each.message}, object {each.number})"
            )
    out = [_Group(source, coordinates, dim_names, variable_key).dataset(group) for group in fields.values()]
    if not out and objects:
        out = [xarray.Dataset(coords=coordinates, attrs={"source": source.path})]
    return out


class _Group:
    """Makes a Dataset of objects of one shape and dtype."""

    def __init__(
        self,
        source: Source,
        coordinates: Mapping[str, xarray.Variable],
        dim_names: Sequence[str] | None,
        variable_key: str | None,
    ):
        self._source = source
        self._coordinates = dict(coordinates)
        self._lengths = {name: each.shape[0] for name, each in coordinates.items()}
        self._dim_names = dim_names
        self._variable_key = variable_key

    def dataset(self, group: Sequence[ObjectInfo]) -> xarray.Dataset:
        constant, varying = _divided(group)
        if len(group) == 1:
            attrs, variables = dict(group[0].common), self._flat(group)
        elif self._variable_key is not None and len(self._by_name(group)) > 1:
            attrs, variables = constant, self._of_several_names(group)
        elif _is_complete(group, varying):
            name = self._name(group[0], group[0].merged)
            attrs, variables = constant, {name: self._stacked(group, constant, varying)}
        else:
            attrs, variables = constant, self._flat(group)
        return xarray.Dataset(variables, coords=self._coordinates, attrs=without_structure(attrs))

    def _name(self, each: ObjectInfo, metadata: Mapping[str, Any]) -> str:
        return variable_name(each.number, metadata, self._variable_key)

    def _by_name(self, group: Sequence[ObjectInfo]) -> dict[str, list[ObjectInfo]]:
        out: dict[str, list[ObjectInfo]] = {}
        for each in group:
            out.setdefault(self._name(each, each.metadata), []).append(each)
        return out

    def _flat(self, group: Sequence[ObjectInfo]) -> dict[str, xarray.Variable]:
        """Return a variable for each object. No name is used twice."""
        dims = self._dims(group)
        out: dict[str, xarray.Variable] = {}
        for each in group:
            name = self._name(each, each.merged if len(group) == 1 else each.metadata)
            out[unique_name(name, out)] = variable_of(self._source, [each], dims, each.merged)
        return out

    def _of_several_names(self, group: Sequence[ObjectInfo]) -> dict[str, xarray.Variable]:
        out = {}
        for name, members in self._by_name(group).items():
            constant, varying = _divided(members)
            if len(members) == 1 or not _is_complete(members, varying):
                if len(members) > 1:
                    why = (
                        "cannot form a hypercube" if varying else "have no distinguishing metadata (duplicate objects)"
                    )
                    text = "variable %r: %d objects %s, using only the first (dropping %d)"
                    _log.warning(text, name, len(members), why, len(members) - 1)
                out[name] = variable_of(self._source, members[:1], self._dims(members), members[0].merged)
            else:
                out[name] = self._stacked(members, constant, varying)
        return out

    def _stacked(
        self, group: Sequence[ObjectInfo], constant: Mapping[str, Any], varying: Mapping[str, list[Any]]
    ) -> xarray.Variable:
        """Return objects along the keys in which they differ, whose values become coordinates."""
        labels = {key: _distinct(values) for key, values in varying.items()}
        shape = tuple(map(len, labels.values()))
        positions = [
            [[_frozen(each) for each in labels[key]].index(_frozen(value)) for value in values]
            for key, values in varying.items()
        ]
        order: list[Any] = [None] * len(group)
        for number, flat in enumerate(np.ravel_multi_index(positions, shape).tolist()):
            order[flat] = group[number]
        for key, values in labels.items():
            column = np.empty(len(values), dtype=object)
            column[:] = values
            has_maps = any(isinstance(value, (dict, list)) for value in values)
            self._coordinates[key] = xarray.Variable((key,), column if has_maps else values)
        return variable_of(self._source, order, (*labels, *self._dims(group)), constant, shape)

    def _dims(self, group: Sequence[ObjectInfo]) -> tuple[str, ...]:
        """Return the dimensions of the objects; stored names count if all objects agree on them."""
        first = group[0]
        hints = _distinct([each.common["dim_names"] for each in group if "dim_names" in each.common])
        own = _distinct([names for each in group if (names := stored_names(len(each.shape), each.metadata))])
        for what, found in (("per-object", own), ("_extra_", hints)):
            if len(found) > 1:
                _log.warning("group has inconsistent %s dim_names hints %s; they are not used", what, found)
        metadata = {"dim_names": own[0]} if len(own) == 1 else {}
        hint = hints[0] if len(hints) == 1 else None
        dims = dimensions(first.shape, self._dim_names, self._lengths, metadata, hint)
        return without_conflicts([(first.number, first.shape, dims)], self._lengths)[0]


def _divided(group: Sequence[ObjectInfo]) -> tuple[dict[str, Any], dict[str, list[Any]]]:
    """Return the keys of one value, and the values of those that vary."""
    constant, varying = {}, {}
    merged = [without_structure(each.merged) for each in group]
    for key in sorted({key for each in merged for key in each}):
        values = [each.get(key) for each in merged]
        if len(_distinct(values)) == 1:
            constant[key] = values[0]
        else:
            varying[key] = values
    return constant, varying


def _is_complete(group: Sequence[ObjectInfo], varying: Mapping[str, list[Any]]) -> bool:
    """Return whether there are as many objects as combinations of values.

    Raises:
        ValueError: one combination has several objects, and another none.
    """
    if not varying or len(group) != math.prod(len(_distinct(each)) for each in varying.values()):
        return False
    combinations = [tuple(map(_frozen, each)) for each in zip(*varying.values())]
    if len(set(combinations)) < len(group):
        repeated = next(each for i, each in enumerate(group) if combinations[i] in combinations[:i])
        raise ValueError(
            f"hypercube has a missing entry: object {repeated.number} of message {repeated.message} has the values of "
            f"another one in {_shown(', '.join(varying))}"
        )
    return True


def _distinct(values: Sequence[Any]) -> list[Any]:
    out: dict[Any, Any] = {}
    for each in values:
        out.setdefault(_frozen(each), each)
    return list(out.values())


def _frozen(value: Any) -> Any:
    """Return a value that can be a key of a dict."""
    if isinstance(value, Mapping):
        return "map", tuple(sorted((key, _frozen(each)) for key, each in value.items()))
    if isinstance(value, (list, tuple)):
        return "list", tuple(map(_frozen, value))
    return value
