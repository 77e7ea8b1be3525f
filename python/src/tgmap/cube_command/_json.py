# SPDX-License-Identifier: Apache-2.0
"""JSON of ``tgmap cube``, as ``docs/schema/cube.json`` and ``cube_cells.json`` describe it."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from ..cubes import Coordinate, Group, Plan, Reason, Variable


def as_json(plan: Plan, files: Sequence[str]) -> str:
    """Return a plan as one line."""
    return _line(
        {
            "files": [_text(os.fsencode(each)) for each in files],
            "objects": plan.row_count,
            "notes": [_reason(each) for each in plan.reasons if not each.variable],
            "groups": [_group(each) for each in plan.groups],
        }
    )


def cell_json(cell: Any, place: tuple[str, int, int] | None) -> str:
    """Return a cell as one line."""
    out: dict[str, Any] = {"group": cell.group, "variable": cell.variable, "labels": _labels(cell.labels)}
    if place is None:
        return _line({**out, "object": None})
    path, message, object = place
    name = os.fsencode(path)
    text = _text(name)
    hexadecimal = {} if text.encode("utf-8", "replace") == name else {"file_hex": name.hex()}
    return _line({**out, "object": {"file": text, **hexadecimal, "message": message, "object": object}})


def _group(group: Group) -> dict[str, Any]:
    return {
        "name": group.name,
        "where": group.where,
        "sizes": group.sizes,
        "coordinates": [_coordinate(each) for each in group.coordinates.values()],
        "variables": [_variable(each, group.reasons) for each in group.variables.values()],
    }


def _coordinate(coordinate: Coordinate) -> dict[str, Any]:
    values = coordinate.values
    out: dict[str, Any] = {"name": coordinate.name, "dims": list(coordinate.dims)}
    if values is None:
        return {**out, "dtype": None, "values": None}
    return {**out, "dtype": "text" if values.dtype.kind == "U" else str(values.dtype), "values": _nested(values)}


def _nested(values: Any) -> Any:
    if values.ndim == 0:
        return _value(values[()])
    return [_nested(each) if isinstance(each, np.ndarray) else _value(each) for each in values]


def _variable(variable: Variable, reasons: Iterable[Reason]) -> dict[str, Any]:
    outer = variable.cells.ndim
    return {
        "name": variable.name,
        "dims": list(variable.dims),
        "shape": list(variable.shape),
        "dims_between_objects": outer,
        "dtype": variable.dtype,
        "cells": variable.cells.size,
        "holes": variable.holes,
        "reasons": [_reason(each) for each in reasons if each.variable == variable.name],
    }


def _reason(reason: Reason) -> dict[str, str]:
    return {"key": reason.key, "role": reason.role, "text": reason.text}


def _labels(labels: Any) -> dict[str, Any]:
    return {name: _value(value) for name, value in labels.items()}


def _value(value: Any) -> Any:
    """Return a label: dates as ISO 8601, durations in seconds, None for what is absent."""
    if isinstance(value, (np.datetime64, np.timedelta64)):
        if np.isnat(value):
            return None
        if isinstance(value, np.datetime64):
            return str(value.astype("datetime64[s]"))
        return int(value.astype("timedelta64[s]").astype(np.int64))
    plain = value.item() if isinstance(value, np.generic) else value
    return None if isinstance(plain, float) and not math.isfinite(plain) else plain


def _text(name: bytes) -> str:
    return name.decode("utf-8", "replace")


def _line(value: Any) -> str:
    """Return JSON in one line, with what terminals would obey escaped."""
    return json.dumps(value, ensure_ascii=True, allow_nan=False, separators=(",", ":")) + "\n"
