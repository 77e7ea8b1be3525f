# SPDX-License-Identifier: Apache-2.0
"""One group of variables whose coordinates differ: each gets all labels of all, and missing values."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ._dimensions import check_size
from ._keys import Keys
from ._plan import CubeError, Reason
from ._profiles import variable_name
from ._roles import CANDIDATES, COORDINATE_ROLES, sort_key
from ._solve import Part


def join_outer(keys: Keys, parts: list[Part]) -> list[Part]:
    """Return parts of which those of one level type and grid have the same labels along the same dimensions.

    A variable without a key that is a dimension of others stays as it is, and so does one that is several parts itself.

    Raises:
        CubeError: the labels of all together make far more cells than there are objects.
    """
    out: list[Part] = []
    for family in _families(parts):
        found = _divided(keys, family)
        for part in found.repeated:
            _note(keys, part, "", "not joined", "the variable has several parts, which are not joined with others")
        for part, absent in found.without:
            _note(keys, part, absent, "not joined", f"it has no {absent}, and is not joined with others")
        labels = {role: _labels(found.joined, role) for role in _union(found.joined)}
        out += [_extended(keys, part, labels) for part in found.joined]
        out += [*found.repeated, *(part for part, _ in found.without)]
    return out


def can_join(keys: Keys, parts: list[Part]) -> bool:
    """Return whether join_outer() makes fewer groups of these parts."""
    for family in _families(parts):
        joined = _divided(keys, family).joined
        common: dict[str, list[Any]] = {role: [] for role in _union(joined)}
        before = {_axes(part, part.labels) for part in joined}
        after = {_axes(part, common) for part in joined}
        if len(after) < len(before):
            return True
    return False


def _axes(part: Part, labels: Mapping[str, Sequence[Any]]) -> Any:
    """Return what tells groups of one family apart, if a part has these labels along its dimensions."""
    scalars = {role: value for role, value in part.scalars.items() if role in COORDINATE_ROLES and role not in labels}
    return tuple((role, tuple(values)) for role, values in labels.items()), tuple(sorted(scalars.items()))


@dataclass(frozen=True)
class _Divided:
    """The parts of a family: those that can be joined, those of variables with several parts, and those without some
    dimensions of the others, with their names."""

    joined: list[Part]
    repeated: list[Part]
    without: list[tuple[Part, str]]


def _families(parts: list[Part]) -> Iterable[list[Part]]:
    """Return the parts of each level type and grid."""
    families: dict[Any, list[Part]] = {}
    for part in parts:
        families.setdefault((part.node, part.inner), []).append(part)
    return families.values()


def _divided(keys: Keys, family: list[Part]) -> _Divided:
    counts = Counter(variable_name(part.variable, keys.options.names) for part in family)
    single: list[Part] = []
    repeated: list[Part] = []
    for part in family:
        is_single = counts[variable_name(part.variable, keys.options.names)] == 1
        (single if is_single else repeated).append(part)
    roles = _union(single)
    joined, without = [], []
    for part in single:
        absent = [role for role in roles if role not in part.labels and role not in part.scalars]
        if absent:
            without.append((part, ", ".join(absent)))
        else:
            joined.append(part)
    return _Divided(joined, repeated, without)


def _note(keys: Keys, part: Part, key: str, role: str, text: str) -> None:
    keys.note(Reason(variable_name(part.variable, keys.options.names), key, role, text), int(part.rows[0]))


def _labels(parts: list[Part], role: str) -> list[Any]:
    found = {value for part in parts for value in part.labels.get(role, [part.scalars.get(role)])}
    return sorted(found, key=sort_key)


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
    shape = tuple(map(len, labels.values()))
    name = variable_name(part.variable, keys.options.names)
    check_size(shape, len(part.rows), name)
    cells = np.full(shape, -1, dtype=np.int64)
    order = [role for role in labels if role in part.labels]
    old = part.cells.transpose([list(part.labels).index(role) for role in order])
    cells[np.ix_(*where)] = old.reshape(tuple(map(len, own.values())))
    if int((cells >= 0).sum()) < int((part.cells >= 0).sum()):  # such as 1 and true
        raise CubeError("labels that differ in the files are equal, and cannot be joined; use join='exact'")
    holes = int((cells < 0).sum()) - int((part.cells < 0).sum())
    if holes:
        _note(keys, part, "", "joined", f"{holes} of {cells.size} cells are filled with missing values")
    for key in part.auxiliary:
        _note(keys, part, key, "not used", "the labels of the variable were joined with others")
    scalars = {role: value for role, value in part.scalars.items() if role not in labels}
    return replace(part, labels=labels, cells=cells, scalars=scalars, auxiliary={}, starts=None)
