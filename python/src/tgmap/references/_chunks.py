# SPDX-License-Identifier: Apache-2.0
"""Shapes of chunks: runs of objects that lie one after another in their files."""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Mapping
from typing import Any

import numpy as np

from .._core import _shown
from ..cubes._columns import Numbers
from ._arrays import ZarrArray, ZarrGroup

CHUNK_BYTES = 16 << 20
"""Readers of Zarr decode whole chunks, several at once, for any part of them."""


def chunk_shape(array: ZarrArray, given: Mapping[str, int]) -> tuple[int, ...]:
    """Return the shape of the chunks of an array: whole objects, about 16 MiB of them.

    The dimensions along which objects are neighbours in their files are filled first.

    Args:
        given: sizes of chunks by dimension; -1 for all.
    """
    if array.values is not None:
        return tuple(max(1, size) for size in array.shape)
    count = array.cells.ndim
    sizes = [1] * count + [max(1, size) for size in array.inner_shape]
    object_bytes = math.prod(array.inner_shape) * array.dtype.itemsize
    left = max(1, CHUNK_BYTES // max(1, object_bytes))
    for axis, dim in enumerate(array.dims):
        if dim in given:
            sizes[axis] = given[dim] if 0 < given[dim] < array.shape[axis] else max(1, array.shape[axis])
            if axis < count:
                left = max(1, left // sizes[axis])
    for axis in sorted(range(count), key=lambda axis: _distance(array.cells, axis)):
        size = max(1, array.cells.shape[axis])
        if array.dims[axis] in given:
            continue
        parts = -(-size // left)
        sizes[axis] = -(-size // parts)  # of about equal sizes
        left = max(1, left // sizes[axis])
    return tuple(sizes)


def check_chunks(given: Mapping[str, int] | None, groups: tuple[ZarrGroup, ...]) -> dict[str, int]:
    """Return sizes of chunks that were given. Raises ValueError if one is no size, or of no dimension."""
    out = {}
    dims = {dim: None for group in groups for array in group.arrays.values() for dim in array.dims}
    for name, size in (given or {}).items():
        if name not in dims:
            shown = _shown(", ".join(dims))
            raise ValueError(f"chunks names '{_shown(str(name))}', which is no dimension; there are {shown}")
        if isinstance(size, bool) or not isinstance(size, (int, np.integer)) or (size < 1 and size != -1):
            raise ValueError(f"chunks gives {size!r} for '{_shown(name)}', which is no size; -1 is the whole dimension")
        out[name] = int(size)
    return out


def chunk_counts(shape: tuple[int, ...], chunks: tuple[int, ...]) -> tuple[int, ...]:
    """Return the number of chunks along each dimension."""
    return tuple(-(-size // chunk) for size, chunk in zip(shape, chunks))


def chunk_keys(shape: tuple[int, ...], chunks: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
    """Return the positions of all chunks."""
    return itertools.product(*(range(count) for count in chunk_counts(shape, chunks)))


def _distance(cells: Numbers, axis: int) -> Any:
    """Return how far objects that are neighbours along a dimension usually are apart in their files."""
    if cells.shape[axis] < 2:
        return np.inf, -axis
    steps = np.abs(np.diff(cells, axis=axis))
    known = (np.delete(cells, -1, axis) >= 0) & (np.delete(cells, 0, axis) >= 0)
    return (float(np.median(steps[known])) if known.any() else np.inf), -axis
