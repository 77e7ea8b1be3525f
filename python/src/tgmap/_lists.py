# SPDX-License-Identifier: Apache-2.0
"""Lists and scalars as arrays of a dtype that was asked for."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._errors import OutOfRangeError
from ._scalars import scalar


_MASK_TEXT = "a masked array has no place for its mask; store array.filled(nan) with allow_nan=True"


def array_of(values: Any, target: np.dtype) -> np.ndarray:
    """Return values as an array of a dtype of numbers.

    Raises:
        TypeError: they are no numbers, or of a kind that the dtype does not have.
        OutOfRangeError: an integer does not fit.
    """
    check_masks(values)
    found = np.asarray(values)
    if found.dtype.kind == "O":
        found = _numbers(found, target)
    kind, bounds = found.dtype.kind, target.kind
    if found.size and (kind not in "biufcV" or (kind == "V" and found.dtype.name != "bfloat16")):
        raise TypeError(f"the values are of dtype {found.dtype} and cannot be cast to {target}")
    if kind == "c" and bounds != "c":
        raise TypeError(f"complex numbers cannot be cast to {target}")
    if bounds not in "biu" or not found.size:
        return _cast(found, target)
    if bounds == "b":
        out = found != 0
        if not np.array_equal(out, found):
            raise TypeError("only 0 and 1 can be cast to bits of a bitmask")
        return out
    if kind in "fV" and not _are_integers(found):
        raise TypeError(f"numbers that are no integers cannot be cast to {target}")
    # Integers beyond int64 with negative ones are floating here, which has fewer digits.
    out = _cast(np.asarray(values, dtype=object) if kind in "fV" else found, target)
    if not np.array_equal(out, found):  # the lowest bits
        raise OutOfRangeError(f"a number does not fit {target}")
    return out


def _cast(array, target):
    try:
        return array.astype(target)
    except OverflowError:
        raise OutOfRangeError(f"a number does not fit {target}") from None


def _numbers(array, target):
    """Return an array of objects as one of numbers. Raises TypeError if they are none."""
    plain = [scalar(each) for each in array.ravel().tolist()]
    for each in plain:
        if not isinstance(each, (bool, int, float, complex, np.number)):
            raise TypeError(f"values of type {type(each).__name__} cannot be cast to numbers")
    found = np.asarray(plain)
    if found.dtype.kind == "O":  # integers beyond 64 bits
        if target.kind in "biu":
            raise OutOfRangeError(f"a number does not fit {target}")
        found = _cast(found, np.dtype("f8"))
    return found.reshape(array.shape)


def _are_integers(array) -> bool:
    wide = array.astype(np.float64)
    return bool(np.all(np.isfinite(wide)) and np.array_equal(wide, np.trunc(wide)))


def check_masks(values: Any, text=_MASK_TEXT) -> None:
    """Raise TypeError for a masked array, also in lists and tuples."""
    if isinstance(values, np.ma.MaskedArray):
        raise TypeError(text)
    if isinstance(values, (list, tuple)):
        for each in values:
            if isinstance(each, (list, tuple, np.ma.MaskedArray)):
                check_masks(each, text)
