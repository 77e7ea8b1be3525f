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
        compute: bool = True,
        append_dim: str | None = None,
    ) -> Any:
        """Write the Dataset as an archive, an object for each field, so that :func:`tgmap.to_dataset` returns it again.

        Labels of members, dates, steps, levels and the like become keys of MARS, whatever profile their names are of.
        The other dimensions are those of the objects, with their names; latitudes and longitudes are objects of each
        message. A field, or a few small ones of 16 MiB together, are loaded at a time.

        Variables of Dask are written in parallel: each task writes a block of chunks to an archive of its own, in a
        hidden folder beside the file, which all workers must see; these parts are then joined, in the same order as
        without Dask. After an error the folder is removed, and an older file is as it was.

        Args:
            path: the file. It has its name when all of it is written, and replaces one that exists.
            pipeline: how arrays are encoded, as for :func:`tgmap.encode`; or maps of that by the names of variables.
            keys: keys of further coordinates, such as ``{"realm": "mars.model"}``, which then are dimensions between
                objects; None leaves a coordinate out.
            compute: write now. False returns a ``Delayed`` of Dask, which writes when it is computed.
            append_dim: add the fields to the archive along this dimension, such as ``"time"``, if it exists. All
                variables have the dimension. The archive must not have its labels yet, and must have the same labels
                along the others. Messages that exist stay in place; if the new ones cannot all be written, the
                archive gets its old size again.

        Returns:
            None, or the ``Delayed``.

        Raises:
            CubeError: a variable has a dtype that archives do not store, a dimension has no labels, or the archive and
                the fields to append are no cube.

        Warns:
            CubeWarning: coordinates and attributes that have no place in an archive.
        """
        return Writer(self._dataset, pipeline or {}, keys or {}).write(path, compute, append_dim)
