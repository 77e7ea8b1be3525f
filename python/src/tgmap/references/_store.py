# SPDX-License-Identifier: Apache-2.0
"""A store of Zarr v3 whose arrays are the cubes of archives."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import AsyncIterator, Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray
from zarr.abc.store import ByteRequest, OffsetByteRequest, RangeByteRequest, Store, SuffixByteRequest
from zarr.core.buffer import Buffer, BufferPrototype

from .._paths import printable
from ..datasets._read import read_plan
from ._arrays import ZarrArray, ZarrGroup, group_of, missing, warn_of_omitted
from ._chunks import check_chunks, chunk_keys, chunk_shape
from ._files import Files

_CHUNK = re.compile(r"(.+)/c((?:/(?:0|[1-9][0-9]{0,18}))*)", re.DOTALL)  # names may have line breaks


class ArchiveStore(Store):
    """Archives as a read-only store of Zarr v3, with the arrays that :func:`tgmap.to_dataset` has as variables.

    >>> import zarr, tgmap.references
    >>> store = tgmap.references.ArchiveStore("forecast.tgm")
    >>> zarr.open_group(store, mode="r")["2t"].shape
    (4, 3, 4)

    One cube is the root group; of several, each is a group with a name. Chunks are runs of objects, about 16 MiB of
    them, along the dimensions in which they follow each other in their files; a chunk is decoded when it is read. A
    file that has changed since is a ChangedFileError. The store can be pickled if its archives have paths, or are
    small; a process that loads it opens files by the places of objects, and scans nothing.

    Attributes:
        omitted: what has no place in Zarr, with addresses.
    """

    def __init__(
        self,
        source: Any,
        *,
        where: Any = None,
        group: str | None = None,
        chunks: Mapping[str, int] | None = None,
        drop_variables: Any = (),
        **options: Any,
    ):
        """Open archives.

        Args:
            source: a path, bytes, an archive, a collection, a glob or a list, as for :func:`tgmap.to_dataset`.
            where: a selection; only its objects are used.
            group: the name of a cube, which then is the root group.
            chunks: sizes of chunks by dimension; -1 for the whole dimension.
            drop_variables: names that are left out.
            options: how cubes are made, and how paths are opened.

        Raises:
            CubeError: a cell has several objects or none, or a key cannot be read.

        Warns:
            CubeWarning: what has no place in Zarr.
        """
        super().__init__(read_only=True)
        plan, places = read_plan(source, where, options)
        self._files = Files(places)
        self._name = printable(places.source.path) or f"{places.source.count} archives"
        chosen = (plan.group(group),) if group is not None else plan.groups
        if not chosen:
            plan.only()  # says why there are none
        groups = tuple(group_of(each, places, drop_variables) for each in chosen)
        sizes = check_chunks(chunks, groups)
        self.omitted = [text for each in groups for text in each.omitted]
        warn_of_omitted(self.omitted)
        self._arrays: dict[str, tuple[ZarrArray, tuple[int, ...]]] = {}
        self._documents = self._make_documents(groups, sizes)

    def _make_documents(self, groups: tuple[ZarrGroup, ...], sizes: Mapping[str, int]) -> dict[str, bytes]:
        """Return the metadata of all nodes. That of the root has all others, so that opening reads one document."""
        members: dict[str, Any] = {}
        root: dict[str, Any] = {}
        for group in groups:
            prefix = f"{group.name}/" if len(groups) > 1 else ""
            if prefix:
                members[group.name] = _group_document(group.attrs)
            else:
                root = dict(group.attrs)
            for name, array in group.arrays.items():
                shape = chunk_shape(array, sizes)
                self._arrays[prefix + name] = array, shape
                members[prefix + name] = array.metadata(shape)
        documents = {f"{path}/zarr.json": document for path, document in members.items()}
        for group in groups if len(groups) > 1 else ():  # readers may open a group alone
            own = {name: members[f"{group.name}/{name}"] for name in group.arrays}
            documents[f"{group.name}/zarr.json"] = _group_document(group.attrs, own)
        documents["zarr.json"] = _group_document(root, members)
        return {key: json.dumps(each).encode() for key, each in documents.items()}

    async def get(
        self, key: str, prototype: BufferPrototype, byte_range: ByteRequest | None = None
    ) -> Buffer | None:
        """Return a document or the elements of a chunk; None without an object in the chunk."""
        if key in self._documents:
            content = np.frombuffer(self._documents[key], dtype=np.uint8)
        else:
            place = self._place(key)
            if place is None:
                return None
            found = await asyncio.to_thread(self._chunk, *place)
            if found is None:
                return None
            content = found
        return prototype.buffer.from_array_like(_part(content, byte_range))

    async def get_partial_values(
        self, prototype: BufferPrototype, key_ranges: Iterable[tuple[str, ByteRequest | None]]
    ) -> list[Buffer | None]:
        """Return several values or parts of them."""
        return list(await asyncio.gather(*(self.get(key, prototype, part) for key, part in key_ranges)))

    async def exists(self, key: str) -> bool:
        """Return whether there is a document, or a chunk with an object."""
        if key in self._documents:
            return True
        place = self._place(key)
        return place is not None and self._has_objects(*place)

    async def list(self) -> AsyncIterator[str]:
        """List all keys."""
        for key in self._keys(""):
            yield key

    async def list_prefix(self, prefix: str) -> AsyncIterator[str]:
        """List the keys that begin with a text."""
        for key in self._keys(prefix):
            yield key

    async def list_dir(self, prefix: str) -> AsyncIterator[str]:
        """List the names below a path."""
        start = prefix.strip("/")
        start = f"{start}/" if start else ""
        names = {key[len(start) :].partition("/")[0]: None for key in self._documents if key.startswith(start)}
        for path in self._arrays:
            if start == f"{path}/":
                names["c"] = None
            elif start.startswith(f"{path}/"):
                names.update((key[len(start) :].partition("/")[0], None) for key in self._keys(start))
        for name in names:
            yield name

    async def set(self, key: str, value: Buffer) -> None:
        """Raise ValueError: the store is read-only."""
        self._check_writable()

    async def delete(self, key: str) -> None:
        """Raise ValueError: the store is read-only."""
        self._check_writable()

    supports_writes = False
    supports_deletes = False
    supports_listing = True

    def with_read_only(self, read_only: bool = False) -> ArchiveStore:
        """Return the store. Raises ValueError if it is to be written."""
        if not read_only:
            raise ValueError("archives are read-only as stores of Zarr; write a Dataset by dataset.tgm.to_tgm")
        return self

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, ArchiveStore):
            return False
        return self is other or (self._documents == other._documents and self._files.token() == other._files.token())

    __hash__ = None  # type: ignore[assignment]

    def __dask_tokenize__(self) -> Any:
        """Return what names of Dask's arrays are made of: other ones for other chunks, and when a file has changed."""
        return type(self).__name__, self._documents, self._files.token()

    def __repr__(self) -> str:
        return f"<tgmap.references.ArchiveStore {self._name}: {len(self._arrays)} arrays>"

    def __str__(self) -> str:
        return f"tgmap://{self._name}"

    def _keys(self, prefix: str) -> Iterable[str]:
        for key in self._documents:
            if key.startswith(prefix):
                yield key
        for path, (array, chunks) in self._arrays.items():
            if not (f"{path}/".startswith(prefix) or prefix.startswith(f"{path}/")):
                continue
            for index in chunk_keys(array.shape, chunks):
                key = "/".join((path, "c", *map(str, index)))
                if key.startswith(prefix) and self._has_objects(array, chunks, index):
                    yield key

    def _place(self, key: str) -> tuple[ZarrArray, tuple[int, ...], tuple[int, ...]] | None:
        """Return the array of a chunk, the shape of its chunks, and the position of the chunk."""
        found = _CHUNK.fullmatch(key)
        if not found or found[1] not in self._arrays:
            return None
        array, chunks = self._arrays[found[1]]
        index = tuple(map(int, found[2].split("/")[1:]))
        is_inside = len(index) == len(chunks) and all(
            i * chunk < size for i, chunk, size in zip(index, chunks, array.shape)
        )
        return (array, chunks, index) if is_inside else None

    def _has_objects(self, array: ZarrArray, chunks: tuple[int, ...], index: tuple[int, ...]) -> bool:
        if array.values is not None:
            return True
        return bool((array.cells[_box(array, chunks, index)[: array.cells.ndim]] >= 0).any())

    def _chunk(
        self, array: ZarrArray, chunks: tuple[int, ...], index: tuple[int, ...]
    ) -> NDArray[np.uint8] | None:
        """Return the bytes of a chunk. Elements beyond the array are filled."""
        if array.values is not None:
            found = array.values
        else:
            box = _box(array, chunks, index)
            cells = array.cells[box[: array.cells.ndim]]
            if not (cells >= 0).any():
                return None
            found = self._files.read(array, cells, box[array.cells.ndim :])
        if found.shape != chunks:
            whole = np.full(chunks, missing(array.dtype), dtype=array.dtype)
            whole[tuple(slice(size) for size in found.shape)] = found
            found = whole
        return np.ascontiguousarray(found).reshape(-1).view(np.uint8)


def _group_document(attrs: Mapping[str, Any], members: Mapping[str, Any] | None = None) -> dict[str, Any]:
    out: dict[str, Any] = {"zarr_format": 3, "node_type": "group", "attributes": dict(attrs)}
    if members is not None:
        out["consolidated_metadata"] = {"kind": "inline", "must_understand": False, "metadata": dict(members)}
    return out


def _box(array: ZarrArray, chunks: tuple[int, ...], index: tuple[int, ...]) -> tuple[slice, ...]:
    return tuple(slice(i * chunk, min((i + 1) * chunk, size)) for i, chunk, size in zip(index, chunks, array.shape))


def _part(content: NDArray[np.uint8], part: ByteRequest | None) -> NDArray[np.uint8]:
    """Return a range of bytes."""
    if part is None:
        return content
    if isinstance(part, RangeByteRequest):
        return content[part.start : part.end]
    if isinstance(part, OffsetByteRequest):
        return content[part.offset :]
    if isinstance(part, SuffixByteRequest):
        return content[-part.suffix :] if part.suffix else content[:0]
    raise TypeError(f"{type(part).__name__} is no range of bytes")
