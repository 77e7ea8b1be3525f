# SPDX-License-Identifier: Apache-2.0
"""The engine ``tensogram`` of xarray, with the rules of the reference implementation's plugin, ``tensogram-xarray`` 0.24.

A message is a Dataset, and an object a variable with the dimensions ``dim_0``, ``dim_1`` and so on, unless the caller, the
metadata or a coordinate names them. Cubes by keys are what the engine ``tgmap`` makes: see :func:`tgmap.to_dataset`.
``tgmap.compat.install()`` registers this engine, unless the plugin itself is installed.
"""

from __future__ import annotations

from ._backend import TensogramBackendEntrypoint
from ._merging import open_datasets

__all__ = ["TensogramBackendEntrypoint", "open_datasets"]
