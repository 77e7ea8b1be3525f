# SPDX-License-Identifier: Apache-2.0
"""Checks of datasets, of options and of targets before anything is written."""

from __future__ import annotations

import errno
import os
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray

from ..cubes import CubeError
from ..cubes._texts import listed, quoted, short
from ._labels import Label

_STORED_DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 bfloat16 float32 float64 complex64 "
    "complex128".split()
)
_USUAL_KEYS = {
    "pressure_level": "mars.levelist",
    "plev": "mars.levelist",
    "lev": "mars.levelist",
    "model_level": "mars.levelist",
    "realization": "mars.number",
    "ensemble": "mars.number",
}


def check_target(path: str) -> None:
    """Raise OSError if there can be no file of this name."""
    target = os.path.realpath(path)
    parent = os.path.dirname(target)
    if not os.path.isdir(parent):
        raise FileNotFoundError(errno.ENOENT, "there is no such folder", parent)
    try:
        os.stat(target)
    except FileNotFoundError:
        pass
    if os.path.isdir(target):
        raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), path)
    if not os.access(parent, os.W_OK | os.X_OK):
        raise PermissionError(errno.EACCES, os.strerror(errno.EACCES), parent)


def check_variables(dataset: xarray.Dataset) -> None:
    """Raise CubeError for names that are no text, and dtypes that archives do not store."""
    for name in (*dataset.variables, *dataset.dims):
        if not isinstance(name, str) or not name:
            raise CubeError(f"the name {quoted(name)} is no text; rename it")
    for name, array in dataset.data_vars.items():
        dtype = array.dtype
        if getattr(dtype, "name", "") not in _STORED_DTYPES:
            how = "; convert it to numbers" if getattr(dtype, "kind", "O") in "mMSUTO" else ""
            raise CubeError(
                f"the variable '{name}' has the dtype {dtype}, which an archive does not store; drop it{how}"
            )
    if not dataset.data_vars:
        raise CubeError("the dataset has no variables, so that there are no fields to write")


def check_pipeline(dataset: xarray.Dataset, pipeline: Mapping[str, Any]) -> None:
    """Raise CubeError for the pipeline of a variable that is not there, and for packing of dtypes but float64."""
    for name, own in pipeline.items():
        if isinstance(own, Mapping) and name not in dataset.data_vars:
            there = listed(list(dataset.data_vars))
            raise CubeError(f"pipeline= names '{short(name)}', which is no variable; there are {there}")
    for variable, array in dataset.data_vars.items():
        own = pipeline.get(str(variable), pipeline)
        if isinstance(own, Mapping) and own.get("encoding") == "simple_packing" and array.dtype != np.float64:
            raise CubeError(
                f"the variable '{variable}' has the dtype {array.dtype}, and simple_packing takes float64: convert it "
                f"by astype('float64'), or give the pipeline of other variables only: pipeline={{'NAME': ...}}"
            )


def has_other_times(valid: Any, labels: Sequence[Label]) -> bool:
    """Return whether times are not the sums of the initial times and the steps, which readers compute."""
    by_role = {each.role: each for each in labels}
    base, step = by_role.get("hdate") or by_role.get("forecast_reference_time"), by_role.get("step")
    if base is None or step is None or np.asarray(valid.values).dtype.kind != "M":
        return False
    total = xarray.Variable(base.dims, base.values) + xarray.Variable(step.dims, step.values)
    if set(total.dims) != set(valid.dims):
        return True
    return not bool((total.transpose(*valid.dims).values == np.asarray(valid.values)).all())


def hint_of(name: str) -> str:
    """Return the key that a coordinate of a usual name would have."""
    return _USUAL_KEYS.get(name.lower(), "KEY")
