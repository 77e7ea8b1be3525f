# SPDX-License-Identifier: Apache-2.0
"""Labels and attributes of datasets as keys of objects."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ..cubes import VARIABLE_KEYS, CubeError
from ..cubes._keys import DATE_ROLES
from ..cubes._profiles import variable_name
from ..cubes._roles import COORDINATE_ROLES, DATASET_ATTRIBUTES

MARS_KEYS = frozenset(
    "class stream expver type levtype levelist param number date time step hdate fcmonth domain system method origin "
    "grid area rotation model direction frequency quantile iteration channel wavelength timespan stepRange repres "
    "packing resol shortName fcperiod anoffset".split()
)
# Keys that readers take for labels, properties of objects or names, so that no attribute is found there again.
_LABEL_KEYS = COORDINATE_ROLES | {"date", "time", "hdate"}
_PROPERTIES = frozenset(
    "message object dtype encoding filter compression byte_order shape strides ndim hash version dim_names "
    "_reserved_".split()
)
# Keys whose values are names of variables, besides `name`.
_NAME_KEYS = (*(key for key in VARIABLE_KEYS if key != "name"), "mars.paramId", "paramId")
_NAME = re.compile(r"[^@.\[\]:\x00-\x1f][^\[\]:\x00-\x1f]*")


class Label(NamedTuple):
    """A coordinate between objects.

    Attributes:
        role: its role, or the key.
        dims: the dimensions of its values.
        values: the labels.
        starts: of intervals, whose ends the labels are.
    """

    role: str
    dims: tuple[str, ...]
    values: NDArray[Any]
    starts: NDArray[Any] | None

    def keys(self, position: Mapping[str, int]) -> dict[str, Any]:
        """Return the keys that the label of one cell means; none for NaN and NaT, and if a dimension is not given."""
        if not all(dim in position for dim in self.dims):
            return {}
        index = tuple(position[dim] for dim in self.dims)
        value = self.values[index]
        if value != value:
            return {}
        return keys_of(self.role, value, None if self.starts is None else self.starts[index])


def keys_of(role: str, value: Any, start: Any) -> dict[str, Any]:
    """Return the keys of a label."""
    if role in ("forecast_reference_time", "hdate", "month"):
        text = str(np.datetime64(value, "s"))
        date = int(text[:10].replace("-", ""))
        if role == "month":
            return {"mars.date": date // 100}
        time = text[11:].replace(":", "")
        if role == "hdate":
            return {"mars.hdate": date if time == "000000" else text}
        return {"mars.date": date, "mars.time": time[:4] if time.endswith("00") else time}
    if role == "valid_time":
        return {"valid_time": str(np.datetime64(value, "s"))}
    if role == "step":
        end = _step(value)
        return {"mars.step": end if start is None else f"{_step(start)}-{end}"}
    if isinstance(value, (np.datetime64, np.timedelta64)):
        return {role: str(value)}
    plain = value.item() if isinstance(value, np.generic) else value
    return {role if "." in role or role not in MARS_KEYS else f"mars.{role}": plain}


def _step(value: Any) -> int | str:
    """Return a duration as whole hours, or as text with its unit."""
    seconds = int(np.timedelta64(value, "s").astype(np.int64))
    if seconds % 3600 == 0:
        return seconds // 3600
    return f"{seconds // 60}m" if seconds % 60 == 0 else f"{seconds}s"


def put_attributes(metadata: dict[str, Any], attrs: Mapping[Any, Any]) -> list[tuple[str, str]]:
    """Store attributes as keys. Return the names of those that readers would not find again, with the reason."""
    lost = []
    for given, value in attrs.items():
        name = str(given)
        plain = plain_attribute(value)
        reason = _problem(name, value, plain)
        if not reason and not put(metadata, f"mars.{name}" if name in MARS_KEYS else name, plain):
            reason = "whose name is that of a map of keys"
        if reason:
            lost.append((name, reason))
    return lost


def _problem(name: str, value: Any, plain: Any) -> str:
    """Return why an attribute has no place in an archive, or empty text."""
    leaf = name.removeprefix("mars.")
    if leaf == DATASET_ATTRIBUTES:
        return "whose name is that of the list of attributes of the dataset"
    if plain is None:
        return f"which is {type(value).__name__}"
    if isinstance(plain, list) and any(isinstance(each, list) for each in plain):
        return "which has several dimensions"
    numbers = plain if isinstance(plain, list) else [plain]
    if any(each != each for each in numbers):
        return "which is not a number"
    if any(isinstance(each, int) and not -(2**63) <= each < 2**64 for each in numbers):
        return "which has more than 64 bits"
    if leaf in _LABEL_KEYS:
        return "whose name is that of a label; make it a coordinate"
    if is_property(name):
        return "whose name is that of a property of objects"
    if not is_name(name):
        return "whose name is no name of a key"
    return ""


def is_property(name: str) -> bool:
    """Return whether readers take a key for a property of objects."""
    return name in _PROPERTIES


def is_name(name: str) -> bool:
    """Return whether a text is the path of a key."""
    return _NAME.fullmatch(name) is not None and all(name.split("."))


def remove_other_names(metadata: dict[str, Any], name: str) -> list[str]:
    """Remove keys that name another variable, such as the parameter of one that was renamed. Return them."""
    removed = []
    for key in _NAME_KEYS:
        path = key.split(".")
        owner = metadata if len(path) == 1 else metadata.get(path[0])
        if not isinstance(owner, dict) or path[-1] not in owner:
            continue
        value = owner[path[-1]]
        if not isinstance(value, (str, int, float)) or name not in _names_of(value):
            del owner[path[-1]]
            removed.append(path[-1])
    return removed


def _names_of(value: Any) -> set[str]:
    return {variable_name(value, profile) for profile in ("mars", "cfgrib")}


def plain_of(value: Any, single: Callable[[Any], Any]) -> Any:
    """Return an attribute as Python has it: a list if it is an array, else what `single` returns; None if it has no place."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        found = [plain_of(each, single) for each in value]
        return None if any(each is None for each in found) else found
    return single(value)


