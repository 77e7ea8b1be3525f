# SPDX-License-Identifier: Apache-2.0
"""Objects of many archives as one array, by their places."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from .. import _core
from .._lists import check_masks
from .._scalars import integer
from .._tables.table import plain_slab
from .overlap import refuse_overlap
from .places import Places

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray


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

    Scans nothing. Files are opened once in a process, and those that were used last stay open. Of small objects all bytes
    are read at once, of large ones only what the part needs.

    Args:
        places: :class:`Places`, or a list of (path or archive, offset of the message, number of the object) in which
            None is a hole.
        slab: a part of each object, as in ``object[slab]``: integers, slices and an ellipsis.
        points: elements of each object instead of a slab: one array of integers for each dimension of the objects, all
            of one shape ``(k,)``; or of the shape ``(len(places), k)`` for other elements of each object.
        out: an array for the result, with any strides. Its elements must not overlap in memory.
        fill: the value in holes. Default: NaN, if the dtype has one.
        threads: 0 for one on each processor.
        max_open: archives that stay open in this process; at least 1.

    Raises:
        ChangedFileError: a file is another one than when its objects were found.
        IndexError: there is no such object, or no such element.
        ValueError: an object has another dtype or shape than the first; there is nothing to put into holes; or all
            places are holes, and there is no `out`; or elements of `out` overlap.
    """
    if not isinstance(places, Places):
        places = Places.of(places)
    if out is not None and not isinstance(out, np.ndarray):
        raise TypeError("out must be an array of NumPy")
    if out is not None:
        refuse_overlap(out)
    threads = _count(threads, "threads", 0)
    max_open = _count(max_open, "max_open", 1)
    if slab is not None and points is not None:
        raise TypeError("pass a slab or points, not both")
    numbers = places._numbers
    if not len(numbers) or numbers.max() < 0:
        return _only_holes(places, out, fill)
    archives = [each._opening() for each in places._archives]
    objects = _core._Gatherer(
        archives, numbers, places._offsets, places._objects, places.address, threads, max_open
    )
    element = _fill(fill, objects.dtype).tobytes() if numbers.min() < 0 else None
    if points is None:
        found: NDArray[Any] = objects.box(plain_slab(slab), out, element)
        return found
    elements, of_each = _elements(points, objects.shape, len(numbers))
    found = objects.points(elements, of_each, out, element)
    return found


def _elements(points: Sequence[ArrayLike], shape: tuple[int, ...], count: int) -> tuple[NDArray[np.uint64], bool]:
    """Return numbers of elements in C order, and whether each object has its own."""
    index = []
    for each in points:
        check_masks(each, "points must not be masked")
        array = np.asarray(each)
        if array.dtype.kind not in "iu" and array.size:
            raise TypeError("points must be arrays of integers")
        if array.dtype.kind == "u" and array.size and int(array.max()) >= 2**63:
            raise IndexError(f"index {int(array.max())} is out of bounds for dimension {len(index)}")
        index.append(array.astype(np.int64))
    if len(index) != len(shape):
        raise ValueError(f"points must have an array for each of the {len(shape)} dimensions, not {len(index)}")
    if not index:
        raise ValueError("objects without dimensions have no points; pass a slab")
    together = np.broadcast_shapes(*(each.shape for each in index))
    if len(together) not in (1, 2) or (len(together) == 2 and together[0] != count):
        raise ValueError(f"points must have the shape (k,) or ({count}, k), not {together}")
    flat = np.zeros(together, dtype=np.int64)
    for axis, (each, size) in enumerate(zip(index, shape)):
        if each.size and not -size <= int(each.min()) <= int(each.max()) < size:
            wrong = int(each.max()) if int(each.max()) >= size else int(each.min())
            raise IndexError(f"index {wrong} is out of bounds for dimension {axis} of size {size}")
        flat = flat * size + np.where(each < 0, each + size, each)
    return flat.astype(np.uint64).reshape(-1), len(together) == 2


def _fill(fill: Any, dtype: np.dtype[Any]) -> NDArray[Any]:
    if fill is None:
        if dtype.kind not in "fc" and dtype.name != "bfloat16":
            raise ValueError(f"there are holes, and {_name_of(dtype)} has no NaN; pass fill")
        fill = np.nan
    value = np.asarray(fill)
    if value.ndim:
        raise ValueError("fill must be one value")
    name = _name_of(dtype)
    if value.dtype.kind not in "biufcV" or (value.dtype.kind == "c" and dtype.kind != "c"):
        raise TypeError(f"fill must be a number that {name} has, not {type(fill).__name__}")
    with np.errstate(all="ignore"):
        converted = value.astype(dtype)
        is_exact = dtype.kind not in "iub" or bool(converted == value)
        if dtype.kind in "fc" and value.dtype.kind in "biufc":
            is_exact = bool(np.isfinite(converted) == np.isfinite(value))
    if not is_exact:
        raise ValueError(f"fill {fill!r} does not fit into {name}")
    return converted


def _count(given: Any, name: str, least: int) -> int:
    number = integer(given, name)
    if number < least:
        raise ValueError(f"{name} must be at least {least}, not {number}")
    return min(number, 2**31 - 1)


def close_files() -> None:
    """Close the files that :func:`gather` keeps open in this process. The next call opens those that it needs.

    A file that was removed or replaced keeps its space on the disk as long as it is open.
    """
    _core._clear_archive_cache()


def _name_of(dtype: np.dtype[Any]) -> str:
    return "bfloat16" if dtype.kind == "V" else dtype.name


def _only_holes(places: Places, out: NDArray[Any] | None, fill: Any) -> NDArray[Any]:
    if out is None:
        raise ValueError("gather needs an object; without one there is no dtype and shape")
    if out.ndim == 0 or len(out) != len(places):
        raise ValueError(f"out must have {len(places)} rows, not {out.shape}")
    if len(places):
        out[...] = _fill(fill, out.dtype)
    return out
