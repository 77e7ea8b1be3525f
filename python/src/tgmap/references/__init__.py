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
    "ArchiveManifestStore": ("_manifests", "virtual"),
    "ArchiveParser": ("_manifests", "virtual"),
    "ArchiveStore": ("_store", "zarr"),
    "TgmapCodec": ("_codec", "zarr"),
    "TgmapNumcodec": ("_numcodecs", "zarr"),
    "manifest_store": ("_manifests", "virtual"),
}


def __getattr__(name: str) -> Any:
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, extra = _PLACES[name]
    try:
        return getattr(importlib.import_module(f"{__name__}.{module}"), name)
    except ModuleNotFoundError as problem:
        package = (problem.name or "").partition(".")[0]
        if package == __name__.partition(".")[0]:
            raise
        text = f"{name} needs {package}, which is not installed: pip install 'tgmap[{extra}]'"
        raise ModuleNotFoundError(text, name=package) from None


def __dir__() -> list[str]:
    return sorted(__all__)


for _package, _module in (("zarr", "_codec"), ("numcodecs", "_numcodecs")):
    if importlib.util.find_spec(_package) is not None:
        importlib.import_module(f"{__name__}.{_module}")
