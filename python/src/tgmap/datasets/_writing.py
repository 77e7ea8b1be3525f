# SPDX-License-Identifier: Apache-2.0
"""Datasets of xarray as archives: one object for each field, with the keys that its labels mean."""

from __future__ import annotations

import math
import os
import warnings
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import xarray
from numpy.typing import NDArray

from .._paths import as_text
from .._warnings import stacklevel_of_caller
from .._writing import create
from ..cubes import CANDIDATES, CubeError, CubeWarning
from ..cubes._grids import COORDINATE_NAMES
from ..cubes._profiles import dimension_names, variable_name
from ..cubes._roles import DATASET_ATTRIBUTES
from ..cubes._texts import listed, quoted
from ._appending import Extension
from ._attributes import listed_attributes
from ._axis_labels import axis_labels
from ._checks import check_pipeline, check_target, check_variables, has_other_times, hint_of
from ._folders import own_folder
from ._labels import (
    Label,
    are_months,
    check_index,
    check_times,
    put,
    put_attributes,
    remove_other_names,
)
from ._layout import Field, MessageSet
from ._parallel import ParallelWrite
from ._parts import append_in_parts

_DERIVED = frozenset({"valid_time", "direction_degrees", "frequency_hz"})
_LOADED_BYTES = 16 << 20


