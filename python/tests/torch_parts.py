# SPDX-License-Identifier: Apache-2.0
"""What workers of test_torch.py call: processes that are started anew import it."""

from __future__ import annotations

import os

import torch
import torch.utils.data

import tgmap.torch


def halve_in_place(tensor):
    return tensor.mul_(0.5)


def mean_of(tensor):
    return tensor.mean()


def pair(tensor):
    return {"input": tensor[:-1], "target": tensor[-1]}


def fail(tensor):
    raise LookupError("the transform has failed")


def read_bytes():
    """Return how many bytes this process has read."""
    with open("/proc/self/io") as file:
        return int(file.read().split()[1])


def open_archives():
    """Return how many archives this process has open."""
    links = [os.path.join("/proc/self/fd", name) for name in os.listdir("/proc/self/fd")]
    return sum(os.readlink(each).endswith(".tgm") for each in links if os.path.lexists(each))


class Counting(torch.utils.data.Dataset):
    """A dataset whose samples say what a worker has read and has open."""

    def __init__(self, dataset):
        self.dataset = dataset

    def __len__(self):
        return len(self.dataset)

    def __getitems__(self, numbers):
        self.dataset.__getitems__(numbers[:1])  # loads modules
        before = read_bytes()
        batch = tgmap.torch.collate(self.dataset.__getitems__(numbers))
        found = [read_bytes() - before, open_archives(), int(batch.is_shared()), torch.utils.data.get_worker_info().id]
        return [torch.tensor(found)] * len(numbers)
