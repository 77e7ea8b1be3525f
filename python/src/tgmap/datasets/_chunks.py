# SPDX-License-Identifier: Apache-2.0
"""Cubes as arrays of Dask. Their tasks open archives by the places of objects, and scan nothing."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray
from xarray.core import indexing

from .._gathering.places import Places as ObjectPlaces
from .._gathering.places import by_path
from ..cubes import Group, Variable
from ._arrays import CubeArray
from ._rows import RowReader
from ._sources import Places

_Rows = NDArray[np.int64]


class PlacedArray(CubeArray):
    """The elements of a variable, read by the places of its objects, which are pickled instead of archives.

    Files are read by positioned reads into memory that belongs to the array. A file that has changed is an error.

    Args:
        places: of each cell.
        kinds: the number of the dtype of the object in each cell, if they have several dtypes.
        cell_shape, inner_shape: shapes of the cells and of the objects.
        dtype: of the elements.
    """

    def __init__(
        self,
        places: ObjectPlaces,
        kinds: NDArray[np.uint8] | None,
        cell_shape: tuple[int, ...],
        inner_shape: tuple[int, ...],
        dtype: np.dtype[Any],
    ):
        cells = np.where(places.holes, -1, np.arange(len(places))).reshape(cell_shape)
        by_cell: Any = RowReader(places, kinds)
        super().__init__(by_cell, Variable("", (), cells, inner_shape, "", {}), dtype)
        self._arguments = (places, kinds, cell_shape, inner_shape, dtype)

    def __reduce__(self) -> Any:
        return PlacedArray, self._arguments

    def token(self) -> Any:
        """Return what is another one for other objects, and after a file has changed."""
        return self._arguments[0].token()

    def __dask_tokenize__(self) -> Any:
        return type(self).__name__, self.token(), self._arguments[1:]


def by_place(array: CubeArray) -> PlacedArray:
    """Return an array of the same elements that is read by the places of objects."""
    if isinstance(array, PlacedArray):
        return array
    of_rows: Places = array._places
    rows = array._cells.reshape(-1)
    kinds = of_rows.kinds[rows[rows >= 0]]
    of_each = None
    if len(kinds) and (kinds != kinds[0]).any():
        of_each = np.zeros(len(rows), dtype=np.uint8)
        of_each[rows >= 0] = np.unique(kinds, return_inverse=True)[1]
    count = array._cells.ndim
    places = by_path(of_rows.by_offset.take(rows))
    return PlacedArray(places, of_each, array.shape[:count], array.shape[count:], array.dtype)


class CubeVariable(xarray.Variable):
    """A variable that reads objects when it is used.

    Its chunks of Dask are read by the places of objects, and their names are other ones when a file has changed. xarray
    names them by the arguments of ``open_dataset`` alone.
    """

    __slots__ = ()

    def chunk(  # type: ignore[override]
        self,
        chunks: Any = {},  # noqa: B006
        name: str | None = None,
        *positional: Any,
        **options: Any,
    ) -> Any:
        placed = _placed(self._data)
        if placed is None:
            return super().chunk(chunks, name, *positional, **options)
        data, array = placed
        kwargs = dict(options.pop("from_array_kwargs", None) or {})
        name = name or kwargs.pop("name", None)
        if isinstance(name, str):  # else Dask makes one of the places
            from dask.base import tokenize

            name = f"{name}-{tokenize(array)}"
        placed_variable: Any = super(CubeVariable, self._replace(data=data))
        return placed_variable.chunk(chunks, name, *positional, from_array_kwargs=kwargs, **options)


def _placed(data: Any) -> tuple[Any, PlacedArray] | None:
    """Return the lazy array that reads a cube by places, and the array of the whole cube; None for other data."""
    while isinstance(data, (indexing.CopyOnWriteArray, indexing.MemoryCachedArray)):
        data = data.array
    if not isinstance(data, indexing.LazilyIndexedArray) or not isinstance(data.array, CubeArray):
        return None
    array = by_place(data.array)
    return indexing.LazilyIndexedArray(array, data.key), array


def chunked(dataset: xarray.Dataset, group: Group, chunks: Any) -> xarray.Dataset:
    """Return a Dataset of Dask arrays. ``{}`` and ``"auto"`` take chunks that hold whole objects, about 64 MiB of them.

    Chunks of sizes that are given for some dimensions keep the preferred ones along the others. Names of the arrays are
    other ones when a file of the objects has changed.
    """
    if chunks is None:
        return dataset
    unknown = sorted(map(str, set(chunks) - set(dataset.dims))) if isinstance(chunks, Mapping) else []
    if unknown:
        dims = ", ".join(map(str, dataset.dims))
        raise ValueError(f"chunks names '{unknown[0]}', which is no dimension; there are {dims}")
    from dask.base import tokenize

    out = {}
    for name in group.variables:
        if name not in dataset.variables:
            continue
        variable = dataset.variables[name]
        sizes = dict(variable.encoding["preferred_chunks"])
        if isinstance(chunks, Mapping):
            sizes.update({dim: size for dim, size in chunks.items() if dim in sizes})
        elif chunks != "auto":
            sizes = dict.fromkeys(sizes, chunks)
        out[name] = variable.chunk(sizes, name=f"{name}-{tokenize(sizes)}")
    chunked_dataset: xarray.Dataset = dataset.assign(out)
    return chunked_dataset