def plain_attribute(value: Any) -> Any:
    """Return an attribute as metadata has it, or None."""
    return plain_of(value, lambda each: each if isinstance(each, (str, bool, int, float)) else None)


def put(metadata: dict[str, Any], key: str, value: Any) -> bool:
    """Store a value below the path of its key. Return False if the path has another meaning."""
    *path, leaf = key.split(".")
    for each in path:
        metadata = metadata.setdefault(each, {})
        if not isinstance(metadata, dict):
            return False
    if isinstance(metadata.get(leaf), dict) or key == "mars":
        return False
    metadata[leaf] = value
    return True


def are_months(values: Any) -> bool:
    """Return whether all dates are the first second of a month."""
    return values.dtype.kind == "M" and bool((values.astype("datetime64[M]") == values).all())


def check_times(name: str, role: str, values: NDArray[Any]) -> None:
    """Raise CubeError for dates and steps that keys of MARS do not have."""
    if role not in ("step", *DATE_ROLES):
        return
    kind, what = ("m", "timedelta64") if role == "step" else ("M", "datetime64")
    if values.dtype.kind != kind:
        raise CubeError(f"the coordinate '{name}' is of {values.dtype}, not of {what}; convert it, or take keys=")
    known = values[~np.isnat(values)]
    if (known.astype(f"{what}[s]") != known).any():
        raise CubeError(f"the coordinate '{name}' has parts of a second, which keys of MARS do not have; round it")
    years = known.astype("datetime64[Y]").astype(np.int64) + 1970 if kind == "M" else known.astype(np.int64) * 0 + 1970
    first = 0 if role == "valid_time" else 1000  # dates of MARS are numbers of eight digits
    if ((years < first) | (years > 9999)).any():
        raise CubeError(f"the coordinate '{name}' has dates outside of the years {first} to 9999, which no key has")
    if role == "step" and (known < np.timedelta64(0, "s")).any():
        raise CubeError(f"the coordinate '{name}' has negative steps, which keys of MARS do not have")


def check_index(name: str, values: NDArray[Any]) -> None:
    """Raise CubeError if labels of a dimension are missing, or are there twice."""
    absent = np.flatnonzero([each != each for each in values])
    if len(absent):
        raise CubeError(f"the coordinate '{name}' has no label at {absent[0]}; drop or replace these cells")
    found, counts = np.unique(values.astype(str) if values.dtype.kind == "O" else values, return_counts=True)
    if (counts > 1).any():
        label = shown_labels(found[counts > 1], 1)
        raise CubeError(f"the coordinate '{name}' has the label {label} twice; objects of both would be in one cell")


def shown_labels(values: NDArray[Any], most: int) -> str:
    """Return the first labels as people write them: dates with seconds, steps with their unit."""
    found = values[:most]
    if values.dtype.kind == "M":
        found = np.datetime_as_string(found.astype("datetime64[s]"))
    texts = [f"{each / np.timedelta64(1, 'h'):g}h" if values.dtype.kind == "m" else str(each) for each in found]
    return ", ".join(texts) + (", ..." if 1 < most < len(values) else "")
