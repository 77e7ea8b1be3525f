# SPDX-License-Identifier: Apache-2.0
"""Levels and groups: which variables have the same coordinates, and how their groups are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._keys import Keys
from ._profiles import variable_name
from ._roles import CANDIDATES, COORDINATE_ROLES, GRID_KEYS, NODE_ROLES, VARIABLE_KEYS, role_keys, sort_key
from ._solve import Part

_WORDS = frozenset({"and", "or", "not", "has", "to", "by"})
_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_.+-]*")


def groups_of(keys: Keys, parts: Sequence[Part]) -> list[tuple[str, str, list[Part]]]:
    """Return the parts of each group, with its name and a selection of its objects.

    Variables are in one group if they have the same type and set of levels, the same other dimensions with the same
    labels, and the same grid. One level is no difference. The order does not depend on that of the objects.
    """
    found: dict[Any, list[Part]] = {}
    for part in parts:
        found.setdefault(_axes_key(part), []).append(part)
    divided = [each for members in found.values() for each in _without_repeated_variables(members)]
    for members in divided:
        members.sort(key=lambda part: _order(keys, part))
    divided.sort(
        key=lambda members: (-sum(part.cells.size for part in members), [_order(keys, part) for part in members])
    )
    names = _names(keys, divided)
    ordered = sorted(zip(names, divided), key=lambda each: sort_key(each[0]))
    return [(name, selection(keys, members, parts), members) for name, members in ordered]


def _axes_key(part: Part) -> Any:
    labels = tuple((role, tuple(values)) for role, values in part.labels.items())
    scalars = tuple(sorted((role, value) for role, value in part.scalars.items() if role in COORDINATE_ROLES))
    times = []
    for role, (dims, values) in part.auxiliary.items():
        if role in CANDIDATES:
            times.append((role, dims, tuple(values.reshape(-1).tolist())))
    return part.node, labels, scalars, tuple(sorted(times, key=repr)), part.inner


def _without_repeated_variables(members: list[Part]) -> list[list[Part]]:
    """Divide a group in which parts of one variable are by what makes them different."""
    variables = [part.variable for part in members]
    if len(set(variables)) == len(variables):
        return [members]
    found: dict[Any, list[Part]] = {}
    for part in members:
        found.setdefault(part.tags, []).append(part)
    return list(found.values())


def _order(keys: Keys, part: Part) -> Any:
    return (
        sort_key(variable_name(part.variable, keys.options.names)),
        tuple(sort_key("" if value is None else value) for value in part.node),
        repr(part.tags),
        repr(list(part.labels.items())),
        repr(sorted(part.scalars.items())),
        repr(part.inner.shape) + repr(part.inner.identity),
    )


def _names(keys: Keys, groups: Sequence[list[Part]]) -> list[str]:
    """Return names: the type of the levels, and what makes the group another one than the first of this type."""
    varying = [
        i
        for i, role in enumerate(NODE_ROLES)
        if role != "levtype" and len({members[0].node[i] for members in groups}) > 1
    ]
    bases = []
    for members in groups:
        node = members[0].node
        words = [_word(node[0]) if node[0] is not None else "fields"]
        words += [f"{NODE_ROLES[i]}{_word(node[i])}" for i in varying if node[i] is not None]
        bases.append("_".join(words))
    out: dict[str, None] = {}
    different: dict[tuple[str, str], set[Any]] = {}
    for base, members in zip(bases, groups):
        for kind, value in members[0].tags:
            different.setdefault((base, kind), set()).add(value)
    for base, members in zip(bases, groups):
        name = base
        if name in out:  # groups come by size: the largest has the plain name
            variables = list(dict.fromkeys(_word(variable_name(part.variable, keys.options.names)) for part in members))
            name = f"{base}_{'_'.join(variables[:3])}"
        tags = [
            str(value)
            for kind, value in members[0].tags
            if value not in ("", None) and not isinstance(value, bool) and len(different[base, kind]) > 1
        ]
        for tag in tags:
            if name in out:
                name = f"{name}_{_word(tag)}"
        number = 2
        unique = name
        while unique in out:
            unique, number = f"{name}_{number}", number + 1
        out[unique] = None
    return list(out)


def _word(value: Any) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", str(value)).strip("_.") or "_"


def selection(keys: Keys, members: Sequence[Part], parts: Sequence[Part]) -> str:
    """Return a selection that matches the objects of a group and of no other one; empty text if there is none."""
    rows = np.concatenate([part.rows for part in members])
    wanted = np.zeros(len(keys.rows), dtype=bool)
    wanted[rows] = True
    everything = np.zeros_like(wanted)
    everything[np.concatenate([part.rows for part in parts])] = True
    chosen, conditions = everything, []
    roles = [(role, role_keys(role)) for role in (*NODE_ROLES, "type")]
    names = [key for key in keys.rows.columns if key in _variable_keys(keys)]
    single = [*(each for _, of_role in roles for each in of_role), *names, *GRID_KEYS, "dtype"]
    for key in single:
        if (chosen == wanted).all():
            break
        column = keys.rows.dtypes if key == "dtype" else keys.rows.columns.get(key)
        if column is None:
            continue
        codes = np.unique(column.codes[wanted])
        matches = np.isin(column.codes, codes)
        if codes[0] < 0 or bool((matches & chosen).sum() == chosen.sum()) or len(codes) > 12:
            continue
        texts = sorted(quoted(column.values[code]) for code in codes.tolist())
        chosen = chosen & matches
        conditions.append(f"{key}={'/'.join(texts)}")
    return " and ".join(conditions) if bool((chosen == wanted).all()) else ""


def _variable_keys(keys: Keys) -> tuple[str, ...]:
    return (keys.options.variable_key,) if keys.options.variable_key else VARIABLE_KEYS


def quoted(value: Any) -> str:
    """Return a value as selections have it.

    >>> quoted("sfc"), quoted("and"), quoted((0.25, 0.25))
    ('sfc', '"and"', '"[0.25,0.25]"')
    """
    if isinstance(value, tuple):
        import json

        value = json.dumps(value, separators=(",", ":"))
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return repr(value)
    text = str(value)
    if _PLAIN.fullmatch(text) and ".." not in text and text.lower() not in _WORDS:
        return text
    return '"' + text.replace('"', '""') + '"'
