# SPDX-License-Identifier: Apache-2.0
"""Cubes as arrays of Zarr: dtypes, attributes, and labels as the CF conventions store them. Does not need Zarr."""

from __future__ import annotations

import math
import re
import warnings
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import _shown
from .._warnings import stacklevel_of_caller
from ..cubes import Coordinate, CubeWarning, Group, Variable
from ..cubes._columns import Numbers
from ..datasets._labels import plain_of
from ..datasets._sources import Places

_NOT_A_TIME = -(2**63)
_SHOWN = 1000
# Readers change values by these attributes, or take arrays for coordinates.
_DECODED = frozenset(
    "_FillValue missing_value scale_factor add_offset _Unsigned coordinates calendar bounds grid_mapping dtype "
    "_ARRAY_DIMENSIONS".split()
)
_TIME_UNITS = re.compile(r"\s*\w+\s+since\b", re.IGNORECASE)


@dataclass(frozen=True)
class ZarrArray:
    """An array of a group.

    Attributes:
        dims: the dimensions between objects, then those inside of objects.
        dtype: of the elements that readers get, little endian.
        values: the elements; None if they are those of objects.
        cells: the row of the object of each cell, -1 for a hole.
        inner_shape: the shape of an object.
    """

    name: str
    dims: tuple[str, ...]
    dtype: np.dtype[Any]
    attrs: Mapping[str, Any]
    values: NDArray[Any] | None = None
    cells: Numbers = field(default_factory=lambda: np.zeros((), dtype=np.int64))
    inner_shape: tuple[int, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        return (*self.cells.shape, *self.inner_shape) if self.values is None else self.values.shape

    def metadata(self, chunks: tuple[int, ...], codecs: list[dict[str, Any]] | None = None) -> dict[str, Any]:
        """Return the metadata of the array, as a document of Zarr v3 has it.

        Args:
            chunks: the shape of a chunk.
            codecs: default: elements as they are.
        """
        return {
            "zarr_format": 3,
            "node_type": "array",
            "shape": list(self.shape),
            "data_type": data_type(self.dtype),
            "chunk_grid": {"name": "regular", "configuration": {"chunk_shape": list(chunks)}},
            "chunk_key_encoding": {"name": "default", "configuration": {"separator": "/"}},
            "fill_value": fill_value(self.dtype),
            "codecs": codecs or [bytes_codec(self.dtype)],
            "attributes": dict(self.attrs),
            "dimension_names": list(self.dims),
            "storage_transformers": [],
        }


@dataclass(frozen=True)
class ZarrGroup:
    """The arrays of a cube.

    Attributes:
        omitted: what has no place in Zarr, in words, with the addresses of objects.
    """

    name: str
    arrays: Mapping[str, ZarrArray]
    attrs: Mapping[str, Any]
    omitted: tuple[str, ...]


def group_of(group: Group, places: Places, drop_variables: str | Iterable[str] | None = None) -> ZarrGroup:
    """Return a cube as a group of Zarr, without some variables."""
    dropped = {drop_variables} if isinstance(drop_variables, str) else set(drop_variables or ())
    omitted: list[str] = []
    arrays: dict[str, ZarrArray] = {}
    for name, coordinate in group.coordinates.items():
        if name not in dropped and _is_name(name, "coordinate", omitted):
            arrays[name] = _of_coordinate(coordinate, group.sizes, places, omitted)
    for name, variable in group.variables.items():
        if name in dropped:
            continue
        where = _first_address(variable, places)
        if _is_name(name, f"variable of {where}", omitted):
            attrs = _plain_attrs(variable.attrs, f"'{_shown(name)}' ({where})", omitted)
            dtype = element_dtype(variable.dtype)
            arrays[name] = ZarrArray(name, variable.dims, dtype, attrs, None, variable.cells, variable.inner_shape)
    attrs = _plain_attrs(group.attrs, "the group", omitted)
    auxiliary = [name for name in group.coordinates if name in arrays and arrays[name].dims != (name,)]
    spaced = [name for name in auxiliary if len(name.split()) != 1]
    if spaced:
        omitted.append(f"that '{_shown(spaced[0])}' is a coordinate, whose name has spaces; use rename=")
    if auxiliary:
        attrs["coordinates"] = " ".join(name for name in auxiliary if name not in spaced)
    return ZarrGroup(group.name, arrays, attrs, tuple(omitted))


def element_dtype(name: str) -> np.dtype[Any]:
    """Return the dtype that readers of Zarr get for a dtype of the format. Zarr has no bfloat16: float32 holds it."""
    if name == "bitmask":
        return np.dtype(bool)
    return np.dtype("<f4") if name == "bfloat16" else np.dtype(name).newbyteorder("<")


def to_elements(found: NDArray[Any], dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return elements in the dtype that readers get. All of its values are equal to those found."""
    if found.dtype.name == "bfloat16" or found.dtype == np.dtype("V2"):
        bits = np.ascontiguousarray(found).reshape(-1).view(np.uint16).astype(np.uint32)
        found = (bits << 16).view(np.float32).reshape(found.shape)
    return found.astype(dtype, copy=False)


def data_type(dtype: np.dtype[Any]) -> Any:
    """Return the name of a dtype in Zarr v3."""
    if dtype.kind == "U":
        return {"name": "fixed_length_utf32", "configuration": {"length_bytes": dtype.itemsize}}
    return dtype.name


def fill_value(dtype: np.dtype[Any]) -> Any:
    """Return what cells without an object are: NaN, if the dtype has it."""
    if dtype.kind == "c":
        return ["NaN", 0.0]
    return {"f": "NaN", "b": False, "U": ""}.get(dtype.kind, 0)


def missing(dtype: np.dtype[Any]) -> Any:
    """Return the same as NumPy has it."""
    return np.nan if dtype.kind in "fc" else fill_value(dtype)


def bytes_codec(dtype: np.dtype[Any], endian: str = "little") -> dict[str, Any]:
    """Return the codec for elements as they are."""
    return {"name": "bytes", "configuration": {"endian": endian}} if dtype.itemsize > 1 else {"name": "bytes"}


def _of_coordinate(
    coordinate: Coordinate, sizes: Mapping[str, int], places: Places, omitted: list[str]
) -> ZarrArray:
    name, values = coordinate.name, coordinate.values
    attrs = _plain_attrs(coordinate.attrs, f"the coordinate '{_shown(name)}'", omitted, coordinate.attrs)
    if values is None:
        assert coordinate.row is not None
        row = np.array(coordinate.row, dtype=np.int64)
        found = places.dtypes[int(places.kinds[coordinate.row])]
        shape = tuple(sizes[dim] for dim in coordinate.dims)
        dtype = element_dtype("bfloat16" if found.kind == "V" else found.name)
        return ZarrArray(name, coordinate.dims, dtype, attrs, None, row, shape)
    if values.dtype.kind in "mM":
        unit = np.datetime_data(values.dtype)[0]
        if values.dtype.kind == "M":
            attrs.update(units="seconds since 1970-01-01", calendar="proleptic_gregorian")
        else:
            attrs.update(units="seconds", dtype=f"timedelta64[{unit}]")
        values = values.astype(f"{values.dtype.kind}8[s]").astype(np.int64)
        if (values == _NOT_A_TIME).any():
            attrs["_FillValue"] = _NOT_A_TIME
    values = np.ascontiguousarray(values).reshape(values.shape)
    return ZarrArray(name, coordinate.dims, values.dtype, attrs, values.astype(values.dtype.newbyteorder("<")))


def _plain_attrs(
    attrs: Mapping[str, Any], of: str, omitted: list[str], allowed: Iterable[str] = ()
) -> dict[str, Any]:
    """Return attributes that JSON has and by which readers change nothing."""
    out = {}
    for key, value in attrs.items():
        plain = _plain(value)
        changes = key in _DECODED or (key == "units" and isinstance(plain, str) and _TIME_UNITS.match(plain))
        if plain is None:
            omitted.append(f"the attribute '{_shown(key)}' of {of}, which JSON does not have")
        elif changes and key not in allowed:
            omitted.append(f"the attribute '{_shown(key)}' of {of}, by which readers would change values")
        else:
            out[key] = plain
    return out


def _plain(value: Any) -> Any:
    """Return an attribute as JSON has it, or None."""
    return plain_of(value, _plain_single)


def _plain_single(value: Any) -> Any:
    if isinstance(value, Mapping):
        items = {str(key): _plain(each) for key, each in value.items()}
        return None if any(each is None for each in items.values()) else items
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    return value if isinstance(value, (str, bool, int)) else None


def _is_name(name: str, what: str, omitted: list[str]) -> bool:
    """Return whether Zarr allows a name of an array; if not, say so."""
    is_one = bool(name) and "/" not in name and "\0" not in name and not name.startswith(("__", ".z"))
    is_one = is_one and name not in ("zarr.json", "c") and bool(name.strip("."))
    if not is_one:
        omitted.append(f"'{_shown(name)}', a {what}, which is no name for Zarr; use rename=")
    return is_one


def _first_address(variable: Variable, places: Places) -> str:
    rows = variable.cells[variable.cells >= 0]
    return places.address(int(rows[0])) if rows.size else "no object"


def warn_of_omitted(omitted: Iterable[str]) -> None:
    """Warn of what has no place in Zarr. Long texts are cut."""
    shown = [each if len(each) <= _SHOWN else f"{each[:_SHOWN]}... (all are in `omitted`)" for each in omitted]
    if shown:
        text = "; ".join(shown)
        warnings.warn(f"what Zarr has no place for was left out: {text}", CubeWarning, stacklevel_of_caller())
