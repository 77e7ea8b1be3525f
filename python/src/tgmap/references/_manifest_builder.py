# SPDX-License-Identifier: Apache-2.0
"""Manifests of VirtualiZarr: the range of bytes of each chunk, and the codecs that decode all chunks of an array."""

from __future__ import annotations

import urllib.parse
import uuid
from typing import Any

import numpy as np
from numpy.typing import NDArray
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import MemoryStore
from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup
from zarr.core.metadata.v3 import ArrayV3Metadata

from .._core import _shown
from ..datasets._sources import Places
from ._arrays import ZarrArray, ZarrGroup, bytes_codec
from ._configuration import Configuration
from ._ranges import Ranges, StoredRange, present

_SHOWN_ADDRESSES = 20


class ManifestBuilder:
    """Makes groups of manifests."""

    def __init__(self, places: Places, urls: list[str] | None, native: bool):
        self._places = places
        self._native = native
        self._ranges = Ranges(places, urls)
        self._memory = MemoryStore()
        self._memory_url = f"memory://tgmap-{uuid.uuid4().hex}"
        self.labels: dict[str, list[str]] = {}
        self.omitted: list[str] = []

    def registry(self, given: Any) -> Any:
        """Return the stores that were given, and that of labels."""
        found: Any = ObjectStoreRegistry()
        found.map.update(given.map)
        found.register(self._memory_url, self._memory)
        return found

    def group(self, group: ZarrGroup) -> ManifestGroup:
        """Return the arrays of a cube."""
        arrays = {}
        labels = self.labels.setdefault(group.name, [])
        for name, array in group.arrays.items():
            made = self._of_objects(array) if array.values is None else self._of_labels(group.name, array)
            if made is None:
                continue
            arrays[name] = made
            if array.values is not None:
                labels.append(name)
        return ManifestGroup(arrays=arrays, attributes=dict(group.attrs))

    def _of_labels(self, group: str, array: ZarrArray) -> ManifestArray:
        assert array.values is not None
        content = np.ascontiguousarray(array.values).tobytes()
        path = f"{len(self.labels)}/{urllib.parse.quote(array.name, safe='')}"
        count = (1,) * len(array.shape) if array.values.size else tuple(min(1, size) for size in array.shape)
        chunks = tuple(max(1, size) for size in array.shape)
        if content:
            self._memory.put(path, content)
        return _manifest(
            array, chunks, None, [f"{self._memory_url}/{path}"] * int(np.prod(count)), [(0, len(content))], count
        )

    def _of_objects(self, array: ZarrArray) -> ManifestArray | None:
        rows = present(array.cells)
        ranges = self._ranges.of(rows)
        found = [ranges[row] for row in rows]
        codecs, parts = self._codecs(array, rows, found)
        if codecs is None:
            return None
        count = array.cells.ndim
        chunks = (1,) * count + tuple(max(1, size) for size in array.inner_shape)
        grid = array.cells.shape + tuple(min(1, size) for size in array.inner_shape)
        flat = array.cells.reshape(-1)
        position = {row: i for i, row in enumerate(rows)}
        urls = ["" if row < 0 else ranges[row].url for row in flat.tolist()]
        where = [(0, 0) if row < 0 else parts[position[row]] for row in flat.tolist()]
        if 0 in grid:
            urls, where = [], []
        return _manifest(array, chunks, codecs, urls, where, grid)

    def _codecs(
        self, array: ZarrArray, rows: list[int], found: list[StoredRange]
    ) -> tuple[list[dict[str, Any]] | None, list[tuple[int, int]]]:
        """Return the codecs of an array and the ranges of its chunks; None if no codec decodes all of them."""
        first = found[0].pipeline if found else None
        if self._native and first is not None and all(each.pipeline == first for each in found):
            if np.dtype(first.dtype) == array.dtype.newbyteorder("="):
                return first.codecs(), [each.payload for each in found if each.payload is not None]
        numbers = {each.object for each in found}
        if all(each.frame is not None for each in found):
            configuration = Configuration(array.dtype.name, array.inner_shape)
            parts = [each.frame for each in found if each.frame is not None]
        elif len(numbers) == 1:
            configuration = Configuration(array.dtype.name, array.inner_shape, "message", numbers.pop())
            parts = [each.message for each in found]
        else:
            self._omit(array, rows, "has objects of an older wire format with several numbers in their messages")
            return None, []
        return [bytes_codec(array.dtype), {"name": "tgmap", "configuration": configuration.to_dict()}], parts

    def _omit(self, array: ZarrArray, rows: list[int], why: str) -> None:
        addresses = [self._places.address(row) for row in rows[:_SHOWN_ADDRESSES]]
        more = f" and {len(rows) - _SHOWN_ADDRESSES} more" if len(rows) > _SHOWN_ADDRESSES else ""
        self.omitted.append(f"the variable '{_shown(array.name)}', which {why}: {', '.join(addresses)}{more}")


def _manifest(
    array: ZarrArray,
    chunks: tuple[int, ...],
    codecs: list[dict[str, Any]] | None,
    urls: list[str],
    parts: list[tuple[int, int]],
    grid: tuple[int, ...],
) -> ManifestArray:
    document = array.metadata(chunks, codecs)
    document["chunk_key_encoding"] = {"name": "default", "configuration": {"separator": "."}}
    paths: Any = np.array(urls, dtype=np.dtypes.StringDType()).reshape(grid)
    offsets, lengths = (_numbers(parts, i, len(urls)).reshape(grid) for i in (0, 1))
    manifest = ChunkManifest.from_arrays(paths=paths, offsets=offsets, lengths=lengths, validate_paths=False)
    return ManifestArray(metadata=ArrayV3Metadata.from_dict(document), chunkmanifest=manifest)


def _numbers(parts: list[tuple[int, int]], which: int, count: int) -> NDArray[np.uint64]:
    return np.array([each[which] for each in parts[:count]], dtype=np.uint64)

