# SPDX-License-Identifier: Apache-2.0
"""Datasets of xarray as archives: one object for each field, with the keys that its labels mean."""

from __future__ import annotations

import itertools
import os
import tempfile
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray

from .._core import NewObject
from .._paths import as_text
from .._writing import create
from ..cubes import CANDIDATES, CubeError, CubeWarning
from ..cubes._grids import COORDINATE_NAMES
from ..cubes._profiles import dimension_names, variable_name

_MARS_KEYS = frozenset(
    "class stream expver type levtype levelist param number date time step hdate fcmonth domain system method origin "
    "grid area rotation model direction frequency quantile iteration channel wavelength timespan stepRange repres "
    "packing resol shortName fcperiod anoffset".split()
)
_DERIVED = frozenset({"valid_time", "direction_degrees", "frequency_hz"})
_LABELS = frozenset({"variables", "variable"})
_STORED_KINDS = "biufc"


class Writer:
    """Writes one Dataset. See :meth:`TgmAccessor.to_tgm`."""

    def __init__(self, dataset: xarray.Dataset, pipeline: Mapping[str, Any], keys: Mapping[str, str | None]):
        self._dataset = dataset
        self._pipeline = pipeline
        self._keys = keys
        self._lost: list[str] = []
        unknown = [name for name in keys if name not in dataset.coords and name not in dataset.dims]
        if unknown:
            raise CubeError(
                f"keys= names {unknown[0]!r}, which is no coordinate; there are {', '.join(map(str, dataset.coords))}"
            )
        self._roles = {str(name): self._role(str(name)) for name in (*dataset.dims, *dataset.coords)}
        known = set(self._roles.values())
        is_derived = "step" in known and bool(known & {"forecast_reference_time", "hdate"})
        self._derived = _DERIVED if is_derived else _DERIVED - {"valid_time"}
        self._outer = [str(dim) for dim in dataset.dims if self._roles[str(dim)] is not None]
        for dim in self._outer:
            if dim not in dataset.coords:
                raise CubeError(f"the dimension '{dim}' has no coordinate, whose labels would be the values of its key")
        self._check_variables()
        self._columns = self._label_columns()

    def write(self, path: Any) -> None:
        """Write the archive. A file of this name is replaced when all of it is written."""
        text = as_text(path)
        if os.path.exists(text):
            self._write(text)
        else:
            handle, partial = tempfile.mkstemp(prefix=".", suffix=".tgm", dir=os.path.dirname(os.path.abspath(text)))
            os.close(handle)
            os.unlink(partial)  # the writer creates it with the permissions of a new file
            try:
                self._write(partial)
                os.replace(partial, text)
            except BaseException:
                if os.path.exists(partial):
                    os.unlink(partial)
                raise
        if self._lost:
            warnings.warn("what an archive has no place for was left out: " + "; ".join(self._lost), CubeWarning, 3)

    def _write(self, path: str) -> None:
        groups: dict[tuple[str, ...], list[str]] = {}
        for name, array in self._dataset.data_vars.items():
            groups.setdefault(tuple(dim for dim in self._outer if dim in array.dims), []).append(str(name))
        self._note_what_is_lost(groups)
        out: Any
        with create(path) as out:
            for dims, names in groups.items():
                for message in self._messages(dims, names):
                    out.write(message)

    def _messages(self, dims: tuple[str, ...], names: Sequence[str]) -> Iterator[list[NewObject]]:
        """Return the objects of one message for each combination of labels."""
        coordinates = [self._coordinate_object(each) for each in self._coordinates_of(names)]
        variables = [(self._template(name), self._dataset[name].variable, self._options(name)) for name in names]
        sizes = [self._dataset.sizes[dim] for dim in dims]
        for index in itertools.product(*(range(size) for size in sizes)):
            position = dict(zip(dims, index))
            labels = self._labels(position)
            fields = [self._field(keys, labels, array.isel(position), options) for keys, array, options in variables]
            yield [*coordinates, *fields]

    # ---- keys --------------------------------------------------------------------------------------

    def _role(self, name: str) -> str | None:
        """Return the role or the key of a coordinate between objects; None for those inside of them."""
        if name in self._keys:
            return self._keys[name]
        role = dimension_names().get(name)
        if role is None or name not in self._dataset.coords:
            return None
        variable = self._dataset.coords[name].variable
        if not set(map(str, variable.dims)) <= self._outer_names():
            return None
        if name == "time" and variable.dtype.kind != "M":
            return "time"
        if name in ("time", "month") and "bounds" in variable.attrs:
            return "month"
        return role

    def _outer_names(self) -> set[str]:
        known = {dim for dim in dimension_names() if dim in self._dataset.coords} | set(self._keys)
        return {str(dim) for dim in self._dataset.dims if dim in known}

    def _label_columns(self) -> list[tuple[str, tuple[str, ...], NDArray[Any], NDArray[Any] | None]]:
        """Return the role of each label between objects, its dimensions, its values, and the starts of intervals."""
        out = []
        for name, role in self._roles.items():
            if role is None or name not in self._dataset.coords or name in self._derived:
                continue
            variable = self._dataset.coords[name].variable
            bounds = self._dataset.coords.get(str(variable.attrs.get("bounds", "")))
            starts = None if bounds is None or role != "step" else np.asarray(bounds.values)[..., 0]
            out.append((role, tuple(map(str, variable.dims)), np.asarray(variable.values), starts))
        return out

    def _labels(self, position: Mapping[str, int]) -> dict[str, Any]:
        """Return the keys that the labels of one cell mean."""
        out: dict[str, Any] = {}
        for role, dims, values, starts in self._columns:
            if all(dim in position for dim in dims):
                index = tuple(position[dim] for dim in dims)
                value = values[index]
                if value == value:  # not NaN or NaT
                    out.update(_keys_of(role, value, None if starts is None else starts[index]))
        return out

    def _template(self, name: str) -> dict[str, Any]:
        """Return the keys that all objects of a variable have."""
        metadata: dict[str, Any] = {}
        array = self._dataset[name]
        for key, value in {**self._dataset.attrs, **array.attrs}.items():
            plain = _plain(value)
            if plain is not None:
                _put(metadata, f"mars.{key}" if key in _MARS_KEYS else str(key), plain)
        named = metadata.get("name", metadata.get("mars", {}).get("param"))
        if named is None or name not in {variable_name(named, profile) for profile in ("mars", "cfgrib")}:
            metadata["name"] = name
        inner = [str(dim) for dim in array.dims if dim not in self._outer]
        if inner:
            metadata["dim_names"] = inner
        for coordinate in self._label_lists(array.variable):
            metadata[coordinate] = self._dataset.coords[coordinate].values.tolist()
        return metadata

    def _field(self, template: Mapping[str, Any], labels: Mapping[str, Any], array: Any, options: Any) -> NewObject:
        metadata = {key: dict(value) if isinstance(value, dict) else value for key, value in template.items()}
        for key, value in labels.items():
            _put(metadata, key, value)
        return NewObject(np.asarray(array.values), metadata, **options)

    def _options(self, name: str) -> dict[str, Any]:
        own = self._pipeline.get(name)
        options = (
            dict(own)
            if isinstance(own, Mapping)
            else {key: value for key, value in self._pipeline.items() if not isinstance(value, Mapping)}
        )
        if not options:
            return {"check_elements": False}  # NaN are stored as they are, so that readers get views
        return {"allow_nan": True, "allow_infinity": True, **options}

    # ---- coordinates inside of objects -------------------------------------------------------------

    def _coordinates_of(self, names: Sequence[str]) -> list[str]:
        """Return the latitudes and longitudes that some variables have."""
        dims = {str(dim) for name in names for dim in self._dataset[name].dims} - set(self._outer)
        return [
            str(name)
            for name, each in self._dataset.coords.items()
            if str(name).lower() in COORDINATE_NAMES and each.dims and set(map(str, each.dims)) <= dims
        ]

    def _coordinate_object(self, name: str) -> NewObject:
        variable = self._dataset.coords[name].variable
        metadata = {"name": name, "dim_names": [str(dim) for dim in variable.dims]}
        return NewObject(np.asarray(variable.values), metadata)

    def _label_lists(self, array: xarray.Variable) -> list[str]:
        """Return the coordinates that are lists of labels of an axis: names of variables, levels and the like."""
        return [
            str(name)
            for name, each in self._dataset.coords.items()
            if (str(name) in _LABELS or str(name) in CANDIDATES)
            and len(each.dims) == 1
            and each.dims[0] in array.dims
            and self._roles[str(name)] is None
            and each.dtype.kind in "iufUO"
        ]

    # ---- what has no place -------------------------------------------------------------------------

    def _check_variables(self) -> None:
        for name, array in self._dataset.data_vars.items():
            if array.dtype.kind not in _STORED_KINDS and array.dtype.name != "bfloat16":
                raise CubeError(
                    f"the variable '{name}' has the dtype {array.dtype}, which an archive does not store; drop it"
                )

    def _note_what_is_lost(self, groups: Mapping[tuple[str, ...], Sequence[str]]) -> None:
        inner = {name for names in groups.values() for name in self._coordinates_of(names)}
        for names in groups.values():
            inner |= {label for name in names for label in self._label_lists(self._dataset[name].variable)}
        bounds = {str(each.attrs["bounds"]) for each in self._dataset.coords.values() if "bounds" in each.attrs}
        for name in map(str, self._dataset.coords):
            if (
                self._roles[name] is None
                and name not in inner | bounds | _DERIVED
                and self._keys.get(name, "") is not None
            ):
                self._lost.append(
                    f"the coordinate '{name}' (keys={{'{name}': 'KEY'}} writes it as a key of each object)"
                )
        for name, attrs in [
            ("the dataset", self._dataset.attrs),
            *((str(n), a.attrs) for n, a in self._dataset.data_vars.items()),
        ]:
            for key, value in attrs.items():
                if _plain(value) is None:
                    self._lost.append(f"the attribute '{key}' of {name}, which is {type(value).__name__}")


def _keys_of(role: str, value: Any, start: Any) -> dict[str, Any]:
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
    return {role if "." in role or role not in _MARS_KEYS else f"mars.{role}": value.item()}


def _step(value: Any) -> int | str:
    """Return a duration as whole hours, or as text with its unit."""
    seconds = int(np.timedelta64(value, "s").astype(np.int64))
    if seconds % 3600 == 0:
        return seconds // 3600
    return f"{seconds // 60}m" if seconds % 60 == 0 else f"{seconds}s"


def _plain(value: Any) -> Any:
    """Return an attribute as metadata has it, or None."""
    if isinstance(value, (np.generic, np.ndarray)):
        value = value.tolist()
    if isinstance(value, (list, tuple)):
        found = [_plain(each) for each in value]
        return None if any(each is None for each in found) else found
    return value if isinstance(value, (str, bool, int, float)) else None


def _put(metadata: dict[str, Any], key: str, value: Any) -> None:
    *path, leaf = key.split(".")
    for each in path:
        metadata = metadata.setdefault(each, {})
    metadata[leaf] = value
