# SPDX-License-Identifier: Apache-2.0
"""References to the bytes of archives, for VirtualiZarr: it writes them as kerchunk's JSON and Parquet, and to Icechunk."""

from __future__ import annotations

import urllib.parse
import uuid
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import LocalStore, MemoryStore
from virtualizarr.manifests import ChunkManifest, ManifestArray, ManifestGroup, ManifestStore
from zarr.core.metadata.v3 import ArrayV3Metadata

from .._archive import open as open_archive
from .._core import _shown
from ..cubes import CubeError
from ..datasets._build import names_of
from ..datasets._read import read_plan
from ..datasets._sources import Places
from . import _codec as _codec  # registers the codec
from . import _numcodecs as _numcodecs
from ._arrays import ZarrArray, ZarrGroup, bytes_codec, group_of
from ._configuration import Configuration
from ._frames import can_be
from ._kerchunk import correct_writer, mark_complete
from ._ranges import Ranges, StoredRange, present
from ._store import warn_of_omitted

correct_writer()

_IN_MEMORY = "memory"
_SHOWN_ADDRESSES = 20


class ArchiveManifestStore(ManifestStore):
    """A ManifestStore of archives. Labels, which are no bytes of a file, are loaded into virtual datasets.

    Attributes:
        omitted: what has no place in references, with addresses.
    """

    def __init__(self, group: ManifestGroup, registry: Any, omitted: list[str], labels: Mapping[str, list[str]]):
        super().__init__(group, registry=registry)
        self.omitted = omitted
        self._labels = labels

    def to_virtual_dataset(
        self, group: str = "", loadable_variables: Iterable[str] | None = None, decode_times: bool | None = None
    ) -> Any:
        """Return a Dataset of references. Coordinates that are labels are always loaded.

        Args:
            group: the name of a cube, if there are several.
            loadable_variables: further variables that are loaded. Default: those that are the index of a dimension.
            decode_times: whether dates are decoded.
        """
        chosen = self._only() if not group else group.strip("/")
        if chosen not in self._labels:
            raise CubeError(f"there is no group '{_shown(chosen)}'; there are {', '.join(self._labels)}")
        node = self._group.groups[chosen] if chosen else self._group
        names = list(dict.fromkeys([*self._labels[chosen], *(loadable_variables or ())]))
        if loadable_variables is None:
            names += [name for name, array in node.arrays.items() if array.metadata.dimension_names == (name,)]
        alone = ManifestStore(node, registry=self._registry)
        found = alone.to_virtual_dataset(loadable_variables=list(dict.fromkeys(names)), decode_times=decode_times)
        mark_complete(found)
        return found

    def to_virtual_datatree(
        self, group: str = "", *, loadable_variables: Iterable[str] | None = None, decode_times: bool | None = None
    ) -> Any:
        """Return a tree of Datasets of references, in which each cube is a child of the root."""
        import xarray

        names = [group.strip("/")] if group else list(self._labels)
        found = {
            f"/{name}": self.to_virtual_dataset(name, loadable_variables, decode_times) for name in names
        }
        return xarray.DataTree.from_dict(found)

    def _only(self) -> str:
        if len(self._labels) > 1:
            names = ", ".join(f"'{name}'" for name in self._labels)
            raise CubeError(f"there are several cubes; choose one by group=, or open a tree: {_shown(names)}")
        return next(iter(self._labels))


