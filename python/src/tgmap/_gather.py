# SPDX-License-Identifier: Apache-2.0
"""Objects of many archives as one array, by their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from . import _core
from ._places import Places
from ._table import plain_slab


def gather(
    places: Places | Iterable[Any],
    slab: Any = None,
    *,
    points: Sequence[ArrayLike] | None = None,
    out: NDArray[Any] | None = None,
    fill: Any = None,
    threads: int = 0,
    max_open: int = 256,
) -> NDArray[Any]:
    """Return the elements of objects by their places, as one array whose first dimension counts the places.

    Scans nothing. Files are opened once in a process and stay open while they are used often.

    Args:
        places: :class:`Places`, or a list of (path or archive, offset of the message, number of the object) in which
            None is a hole.
        slab: a part of each object, as in ``object[slab]``: integers, slices and an ellipsis.
        points: elements of each object instead of a slab: one array of integers for each dimension of the objects, all
            of one shape ``(k,)``; or of the shape ``(len(places), k)`` for other elements of each object.
        out: an array for the result, with any strides.
        fill: the value in holes. Default: NaN, if the dtype has one.
        threads: 0 for one on each processor.
        max_open: archives that stay open in this process.

    Raises:
        ChangedFileError: a file is another one than when its objects were found.
        IndexError: there is no such object, or no such element.
        ValueError: an object has another dtype or shape than the first; there is nothing to put into holes; or all
            places are holes, and there is no `out`.
    """
    if not isinstance(places, Places):
        places = Places.of(places)
    if slab is not None and points is not None:
        raise TypeError("pass a slab or points, not both")
    known = np.flatnonzero(~places.holes)
    if not len(known):
        return _only_holes(places, out, fill)
    order = known[np.lexsort((places._objects[known], places._offsets[known], places._numbers[known]))]
    opened = {int(number): places._archives[number].open() for number in np.unique(places._numbers[known])}
    objects = [
        opened[int(places._numbers[i])]._opened.at_offset(int(places._offsets[i]))[int(places._objects[i])]
        for i in order
    ]
    chosen = plain_slab(slab)
    archive = opened[int(places._numbers[order[0]])]._opened
    found = _core._gather(archive, objects, chosen if points is None else None, None, threads)
    if points is not None:
        found = _points(found, points, len(places), order)
    result = np.empty((len(places), *found.shape[1:]), dtype=found.dtype) if out is None else out
    _check(result, (len(places), *found.shape[1:]), found.dtype)
    result[order] = found
    if len(known) < len(places):
        result[places.holes] = _fill(fill, found.dtype)
    return result


def _points(found: NDArray[Any], points: Sequence[ArrayLike], count: int, order: NDArray[np.int64]) -> NDArray[Any]:
    index = [np.asarray(each) for each in points]
    if len(index) != found.ndim - 1:
        raise ValueError(f"points must have one array for each of the {found.ndim - 1} dimensions, not {len(index)}")
    index = [np.broadcast_to(each, (count, each.shape[-1]))[order] for each in index]
    chosen: NDArray[Any] = found[(np.arange(len(found))[:, None], *index)]
    return chosen


def _check(out: NDArray[Any], shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if out.dtype != dtype:
        raise TypeError(f"out must have the dtype {dtype}, not {out.dtype}")
    if out.shape != shape:
        raise ValueError(f"out must have the shape {shape}, not {out.shape}")


def _fill(fill: Any, dtype: np.dtype[Any]) -> Any:
    if fill is not None:
        return fill
    if dtype.kind not in "fc" and dtype.name != "bfloat16":
        raise ValueError(f"there are holes, and {dtype} has no NaN; pass fill")
    return np.nan


def _only_holes(places: Places, out: NDArray[Any] | None, fill: Any) -> NDArray[Any]:
    if out is None:
        raise ValueError("gather needs an object; without one there is no dtype and shape")
    if len(out) != len(places):
        raise ValueError(f"out must have {len(places)} rows, not {len(out)}")
    if len(places):
        out[...] = _fill(fill, out.dtype)
    return out
