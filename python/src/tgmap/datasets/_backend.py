# SPDX-License-Identifier: Apache-2.0
"""The engine ``tgmap`` of xarray."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any

import xarray
from xarray.backends import BackendEntrypoint

from ._build import dataset_of, datasets_of, names_of, without_slashes
from ._decoders import DECODERS, with_times, without_decoders
from ._read import OPEN_NAMES, OPTION_NAMES, read_plan


class TgmapBackendEntrypoint(BackendEntrypoint):
    """Opens Tensogram archives as cubes. See :func:`tgmap.to_dataset` for the options.

    Of the arguments by which xarray decodes files, ``decode_times``, ``decode_timedelta`` and ``use_cftime`` change what
    dates and steps are. ``mask_and_scale``, ``concat_characters`` and ``decode_coords`` are taken and have no effect.
    """

    description = "Open Tensogram archives (.tgm) as labelled cubes"
    open_dataset_parameters = (
        "filename_or_obj",
        "drop_variables",
        "where",
        "group",
        *DECODERS,
        *OPTION_NAMES,
        *OPEN_NAMES,
    )
    supports_groups = True

    def open_dataset(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        where: Any = None,
        group: str | None = None,
        **options: Any,
    ) -> xarray.Dataset:
        """Return the one cube of an archive or of several, or that of a group."""
        times = without_decoders(options)
        plan, places = read_plan(filename_or_obj, where, options)
        chosen = plan.only() if group is None else plan.group(group)
        return with_times(dataset_of(chosen, places, names_of(drop_variables)), **times)

    def open_groups_as_dict(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        where: Any = None,
        group: str | None = None,
        **options: Any,
    ) -> dict[str, xarray.Dataset]:
        """Return the cubes by the names of their groups."""
        times = without_decoders(options)
        plan, places = read_plan(filename_or_obj, where, options)
        all_groups = datasets_of(plan, places, names_of(drop_variables))
        found = {name: with_times(dataset, **times) for name, dataset in all_groups.items()}
        if group is not None:
            return {"/": without_slashes(found[plan.group(group).name])}
        return {f"/{name}": without_slashes(dataset) for name, dataset in found.items()}

    def open_datatree(
        self,
        filename_or_obj: Any,
        *,
        drop_variables: str | Iterable[str] | None = None,
        where: Any = None,
        group: str | None = None,
        **options: Any,
    ) -> xarray.DataTree:
        """Return the cubes as a tree, in which each is a child of the root."""
        groups = self.open_groups_as_dict(
            filename_or_obj, drop_variables=drop_variables, where=where, group=group, **options
        )
        tree: xarray.DataTree = xarray.DataTree.from_dict(groups)
        return tree

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Return whether a path ends in ``.tgm``, or bytes begin as a message does."""
        if isinstance(filename_or_obj, (str, os.PathLike)):
            return os.fsdecode(filename_or_obj).endswith(".tgm")
        return isinstance(filename_or_obj, bytes) and filename_or_obj.startswith(b"TENSOGRM")
