# SPDX-License-Identifier: Apache-2.0
"""Archives as cubes of xarray. xarray and the rules of cubes are imported when they are needed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import xarray

    from .datasets._read import CubeExplanation


def to_dataset(
    source: Any,
    *,
    where: Any = None,
    group: str | None = None,
    chunks: Any = None,
    drop_variables: Any = (),
    **options: Any,
) -> xarray.Dataset:
    """Return archives as one labelled cube: a Dataset whose variables read their objects when they are used.

    Needs xarray. ``xarray.open_dataset(path, engine="tgmap")`` takes the same options.

    Args:
        source: a path, bytes, an :class:`Archive`, a :class:`Collection`, a glob such as ``"run*.tgm"``, or a list of
            paths or archives. Several archives are one cube, as if their messages were in one.
        where: a selection; only its objects are used.
        group: the name of a cube, if there are several.
        chunks: sizes of chunks of Dask by dimension, or ``{}`` for chunks of about 64 MiB that hold whole objects.
            Needs Dask.
        drop_variables: names that are left out.
        options: how cubes are made: see :class:`tgmap.cubes.Options`; and those of :func:`tgmap.open` for paths.

    Raises:
        CubeError: the objects are several cubes, a cell has several objects or none, or a key cannot be read. The text
            says what to do. It is a ValueError.
    """
    _require_xarray()
    from .datasets._build import dataset_of, names_of
    from .datasets._chunks import chunked
    from .datasets._read import read_plan

    plan, places = read_plan(source, where, options)
    chosen = plan.only() if group is None else plan.group(group)
    return chunked(dataset_of(chosen, places, names_of(drop_variables)), chosen, chunks)


def to_datatree(
    source: Any, *, where: Any = None, chunks: Any = None, drop_variables: Any = (), **options: Any
) -> xarray.DataTree:
    """Return archives as a tree of labelled cubes, each a child of the root. Needs xarray.

    Names of variables with a slash, which no tree has, have ``_`` for it.

    Args:
        source, where, chunks, drop_variables, options: as for :func:`to_dataset`.
    """
    _require_xarray()
    import xarray

    from .datasets._build import datasets_of, names_of, without_slashes
    from .datasets._chunks import chunked
    from .datasets._read import read_plan

    plan, places = read_plan(source, where, options)
    found = datasets_of(plan, places, names_of(drop_variables))
    nodes = {}
    for each in plan.groups:
        of_group = chunks
        if isinstance(chunks, Mapping):  # each group has dimensions of its own
            of_group = {dim: size for dim, size in chunks.items() if dim in found[each.name].dims}
        nodes[f"/{each.name}"] = without_slashes(chunked(found[each.name], each, of_group))
    return xarray.DataTree.from_dict(nodes)


def explain_cube(source: Any, *, where: Any = None, **options: Any) -> CubeExplanation:
    """Return what :func:`to_dataset` would make of archives, and why. Reads no payload, and does not need xarray.

    ``print`` it: it lists the cubes with their coordinates, the keys that are dimensions and those that are not, with
    the reason, and how many cells are empty. ``explain_cube(...).address("2t", step="6h")`` is the object in a cell.

    Args:
        source, where, options: as for :func:`to_dataset`. Cells without an object are no error.
    """
    from .datasets._read import CubeExplanation, read_plan

    return CubeExplanation(*read_plan(source, where, options, allow_holes=True))


def _require_xarray() -> None:
    try:
        import xarray  # noqa: F401
    except ModuleNotFoundError:
        text = "cubes need xarray, which is not installed: pip install 'tgmap[xarray]'"
        raise ModuleNotFoundError(text, name="xarray") from None
