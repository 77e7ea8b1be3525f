# SPDX-License-Identifier: Apache-2.0
"""Arrays for results whose elements overlap."""

from __future__ import annotations

from typing import Any

import numpy as np


def refuse_overlap(out: Any) -> None:
    """Raise ValueError if two elements of an array of NumPy share bytes, as those of ``numpy.broadcast_to`` do.

    Each would have the value that was written last. What is no array that can be written is left to other checks.

    Complexity: that of the number of dimensions for all arrays that NumPy makes by slices and transposition; sorting of
    all elements for others.
    """
    if not isinstance(out, np.ndarray) or out.size == 0 or not out.flags.writeable:
        return
    axes = sorted((abs(stride), size) for size, stride in zip(out.shape, out.strides) if size > 1)
    reach = out.itemsize  # bytes from the first to the last element of the axes so far
    for stride, size in axes:
        if stride < reach:
            break
        reach += stride * (size - 1)
    else:
        return
    extent = out.itemsize + sum(stride * (size - 1) for stride, size in axes)
    if out.nbytes > extent or _shares_bytes(axes, out.itemsize):
        raise ValueError("elements of out overlap in memory; pass an array that has bytes of its own for each")


def _shares_bytes(axes: list[tuple[int, int]], itemsize: int) -> bool:
    offsets = np.zeros(1, dtype=np.int64)
    for stride, size in axes:
        offsets = (offsets[:, np.newaxis] + np.arange(size, dtype=np.int64) * stride).reshape(-1)
    offsets.sort()
    return bool((np.diff(offsets) < itemsize).any())
