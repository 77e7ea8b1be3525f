# SPDX-License-Identifier: Apache-2.0
"""The engine of xarray, registered while a program runs: another package may register one of the same name."""

from __future__ import annotations

import importlib.machinery
import importlib.metadata
import importlib.util
import sys
import types
from collections.abc import Iterator
from typing import Any

_PLUGIN = "tensogram_xarray"


class _Engine(importlib.metadata.Distribution):
    """What xarray reads of installed packages to find its engines."""

    _texts = {
        "METADATA": "Metadata-Version: 2.1\nName: tgmap-compat-engine\nVersion: 0\n",
        "entry_points.txt": "[xarray.backends]\ntensogram = tgmap.compat.engine:TensogramBackendEntrypoint\n",
    }

    def read_text(self, filename: str) -> str | None:
        return self._texts.get(filename)

    def locate_file(self, path: Any) -> Any:
        return path


class _Loader(importlib.machinery.SourceFileLoader):
    """Makes the module of the plugin of what this package has of it."""

    def __init__(self) -> None:
        super().__init__(_PLUGIN, "")

    def exec_module(self, module: types.ModuleType) -> None:
        from . import engine

        module.__doc__ = engine.__doc__
        for name in engine.__all__:
            setattr(module, name, getattr(engine, name))


class _Finder(importlib.metadata.DistributionFinder):
    @staticmethod
    def find_spec(name: str, path: Any = None, target: Any = None) -> importlib.machinery.ModuleSpec | None:
        return importlib.machinery.ModuleSpec(name, _Loader()) if name == _PLUGIN else None

    def find_distributions(self, context: Any = None) -> Iterator[importlib.metadata.Distribution]:
        name = getattr(context, "name", None)
        if name in (None, "tgmap-compat-engine"):
            yield _Engine()


def install_engine() -> None:
    """Register the engine, and the module ``tensogram_xarray``, unless the plugin is installed."""
    if any(isinstance(each, _Finder) for each in sys.meta_path) or importlib.util.find_spec(_PLUGIN) is not None:
        return
    sys.meta_path.append(_Finder())
    plugins = sys.modules.get("xarray.backends.plugins")
    if plugins is not None:  # its list may have been made before
        plugins.list_engines.cache_clear()
