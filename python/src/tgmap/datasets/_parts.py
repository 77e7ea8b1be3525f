# SPDX-License-Identifier: Apache-2.0
"""Archives that tasks of Dask write in parallel: each task a part, which are then joined."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
import uuid
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._paths import printable
from .._writing import create
from ._joining import Part, extend, join
from ._layout import MessageSet

if TYPE_CHECKING:
    import xarray

    from ._appending import Extension

_BLOCK_BYTES = 256 << 20


class PartedWrite:
    """Writes messages of Dask arrays: a task for each block of chunks, and one that joins their parts.

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
        self._folder = _folder_beside(path)

    def compute(self) -> None:
        """Write the archive now. After an error nothing of it is there, and an older file is as before."""
        written = self._graph(is_alone=False)
        try:
            written.compute()
        finally:
            remove_folder(self._folder)

    def delayed(self) -> Any:
        """Return a Delayed that writes the archive, and then is None."""
        return self._graph(is_alone=True)

    def _graph(self, is_alone: bool) -> Any:
        dask = _dask()
        folder = dask.delayed(_make_folder, pure=False)(self._folder)
        arrays = [[_rechunked(array, self._chunks(n)) for array in each] for n, each in enumerate(self._arrays)]
        blocks_of = iter(_blocks([array for each in arrays for array in each]))
        parts, first = [], 0
        for number, of_set in enumerate(self._sets):
            blocks = [next(blocks_of) for _ in arrays[number]]
            shared = dask.delayed(of_set, traverse=False)
            chunks = self._chunks(number)
            starts = [np.cumsum((0, *each)).tolist() for each in chunks]
            for index in np.ndindex(*map(len, chunks)):
                start = tuple(of_dim[i] for of_dim, i in zip(starts, index))
                elements = [each[index + (0,) * (each.ndim - len(index))] for each in blocks]
                name = f"{number}-{'-'.join(map(str, index))}.tgm"
                task = dask.delayed(_write_block, pure=False)
                parts.append(task(folder, name, shared, first, start, elements, is_alone))
            first += int(np.prod(of_set.sizes, dtype=np.int64))
        return dask.delayed(_finish, pure=False)(folder, self._path, parts, self._extension, is_alone)

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


def _dask() -> Any:
    """Return the module, which has no types."""
    import dask

    return dask


def _rechunked(array: xarray.Variable, chunks: Sequence[tuple[int, ...]]) -> Any:
    """Return a Dask array whose chunks have whole objects."""
    inner = [(size,) for size in array.shape[len(chunks) :]]
    return array.chunk(dict(zip(array.dims, (*chunks, *inner)))).data


def _blocks(arrays: Sequence[Any]) -> list[NDArray[Any]]:
    """Return an array of Delayed for each array of Dask.

    They are optimized together, so that what they share is computed once.
    """
    if not arrays:
        return []
    from dask.delayed import Delayed
    from dask.highlevelgraph import HighLevelGraph

    graph = HighLevelGraph.merge(*(each.__dask_graph__() for each in arrays))
    keys = [each.__dask_keys__() for each in arrays]
    layer = f"blocks-{uuid.uuid4().hex}"
    optimized = HighLevelGraph.from_collections(layer, arrays[0].__dask_optimize__(graph, keys), dependencies=())
    make: Any = Delayed
    out = []
    for each in arrays:
        blocks = np.empty(each.numblocks, dtype=object)
        for index in np.ndindex(*each.numblocks):
            blocks[index] = make((each.name, *index), optimized, layer=layer)
        out.append(blocks)
    return out


def _limited(chunks: Sequence[tuple[int, ...]], most: int) -> list[tuple[int, ...]]:
    """Return chunks that are divided, the first dimensions first, until no block has more than `most` messages."""
    out = list(chunks)
    for axis in range(len(out)):
        others = int(np.prod([max(each, default=1) for i, each in enumerate(out) if i != axis], dtype=np.int64))
        size = max(1, most // max(1, others))
        out[axis] = tuple(min(size, each - i) for each in out[axis] for i in range(0, max(1, each), size))
    return out


def append_in_parts(
    path: str,
    sets: Sequence[MessageSet],
    elements: Callable[[MessageSet], Any],
    extension: Extension,
) -> None:
    """Write messages to a part, without Dask, and append it when all of it is written."""
    folder = _make_folder(_folder_beside(path))
    try:
        parts, first = [], 0
        for number, of_set in enumerate(sets):
            messages = of_set.messages(elements(of_set))
            numbers = first + of_set.numbers((0,) * len(of_set.dims), of_set.sizes)
            parts.append(_write_part(os.path.join(folder, f"{number}.tgm"), messages, numbers))
            first += len(numbers)
        extension.check_parts(parts)
        extend(parts, path, extension.size)
    finally:
        remove_folder(folder)


# ---- tasks -----------------------------------------------------------------------------------------


def _folder_beside(path: str) -> str:
    target = os.path.realpath(path)
    name = os.path.basename(target)[:40]  # a name has at most 255 bytes
    return os.path.join(os.path.dirname(target), f".{name}.{uuid.uuid4().hex[:12]}.parts")


def _make_folder(folder: str) -> str:
    os.makedirs(folder, mode=0o700, exist_ok=True)
    return folder


def _write_block(
    folder: str,
    name: str,
    of_set: MessageSet,
    first: int,
    start: tuple[int, ...],
    arrays: Sequence[NDArray[Any]],
    is_alone: bool,
) -> Part:
    """Write the messages of one block of arrays."""
    if not os.path.isdir(folder):
        raise FileNotFoundError(f"the folder '{printable(folder)}' is not here: another task of the archive has failed")
    shape = np.shape(arrays[0])[: len(start)]
    messages = of_set.messages(lambda number, index: np.asarray(arrays[number])[index], start, shape)
    with _without_leftovers(folder, is_alone):
        return _write_part(os.path.join(folder, name), messages, first + of_set.numbers(start, shape))


def _write_part(path: str, messages: Iterator[Any], numbers: NDArray[np.int64]) -> Part:
    """Write an archive. A task that runs twice replaces its file as a whole."""
    partial = f"{path}.{uuid.uuid4().hex[:12]}"
    ends = [0]
    out: Any
    with create(partial) as out:
        for message in messages:
            out.write(message)
            ends.append(out.nbytes)
    os.replace(partial, path)
    return Part(path, numbers, np.diff(ends).astype(np.int64))


def _finish(folder: str, path: str, parts: Sequence[Part], extension: Extension | None, is_alone: bool) -> None:
    """Join the parts as an archive of a name, or append them to it."""
    with _without_leftovers(folder, is_alone):
        if extension is None:
            join(parts, path)
        else:
            extension.check_parts(parts)
            extend(parts, path, extension.size)
    if is_alone:
        remove_folder(folder)


@contextlib.contextmanager
def _without_leftovers(folder: str, is_alone: bool) -> Iterator[None]:
    """Remove all parts after an error, if nobody else does: then the other tasks fail, too."""
    try:
        yield
    except BaseException:
        if is_alone:
            remove_folder(folder)
        raise


def remove_folder(folder: str) -> None:
    """Remove a folder, in which other tasks may still write."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.05)
