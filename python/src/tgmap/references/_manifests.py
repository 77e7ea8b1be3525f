# SPDX-License-Identifier: Apache-2.0
"""References to the bytes of archives, for VirtualiZarr, which writes them for kerchunk and Icechunk."""

from __future__ import annotations

import urllib.parse
from collections.abc import Iterable, Mapping
from typing import Any

from obspec_utils.registry import ObjectStoreRegistry
from obstore.store import LocalStore
from virtualizarr.manifests import ManifestGroup, ManifestStore

from .._archive import open as open_archive
from .._core import _shown
from ..cubes import CubeError
from ..cubes._texts import listed
from ..datasets._read import read_plan
from . import _codec as _codec  # registers the codec
from . import _numcodecs as _numcodecs
from ._arrays import group_of, warn_of_omitted
from ._kerchunk import mark_corrected
from ._manifest_builder import ManifestBuilder

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
            raise CubeError(f"there is no group '{_shown(chosen)}'; there are {listed(self._labels)}")
        node = self._group.groups[chosen] if chosen else self._group
        names = list(dict.fromkeys([*self._labels[chosen], *(loadable_variables or ())]))
        if loadable_variables is None:
            names += [name for name, array in node.arrays.items() if array.metadata.dimension_names == (name,)]
        alone = ManifestStore(node, registry=self._registry)
        found = alone.to_virtual_dataset(loadable_variables=list(dict.fromkeys(names)), decode_times=decode_times)
        mark_corrected(found)
        return found

    def to_virtual_datatree(
        self, group: str = "", *, loadable_variables: Iterable[str] | None = None, decode_times: bool | None = None
    ) -> Any:
        """Return a tree of Datasets of references, in which each cube is a child of the root."""
        import xarray

        names = [group.strip("/")] if group else list(self._labels)
        found = {f"/{name}": self.to_virtual_dataset(name, loadable_variables, decode_times) for name in names}
        return xarray.DataTree.from_dict(found)

    def _only(self) -> str:
        if len(self._labels) > 1:
            names = listed([f"'{name}'" for name in self._labels])
            raise CubeError(f"there are several cubes; choose one by group=, or open a tree: {_shown(names)}")
        return next(iter(self._labels))


class ArchiveParser:
    """The parser of archives for VirtualiZarr.

    >>> import virtualizarr, tgmap.references
    >>> registry = ObjectStoreRegistry({"file://": LocalStore()})
    >>> found = virtualizarr.open_virtual_dataset("forecast.tgm", registry, tgmap.references.ArchiveParser())
    >>> found["2t"].data
    ManifestArray<shape=(4, 3, 4), dtype=float32, chunks=(1, 3, 4)>

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
        archive = open_archive(memoryview(bytes(memoryview(store.get(path).buffer()))))
        return _store_of(archive, [url], registry, self._where, self._group, self._native, (), self._options)


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
    """Return the references of archives: a ManifestStore of VirtualiZarr, in which a chunk is an object.

    Reads no payload. Payloads whose dtype, byte order, filter and compression are the same in all objects of a
    variable, without packing and masks, are decoded by codecs that each Zarr has. All others are decoded by the codec
    ``tgmap``, which this package registers; it compares the stored hash.

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
    builder = ManifestBuilder(places, urls, native)
    groups = [group_of(each, places, drop_variables) for each in chosen]
    made = {each.name: builder.group(each) for each in groups}
    omitted = [*(text for each in groups for text in each.omitted), *builder.omitted]
    warn_of_omitted(omitted)
    if len(made) == 1:
        root, labels = next(iter(made.values())), {"": builder.labels[groups[0].name]}
    else:
        root, labels = ManifestGroup(groups=made), builder.labels
    return ArchiveManifestStore(root, builder.registry(registry), omitted, labels)
