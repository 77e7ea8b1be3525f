# SPDX-License-Identifier: Apache-2.0
"""Reads parts of many objects by their places. All reading of elements of cubes goes through here."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._gathering.gather import gather
from .._gathering.places import Places

_Rows = NDArray[np.int64]
_Read = Callable[[Places, Any, Any], NDArray[Any]]  # of places, of the numbers of their rows, into an array or None


class RowReader:
    """Objects by rows, of one dtype or of several.

    Args:
        places: of each row.
        kinds: for each row the number of its dtype, if they have several; objects that are read at once have the same.
        dtypes: by these numbers, if they are known; else elements of several dtypes are converted.
    """

    def __init__(self, places: Places, kinds: NDArray[Any] | None = None, dtypes: tuple[np.dtype[Any], ...] = ()):
        self._places = places
        self._kinds = kinds
        self._dtypes = dtypes

    def read(self, rows: _Rows, slab: tuple[Any, ...], out: NDArray[Any]) -> None:
        """Read a part of each object into `out`. Rows of -1 leave it as it is."""
        self._read(rows, out, lambda places, _, into: gather(places, slab, out=into))

    def read_points(self, rows: _Rows, points: tuple[NDArray[np.int64], ...], out: NDArray[Any]) -> None:
        """Read elements of each object into `out`. Rows of -1 leave it as it is.

        Args:
            points: an array of indices for each dimension of the objects: the same for all rows, or with a row for each.
        """

        def read(places: Places, which: Any, into: Any) -> NDArray[Any]:
            return gather(places, points=[each[which] if each.ndim == 2 else each for each in points], out=into)

        self._read(rows, out, read)

    def _read(self, rows: _Rows, out: NDArray[Any], read: _Read) -> None:
        filled = np.flatnonzero(rows >= 0)
        if not len(filled):
            return
        kinds = None if self._kinds is None else self._kinds[rows[filled]]
        for kind in (None,) if kinds is None else np.unique(kinds).tolist():
            where = filled if kind is None else filled[kinds == kind]
            which = slice(None) if len(where) == len(rows) else where
            places = self._places[rows[which]]
            is_same = kind is None or (bool(self._dtypes) and self._dtypes[kind] == out.dtype)
            if is_same and len(where) == len(rows):
                read(places, which, out)
            else:
                out[where] = read(places, which, None)
