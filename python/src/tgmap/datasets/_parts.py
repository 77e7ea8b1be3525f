# SPDX-License-Identifier: Apache-2.0
"""Parts of archives: each is written by a task, and then they are joined."""

from __future__ import annotations

import contextlib
import os
import pickle
import uuid
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import NDArray

from .._writing import create
from ._folders import own_folder, remove_folder
from ._joining import Part, extend, join
from ._layout import MessageSet

if TYPE_CHECKING:
    from ._appending import Extension

_FAILED = "failed"


def append_in_parts(
    path: str,
    sets: Sequence[MessageSet],
    elements: Callable[[MessageSet], Any],
    extension: Extension,
) -> None:
    """Write messages to a part, without Dask, and append it when all of it is written."""
    with own_folder(path) as folder:
        parts, first = [], 0
        for number, of_set in enumerate(sets):
            messages = of_set.messages(elements(of_set))
            numbers = first + of_set.numbers((0,) * len(of_set.dims), of_set.sizes)
            parts.append(_write_part(os.path.join(folder, f"{number}.tgm"), messages, numbers))
            first += len(numbers)
        extension.check_parts(parts)
        extend(parts, path, extension.size)


# ---- tasks -----------------------------------------------------------------------------------------


def write_block(
    *blocks: Any, folder: str, of_set: MessageSet, number: int, first: int, is_alone: bool
) -> NDArray[np.object_]:
    """Write the messages of one block of arrays, and return the part as an array of one element.

    Args:
        blocks: the position of the block along each dimension between objects, then the elements of each variable.
        folder: of the parts.
        of_set, number: the messages, and which of the sets of the archive they are.
        first: the number of their first one in the archive.
        is_alone: nobody else removes the folder after an error, which is returned then, and raised by :func:`finish`.
    """
    count = len(of_set.dims)
    start = tuple(int(each[0]) for each in blocks[:count])
    arrays = [_only_block(each) for each in blocks[count:]]
    shape = arrays[0].shape[:count]
    messages = of_set.messages(lambda field, index: np.asarray(arrays[field][index]), start, shape)
    name = "-".join(map(str, (number, *start)))
    part: Part | Failure
    if is_alone and os.path.exists(os.path.join(folder, _FAILED)):
        part = Failure(None)
    else:
        try:
            part = _write_part(os.path.join(folder, f"{name}.tgm"), messages, first + of_set.numbers(start, shape))
        except Exception as error:
            if not is_alone:
                raise
            part = _failure(folder, error)
    out = np.empty((1,) * (count + 1), dtype=object)
    out[...] = part
    return out


@dataclass(frozen=True)
class Failure:
    """The error of a task, whose part is not there; None if the task did nothing because another one had failed."""

    error: Exception | None


def _failure(folder: str, error: Exception) -> Failure:
    """Return the failure of a task, and let tasks that begin later know of it."""
    with contextlib.suppress(OSError):
        os.close(os.open(os.path.join(folder, _FAILED), os.O_CREAT | os.O_WRONLY, 0o600))
    try:
        pickle.loads(pickle.dumps(error))
    except Exception:  # another process could not read it
        error = RuntimeError(f"{type(error).__name__}: {error}")
    return Failure(error)


def _only_block(given: Any) -> NDArray[Any]:
    """Return the array that Dask gives in a list for each axis that has one chunk."""
    while isinstance(given, list):
        (given,) = given
    return np.asarray(given)


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


def finish(
    *parts: NDArray[np.object_], folder: str, path: str, extension: Extension | None, is_alone: bool
) -> NDArray[np.object_]:
    """Join the parts of all sets as an archive of a name, or append them to it."""
    found = [part for each in parts for part in each.reshape(-1).tolist()]
    try:
        for each in found:
            if isinstance(each, Failure) and each.error is not None:
                raise each.error
        if extension is None:
            join(found, path)
        else:
            extension.check_parts(found)
            extend(found, path, extension.size)
    finally:
        if is_alone:
            remove_folder(folder)
    return np.empty(1, dtype=object)


def nothing(_: Any) -> None:
    """Return None, when its argument is there."""
