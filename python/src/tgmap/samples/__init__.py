# SPDX-License-Identifier: Apache-2.0
"""Samples of archives for training: arrays of one shape, read in any order, by any number of processes.

They are what :class:`tgmap.torch.Dataset` reads, and need only NumPy: JAX, TensorFlow and Keras take them as they are.
"""

from __future__ import annotations

from ._cells import SampleError, SampleWarning
from ._samples import Samples
from ._statistics import Statistics

__all__ = ["SampleError", "SampleWarning", "Samples", "Statistics"]
