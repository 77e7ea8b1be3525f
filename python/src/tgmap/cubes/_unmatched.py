# SPDX-License-Identifier: Apache-2.0
"""Names in options that match nothing, most of which are typing errors."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

from ._columns import Rows
from ._keys import Keys
from ._plan import CubeError, Group, Options, Reason
from ._roles import suggestion, used_keys

_SHOWN = 8
_ECCODES_DATES = frozenset({"dataDate", "dataTime", "validityDate", "validityTime"})


def check_variable_key(rows: Rows, options: Options) -> None:
    """Raise CubeError if no object has the key whose values are to be the variables."""
    key = options.variable_key
    if key is not None and len(rows) and not rows.column(key).present.any():
        hint = suggestion(key, rows.columns)
        raise CubeError(f"variable_key names '{key}', and no object has this key{hint}")


def unmatched(rows: Rows, keys: Keys, groups: Sequence[Group]) -> Iterator[Reason]:
    """Yield a reason for each name in ``rename``, ``attrs``, ``ignore``, ``fill`` and ``dim_names`` that matches nothing.

    Files of a series have not always the same variables, so this is no error.

    Args:
        rows: all columns, also those that are ignored.
    """
    options = keys.options
    final = {name for group in groups for name in (*group.variables, *group.coordinates)}
    for option, given, known, what in (
        ("ignore", options.ignore, rows.columns, "a key of no object"),
        ("rename", options.rename, keys.names, "no variable, dimension or coordinate"),
        ("attrs", options.attrs, final, "no variable or coordinate"),
    ):
        assert isinstance(known, Collection)
        for name in given:
            if name not in known:
                yield Reason("", name, "not used", f"{option} names '{name}', which is {what}{suggestion(name, known)}")
    read = {*rows.columns, *used_keys(Options(dims=options.dims, variable_key=options.variable_key))}
    roles = {key.rpartition(".")[2] for key in read}
    for name in options.fill:
        if name not in read and name not in roles:
            text = f"fill names '{name}', which is a key of no object, and which no rule reads"
            yield Reason("", name, "not used", text + suggestion(name, read | roles))
    yield from _unmatched_axes(rows, options)
    yield from _dates_of_other_names(rows, keys)


def _dates_of_other_names(rows: Rows, keys: Keys) -> Iterator[Reason]:
    """Yield a reason if objects have dates by ecCodes' own names only, which are not read."""
    if any(len(keys.candidates[role].values) for role in ("forecast_reference_time", "month", "valid_time")):
        return
    found = [key for key in rows.columns if key.rpartition(".")[2] in _ECCODES_DATES]
    if found:
        text = f"{', '.join(found)} of ecCodes are no dates here: those are read from date and time, with or without mars."
        yield Reason("", found[0], "not used", text)


def _unmatched_axes(rows: Rows, options: Options) -> Iterator[Reason]:
    given = options.dim_names
    if given is None or isinstance(given, str):
        return
    shapes = [tuple(shape) for shape in rows.shapes.values]
    if isinstance(given, Sequence):
        if not any(len(shape) == len(given) for shape in shapes):
            found = _listed(sorted({len(shape) for shape in shapes}))
            text = f"dim_names has {len(given)} names, and no object has so many dimensions; there are {found}"
            yield Reason("", "dim_names", "not used", text)
        return
    sizes = {size for shape in shapes for size in shape}
    for size, name in given.items():
        if int(size) not in sizes:
            text = f"dim_names has a name for {size}, '{name}', and no object has an axis of this size; there are "
            yield Reason("", "dim_names", "not used", text + _listed(sorted(sizes)))


def _listed(numbers: Sequence[int]) -> str:
    return ", ".join(map(str, numbers[:_SHOWN])) + (", ..." if len(numbers) > _SHOWN else "")
