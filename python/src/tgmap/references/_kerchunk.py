# SPDX-License-Identifier: Apache-2.0
"""Corrections of what VirtualiZarr writes for kerchunk, where readers would get other values than the files have.

Nothing that VirtualiZarr asks variables for can say this, so that its function is wrapped: not by an import, but when an
archive is made virtual in the process, or a dataset of one is loaded from a pickle.
"""

from __future__ import annotations

import functools
import json
from typing import Any

import xarray
from virtualizarr.manifests import ManifestArray
from virtualizarr.writers import kerchunk

from ..cubes import CubeError

_MARK = "tgmap"


class _Mark:
    """Marks a variable whose references are corrected. Its text, which only other writers ask for, is an error."""

    def to_dict(self) -> Any:
        raise CubeError(
            "this version of VirtualiZarr writes references of kerchunk by which readers take 0 for missing values; "
            "use another version, or write to Icechunk"
        )

    def __reduce__(self) -> Any:
        return _mark, ()  # the process that loads the dataset may write it


def _mark() -> _Mark:
    """Return a mark, and let VirtualiZarr write the same values that it reads."""
    write = getattr(kerchunk, "variable_to_kerchunk_arr_refs", None)
    if write is not None and not getattr(write, "is_corrected", False):
        kerchunk.variable_to_kerchunk_arr_refs = _corrected(write)
    return _Mark()


def mark_corrected(dataset: xarray.Dataset) -> None:
    """Mark scalars, and the references of variables whose dtype has no NaN: none of their elements is missing."""
    for variable in dataset.variables.values():
        if variable.ndim == 0 or _is_complete(variable):
            variable.encoding[_MARK] = _mark()


def _is_complete(variable: xarray.Variable) -> bool:
    return isinstance(variable._data, ManifestArray) and variable.dtype.kind in "biu"


def _corrected(write: Any) -> Any:
    """Return a function that writes the references of a variable.

    The only chunk of a scalar is named "0", and not "", where readers do not find it and take the fill value. Integers
    that are marked have no fill value, which xarray would take for missing values.
    """

    @functools.wraps(write)
    def corrected(var: xarray.Variable, var_name: str) -> dict[str, Any]:
        is_marked = isinstance(var.encoding.get(_MARK), _Mark)
        if is_marked:
            encoding = {key: value for key, value in var.encoding.items() if key != _MARK}
            var = var.copy(deep=False)
            var.encoding = encoding
        refs: dict[str, Any] = write(var, var_name)
        if "" in refs:
            refs["0"] = refs.pop("")
        if is_marked and _is_complete(var):
            refs[".zarray"] = json.dumps({**json.loads(refs[".zarray"]), "fill_value": None}, separators=(",", ":"))
        return refs

    corrected.is_corrected = True  # type: ignore[attr-defined]
    return corrected
