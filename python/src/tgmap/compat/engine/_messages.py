# SPDX-License-Identifier: Apache-2.0
"""Objects of messages as variables of xarray, which are read when they are used."""

from __future__ import annotations

import os
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray
from xarray.backends import BackendArray
from xarray.core import indexing

from ... import open as open_archive
from .._decode import _bfloat16
from .._file import TensogramFile, checked_source
from ._names import coordinate_name, dimensions, variable_name, without_conflicts, without_structure


class Source:
    """An archive, which is opened when it is used first, also after it was pickled."""

    def __init__(self, path: str, verify_hash: bool = False):
        checked_source(path, False)
        self.path = os.path.abspath(path)
        self.verify_hash = verify_hash
        self._archive: Any = None

    def __getstate__(self) -> dict[str, Any]:
        return {**self.__dict__, "_archive": None}

    def read(self, message: int, object: int, key: tuple[Any, ...]) -> NDArray[Any]:
        """Return a part of an object. With hashes to verify, all of it is read."""
        if self.verify_hash:
            with TensogramFile.open(self.path) as file:
                whole: NDArray[Any] = np.asarray(file.file_decode_object(message, object, verify_hash=True)["data"])
            return np.asarray(whole[key])
        if self._archive is None:
            self._archive = open_archive(self.path, mode="read")
        return np.asarray(self._archive[message][object][key])


@dataclass(frozen=True)
class ObjectInfo:
    """An object without its elements.

    Attributes:
        metadata: its own, and those keys of its descriptor that it has not.
        common: that of the message.
        version: of the wire format.
    """

    message: int
    number: int
    shape: tuple[int, ...]
    dtype: str
    metadata: Mapping[str, Any]
    common: Mapping[str, Any]
    version: int

    @property
    def merged(self) -> dict[str, Any]:
        return {**self.common, **self.metadata}


def scan_message(source: Source, number: int) -> list[ObjectInfo]:
    """Return the objects of one message. Reads no payload."""
    with TensogramFile.open(source.path) as file:
        found = _objects(file, number)
    return found


def scan_file(source: Source) -> list[ObjectInfo]:
    """Return the objects of all messages. Reads no payload."""
    with TensogramFile.open(source.path) as file:
        found = [each for number in range(len(file)) for each in _objects(file, number)]
    return found


def _objects(file: Any, number: int) -> list[ObjectInfo]:
    found = file.file_decode_descriptors(number)
    metadata = found["metadata"]
    base = metadata.base or []
    out = []
    for i, descriptor in enumerate(found["descriptors"]):
        own = {key: value for key, value in (base[i] if i < len(base) else {}).items() if key != "_reserved_"}
        own = {**(descriptor.params or {}), **own}
        common = dict(metadata.extra or {})
        out.append(ObjectInfo(number, i, tuple(descriptor.shape), descriptor.dtype, own, common, metadata.version))
    return out


def numpy_dtype(name: str) -> np.dtype[Any]:
    """Return the dtype of arrays: bit masks are bytes."""
    known = {"bitmask": np.dtype(np.uint8), "bfloat16": np.dtype(_bfloat16())}
    return known.get(name) or np.dtype(name)


class ObjectArray(BackendArray):
    """The elements of one object, or of several along further dimensions before its own."""

    def __init__(self, source: Source, objects: Sequence[ObjectInfo], outer: tuple[int, ...] = ()):
        self._source = source
        self._places = np.array([(each.message, each.number) for each in objects]).reshape(*outer, 2)
        self.shape = (*outer, *objects[0].shape)
        self.dtype = numpy_dtype(objects[0].dtype)

    def __getitem__(self, key: indexing.ExplicitIndexer) -> Any:
        return indexing.explicit_indexing_adapter(key, self.shape, indexing.IndexingSupport.BASIC, self._read)

    def _read(self, key: tuple[Any, ...]) -> NDArray[Any]:
        rank = self._places.ndim - 1
        outer, inner = key[:rank], key[rank:]
        places: NDArray[Any] = self._places[outer]
        if places.ndim == 1:
            return self._part(places, inner)
        found = [self._part(each, inner) for each in places.reshape(-1, 2)]
        shape = tuple(len(range(*k.indices(n))) for k, n in zip(inner, self.shape[rank:]) if isinstance(k, slice))
        out: NDArray[Any] = np.empty((len(found), *shape), dtype=self.dtype)
        for i, each in enumerate(found):
            out[i] = each
        return out.reshape(*places.shape[:-1], *shape)

    def _part(self, place: NDArray[Any], key: tuple[Any, ...]) -> NDArray[Any]:
        part = self._source.read(int(place[0]), int(place[1]), key)
        is_opaque = part.dtype.kind == "V" and part.dtype != self.dtype
        return np.asarray(part.view(self.dtype) if is_opaque else part.astype(self.dtype, copy=False))


def variable_of(
    source: Source,
    objects: Sequence[ObjectInfo],
    dims: Sequence[str],
    attrs: Mapping[str, Any],
    outer: tuple[int, ...] = (),
) -> xarray.Variable:
    """Return a variable whose elements are read when they are used."""
    lazy = indexing.LazilyIndexedArray(ObjectArray(source, objects, outer))
    return xarray.Variable(dims, lazy, without_structure(attrs))


def dataset_of_message(
    source: Source,
    objects: Sequence[ObjectInfo],
    dim_names: Sequence[str] | None,
    variable_key: str | None,
    dropped: Collection[str],
) -> xarray.Dataset:
    """Return the objects of one message as a Dataset."""
    coordinates: dict[str, xarray.Variable] = {}
    fields = []
    for each in objects:
        name = coordinate_name(each.metadata)
        if name is not None:
            coordinates[name] = variable_of(source, [each], (name,), each.metadata)
        elif variable_name(each.number, each.metadata, variable_key) not in dropped:
            fields.append(each)
    lengths = {name: each.shape[0] for name, each in coordinates.items()}
    found = [
        (
            each.number,
            each.shape,
            dimensions(each.shape, dim_names, lengths, each.metadata, each.common.get("dim_names")),
        )
        for each in fields
    ]
    variables: dict[str, xarray.Variable] = {}
    for each, dims in zip(fields, without_conflicts(found, lengths)):
        name = unique_name(variable_name(each.number, each.metadata, variable_key), variables)
        variables[name] = variable_of(source, [each], dims, each.metadata)
    attrs = without_structure(objects[0].common) if objects else {}
    version = objects[0].version if objects else 3
    return xarray.Dataset(variables, coords=coordinates, attrs={**attrs, "tensogram_wire_version": version})


def unique_name(name: str, taken: Collection[str]) -> str:
    """Return a name that no other variable has, so that none is lost: ``t``, ``t_1``."""
    out, number = name, 1
    while out in taken:
        out, number = f"{name}_{number}", number + 1
    return out
