# SPDX-License-Identifier: Apache-2.0
"""Corrections of what VirtualiZarr writes for kerchunk, where readers would get other values than the files have."""

from __future__ import annotations

import functools
import json
from typing import Any

import xarray
from virtualizarr.manifests import ManifestArray
from virtualizarr.writers import kerchunk

from ..cubes import CubeError

_MARK = "tgmap"


class _Complete:
    """Marks a variable without missing values. Its text, which only other writers ask for, is an error."""

    def to_dict(self) -> Any:
        raise CubeError(
            "this version of VirtualiZarr writes references of kerchunk by which readers take 0 for missing values; "
            "use another version, or write to Icechunk"
        )


def mark_complete(dataset: xarray.Dataset) -> None:
    """Mark the references of variables whose dtype has no NaN: none of their elements is missing."""
    for variable in dataset.variables.values():
        if isinstance(variable._data, ManifestArray) and variable.dtype.kind in "biu":
            variable.encoding[_MARK] = _Complete()


def _corrected(write: Any) -> Any:
    """Return a function that writes the references of a variable.

    The only chunk of a scalar is named "0", and not "", where readers do not find it and take the fill value. Variables
    that are marked have no fill value, which xarray would take for missing values.
    """

    @functools.wraps(write)
    def corrected(var: xarray.Variable, var_name: str) -> dict[str, Any]:
        is_complete = _MARK in var.encoding
        if is_complete:
            encoding = {key: value for key, value in var.encoding.items() if key != _MARK}
            var = var.copy(deep=False)
            var.encoding = encoding
        refs: dict[str, Any] = write(var, var_name)
        if "" in refs:
            refs["0"] = refs.pop("")
        if is_complete:
            refs[".zarray"] = json.dumps({**json.loads(refs[".zarray"]), "fill_value": None}, separators=(",", ":"))
        return refs

    corrected.is_corrected = True  # type: ignore[attr-defined]
    return corrected


def correct_writer() -> None:
    """Let VirtualiZarr write the same values that it reads."""
    write = getattr(kerchunk, "variable_to_kerchunk_arr_refs", None)
    if write is not None and not getattr(write, "is_corrected", False):
        kerchunk.variable_to_kerchunk_arr_refs = _corrected(write)
