# SPDX-License-Identifier: Apache-2.0
"""Arguments of ``xarray.open_dataset`` that say how files are decoded."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray
from xarray.coders import CFDatetimeCoder, CFTimedeltaCoder

DECODERS = ("mask_and_scale", "decode_times", "decode_timedelta", "use_cftime", "concat_characters", "decode_coords")
"""The names of these arguments. Others than those of times have no effect: elements of objects are what they mean, text is
text, and labels are coordinates."""

_DATE_ATTRS = {"units": "seconds since 1970-01-01", "calendar": "proleptic_gregorian"}
_STEP_ATTRS = {"units": "seconds"}


def without_decoders(options: dict[str, Any]) -> dict[str, Any]:
    """Take these arguments out of the options of a call, and return those of times."""
    found = {name: options.pop(name, None) for name in DECODERS}
    return {name: found[name] for name in ("decode_times", "decode_timedelta", "use_cftime")}


def with_times(
    dataset: xarray.Dataset, decode_times: Any = None, decode_timedelta: Any = None, use_cftime: bool | None = None
) -> xarray.Dataset:
    """Return a Dataset whose dates and steps are as the arguments of xarray ask for.

    Args:
        decode_times: False for seconds since 1970 with ``units``, as files of netCDF would have them; a CFDatetimeCoder
            for dates of its unit or of cftime; or a map of these by the names of variables. None and True change nothing.
        decode_timedelta: False for seconds; a CFTimedeltaCoder for its unit. Default: as decode_times.
        use_cftime: True for dates of cftime.

    Raises:
        TypeError: use_cftime is given beside a CFDatetimeCoder, which has its own.
    """
    changed = {}
    for name, variable in dataset.variables.items():
        if variable.dtype.kind == "M":
            changed[name] = _with_dates(variable, name, _of(decode_times, name), use_cftime)
        elif variable.dtype.kind == "m":
            found = _of(decode_timedelta, name)
            changed[name] = _with_steps(variable, _of(decode_times, name) if found is None else found)
    kept = {name: each for name, each in changed.items() if each is not None}
    out: xarray.Dataset = dataset.assign_coords(kept) if kept else dataset
    return out


def _of(given: Any, name: Any) -> Any:
    return given.get(name) if isinstance(given, Mapping) else given


def _with_dates(variable: xarray.Variable, name: Any, decode: Any, use_cftime: bool | None) -> xarray.Variable | None:
    """Return a variable of dates in another way, or None if it stays as it is."""
    if isinstance(decode, CFDatetimeCoder):
        if use_cftime is not None:
            raise TypeError("use_cftime and a CFDatetimeCoder, which has its own, cannot both be given")
        coder = decode
    elif decode is not None and not decode:
        return _seconds(variable, _DATE_ATTRS)
    elif use_cftime:
        coder = CFDatetimeCoder(use_cftime=True)
    else:
        return None
    decoded: xarray.Variable = coder.decode(_seconds(variable, _DATE_ATTRS), name)
    return decoded


def _with_steps(variable: xarray.Variable, decode: Any) -> xarray.Variable | None:
    """Return a variable of steps in another way, or None if it stays as it is."""
    if isinstance(decode, (CFTimedeltaCoder, CFDatetimeCoder)):
        unit = decode.time_unit
        if unit is None:
            return None
        out: xarray.Variable = variable.copy(data=variable.values.astype(f"timedelta64[{unit}]"))
        return out
    return None if decode is None or decode else _seconds(variable, _STEP_ATTRS)


def _seconds(variable: xarray.Variable, attrs: Mapping[str, Any]) -> xarray.Variable:
    """Return whole seconds; of values of which some are missing, as floating numbers with NaN."""
    values = variable.values
    seconds = values.astype(f"{values.dtype.kind}8[s]").astype(np.int64)
    missing = np.isnat(values)
    if missing.any():
        seconds = np.where(missing, np.nan, seconds.astype(np.float64))
    return xarray.Variable(variable.dims, seconds, {**variable.attrs, **attrs})
