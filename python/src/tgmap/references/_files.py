# SPDX-License-Identifier: Apache-2.0
"""Elements of objects whose files are as they were. Does not need Zarr."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._gathering.gather import gather
from ..datasets._sources import Places
from ._arrays import ZarrArray, missing, to_elements


class Files:
    """Reads the objects of archives by their places, so that nothing is scanned, also by a process that loads a pickle.

    Args:
        rows: the objects. Their files are to stay as they are now.
    """

    def __init__(self, rows: Places):
        self._places = rows.by_offset
        self._kinds = rows.kinds if len(rows.dtypes) > 1 else None

    def read(self, array: ZarrArray, cells: NDArray[np.int64], slab: tuple[slice, ...]) -> NDArray[Any]:
        """Return a part of the objects of some cells, one at least. Raises ChangedFileError if a file has changed."""
        rows = cells.reshape(-1)
        known = rows >= 0
        kinds = np.where(known, 0 if self._kinds is None else self._kinds[rows], -1)
        out: NDArray[Any] | None = None
        for kind in np.unique(kinds[known]).tolist():  # each dtype of objects that the array has
            where = np.flatnonzero(kinds == kind)
            elements = to_elements(gather(self._places[rows[where]], slab), array.dtype)
            if len(where) == len(rows):
                out = elements
            else:
                shape = (len(rows), *elements.shape[1:])
                out = np.full(shape, missing(array.dtype), dtype=array.dtype) if out is None else out
                out[where] = elements
        assert out is not None
        return out.reshape((*cells.shape, *out.shape[1:]))

    def token(self) -> Any:
        """Return what is another one for other objects, and for a file that has changed."""
        return self._places.token()
