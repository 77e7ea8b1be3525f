# SPDX-License-Identifier: Apache-2.0
"""Cubes as text: their dimensions, and why they are so."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._plan import Coordinate, Group, Plan, Reason

_SHOWN = 3


def explain(plan: Plan) -> str:
    """Return the groups of a plan with their reasons, for people."""
    count = len(plan.groups)
    lines = [f"{plan.row_count} objects, {count} {'cube' if count == 1 else 'cubes'}"]
    for group in plan.groups:
        lines += ["", *_group(group, plan.reasons)]
    return "\n".join(lines)


def _group(group: Group, reasons: tuple[Reason, ...]) -> list[str]:
    lines = [group.name + (f"  (where: {group.where})" if group.where else "")]
    lines += [f"  {_coordinate(each)}" for each in group.coordinates.values()]
    by_text: dict[tuple[str, str, str], list[str]] = {}
    for name, variable in group.variables.items():
        sizes = ", ".join(f"{dim}: {size}" for dim, size in zip(variable.dims, variable.shape))
        holes = f", {variable.holes} of {variable.cells.size} cells empty" if variable.holes else ""
        lines.append(f"  variable {name} ({sizes}) {variable.dtype}{holes}")
        for reason in reasons:
            if reason.variable == name:
                found = by_text.setdefault(reason[1:], [])
                found += [name] if name not in found else []
    for (key, role, text), names in by_text.items():
        of = (
            ""
            if len(names) == len(group.variables)
            else f" [{', '.join(names[:_SHOWN])}{', ...' if len(names) > _SHOWN else ''}]"
        )
        lines.append(f"  - {key or 'objects'}: {role}; {text}{of}")
    return lines


def _coordinate(coordinate: Coordinate) -> str:
    if coordinate.values is None:
        shown = "elements of an object"
    else:
        flat = [_label(each) for each in coordinate.values.reshape(-1)[:_SHOWN]]
        shown = ", ".join(flat) + (", ..." if coordinate.values.size > _SHOWN else "")
    dims = f" ({', '.join(coordinate.dims)})" if coordinate.dims else ""
    return f"coordinate {coordinate.name}{dims}: {shown}"


def _label(value: Any) -> str:
    """Return dates to the minute, and durations in hours."""
    if isinstance(value, np.datetime64):
        return str(value.astype("datetime64[m]"))
    if isinstance(value, np.timedelta64):
        return f"{value / np.timedelta64(1, 'h'):g}h"
    return str(value)
