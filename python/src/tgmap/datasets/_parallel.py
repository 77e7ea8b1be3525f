# SPDX-License-Identifier: Apache-2.0
"""Graphs of Dask that write an archive: a task for each block of chunks, and one that joins their parts."""

from __future__ import annotations

import itertools
import uuid
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

from ._folders import folder_beside, make_folder, own_folder, remove_stale_folders
from ._layout import MessageSet
from ._parts import finish, nothing, write_block

if TYPE_CHECKING:
    import xarray

    from ._appending import Extension

_BLOCK_BYTES = 256 << 20


class ParallelWrite:
    """Writes messages of Dask arrays.

    Parts are in a hidden folder beside the archive, which all workers must see.

    Args:
        path: the archive.
        sets: its messages.
        arrays: the variables of each set, with the dimensions between objects first.
        extension: the archive is extended, not replaced.
    """

    def __init__(
        self,
        path: str,
        sets: Sequence[MessageSet],
        arrays: Sequence[Sequence[xarray.Variable]],
        extension: Extension | None,
    ):
        self._path = path
        self._sets = sets
        self._arrays = arrays
        self._extension = extension
        self._folder = folder_beside(path)
        self._labels = itertools.count()

    def compute(self) -> None:
        """Write the archive now. After an error nothing of it is there, and an older file is as before."""
        written = self._graph(is_alone=False)
        with own_folder(self._path, self._folder):  # a task might make it after another one has failed
            written.compute()

    def delayed(self) -> Any:
        """Return a Delayed that writes the archive, and then is None."""
        remove_stale_folders(self._path)
        return self._graph(is_alone=True)

    def _graph(self, is_alone: bool) -> Any:
        """Return a Delayed of one graph, which is optimized as a whole: what blocks share is computed once."""
        import dask.array

        made: Any = dask
        folder = made.delayed(make_folder, pure=False)(self._folder) if is_alone else self._folder
        options = {"folder": folder, "is_alone": is_alone}
        last = {**options, "path": self._path, "extension": self._extension}
        if not self._sets:
            return made.delayed(nothing, pure=False)(made.delayed(finish, pure=False)(**last))
        arguments, first = [], 0
        for number, of_set in enumerate(self._sets):
            parts = self._parts(number, {**options, "of_set": made.delayed(of_set, traverse=False), "first": first})
            arguments += [parts, self._new_labels(parts.ndim)]
            first += int(np.prod(of_set.sizes, dtype=np.int64))
        label = next(self._labels)
        # Lists of parts are concatenated, and those of elements are not, so that Dask does not make one task of all.
        done = _blockwise(finish, (label,), arguments, {label: 1}, last, concatenate=True)
        return made.delayed(nothing, pure=False)(done.to_delayed()[0])

    def _parts(self, number: int, options: dict[str, Any]) -> Any:
        """Return an array of Dask with a part for each block."""
        import dask.array

        chunks = self._chunks(number)
        between = self._new_labels(len(chunks))
        arguments: list[Any] = []
        for label, each in zip(between, chunks):
            starts = np.cumsum((0, *each), dtype=np.int64)[:-1]
            arguments += [dask.array.from_array(starts, chunks=1), (label,)]  # type: ignore[no-untyped-call]
        for array in self._arrays[number]:
            inner = [(size,) for size in array.shape[len(chunks) :]]
            data = array.chunk(dict(zip(array.dims, (*chunks, *inner)))).data
            arguments += [data, (*between, *self._new_labels(len(inner)))]
        label = next(self._labels)
        options = {**options, "number": number}
        return _blockwise(
            write_block, (*between, label), arguments, {label: 1}, options, adjust_chunks=dict.fromkeys(between, 1)
        )

    def _new_labels(self, count: int) -> tuple[int, ...]:
        return tuple(itertools.islice(self._labels, count))

    def _chunks(self, number: int) -> list[tuple[int, ...]]:
        """Return chunks along the dimensions between objects that fit all variables of a set."""
        of_set, arrays = self._sets[number], self._arrays[number]
        chunks = []
        for axis, size in enumerate(of_set.sizes):
            ends = {size}
            for array in arrays:
                ends.update(np.cumsum(array.chunks[axis]).tolist() if array.chunks is not None else ())
            chunks.append(tuple(np.diff([0, *sorted(ends)]).tolist()))
        count = len(of_set.sizes)
        per_message = sum(int(np.prod(each.shape[count:], dtype=np.int64)) * each.dtype.itemsize for each in arrays)
        return _limited(chunks, max(1, _BLOCK_BYTES // max(1, per_message)))


def _blockwise(
    function: Any,
    labels: tuple[int, ...],
    arguments: Sequence[Any],
    new_axes: dict[int, int],
    options: dict[str, Any],
    **further: Any,
) -> Any:
    """Return an array of objects, of which each element is the result of one task."""
    import dask.array

    blockwise: Any = dask.array.blockwise
    return blockwise(
        function,
        labels,
        *arguments,
        new_axes=new_axes,
        name=f"{function.__name__}-{uuid.uuid4().hex}",
        dtype=object,
        meta=np.empty((0,) * len(labels), dtype=object),
        align_arrays=False,
        **further,
        **options,
    )


def _limited(chunks: Sequence[tuple[int, ...]], most: int) -> list[tuple[int, ...]]:
    """Return chunks that are divided, the first dimensions first, until no block has more than `most` messages."""
    out = list(chunks)
    for axis in range(len(out)):
        others = int(np.prod([max(each, default=1) for i, each in enumerate(out) if i != axis], dtype=np.int64))
        size = max(1, most // max(1, others))
        out[axis] = tuple(min(size, each - i) for each in out[axis] for i in range(0, max(1, each), size))
    return out
