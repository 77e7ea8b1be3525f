# SPDX-License-Identifier: Apache-2.0
"""Cubes as text: their dimensions, and why they are so."""

from __future__ import annotations

from .._core import _shown
from ._cells import text_of
from ._plan import Coordinate, Group, Plan

_SHOWN = 3


def explain(plan: Plan) -> str:
    """Return the groups of a plan with their reasons, for people."""
    count = len(plan.groups)
    lines = [f"{plan.row_count} objects, {count} {'cube' if count == 1 else 'cubes'}"]
    general = [reason for reason in plan.reasons if not reason.variable]
    lines += [f"- {reason.key or 'objects'}: {reason.role}; {reason.text}" for reason in general]
    for group in plan.groups:
        lines += ["", *_group(group)]
    return "\n".join(map(_shown, lines))


def _group(group: Group) -> list[str]:
    lines = [group.name + (f"  (where: {group.where})" if group.where else "")]
    lines += [f"  {_coordinate(each)}" for each in group.coordinates.values()]
    by_text: dict[tuple[str, str, str], dict[str, None]] = {}
    for name, variable in group.variables.items():
        sizes = ", ".join(f"{dim}: {size}" for dim, size in zip(variable.dims, variable.shape))
        holes = f", {variable.holes} of {variable.cells.size} cells empty" if variable.holes else ""
        lines.append(f"  variable {name} ({sizes}) {variable.dtype}{holes}")
    for reason in group.reasons:
        if reason.variable in group.variables:
            by_text.setdefault(reason[1:], {})[reason.variable] = None
    for (key, role, text), of_text in by_text.items():
        names = list(of_text)
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
        flat = [text_of(each) for each in coordinate.values.reshape(-1)[:_SHOWN]]
        shown = ", ".join(flat) + (", ..." if coordinate.values.size > _SHOWN else "")
    dims = f" ({', '.join(coordinate.dims)})" if coordinate.dims else ""
    return f"coordinate {coordinate.name}{dims}: {shown}"
