# SPDX-License-Identifier: Apache-2.0
"""Statistics of channels, by which fields are normalised."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray


class Statistics(NamedTuple):
    """Statistics of the elements of samples, for each channel; of all elements if samples have no channels.

    NaN and objects that are missing do not count. A channel without a number has NaN; infinite elements make the mean
    infinite and the deviation NaN.

    Attributes:
        count: of elements.
        mean, std, min, max: as float64. `std` is that of all elements, as ``numpy.std`` has it.
    """

    count: Any
    mean: Any
    std: Any
    min: Any
    max: Any


class _Sums:
    """The count, the mean, the sum of squared differences from it, and the ends of each channel."""

    def __init__(self, channels: int):
        self.count = np.zeros(channels)
        self.mean = np.zeros(channels)
        self.squares = np.zeros(channels)
        self.min = np.full(channels, np.inf)
        self.max = np.full(channels, -np.inf)

    def add(self, channel: int, values: NDArray[Any]) -> None:
        """Add elements of a channel. Means are merged, which loses fewer digits than sums."""
        known = values.astype(np.float64).reshape(-1)
        known = known[~np.isnan(known)]
        if not len(known):
            return
        before, count = self.count[channel], float(len(known))
        total = before + count
        with np.errstate(invalid="ignore", over="ignore"):  # of infinite elements
            mean = known.mean()
            squares = np.square(known - mean).sum()
            difference = mean - self.mean[channel]
            self.mean[channel] += difference * count / total
            self.squares[channel] += squares + difference * difference * before * count / total
        self.count[channel] = total
        self.min[channel] = min(self.min[channel], known.min())
        self.max[channel] = max(self.max[channel], known.max())


def statistics_of(blocks: Iterable[NDArray[Any]], channels: int) -> Statistics:
    """Return the statistics of blocks of states: arrays whose dimensions are state, sequence, channel, elements."""
    sums = _Sums(channels)
    for block in blocks:
        for channel in range(channels):
            sums.add(channel, block[:, :, channel])
    is_empty = sums.count == 0
    with np.errstate(invalid="ignore"):
        mean, std = (np.where(is_empty, np.nan, each) for each in (sums.mean, np.sqrt(sums.squares / sums.count)))
    least, most = (np.where(is_empty, np.nan, each) for each in (sums.min, sums.max))
    return Statistics(sums.count.astype(np.int64), mean, std, least, most)
