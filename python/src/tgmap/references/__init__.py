# SPDX-License-Identifier: Apache-2.0
"""Archives for readers of Zarr: a store, references to the bytes of files, and the codec that decodes these.

:class:`ArchiveStore` needs zarr; :func:`manifest_store` and :class:`ArchiveParser` need virtualizarr, which writes what
they return for kerchunk and Icechunk. ``docs/references.md`` has examples.

Zarr and the others are imported when a name is used first. Importing this module registers the codec ``tgmap`` in those
of zarr and numcodecs that are installed, as installing the package does.
"""

from __future__ import annotations

import importlib
import importlib.util
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from ._codec import TgmapCodec
    from ._manifests import ArchiveManifestStore, ArchiveParser, manifest_store
    from ._numcodecs import TgmapNumcodec
    from ._store import ArchiveStore

__all__ = [
    "ArchiveManifestStore",
    "ArchiveParser",
    "ArchiveStore",
    "TgmapCodec",
    "TgmapNumcodec",
    "manifest_store",
]

_PLACES = {
    "ArchiveManifestStore": "_manifests",
    "ArchiveParser": "_manifests",
    "ArchiveStore": "_store",
    "TgmapCodec": "_codec",
    "TgmapNumcodec": "_numcodecs",
    "manifest_store": "_manifests",
}
_NEEDED = {
    "_codec": ("zarr 3.1 or newer", "zarr"),
    "_manifests": ("virtualizarr 2.5 or newer", "virtual"),
    "_numcodecs": ("numcodecs", "zarr"),
    "_store": ("zarr 3.1 or newer", "zarr"),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module = _PLACES[name]
    try:
        return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as problem:
        if (problem.name or "").partition(".")[0] == __name__.partition(".")[0]:
            raise
        package, extra = _NEEDED[module]
        text = f"{name} needs {package}, which is not here: pip install 'tgmap[{extra}]'"
        raise ModuleNotFoundError(text, name=problem.name) from None


def __dir__() -> list[str]:
    return sorted(__all__)


def _is_here(module: str) -> bool:
    package = module.partition(".")[0]
    return importlib.util.find_spec(package) is not None and importlib.util.find_spec(module) is not None


for _package, _module in (("zarr.abc", "_codec"), ("numcodecs", "_numcodecs")):  # zarr 2 has no such module
    if _is_here(_package):
        importlib.import_module(f"{__name__}.{_module}")
