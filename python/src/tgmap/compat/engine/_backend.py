# SPDX-License-Identifier: Apache-2.0
"""The class that xarray calls."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import xarray
from xarray.backends import BackendEntrypoint

from ._merging import open_datasets
from ._messages import Source, dataset_of_message, scan_message


class TensogramBackendEntrypoint(BackendEntrypoint):
    """Opens messages of Tensogram archives as Datasets, as the plugin ``tensogram-xarray`` does."""

    description = "Open messages of Tensogram archives (.tgm), by the rules of tensogram-xarray"
    url = "https://github.com/ecmwf/tensogram"

    def open_dataset(  # type: ignore[override]
        self,
        filename_or_obj: str | os.PathLike[str],
        *,
        drop_variables: str | Iterable[str] | None = None,
        dim_names: Sequence[str] | None = None,
        variable_key: str | None = None,
        message_index: int = 0,
        merge_objects: bool = False,
        range_threshold: float = 0.5,
        storage_options: Mapping[str, Any] | None = None,
        verify_hash: bool = False,
    ) -> xarray.Dataset:
        """Return one message as a Dataset.

        Args:
            filename_or_obj: the path of an archive.
            drop_variables: names that are left out.
            dim_names: names of the dimensions of all variables.
            variable_key: the key, such as ``"mars.param"``, whose values are the names of variables.
            message_index: the number of the message.
            merge_objects: return the first Dataset of :func:`open_datasets` instead.
            range_threshold: accepted; a part of an object is always read as a part.
            storage_options: accepted; archives on other machines are an OSError.
            verify_hash: compare the hash of an object with its bytes when it is read; then whole objects are read.
        """
        if message_index < 0:
            raise ValueError(f"message_index must be >= 0, got {message_index}")
        path = os.fspath(filename_or_obj)
        if merge_objects:
            options = {"dim_names": dim_names, "variable_key": variable_key, "verify_hash": verify_hash}
            found = open_datasets(path, **options)  # type: ignore[arg-type]
            return found[0] if found else xarray.Dataset()
        source = Source(path, verify_hash)
        dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
        return dataset_of_message(source, scan_message(source, message_index), dim_names, variable_key, dropped)

    def guess_can_open(self, filename_or_obj: Any) -> bool:
        """Return whether a path ends in ``.tgm``."""
        try:
            return bool(os.path.splitext(filename_or_obj)[1].lower() == ".tgm")
        except (TypeError, AttributeError):
            return False
