# SPDX-License-Identifier: Apache-2.0
"""Elements of one dtype or of several, which are read as those of one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..cubes import Column
from ..datasets._sources import dtype_of

Numbers = NDArray[np.int64]
_OPAQUE = np.dtype("V2")  # bfloat16 without ml_dtypes


class Cast:
    """The dtypes of objects, and the one that their elements are cast to.

    Attributes:
        dtype: of the elements that are read.
    """

    def __init__(self, stored: Column, wanted: Any):
        self._stored = [dtype_of(name) for name in stored.values]
        self.dtype = self._stored[0] if wanted is None else np.dtype(wanted).newbyteorder("=")
        self._kinds = stored.codes.astype(np.int8)
        for each in self._stored:
            if each != self.dtype:
                _require_cast(each, self.dtype)

    def place(self, rows: Numbers) -> None:
        """Take the objects of some rows, in which -1 is a hole."""
        kinds = np.append(self._kinds, np.int8(-1))[rows]
        self._kinds = kinds if self._is_needed else kinds[:0]  # it is pickled

    @property
    def _is_needed(self) -> bool:
        return self._stored != [self.dtype]

    def read(self, rows: Numbers, out: NDArray[Any], read: Callable[[Numbers, NDArray[Any]], None], fill: Any) -> None:
        """Read objects: by one call if nothing is cast, else by one for each dtype, into another array."""
        if not self._is_needed:
            read(rows, out)
            return
        kinds = self._kinds[rows]
        for number, dtype in enumerate(self._stored):
            chosen = np.flatnonzero(kinds == number)
            if len(chosen):
                found = np.empty((len(chosen), *out.shape[1:]), dtype=dtype)
                read(rows[chosen], found)
                out[chosen] = _widened(found) if dtype == _OPAQUE else found
        if (kinds < 0).any():
            out[kinds < 0] = np.nan if fill is None else fill


def _require_cast(stored: np.dtype[Any], wanted: np.dtype[Any]) -> None:
    """Raise TypeError if elements would have another meaning: fractions, signs, large integers, imaginary parts."""
    is_floating = stored.kind in "biuf" or stored == _OPAQUE or stored.name == "bfloat16"
    if wanted.kind == "f":
        is_safe = is_floating
    elif wanted.kind == "c":
        is_safe = is_floating or stored.kind == "c"
    else:
        is_safe = wanted.kind in "biu" and stored.kind in "biu" and np.can_cast(stored, wanted, "safe")
    if not is_safe:
        raise TypeError(f"elements of {stored} cannot be cast to {wanted} without a change")


def _widened(array: NDArray[Any]) -> NDArray[Any]:
    """Return bfloat16 as float32, of which it is the upper half."""
    return (array.view(np.uint16).astype(np.uint32) << 16).view(np.float32)
