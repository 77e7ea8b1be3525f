# SPDX-License-Identifier: Apache-2.0
"""Groups as datasets and trees of xarray."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray
from xarray.core import indexing

from ..cubes import CubeError, Group, Plan, Variable
from . import accessor as accessor  # registers dataset.tgm
from ._arrays import CubeArray, preferred_chunks
from ._chunks import CubeVariable
from ._sources import Places, dtype_of, elements


def dataset_of(
    group: Group,
    places: Places,
    drop_variables: Iterable[str] = (),
    shared: dict[int, NDArray[Any]] | None = None,
) -> xarray.Dataset:
    """Return a group as a Dataset, whose variables read their objects when they are used.

    Args:
        drop_variables: names that are left out.
        shared: elements of objects that are coordinates, which other groups may have read.
    """
    shared = {} if shared is None else shared
    dropped = set(drop_variables)
    variables: dict[str, xarray.Variable] = {}
    for name, coordinate in group.coordinates.items():
        values = coordinate.values
        if name in dropped:
            continue
        if values is None:
            assert coordinate.row is not None
            if coordinate.dims == (name,):  # xarray makes an index of it
                if coordinate.row not in shared:
                    shared[coordinate.row] = elements(places, coordinate.row)
                values = shared[coordinate.row]
            else:
                values = _lazy_coordinate(group, places, name, coordinate.dims, coordinate.row)
        variables[name] = CubeVariable(coordinate.dims, values, dict(coordinate.attrs), dict(coordinate.encoding))
    kept = {name: each for name, each in group.variables.items() if name not in dropped}
    chunks: dict[str, int] = {}  # the same for variables of several dtypes
    for each in kept.values():
        for dim, size in preferred_chunks(each, dtype_of(each.dtype)).items():
            chunks[dim] = min(size, chunks.get(dim, size))
    for name, each in kept.items():
        dtype = dtype_of(each.dtype)
        lazy = indexing.LazilyIndexedArray(CubeArray(places, each, dtype))
        encoding = {"preferred_chunks": {dim: chunks[dim] for dim in each.dims}, "source": places.source.path}
        variables[name] = CubeVariable(each.dims, lazy, dict(each.attrs), encoding)
    out: xarray.Dataset = xarray.Dataset(variables, attrs=dict(group.attrs))
    out = out.set_coords([name for name in group.coordinates if name not in dropped])
    out.encoding["source"] = places.source.path
    return out


def _lazy_coordinate(group: Group, places: Places, name: str, dims: tuple[str, ...], row: int) -> Any:
    """Return the elements of an object, which are read when they are used."""
    dtype = places.dtypes[int(places.kinds[row])]
    shape = tuple(group.sizes[dim] for dim in dims)
    return indexing.LazilyIndexedArray(CubeArray(places, Variable(name, dims, np.array(row), shape, "", {}), dtype))


def names_of(given: str | Iterable[str] | None) -> list[str]:
    """Return names that were given as one or as several."""
    return [] if given is None else [given] if isinstance(given, str) else list(given)


def without_slashes(dataset: xarray.Dataset) -> xarray.Dataset:
    """Return a Dataset that can be a node of a tree: there a slash divides names, so those of variables have ``_`` for it.

    Raises:
        CubeError: another variable has the name.
    """
    names = {str(name): str(name).replace("/", "_") for name in dataset.variables if "/" in str(name)}
    for old, new in names.items():
        if new in dataset.variables or list(names.values()).count(new) > 1:
            raise CubeError(
                f"a tree has no name with a slash, and '{new}' for '{old}' is taken; rename one by "
                f"rename={{'{old}': 'other'}}"
            )
    return dataset.rename(names) if names else dataset


def datasets_of(plan: Plan, places: Places, drop_variables: Iterable[str] = ()) -> dict[str, xarray.Dataset]:
    """Return a Dataset for each group, by the names of groups."""
    shared: dict[int, NDArray[Any]] = {}
    return {each.name: dataset_of(each, places, drop_variables, shared) for each in plan.groups}
