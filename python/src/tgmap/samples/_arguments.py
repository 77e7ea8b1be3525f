# SPDX-License-Identifier: Apache-2.0
"""What samples are made by: names, labels, and parts of objects."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import _shown
from .._gathering.overlap import refuse_overlap
from .._scalars import scalar
from ..cubes._texts import quoted

_INCOMPLETE = ("error", "drop", "fill")
_OPEN_NAMES = ("mode", "damage", "index", "index_cache", "trust_index_of", "max_decoded")


def names_of(keys: Any) -> tuple[str, ...]:
    """Return keys that were given as one or as several. Raises TypeError if they are no text."""
    if isinstance(keys, str):
        return (keys,)
    if isinstance(keys, bytes) or not isinstance(keys, Iterable):
        raise TypeError(f"keys must be text or a list of text, not {type(keys).__name__}")
    return tuple(keys)


def check(
    sample: Sequence[str],
    channel: Sequence[str],
    sequence: Sequence[str],
    channels: Any,
    times: Any,
    incomplete: str,
    options: dict[str, Any],
) -> None:
    """Raise TypeError or ValueError for arguments that do not go together."""
    for name in options:
        if name not in _OPEN_NAMES:
            raise TypeError(f"there is no option '{name}'; for archives there are {', '.join(_OPEN_NAMES)}")
    keys = [*sample, *channel, *sequence]
    for i, key in enumerate(keys):
        if not isinstance(key, str):
            raise TypeError(f"keys must be text, not {type(key).__name__}")
        if key in keys[:i]:
            raise ValueError(f"the key '{_shown(key)}' is given twice")
    if (channel or sequence or times is not None) and not sample:
        raise TypeError("channel=, sequence= and times= need sample=, the keys that tell samples apart")
    if channels is not None and not channels:
        raise ValueError("channels= is empty; leave it out to take all")
    if channels is not None and not channel:
        raise TypeError("channels= needs channel=, the keys that tell channels apart")
    if times is not None and (isinstance(times, (str, bytes)) or not len(times)):
        raise TypeError("times= needs a list of relative times, such as ('-6h', '0h', '6h')")
    if incomplete not in _INCOMPLETE:
        raise ValueError(f"incomplete must be one of {', '.join(_INCOMPLETE)}, not {quoted(incomplete)}")


def label_of(given: Any) -> tuple[Any, ...]:
    return tuple(scalar(each) for each in given) if isinstance(given, (tuple, list)) else (scalar(given),)


def inner_shape(shape: tuple[int, ...], slab: Any, points: Any) -> tuple[int, ...]:
    """Return the shape of a part of an object."""
    if points is None:
        whole = np.broadcast_to(np.zeros((), dtype=bool), shape)
        part: tuple[int, ...] = whole.shape if slab is None else whole[slab].shape
        return part
    if slab is not None:
        raise TypeError("pass a slab or points, not both")
    if len(points) != len(shape):
        raise ValueError(f"points must have one array for each of the {len(shape)} dimensions, not {len(points)}")
    sizes = {np.shape(each) for each in points}
    if len(sizes) != 1 or len(next(iter(sizes))) != 1:
        raise ValueError("points must be arrays of one dimension and of one length")
    found: tuple[int, ...] = sizes.pop()
    return found


def array_of(values: Sequence[Any]) -> NDArray[Any]:
    """Return values as an array of numbers, or of objects."""
    types = {type(each) for each in values}
    if types and (types == {bool} or types <= {int, float}):
        return np.array(values)
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def check_output(out: Any, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    """Raise TypeError or ValueError if `out` is no array for a result."""
    if not isinstance(out, np.ndarray):
        raise TypeError(f"out must be an array of NumPy, not {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype:
        raise ValueError(f"out must have the shape {shape} and the dtype {dtype}, not {out.shape} {out.dtype}")
    if not out.flags.writeable:
        raise ValueError("out must be writable")
    refuse_overlap(out)
