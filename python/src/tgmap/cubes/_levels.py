# SPDX-License-Identifier: Apache-2.0
"""Levels and groups: which variables have the same coordinates, and how their groups are called."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np

from ._columns import ByteText, Column, Numbers
from ._keys import Keys
from ._profiles import variable_name
from ._roles import CANDIDATES, COORDINATE_ROLES, NODE_ROLES, VARIABLE_KEYS, grid_keys, role_keys, sort_key
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
    order = {id(part): _order(keys, part) for part in parts}
    for members in divided:
        members.sort(key=lambda part: order[id(part)])
    divided.sort(
        key=lambda members: (-sum(part.cells.size for part in members), [order[id(part)] for part in members])
    )
    names = _names(keys, divided)
    ordered = sorted(zip(names, divided), key=lambda each: sort_key(each[0]))
    selections = Selections(keys, parts)
    return [(name, selections.of(members), members) for name, members in ordered]


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
    numbers: dict[str, int] = {}  # the last one behind each name
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
        unique = name
        while unique in out:
            numbers[name] = numbers.get(name, 1) + 1
            unique = f"{name}_{numbers[name]}"
        out[unique] = None
    return list(out)


def _word(value: Any) -> str:
    return re.sub(r"[^A-Za-z0-9_.-]+", "_", str(value)).strip("_.") or "_"


class Selections:
    """Finds selections of groups: by levels and variables, then grids and dtypes."""

    def __init__(self, keys: Keys, parts: Sequence[Part]):
        self._all = np.concatenate([part.rows for part in parts]) if parts else np.empty(0, dtype=np.int64)
        roles = [each for role in (*NODE_ROLES, "type") for each in role_keys(role)]
        names = [key for key in keys.rows.columns if key in _variable_keys(keys)]
        columns = {**keys.rows.columns, "dtype": keys.rows.dtypes}
        wanted = (*roles, *names, *grid_keys(keys.rows), "dtype")
        self._columns = {key: columns[key] for key in wanted if key in columns and _is_selectable(columns[key])}
        self._rows: dict[str, tuple[Numbers, Numbers]] = {}

    def of(self, members: Sequence[Part]) -> str:
        """Return a selection that matches the objects of a group and of no other one; empty text if there is none."""
        wanted = np.concatenate([part.rows for part in members])
        chosen: Numbers | None = None  # rows that the conditions match, all of `wanted` among them; None for all
        conditions = []
        for key, column in self._columns.items():
            count = len(self._all) if chosen is None else len(chosen)
            if count == len(wanted):
                break
            codes = column.codes_of(wanted)
            if codes[0] < 0 or len(codes) > 12:
                continue
            matches = self._with_codes(key, codes) if chosen is None else chosen[np.isin(column.codes[chosen], codes)]
            if len(matches) == count:
                continue
            texts = sorted(quoted(column.values[code]) for code in codes.tolist())
            chosen = matches
            conditions.append(f"{key}={'/'.join(texts)}")
        count = len(self._all) if chosen is None else len(chosen)
        return " and ".join(conditions) if count == len(wanted) else ""

    def _with_codes(self, key: str, codes: Numbers) -> Numbers:
        """Return the rows of all groups that have one of these values."""
        if key not in self._rows:
            of_all = self._columns[key].codes[self._all]
            order = np.argsort(of_all, kind="stable")
            self._rows[key] = (of_all[order], self._all[order])
        found, rows = self._rows[key]
        begins, ends = (np.searchsorted(found, codes, side) for side in ("left", "right"))
        if len(codes) == 1:
            return rows[begins[0] : ends[0]]
        return np.concatenate([rows[begin:end] for begin, end in zip(begins.tolist(), ends.tolist())])


def _variable_keys(keys: Keys) -> tuple[str, ...]:
    return (keys.options.variable_key,) if keys.options.variable_key else VARIABLE_KEYS


def _is_selectable(column: Column) -> bool:
    """Return whether selections match values as quoted() writes them: not maps, lists of lists and byte strings."""
    return not any(
        isinstance(value, ByteText) or (isinstance(value, tuple) and any(isinstance(each, tuple) for each in value))
        for value in column.values
    )


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
