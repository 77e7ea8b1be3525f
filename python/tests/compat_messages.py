# SPDX-License-Identifier: Apache-2.0
"""Messages that the tests of tgmap.compat share."""

from __future__ import annotations

import numpy as np
from tgmap import compat


def describe(array, **further) -> dict:
    """Return a descriptor of an array, as callers of the reference package write it."""
    return {"type": "ntensor", "shape": list(array.shape), "dtype": array.dtype.name, **further}


def encoded(*arrays, metadata=None, pipeline=None, **options) -> bytes:
    """Return a message of arrays that all have one pipeline."""
    objects = [(describe(each, **(pipeline or {})), each) for each in arrays]
    return compat.encode(metadata or {}, objects, **options)


def temperature() -> np.ndarray:
    """Return a field of 12 × 20 values."""
    return 280.0 + np.sin(np.arange(240.0) / 7).reshape(12, 20)
