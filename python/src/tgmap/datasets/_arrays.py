# SPDX-License-Identifier: Apache-2.0
"""Arrays that read objects when they are indexed, and only what the index needs."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray
from xarray.backends import BackendArray
from xarray.core import indexing

from ..cubes import Variable
from ._sources import Places

_CHUNK_BYTES = 64 << 20
_MAX_POINTS = 1 << 22  # a point takes some ten bytes of memory for each dimension
_SPARSE = 4  # elements of a box for each that is wanted, from which on single ones are read


class CubeArray(BackendArray):
    """The elements of a variable: dimensions between objects, then those inside of them."""

    def __init__(self, places: Places, variable: Variable, dtype: np.dtype[Any]):
        self._places = places
        self._cells = variable.cells
        self.shape = variable.shape
        self.dtype = dtype

    def __reduce__(self) -> Any:
        """Pickle the places of objects, by which other processes read them without a scan."""
        from ._chunks import by_place

        return by_place(self).__reduce__()

    def __getitem__(self, key: indexing.ExplicitIndexer) -> NDArray[Any]:
        if isinstance(key, indexing.VectorizedIndexer):
            return self._points(key.tuple)
        return self._box(key.tuple)

    async def async_getitem(self, key: indexing.ExplicitIndexer) -> NDArray[Any]:
        """Return the elements. Reading waits in another thread."""
        import asyncio

        return await asyncio.to_thread(self.__getitem__, key)

    def _box(self, key: tuple[Any, ...]) -> NDArray[Any]:
        """Return elements of an integer, a slice or an array along each dimension, each independent of the others."""
        outer, inner = key[: self._cells.ndim], key[self._cells.ndim :]
        cells = np.asarray(_take(self._cells, outer))
        listed = _as_points(inner, self.shape[self._cells.ndim :])
        if listed is not None:
            points, shape = listed
            return self._read_points(cells.reshape(-1), points).reshape((*cells.shape, *shape))
        slab, rest = _slab(inner, self.shape[self._cells.ndim :])
        found = self._read(cells, slab)
        for axis, index in rest:
            found = found.take(index, axis=cells.ndim + axis)
        return found

    def _read(self, cells: NDArray[np.int64], slab: tuple[Any, ...]) -> NDArray[Any]:
        shape = _shape_of(slab, self.shape[self._cells.ndim :])
        out = np.empty((cells.size, *shape), dtype=self.dtype)
        rows = cells.reshape(-1)
        if (rows < 0).any():
            out[rows < 0] = _missing(self.dtype)
        if out.size:
            self._places.read(rows, slab, out)
        return out.reshape((*cells.shape, *shape))

    def _points(self, key: tuple[Any, ...]) -> NDArray[Any]:
        """Return elements at points. Of each object only what is near them is read."""
        count = self._cells.ndim
        arrays = [np.asarray(each) for each in key if not isinstance(each, slice)]
        shape = np.broadcast_shapes(*(each.shape for each in arrays))
        whole = [i for i, each in enumerate(key) if isinstance(each, slice)]
        if whole:  # the dimensions of slices come last
            if all(isinstance(each, slice) for each in key[count:]):
                return self._fields_at_points(key, shape)
            return self._points_and_slices(key, shape, whole)
        index = [np.broadcast_to(each, shape).reshape(-1) for each in arrays]
        index = [np.where(each < 0, each + size, each) for each, size in zip(index, self.shape)]
        cells = np.asarray(self._cells[tuple(index[:count])] if count else np.broadcast_to(self._cells, index[0].shape))
        out = np.empty(cells.shape, dtype=self.dtype)
        if (cells < 0).any():
            out[cells < 0] = _missing(self.dtype)
        order = np.argsort(cells, kind="stable")
        order = order[cells[order] >= 0]
        if len(order) and count == len(index):  # objects without dimensions
            out[order] = self._read(cells[order], ())
        elif len(order):
            begins = np.concatenate([[0], np.flatnonzero(np.diff(cells[order])) + 1])
            counts = np.diff(np.append(begins, len(order)))
            for each in np.unique(counts).tolist():  # objects of which as many elements are wanted are read at once
                where = order[begins[counts == each][:, None] + np.arange(each)]
                points = tuple(axis[where] for axis in index[count:])
                out[where] = self._read_points(cells[where[:, 0]], points)
        return out.reshape(shape)

    def _read_points(self, rows: NDArray[np.int64], points: tuple[NDArray[np.int64], ...]) -> NDArray[Any]:
        """Return elements of each object: the same of all, or those of the row of each in two-dimensional `points`."""
        out = np.empty((len(rows), points[0].shape[-1]), dtype=self.dtype)
        if (rows < 0).any():
            out[rows < 0] = _missing(self.dtype)
        if out.size:
            self._places.read_points(rows, points, out)
        return out

    def _fields_at_points(self, key: tuple[Any, ...], shape: tuple[int, ...]) -> NDArray[Any]:
        """Return a box of the objects that arrays and slices between objects select."""
        outer, inner = key[: self._cells.ndim], key[self._cells.ndim :]
        slices = [axis for axis, each in enumerate(outer) if isinstance(each, slice)]
        index = []
        for axis, each in enumerate(outer):
            if axis in slices:
                after = len(slices) - 1 - slices.index(axis)
                index.append(np.arange(self.shape[axis])[each].reshape((-1,) + (1,) * after))
            else:
                array = np.broadcast_to(each, shape)
                index.append(array.reshape(shape + (1,) * len(slices)))
        slab, _ = _slab(inner, self.shape[self._cells.ndim :])
        return self._read(np.asarray(self._cells[tuple(index)]), slab)

    def _points_and_slices(self, key: tuple[Any, ...], shape: tuple[int, ...], whole: list[int]) -> NDArray[Any]:
        """Return elements of arrays along some dimensions and slices along the others, which become arrays, too."""
        ranges = {axis: np.arange(self.shape[axis])[key[axis]] for axis in whole}
        index = []
        for axis, each in enumerate(key):
            if axis in ranges:
                place = len(shape) + whole.index(axis)
                found = ranges[axis].reshape([-1 if i == place else 1 for i in range(len(shape) + len(whole))])
            else:
                found = np.asarray(each)
                found = found.reshape((1,) * (len(shape) - found.ndim) + found.shape + (1,) * len(whole))
            index.append(found)
        return self._points(tuple(index))


def _missing(dtype: np.dtype[Any]) -> Any:
    """Return NaN. Variables of integers have no holes."""
    if dtype.kind == "V" and dtype.name != "bfloat16":
        raise TypeError("bfloat16 without a dtype has no NaN for cells without an object; install ml_dtypes")
    return np.nan


def _take(cells: NDArray[np.int64], key: tuple[Any, ...]) -> Any:
    """Return cells by an independent index of each dimension."""
    for axis in reversed(range(len(key))):
        cells = cells[(slice(None),) * axis + (key[axis],)]
    return cells


def _as_points(
    key: tuple[Any, ...], shape: tuple[int, ...]
) -> tuple[tuple[NDArray[np.int64], ...], tuple[int, ...]] | None:
    """Return the elements of a key as points, with the shape that they have; None if the smallest box is as good.

    That is so without arrays, and if at least a part of the elements of the box is wanted.
    """
    if all(isinstance(each, (int, np.integer, slice)) for each in key):
        return None
    wanted, kept = [], []
    for each, size in zip(key, shape):
        index = np.arange(size)[each] if isinstance(each, slice) else np.asarray(each, dtype=np.int64)
        wanted.append(np.atleast_1d(np.where(index < 0, index + size, index)))
        if index.ndim:
            kept.append(len(index))
    count = int(np.prod([len(each) for each in wanted], dtype=np.int64))
    reach = int(np.prod([int(np.ptp(each)) + 1 if len(each) else 0 for each in wanted], dtype=np.int64))
    if count == 0 or count > _MAX_POINTS or reach < _SPARSE * count:
        return None
    grid = np.meshgrid(*wanted, indexing="ij")
    return tuple(each.reshape(-1) for each in grid), tuple(kept)


def _slab(key: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[tuple[Any, ...], list[tuple[int, NDArray[np.int64]]]]:
    """Return the part of objects to read, and the axes of it from which elements are then taken.

    An array becomes the smallest slice that has all of its elements.
    """
    slab: list[Any] = []
    rest: list[tuple[int, NDArray[np.int64]]] = []
    axis = 0
    for each, size in zip(key, shape):
        if isinstance(each, (int, np.integer)):
            slab.append(int(each))
            continue
        if isinstance(each, slice):
            slab.append(slice(*(None if end is None else int(end) for end in (each.start, each.stop, each.step))))
        else:
            index = np.asarray(each, dtype=np.int64)
            index = np.where(index < 0, index + size, index)
            first, last = (int(index.min()), int(index.max())) if len(index) else (0, -1)
            slab.append(slice(first, last + 1))
            rest.append((axis, index - first))
        axis += 1
    return tuple(slab), rest


def _shape_of(slab: tuple[Any, ...], shape: tuple[int, ...]) -> tuple[int, ...]:
    return tuple(len(range(*each.indices(size))) for each, size in zip(slab, shape) if isinstance(each, slice))


def preferred_chunks(variable: Variable, dtype: np.dtype[Any]) -> dict[str, int]:
    """Return sizes of chunks that hold whole objects, about 64 MiB of them: the last dimensions are filled first."""
    sizes = dict(zip(variable.dims, variable.shape))
    left = max(1, _CHUNK_BYTES // max(1, int(np.prod(variable.inner_shape, dtype=np.int64)) * dtype.itemsize))
    for name in reversed(variable.dims[: variable.cells.ndim]):
        sizes[name] = max(1, min(sizes[name], left))
        left = max(1, left // max(1, sizes[name]))
    return sizes
