# SPDX-License-Identifier: Apache-2.0
"""Batches that are read at once, and are not copied again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.utils.data import default_collate


class Batch(list[Any]):
    """The samples of a batch, as a list, which are views of one tensor.

    Attributes:
        whole: all samples as one tensor, and their numbers, if these were asked for; None if a transform has returned
            other tensors than it was given.
    """

    def __init__(self, samples: Sequence[Any], whole: Any):
        super().__init__(samples)
        self.whole = whole


def collate(batch: Sequence[Any]) -> Any:
    """Return a batch as one tensor, as ``default_collate`` does it.

    Nothing is copied if the samples are those of a :class:`Dataset`, without a transform or with one that changes its
    tensor in place. In a worker that tensor is in shared memory.
    """
    if isinstance(batch, Batch) and batch.whole is not None:
        return batch.whole
    return default_collate(list(batch))


def batch_of(samples: Sequence[torch.Tensor], results: Sequence[Any], whole: Any) -> Batch:
    """Return a batch of what a transform has made of samples, whose whole is valid if it has returned each of them."""
    is_whole = all(each is result for each, result in zip(samples, results))
    return Batch(results, whole if is_whole else None)
