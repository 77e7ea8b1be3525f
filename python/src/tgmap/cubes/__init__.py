# SPDX-License-Identifier: Apache-2.0
"""The rules that make cubes of objects, as functions of tables. Nothing here reads archives, or needs xarray.

>>> rows = Rows.of({"param": ["t", "t", "u", "u"], "step": [0, 6, 0, 6]}, dtypes=["float32"] * 4, shapes=[(2, 3)] * 4)
>>> group = plan(rows).only()
>>> {name: each.dims for name, each in group.variables.items()}
{'t': ('step', 'y', 'x'), 'u': ('step', 'y', 'x')}
>>> group.variables["u"].cells.tolist()
[2, 3]
"""

from __future__ import annotations

import dataclasses

from ._columns import Column, Rows
from ._plan import Coordinate, CubeError, CubeWarning, Group, Options, Plan, Reason, Variable
from ._roles import CANDIDATES, VARIABLE_KEYS, used_keys

__all__ = [
    "CANDIDATES",
    "VARIABLE_KEYS",
    "Column",
    "Coordinate",
    "CubeError",
    "CubeWarning",
    "Group",
    "Options",
    "Plan",
    "Reason",
    "Rows",
    "Variable",
    "plan",
    "used_keys",
]


def plan(rows: Rows, options: Options | None = None) -> Plan:
    """Return the cubes of some objects: variables, dimensions, coordinates, and which object is in which cell.

    Raises:
        CubeError: a cell has several objects or none, a date cannot be read, or two things have one name.
    """
    from ._build import Builder
    from ._coordinates import time_unit
    from ._joins import can_join, join_outer
    from ._keys import read_keys
    from ._levels import groups_of
    from ._roles import filled
    from ._solve import solve
    from ._unmatched import check_variable_key, unmatched

    options = options or Options()
    given = rows
    check_variable_key(rows, options)
    if options.ignore:
        kept = {key: column for key, column in rows.columns.items() if key not in options.ignore}
        rows = dataclasses.replace(rows, columns=kept)
    keys = read_keys(filled(rows, options.fill), options)
    parts = solve(keys)
    if options.join == "outer":
        parts = join_outer(keys, parts)
    unit = time_unit(parts, options)
    groups = [Builder(keys, members, unit).build(name, where) for name, where, members in groups_of(keys, parts)]
    if len(rows):
        keys.reasons += unmatched(given, keys, groups)
    is_joinable = options.join == "exact" and len(groups) > 1 and can_join(keys, parts)
    return Plan(tuple(groups), tuple(keys.reasons), len(rows), is_joinable)
