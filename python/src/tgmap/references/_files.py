# SPDX-License-Identifier: Apache-2.0
"""Elements of objects whose files are as they were. Does not need Zarr."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._gather import gather
from .._places import Places as ObjectPlaces
from .._places import check_state, state_of
from ..datasets._sources import Places
from ._arrays import ZarrArray, missing, to_elements
from ._ranges import path_of


class Files:
    """Reads the objects of archives that are as they were when this was made.

    A pickle has the places of objects instead of the archives, so that a process that loads it scans nothing.
    """

    def __init__(self, places: Places):
        self._of_rows: Places | None = places
        self._placed: ObjectPlaces | None = None
        self._archives, self._kinds, self._dtypes = places.archives, places.kinds, places.dtypes
        source = places.source
        paths = [path_of(source.archive(number)) for number in range(source.count)]
        self._states = [(path, *state_of(path)) if path else None for path in paths]

    def read(self, array: ZarrArray, cells: NDArray[np.int64], slab: tuple[slice, ...]) -> NDArray[Any]:
        """Return a part of the objects of some cells, one at least. Raises ChangedFileError if a file has changed."""
        rows = cells.reshape(-1)
        known = rows >= 0
        used = np.unique(self._archives[rows[known]]).tolist()
        self._check(used)
        shape = tuple(len(range(*each.indices(size))) for each, size in zip(slab, array.inner_shape))
        kinds = np.where(known, self._kinds[rows], -1)
        out: NDArray[Any] | None = None
        for kind in np.unique(kinds[known]).tolist():  # each dtype of objects that the array has
            where = np.flatnonzero(kinds == kind)
            part = np.empty((len(where), *shape), dtype=self._dtypes[kind])
            if part.size:
                self._read(rows[where], slab, part)
            elements = to_elements(part, array.dtype)
            if len(where) == len(rows):
                out = elements
            else:
                out = np.full((len(rows), *shape), missing(array.dtype), dtype=array.dtype) if out is None else out
                out[where] = elements
        self._check(used)  # a file that was written meanwhile
        assert out is not None
        return out.reshape((*cells.shape, *shape))

    def token(self) -> Any:
        """Return what is another one for other objects, and for a file that has changed."""
        return self._by_place().token()

    def _read(self, rows: NDArray[np.int64], slab: tuple[slice, ...], out: NDArray[Any]) -> None:
        if self._of_rows is not None:
            self._of_rows.read(rows, slab, out)
        else:
            gather(self._by_place()[rows], slab, out=out)

    def _by_place(self) -> ObjectPlaces:
        if self._placed is None:
            assert self._of_rows is not None
            self._check(range(len(self._states)))
            self._placed = _places_of(self._of_rows)
        return self._placed

    def _check(self, archives: Iterable[int]) -> None:
        for number in archives:
            state = self._states[number]
            if state is not None:
                check_state(*state)

    def __getstate__(self) -> dict[str, Any]:
        self._by_place()
        return {**self.__dict__, "_of_rows": None}


def _places_of(rows: Places) -> ObjectPlaces:
    """Return the places of all rows: the offsets of their messages."""
    offsets = np.zeros(len(rows.archives), dtype=np.int64)
    for number in np.unique(rows.archives).tolist():
        archive = rows.source.archive(number)
        where = np.flatnonzero(rows.archives == number)
        messages, inverse = np.unique(rows.messages[where], return_inverse=True)
        offsets[where] = np.array([archive[i].offset for i in messages.tolist()], dtype=np.int64)[inverse]
    archives = [rows.source.archive(number) for number in range(rows.source.count)]
    return ObjectPlaces(archives, rows.archives, offsets, rows.objects)
