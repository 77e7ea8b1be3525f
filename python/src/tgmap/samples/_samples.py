# SPDX-License-Identifier: Apache-2.0
"""Samples: parts of archives that programs read in any order."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from .._gathering.gather import gather
from .._gathering.places import Places
from .._lists import check_masks
from .._scalars import integer
from .._tables.table import plain_slab
from ..cubes._texts import listed
from ._arguments import array_of, check, check_output, inner_shape, label_of, names_of
from ._casts import Cast
from ._cells import Cells, SampleError, arrange
from ._rows import read_objects, refuse_others
from ._statistics import Statistics, statistics_of
from ._times import windows

_Keys = str | Sequence[str]
_BLOCK_BYTES = 64 << 20


class Samples:
    """Samples of archives: arrays of one shape and dtype, each of one object or of several, in any order.

    A sample has the axes time, sequence and channel, as far as they are asked for, and those of the objects. A batch of
    samples is read by one :func:`tgmap.gather`. Samples can be pickled: other processes open files by the places of
    objects, and scan nothing. Any number of threads may read.

    >>> from tgmap.samples import Samples
    >>> samples = Samples("forecast.tgm", sample="mars.step", channel="mars.param")
    >>> samples
    <4 samples of float32 (2, 3, 4): channel (2)>
    >>> samples.channels, samples.labels["mars.step"].tolist()
    (['10u', '2t'], [0, 6, 12, 18])
    >>> samples.read([3, 0]).shape
    (2, 2, 3, 4)

    Args:
        source: a path, bytes, an :class:`Archive`, a :class:`Collection`, what its ``find_objects`` returns, a glob
            such as ``"era5-*.tgm"``, or a list of paths or archives.
        sample: keys of which objects of one sample have equal values, such as ``["mars.date", "mars.time"]``. Samples
            are sorted by them. Default: each object is a sample, in the order of the archives.
        channel, sequence: keys that differ within a sample, such as ``["mars.param", "mars.levelist"]`` and
            ``"mars.step"``: one axis for each of the two, sorted by their values.
        channels: the channels in the order that is wanted, such as :attr:`channels` of other samples: values, or tuples
            if there are several keys. Objects of other channels are left out.
        times: times of the states that are a sample, relative to its own: ``("-6h", "0h", "6h")``. The keys of `sample`
            say what they are: a step, if it varies; else a date, with a time; else one number. Samples that lack one,
            at the ends and at gaps, are left out.
        where: a selection.
        rows: a table of objects, or a DataFrame of one: only its rows.
        incomplete: what is done if an object of a sample is missing. ``"error"``; ``"drop"``: leave the sample out;
            ``"fill"``: fill in `fill`.
        fill: the value of missing objects. Default: NaN.
        dtype: elements are cast to it, also those of objects of several dtypes. Floating ones may be cast to any
            floating dtype, integers to what holds all of theirs. Default: the dtype that all objects have.
        slab: a part of each object, as in ``object[slab]``: integers, slices and an ellipsis.
        points: elements of each object instead: an array of integers for each of its dimensions.
        mars_time: what integers below 100 in ``mars.time`` are: ``"hours"`` or ``"HHMM"``.
        max_open: archives that stay open in a process.
        options: those of :func:`tgmap.open`, for paths.

    Raises:
        SampleError: the objects are no samples by these keys. It is a ValueError; the text says what to do.
        ValueError: objects differ in shape, or in dtype if none is given.
        TypeError: elements would have another meaning in the dtype.
        Error: the selection is wrong, or a message cannot be read.

    Warns:
        KeyWarning: no message has a key of the selection.
        SampleWarning: an archive is damaged, or ends in an incomplete message, whose objects are in no sample.
    """

    def __init__(
        self,
        source: Any,
        *,
        sample: _Keys = (),
        channel: _Keys = (),
        sequence: _Keys = (),
        channels: Iterable[Any] | None = None,
        times: Sequence[Any] | None = None,
        where: Any = None,
        rows: Any = None,
        incomplete: str = "error",
        fill: Any = None,
        dtype: Any = None,
        slab: Any = None,
        points: Sequence[ArrayLike] | None = None,
        mars_time: str | None = None,
        max_open: int = 256,
        **options: Any,
    ):
        of_sample, of_channel, of_sequence = names_of(sample), names_of(channel), names_of(sequence)
        channels = None if channels is None else list(channels)
        check(of_sample, of_channel, of_sequence, channels, times, incomplete, options)
        keys = list(dict.fromkeys((*of_sample, *of_channel, *of_sequence)))
        found = read_objects(source, keys, where, rows, options)
        if not len(found):
            raise SampleError("no object is selected, so there are no samples")
        wanted = None if channels is None else [label_of(each) for each in channels]
        columns = found.columns
        if of_sample:
            cells = arrange(columns, of_sample, of_sequence, of_channel, found, wanted)
        else:
            cells = Cells.of_single_objects(len(found))
        used, cells = cells.used()
        found = found.take(used)
        refuse_others(found, dtype is not None)
        self._slab = plain_slab(slab)  # type: ignore[no-untyped-call]
        self._points = None if points is None else [np.array(each) for each in points]
        self._fill, self._max_open = fill, integer(max_open, "max_open")
        self._cast = Cast(found.dtypes, dtype)
        self._dtype = self._cast.dtype
        self._inner = inner_shape(found.shapes.values[0], self._slab, points)
        self._left_out: list[tuple[Any, ...]] = []
        cells = self._whole(cells, incomplete)
        if incomplete == "fill" and fill is None and self._dtype.kind not in "fcV" and (cells.rows < 0).any():
            raise SampleError(f"{cells.missing()}, and {self._dtype} has no NaN; pass fill=, or incomplete='drop'")
        self._states: NDArray[np.int64] | None = None
        self._times = None if times is None else list(times)
        self._labels, self._axes = cells.samples, (cells.sequence, cells.channel)
        if times is not None:
            own, self._states = windows(cells.samples, times, mars_time)
            if not len(own):
                raise SampleError(f"no sample has a state at each of the times {listed(list(times))}")
            self._labels = self._kept(cells, own).samples
        self._width = len(cells.sequence) * len(cells.channel)  # objects of a state
        self._places = found.places().take(cells.rows.reshape(-1))
        self._cast.place(cells.rows.reshape(-1))

    # ---- what they are -----------------------------------------------------------------------------

    @property
    def shape(self) -> tuple[int, ...]:
        """Shape of one sample."""
        return (*(size for _, size in self._outer), *self._inner)

    @property
    def dtype(self) -> np.dtype[Any]:
        """The dtype of arrays, in the byte order of the machine."""
        return self._dtype

    @property
    def labels(self) -> dict[str, NDArray[Any]]:
        """The keys of `sample`, with their value for each sample."""
        columns = zip(*self._labels.labels)
        return {key: array_of(values) for key, values in zip(self._labels.keys, columns)}

    @property
    def channels(self) -> list[Any]:
        """The value of the key of each channel, or a tuple of several; a list of an empty tuple without such keys."""
        return self._axes[1].values()

    @property
    def sequence(self) -> list[Any]:
        """The value of the key at each position of a sequence, or a tuple of several."""
        return self._axes[0].values()

    @property
    def times(self) -> list[Any] | None:
        """The relative times of states, as they were given."""
        return None if self._times is None else list(self._times)

    @property
    def left_out(self) -> list[tuple[Any, ...]]:
        """The keys of samples that are incomplete, or have no state at one of the times."""
        return list(self._left_out)

    @property
    def places(self) -> Places:
        """Where the objects of all states are: state after state, each by sequence and channel."""
        return self._places

    def token(self) -> Any:
        """Return what is another one for other samples, and for those of a file that has changed."""
        states = None if self._states is None else self._states.tobytes()
        points = None if self._points is None else [each.tobytes() for each in self._points]
        return self._places.token(), states, str(self._slab), points, self.shape, str(self._dtype)

    # ---- reading -----------------------------------------------------------------------------------

    def read(self, numbers: ArrayLike, out: NDArray[Any] | None = None, *, threads: int = 0) -> NDArray[Any]:
        """Return samples by their numbers, as one array whose first dimension counts them.

        Args:
            numbers: in any order, also several times; negative ones count from the end.
            out: an array for the result.
            threads: 0 for one on each processor.

        Raises:
            IndexError: there is no such sample.
            ChangedFileError: a file is another one than when the samples were made.
            Error: an object cannot be read.
        """
        chosen = self._numbers(numbers)
        shape = (len(chosen), *self.shape)
        if out is None:
            out = np.empty(shape, dtype=self._dtype)
        else:
            check_output(out, shape, self._dtype)
        if out.size == 0:
            return out
        states = chosen[:, None] if self._states is None else self._states[chosen]
        flat_shape = (states.size * self._width, *self._inner)
        flat = out.reshape(flat_shape) if out.flags.c_contiguous else np.empty(flat_shape, dtype=self._dtype)
        self._read_states(states.reshape(-1), flat, threads)
        if not out.flags.c_contiguous:
            out[...] = flat.reshape(shape)
        return out

    def statistics(self, numbers: ArrayLike | None = None, *, threads: int = 0) -> Statistics:
        """Return the mean, the standard deviation and the ends of each channel, by which fields are normalised.

        Reads each state once, some at a time.

        Args:
            numbers: the samples that count, such as those of a training set. Default: all.
            threads: 0 for one on each processor.

        Raises:
            TypeError: the elements are complex.
        """
        if self._dtype.kind == "c" or self._dtype == np.dtype("V2"):
            what = "complex elements" if self._dtype.kind == "c" else "bfloat16 without the package ml_dtypes"
            raise TypeError(f"there are no statistics of {what}")
        chosen = np.arange(len(self)) if numbers is None else self._numbers(numbers)
        states = np.unique(chosen if self._states is None else self._states[chosen])
        channels = len(self._axes[1])
        found = statistics_of(self._blocks(states, channels, threads), channels)
        return found if self._axes[1].keys else Statistics(*(each[0] for each in found))

    def _blocks(self, states: NDArray[np.int64], channels: int, threads: int) -> Iterator[NDArray[Any]]:
        """Return the elements of states, in arrays that are not large."""
        size = self._width * int(np.prod(self._inner, dtype=np.int64)) * self._dtype.itemsize
        step = max(1, _BLOCK_BYTES // max(1, size))
        for first in range(0, len(states), step):
            chosen = states[first : first + step]
            flat = np.empty((len(chosen) * self._width, *self._inner), dtype=self._dtype)
            if flat.size:
                self._read_states(chosen, flat, threads)
            yield flat.reshape(len(chosen), self._width // channels, channels, -1 if flat.size else 0)

    def _read_states(self, states: NDArray[np.int64], out: NDArray[Any], threads: int) -> None:
        rows = (states[:, None] * self._width + np.arange(self._width)).reshape(-1)
        part = {"slab": self._slab} if self._points is None else {"points": self._points}

        def read(chosen: NDArray[np.int64], into: NDArray[Any]) -> None:
            gather(
                self._places.take(chosen), out=into, fill=self._fill, threads=threads, max_open=self._max_open, **part
            )

        self._cast.read(rows, out, read, self._fill)

    def __len__(self) -> int:
        return len(self._labels)

    def __getitem__(self, number: Any) -> NDArray[Any]:
        """Return a sample; or several, of a slice or an array of numbers, as one array."""
        if isinstance(number, slice):
            return self.read(np.arange(len(self))[number])
        if np.ndim(number):
            return self.read(number)
        found: NDArray[Any] = self.read([number])[0]
        return found

    def __repr__(self) -> str:
        parts = [f"{name} ({size})" for name, size in self._outer]
        parts += [f"{len(self._left_out)} left out"] if self._left_out else []
        return f"<{len(self)} samples of {self._dtype} {self.shape}{': ' if parts else ''}{', '.join(parts)}>"

    # ---- making them -------------------------------------------------------------------------------

    @property
    def _outer(self) -> list[tuple[str, int]]:
        """Names and sizes of the axes before those of the objects."""
        out = [] if self._times is None else [("time", len(self._times))]
        names = ("sequence", "channel")
        return out + [(name, len(axis)) for name, axis in zip(names, self._axes) if axis.keys]

    def _whole(self, cells: Cells, incomplete: str) -> Cells:
        """Return the samples that are whole, or may have holes."""
        is_whole = (cells.rows >= 0).all(axis=(1, 2))
        if is_whole.all() or incomplete == "fill":
            return cells
        if incomplete == "error":
            raise SampleError(
                f"{cells.missing()}; incomplete='drop' leaves such samples out, and 'fill' has NaN in them"
            )
        if not is_whole.any():
            raise SampleError(f"no sample is complete: {cells.missing()}")
        return self._kept(cells, np.flatnonzero(is_whole))

    def _kept(self, cells: Cells, kept: NDArray[np.int64]) -> Cells:
        """Return some of the samples, and note the others."""
        labels = cells.samples.labels
        self._left_out += [labels[i] for i in np.setdiff1d(np.arange(len(labels)), kept).tolist()]
        return cells.take(kept)

    def _numbers(self, given: ArrayLike) -> NDArray[np.int64]:
        """Return numbers of samples that are not negative."""
        check_masks(given, "numbers of samples must not be masked; pass array.compressed()")
        found = np.asarray(given)
        if found.size == 0:
            found = found.astype(np.int64)
        if found.dtype.kind not in "iu" or found.ndim != 1:
            raise TypeError("numbers of samples must be integers in one dimension")
        is_wrong = (found >= len(self)) | (found < -len(self))
        if is_wrong.any():
            raise IndexError(f"no sample {found[is_wrong][0]}; there are {len(self)}")
        return np.where(found < 0, found + len(self), found).astype(np.int64)
