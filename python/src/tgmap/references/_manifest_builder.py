# SPDX-License-Identifier: Apache-2.0
"""Manifests of VirtualiZarr: the range of bytes of each chunk, and the codecs that decode all chunks of an array."""

from __future__ import annotations

import uuid
from typing import Any

import numpy as np
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import MemoryStore
from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup
from zarr.core.metadata.v3 import ArrayV3Metadata

from .._core import _shown
from ..datasets._sources import Places
from ._arrays import ZarrArray, ZarrGroup, bytes_codec
from ._configuration import Configuration
from ._ranges import Ranges, StoredRange, present


class ManifestBuilder:
    """Makes groups of manifests."""

    def __init__(self, places: Places, urls: list[str] | None, native: bool):
        self._places = places
        self._native = native
        self._ranges = Ranges(places, urls)
        self._memory = MemoryStore()
        self._memory_url, self._count = f"memory://tgmap-{uuid.uuid4().hex}", 0
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
            made = self._of_objects(array) if array.values is None else self._of_labels(array)
            if made is None:
                continue
            arrays[name] = made
            if array.values is not None:
                labels.append(name)
        return ManifestGroup(arrays=arrays, attributes=dict(group.attrs))

    def _of_labels(self, array: ZarrArray) -> ManifestArray:
        assert array.values is not None
        content = np.ascontiguousarray(array.values).tobytes()
        grid = tuple(min(1, size) for size in array.shape)
        url, self._count = f"{self._memory_url}/{self._count}", self._count + 1
        if content:
            self._memory.put(url.rpartition("/")[2], content)
        parts = [(url, 0, len(content))] if content else []
        return _manifest(array, tuple(max(1, size) for size in array.shape), None, parts, grid)

    def _of_objects(self, array: ZarrArray) -> ManifestArray | None:
        rows = present(array.cells)
        ranges = self._ranges.of(rows)
        found = [ranges[row] for row in rows]
        codecs, ends = self._codecs(array, rows, found)
        if codecs is None:
            return None
        parts = {row: (each.url, *end) for row, each, end in zip(rows, found, ends)}
        parts[-1] = "", 0, 0  # a missing chunk
        chunks = (1,) * array.cells.ndim + tuple(max(1, size) for size in array.inner_shape)
        grid = array.cells.shape + tuple(min(1, size) for size in array.inner_shape)
        flat = [] if 0 in grid else array.cells.reshape(-1).tolist()
        return _manifest(array, chunks, codecs, [parts[row] for row in flat], grid)

    def _codecs(
        self, array: ZarrArray, rows: list[int], found: list[StoredRange]
    ) -> tuple[list[dict[str, Any]] | None, list[tuple[int, int]]]:
        """Return the codecs of an array, and offsets and sizes of its chunks; None if no codec decodes all of them."""
        first = found[0].pipeline if found else None
        if self._native and first is not None and all(each.pipeline == first for each in found):
            if np.dtype(first.dtype) == array.dtype.newbyteorder("="):
                return first.codecs(), [each.payload for each in found if each.payload is not None]
        numbers = {each.object for each in found}
        part, number, ends = "frame", 0, [each.frame for each in found if each.frame is not None]
        if len(ends) < len(found):  # of an older wire format
            if len(numbers) > 1:
                self._omit(array, rows, "has objects of an older wire format with several numbers in their messages")
                return None, []
            part, number, ends = "message", numbers.pop(), [each.message for each in found]
        try:
            configuration = Configuration(array.dtype.name, array.inner_shape, part, number)
        except ValueError:
            self._omit(array, rows, "has larger objects than the codec decodes")
            return None, []
        return [bytes_codec(array.dtype), {"name": "tgmap", "configuration": configuration.to_dict()}], ends

    def _omit(self, array: ZarrArray, rows: list[int], why: str) -> None:
        addresses = ", ".join(map(self._places.address, rows))
        self.omitted.append(f"the variable '{_shown(array.name)}', which {why}: {addresses}")


def _manifest(
    array: ZarrArray,
    chunks: tuple[int, ...],
    codecs: list[dict[str, Any]] | None,
    parts: list[tuple[str, int, int]],
    grid: tuple[int, ...],
) -> ManifestArray:
    """Return the references of an array.

    Args:
        parts: address, offset and size of each chunk of the grid.
    """
    document = array.metadata(chunks, codecs)
    document["chunk_key_encoding"] = {"name": "default", "configuration": {"separator": "."}}
    paths: Any = np.array([each[0] for each in parts], dtype=np.dtypes.StringDType()).reshape(grid)
    offsets, lengths = (np.array([each[i] for each in parts], dtype=np.uint64).reshape(grid) for i in (1, 2))
    manifest = ChunkManifest.from_arrays(paths=paths, offsets=offsets, lengths=lengths, validate_paths=False)
    return ManifestArray(metadata=ArrayV3Metadata.from_dict(document), chunkmanifest=manifest)
