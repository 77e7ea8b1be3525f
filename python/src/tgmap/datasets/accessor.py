# SPDX-License-Identifier: Apache-2.0
"""``dataset.tgm``, for each Dataset of xarray. Importing this module, or opening a cube, registers it."""

from __future__ import annotations

import os
from collections.abc import Mapping
from typing import Any

import xarray

from ._writing import Writer


@xarray.register_dataset_accessor("tgm")  # type: ignore[no-untyped-call]
class TgmAccessor:
    """Writes a Dataset as an archive: ``dataset.tgm.to_tgm(path)``."""

    def __init__(self, dataset: xarray.Dataset):
        self._dataset = dataset

    def to_tgm(
        self,
        path: str | os.PathLike[str],
        *,
        pipeline: Mapping[str, Any] | None = None,
        keys: Mapping[str, str | None] | None = None,
    ) -> None:
        """Write the Dataset as an archive, an object for each field, so that :func:`tgmap.to_dataset` returns it again.

        Labels of members, dates, steps, levels and the like become keys of MARS, whatever profile their names are of.
        The other dimensions are those of the objects, with their names; latitudes and longitudes are objects of each
        message. One field is loaded at a time.

        Args:
            path: the file. It has its name when all of it is written, and replaces one that exists.
            pipeline: how arrays are encoded, as for :func:`tgmap.encode`; or maps of that by the names of variables.
            keys: keys of further coordinates, such as ``{"realm": "mars.model"}``, which then are dimensions between
                objects; None leaves a coordinate out.

        Raises:
            CubeError: a variable has a dtype that archives do not store, or a dimension has no labels.

        Warns:
            CubeWarning: coordinates and attributes that have no place in an archive.
        """
        Writer(self._dataset, pipeline or {}, keys or {}).write(path)
