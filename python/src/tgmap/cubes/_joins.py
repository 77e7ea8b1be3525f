# SPDX-License-Identifier: Apache-2.0
"""One group of variables whose coordinates differ: each gets all labels of all, and missing values."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from ._keys import Keys
from ._plan import CubeError, Reason
from ._roles import CANDIDATES, COORDINATE_ROLES, sort_key
from ._profiles import variable_name
from ._solve import Part


def join_outer(keys: Keys, parts: list[Part]) -> list[Part]:
    """Return parts of which those of one level type and grid have the same labels along the same dimensions.

    A variable without a key that is a dimension of others stays as it is, and so does one that is several parts itself.
    """
    families: dict[Any, list[Part]] = {}
    for part in parts:
        families.setdefault((part.node, part.inner), []).append(part)
    out: list[Part] = []
    for family in families.values():
        out += _join(keys, family)
    return out


def _join(keys: Keys, family: list[Part]) -> list[Part]:
    names = [variable_name(part.variable, keys.options.names) for part in family]
    single = [part for part, name in zip(family, names) if names.count(name) == 1]
    others = [part for part in family if not any(part is each for each in single)]
    for part in others:
        text = "the variable has several parts, which are not joined with others"
        keys.note(Reason(variable_name(part.variable, keys.options.names), "", "not joined", text), int(part.rows[0]))
    roles = _union(single)
    joined, rest = [], others
    for part in single:
        if all(role in part.labels or role in part.scalars for role in roles):
            joined.append(part)
        else:
            absent = ", ".join(role for role in roles if role not in part.labels and role not in part.scalars)
            text = f"it has no {absent}, and is not joined with others"
            keys.note(
                Reason(variable_name(part.variable, keys.options.names), absent, "not joined", text), int(part.rows[0])
            )
            rest.append(part)
    labels: dict[str, list[Any]] = {}
    for role in _union(joined):
        found = {value for part in joined for value in part.labels.get(role, [part.scalars.get(role)])}
        labels[role] = sorted(found, key=sort_key)
    return [_extended(keys, part, labels) for part in joined] + rest


def _union(parts: list[Part]) -> list[str]:
    """Return the dimensions of all parts, in order, and scalars in which parts differ."""
    roles = {role for part in parts for role in part.labels}
    for role in (*COORDINATE_ROLES, "levelist"):
        if len({part.scalars[role] for part in parts if role in part.scalars}) > 1:
            roles.add(role)
    order = {role: i for i, role in enumerate(CANDIDATES)}
    return sorted(roles, key=lambda role: (order.get(role, len(order)), role))


def _extended(keys: Keys, part: Part, labels: dict[str, list[Any]]) -> Part:
    own = {role: part.labels.get(role, [part.scalars.get(role)]) for role in labels}
    if list(own) == list(part.labels) and all(own[role] == labels[role] for role in labels):
        return part
    where = [np.array([labels[role].index(value) for value in own[role]], dtype=np.int64) for role in labels]
    cells = np.full(tuple(map(len, labels.values())), -1, dtype=np.int64)
    order = [role for role in labels if role in part.labels]
    old = part.cells.transpose([list(part.labels).index(role) for role in order])
    cells[np.ix_(*where)] = old.reshape(tuple(map(len, own.values())))
    if int((cells >= 0).sum()) < int((part.cells >= 0).sum()):  # such as 1 and true
        raise CubeError("labels that differ in the files are equal, and cannot be joined; use join='exact'")
    name = variable_name(part.variable, keys.options.names)
    holes = int((cells < 0).sum()) - int((part.cells < 0).sum())
    if holes:
        keys.note(
            Reason(name, "", "joined", f"{holes} of {cells.size} cells are filled with missing values"),
            int(part.rows[0]),
        )
    for key in part.auxiliary:
        keys.note(
            Reason(name, key, "not used", "the labels of the variable were joined with others"), int(part.rows[0])
        )
    scalars = {role: value for role, value in part.scalars.items() if role not in labels}
    return replace(part, labels=labels, cells=cells, scalars=scalars, auxiliary={}, starts=None)