class ArchiveParser:
    """The parser of archives for VirtualiZarr.

    >>> registry = ObjectStoreRegistry({"file://": LocalStore()})
    >>> virtualizarr.open_virtual_dataset(url, registry, tgmap.references.ArchiveParser())

    Args:
        where: a selection; only its objects are used.
        group: the name of a cube, if there are several.
        native: as for :func:`manifest_store`.
        options: how cubes are made, as for :func:`tgmap.to_dataset`.
    """

    def __init__(self, *, where: Any = None, group: str | None = None, native: bool = True, **options: Any):
        self._where, self._group, self._native, self._options = where, group, native, options

    def __call__(self, url: str, registry: Any) -> ArchiveManifestStore:
        """Return the references of an archive. One that is no file of this machine is read as a whole, once."""
        parsed = urllib.parse.urlparse(url)
        if parsed.scheme in ("", "file"):
            source: Any = urllib.parse.unquote(parsed.path)
            return manifest_store(
                source, where=self._where, group=self._group, native=self._native, registry=registry, **self._options
            )
        store, path = registry.resolve(url)
        content = bytes(memoryview(store.get(path).buffer()))
        return _store_of(
            open_archive(memoryview(content)), [url], registry, self._where, self._group, self._native, (), self._options
        )


def manifest_store(
    source: Any,
    *,
    where: Any = None,
    group: str | None = None,
    native: bool = True,
    registry: Any = None,
    drop_variables: Any = (),
    **options: Any,
) -> ArchiveManifestStore:
    """Return the references of archives: a ManifestStore of VirtualiZarr, in which a chunk is an object. Reads no payload.

    Payloads whose dtype, byte order, filter and compression are the same in all objects of a variable, without packing
    and masks, are decoded by codecs that each Zarr has. All others are decoded by the codec ``tgmap``, which this package
    registers; it compares the stored hash.

    Args:
        source: a path, an archive, a collection, a glob or a list, as for :func:`tgmap.to_dataset`.
        where: a selection; only its objects are used.
        group: the name of a cube, if there are several; default: all, each as a group.
        native: False: all is decoded by the codec ``tgmap``, so that hashes are compared.
        registry: of stores for URLs; default: one for files of this machine.
        drop_variables: names that are left out.
        options: how cubes are made, and how paths are opened.

    Raises:
        CubeError: a cell has several objects or none, or a key cannot be read.
        ValueError: an archive has no path, or one that no URL has.

    Warns:
        CubeWarning: what has no place in references: variables with the addresses of their objects, and attributes.
    """
    if registry is None:
        registry = ObjectStoreRegistry({"file://": LocalStore()})
    return _store_of(source, None, registry, where, group, native, drop_variables, options)


def _store_of(
    source: Any,
    urls: list[str] | None,
    registry: Any,
    where: Any,
    group: str | None,
    native: bool,
    drop_variables: Any,
    options: dict[str, Any],
) -> ArchiveManifestStore:
    plan, places = read_plan(source, where, options)
    chosen = (plan.group(group),) if group is not None else plan.groups
    if not chosen:
        plan.only()  # says why there are none
    builder = _Builder(places, urls, native)
    groups = [group_of(each, places, names_of(drop_variables)) for each in chosen]
    made = {each.name: builder.group(each) for each in groups}
    omitted = [*(text for each in groups for text in each.omitted), *builder.omitted]
    warn_of_omitted(omitted)
    if len(made) == 1:
        root, labels = next(iter(made.values())), {"": builder.labels[groups[0].name]}
    else:
        root, labels = ManifestGroup(groups=made), builder.labels
    return ArchiveManifestStore(root, builder.registry(registry), omitted, labels)


class _Builder:
    """Makes groups of manifests."""

    def __init__(self, places: Places, urls: list[str] | None, native: bool):
        self._places = places
        self._native = native
        self._ranges = Ranges(places, urls)
        self._memory = MemoryStore()
        self._memory_url = f"{_IN_MEMORY}://tgmap-{uuid.uuid4().hex}"
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
        odd = [row for row in rows if not can_be(self._dtype(row), array.dtype)]
        if odd:
            self._omit(array, odd, f"is of {array.dtype}, which does not hold all of its objects")
            return None, []
        return [bytes_codec(array.dtype), {"name": "tgmap", "configuration": configuration.to_dict()}], parts

    def _dtype(self, row: int) -> str:
        found = self._places.dtypes[int(self._places.kinds[row])]
        if found.kind == "V" or found.name == "bfloat16":
            return "bfloat16"
        return "bitmask" if found.kind == "b" else found.name

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

