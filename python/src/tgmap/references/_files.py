# SPDX-License-Identifier: Apache-2.0
"""Elements of objects whose files are as they were. Does not need Zarr."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._places import check_state, state_of
from ..datasets._sources import Places
from ._arrays import ZarrArray, missing, to_elements
from ._ranges import path_of


class Files:
    """Reads the objects of archives that are as they were when this was made."""

    def __init__(self, places: Places):
        self._places = places
        source = places.source
        paths = [path_of(source.archive(number)) for number in range(source.count)]
        self._states = [(path, *state_of(path)) if path else None for path in paths]

    def read(self, array: ZarrArray, cells: NDArray[np.int64], slab: tuple[slice, ...]) -> NDArray[Any]:
        """Return a part of the objects of some cells, one at least. Raises ChangedFileError if a file of theirs has changed."""
        rows = cells.reshape(-1)
        known = rows >= 0
        used = np.unique(self._places.archives[rows[known]]).tolist()
        self._check(used)
        shape = tuple(len(range(*each.indices(size))) for each, size in zip(slab, array.inner_shape))
        kinds = np.where(known, self._places.kinds[rows], -1)
        found = [(kind, np.flatnonzero(kinds == kind)) for kind in np.unique(kinds[known]).tolist()]
        out: NDArray[Any] | None = None
        for kind, where in found:  # each dtype of objects that the array has
            part = np.empty((len(where), *shape), dtype=self._places.dtypes[kind])
            if part.size:
                self._places.read(rows[where], slab, part)
            elements = to_elements(part, array.dtype)
            if len(where) == len(rows):
                out = elements
            else:
                out = np.full((len(rows), *shape), missing(array.dtype), dtype=array.dtype) if out is None else out
                out[where] = elements
        self._check(used)  # a file that was written meanwhile
        assert out is not None
        return out.reshape((*cells.shape, *shape))

    def _check(self, archives: Iterable[int]) -> None:
        for number in archives:
            state = self._states[number]
            if state is not None:
                check_state(*state)