class Writer:
    """Writes one Dataset. See :meth:`TgmAccessor.to_tgm`."""

    def __init__(self, dataset: xarray.Dataset, pipeline: Mapping[str, Any], keys: Mapping[str, str | None]):
        self._dataset = dataset
        self._pipeline = pipeline
        self._keys = keys
        self._lost: dict[str, None] = {}
        unknown = [name for name in keys if name not in dataset.coords and name not in dataset.dims]
        if unknown:
            raise CubeError(
                f"keys= names {quoted(unknown[0])}, which is no coordinate; there are {listed(list(dataset.coords))}"
            )
        check_variables(dataset)
        check_pipeline(dataset, pipeline)
        self._roles = {str(name): self._role(str(name)) for name in (*dataset.dims, *dataset.coords)}
        known = set(self._roles.values())
        is_derived = "step" in known and bool(known & {"forecast_reference_time", "hdate"})
        self._derived = _DERIVED if is_derived else _DERIVED - {"valid_time"}
        self._outer = [str(dim) for dim in dataset.dims if self._roles[str(dim)] is not None]
        for dim in self._outer:
            if dim not in dataset.coords:
                raise CubeError(f"the dimension '{dim}' has no coordinate, whose labels would be the values of its key")
        self._labels = self._find_labels()
        self._axis_labels, self._not_stored = axis_labels(dataset, self._roles, keys)
        for name in self._axis_labels:
            if dataset.coords[name].attrs and name not in CANDIDATES:
                self._lost[f"the attributes of the coordinate '{name}'"] = None
        self._dataset_attributes = listed_attributes(dataset)

    def write(self, path: Any, compute: bool = True, append_dim: str | None = None) -> Any:
        """Write the archive. A file of this name is replaced, or extended, when all of it is written.

        Returns:
            None, or a Delayed of Dask without `compute`.
        """
        text = os.path.abspath(as_text(path))
        check_target(text)
        sets = self._message_sets()
        if not sum(math.prod(each.sizes) for each in sets):
            raise CubeError("a dimension between objects has no labels, so that there are no fields to write")
        extension: Extension | None = None
        if append_dim is not None and self._is_an_extension(text, append_dim):
            extension = Extension(text, append_dim, str(self._roles[append_dim]), sets)
        if self._lost:
            text_of_lost = "what an archive has no place for was left out: " + "; ".join(self._lost)
            warnings.warn(text_of_lost, CubeWarning, stacklevel_of_caller())
        is_lazy = any(self._dataset[name].chunks is not None for each in sets for name in each.names)
        if is_lazy or not compute:
            parallel = ParallelWrite(text, sets, [self._arrays(each) for each in sets], extension)
            return parallel.compute() if compute else parallel.delayed()
        if extension is not None:
            append_in_parts(text, sets, self._elements, extension)
        elif os.path.exists(text):
            self._write(text, sets)
        else:
            self._write_new(text, sets)
        return None

    def _is_an_extension(self, path: str, append_dim: str) -> bool:
        if append_dim not in self._outer:
            dims = ", ".join(self._outer) or "none"
            is_scalar = append_dim in self._dataset.coords and not self._dataset.coords[append_dim].dims
            how = f"; expand_dims('{append_dim}') makes one of the scalar coordinate" if is_scalar else ""
            raise CubeError(
                f"append_dim is '{append_dim}', which is no dimension between objects; there are: {dims}{how}"
            )
        for name, array in self._dataset.data_vars.items():
            if append_dim not in array.dims:
                raise CubeError(
                    f"the variable '{name}' has no dimension '{append_dim}' along which it could be appended; drop it"
                )
        return os.path.exists(path) and os.path.getsize(path) > 0

    def _write_new(self, path: str, sets: Sequence[MessageSet]) -> None:
        with own_folder(path) as folder:
            partial = os.path.join(folder, "whole.tgm")
            self._write(partial, sets)
            os.replace(partial, os.path.realpath(path))

    def _write(self, path: str, sets: Sequence[MessageSet]) -> None:
        out: Any
        with create(path) as out:
            for each in sets:
                for message in each.messages(self._elements(each)):
                    out.write(message)

    def _elements(self, of: MessageSet) -> Any:
        """Return a function that gives the elements of one field. A few neighbours are loaded at once."""
        arrays = self._arrays(of)
        split = [_leading(each, len(of.dims)) for each in arrays]
        loaded: dict[int, tuple[tuple[int, ...], NDArray[Any]]] = {}

        def load(number: int, index: tuple[int, ...]) -> NDArray[Any]:
            leading = index[: split[number]]
            if number not in loaded or loaded[number][0] != leading:
                loaded.pop(number, None)  # its memory is free before others are loaded
                loaded[number] = leading, np.asarray(arrays[number][leading].values)
            return np.asarray(loaded[number][1][index[split[number] :]])

        return load

    def _arrays(self, of: MessageSet) -> list[xarray.Variable]:
        """Return the variables of messages, with the dimensions between objects first."""
        return [self._dataset[name].variable.transpose(*of.dims, ...) for name in of.names]

    def _message_sets(self) -> list[MessageSet]:
        names: dict[tuple[str, ...], list[str]] = {}
        for name, array in self._dataset.data_vars.items():
            names.setdefault(tuple(dim for dim in self._outer if dim in array.dims), []).append(str(name))
        self._note_lost_coordinates(list(names.values()))
        return [self._message_set(*each) for each in names.items()]

    def _message_set(self, dims: tuple[str, ...], names: Sequence[str]) -> MessageSet:
        return MessageSet(
            dims,
            tuple(self._dataset.sizes[dim] for dim in dims),
            [self._field(name) for name in names],
            [self._coordinate(each) for each in self._coordinates_of(names)],
            self._labels,
        )

    def _field(self, name: str) -> Field:
        array = self._dataset[name]
        dtype = "bitmask" if array.dtype == bool else array.dtype.name
        shape = tuple(array.sizes[dim] for dim in array.dims if dim not in self._outer)
        return Field(name, self._metadata(name), self._options(name), dtype, shape, self._own_labels(name))

    def _own_labels(self, name: str) -> list[Label]:
        """Return the intervals of a variable whose starts are not those of the others."""
        out = []
        for step, role in self._roles.items():
            bounds = self._dataset.coords.get(f"{step}_bounds_{name}")
            if role == "step" and bounds is not None and step in self._dataset.coords:
                ends = self._dataset.coords[step].variable
                starts = np.asarray(bounds.variable.transpose(*ends.dims, ...).values)[..., 0]
                check_times(f"{step}_bounds_{name}", role, starts)
                out.append(Label(role, tuple(map(str, ends.dims)), np.asarray(ends.values), starts))
        return out

    # ---- keys --------------------------------------------------------------------------------------

    def _role(self, name: str) -> str | None:
        """Return the role or the key of a coordinate between objects; None for those inside of them."""
        if name in self._keys:
            return self._keys[name]
        role = {**dimension_names(), "type": "type"}.get(name)  # of an ensemble with its control
        if role is None or name not in self._dataset.coords:
            return None
        variable = self._dataset.coords[name].variable
        if not set(map(str, variable.dims)) <= self._outer_names():
            return None
        if name == "time" and variable.dtype.kind != "M":
            return "time"
        if name in ("time", "month") and "bounds" in variable.attrs and are_months(variable.values):
            return "month"
        return role

    def _outer_names(self) -> set[str]:
        known = {dim for dim in dimension_names() if dim in self._dataset.coords} | set(self._keys)
        return {str(dim) for dim in self._dataset.dims if dim in known}

    def _find_labels(self) -> list[Label]:
        out = []
        for name, role in self._roles.items():
            if role is None or name not in self._dataset.coords or name in self._derived:
                continue
            variable = self._dataset.coords[name].variable
            if role == "step" and "month" in self._roles.values():
                self._lost[f"the coordinate '{name}', as a month with a step would be a date"] = None
                continue
            bounds = self._dataset.coords.get(str(variable.attrs.get("bounds", "")))
            starts = None if bounds is None or role != "step" else np.asarray(bounds.values)[..., 0]
            for values in (np.asarray(variable.values), *(() if starts is None else (starts,))):
                check_times(name, role, values)
            if variable.dims == (name,):
                check_index(name, np.asarray(variable.values))
            out.append(Label(role, tuple(map(str, variable.dims)), np.asarray(variable.values), starts))
        return out

    def _metadata(self, name: str) -> dict[str, Any]:
        """Return the keys that all objects of a variable have."""
        metadata: dict[str, Any] = {}
        array = self._dataset[name]
        for attribute, reason in put_attributes(metadata, {**self._dataset.attrs, **array.attrs}):
            of = f"'{name}'" if attribute in map(str, array.attrs) else "the dataset"
            self._lost[f"the attribute '{attribute}' of {of}, {reason}"] = None
        for key in remove_other_names(metadata, name):
            self._lost[f"the attribute '{key}' of '{name}', which is that of another variable"] = None
        named = metadata.get("name", metadata.get("mars", {}).get("param"))
        if named is None or name not in {variable_name(named, profile) for profile in ("mars", "cfgrib")}:
            if "name" in metadata:
                self._lost[f"the attribute 'name' of '{name}', which is that of the variable"] = None
            metadata["name"] = name
        inner = [str(dim) for dim in array.dims if dim not in self._outer]
        if inner:
            metadata["dim_names"] = inner
        for coordinate, labels in self._label_lists(array.variable).items():
            if not put(metadata, coordinate, labels):
                self._lost[f"the labels of '{coordinate}' in '{name}', whose name is that of other keys"] = None
        if self._dataset_attributes is not None:
            metadata[DATASET_ATTRIBUTES] = self._dataset_attributes
        return metadata

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

    def _coordinate(self, name: str) -> tuple[NDArray[Any], dict[str, Any]]:
        variable = self._dataset.coords[name].variable
        return np.asarray(variable.values), {"name": name, "dim_names": [str(dim) for dim in variable.dims]}

    def _label_lists(self, array: xarray.Variable) -> dict[str, list[Any]]:
        """Return the coordinates that are lists of labels of an axis: the index of the axis, names of variables, levels
        and the like."""
        return {name: labels for name, (dim, labels) in self._axis_labels.items() if dim in array.dims}

    # ---- what has no place -------------------------------------------------------------------------

    def _note_lost_coordinates(self, sets: Sequence[Sequence[str]]) -> None:
        for name in map(str, self._dataset.data_vars):
            if name.lower() in COORDINATE_NAMES and len(self._dataset.data_vars) > 1:
                self._lost[f"that '{name}' is a variable, as readers take it for a coordinate"] = None
        inner = {name for names in sets for name in self._coordinates_of(names)}
        for names in sets:
            inner |= {label for name in names for label in self._label_lists(self._dataset[name].variable)}
        bounds = {str(each.attrs["bounds"]) for each in self._dataset.coords.values() if "bounds" in each.attrs}
        steps = [name for name, role in self._roles.items() if role == "step"]
        bounds |= {f"{step}_bounds_{name}" for step in steps for name in map(str, self._dataset.data_vars)}
        for name in self._derived & set(map(str, self._dataset.coords)):
            if name == "valid_time" and has_other_times(self._dataset.coords[name].variable, self._labels):
                self._lost["the coordinate 'valid_time', which is not the sum of the initial time and the step"] = None
        for name in map(str, self._dataset.coords):
            if (
                self._roles[name] is None
                and name not in inner | bounds | _DERIVED
                and self._keys.get(name, "") is not None
            ):
                how = f"keys={{'{name}': '{hint_of(name)}'}} writes it as a key of each object"
                if name in self._not_stored:
                    how = self._not_stored[name]
                self._lost[f"the coordinate '{name}' ({how})"] = None


def _leading(array: xarray.Variable, count: int) -> int:
    """Return how many of the first `count` dimensions are indexed so that what is loaded at once is small."""
    for axis in range(count):
        if int(np.prod(array.shape[axis:], dtype=np.int64)) * array.dtype.itemsize <= _LOADED_BYTES:
            return axis
    return count
