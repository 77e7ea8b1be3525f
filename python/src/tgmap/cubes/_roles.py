# SPDX-License-Identifier: Apache-2.0
"""Roles of keys: which ones may be dimensions, which ones name variables, and which ones keep objects apart."""

from __future__ import annotations

import difflib
import math
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from ._columns import Column, Rows, derived
from ._dates import DAY, is_whole_date, parse_date, parse_time
from ._plan import CubeError, Options

CANDIDATES = (
    "number",
    "forecast_reference_time",
    "month",
    "time",
    "fcmonth",
    "step",
    "hdate",
    "valid_time",
    "levelist",
    "direction",
    "frequency",
    "wavelength",
    "channel",
    "quantile",
    "iteration",
    "class",
    "stream",
    "expver",
    "model",
)
"""What may be a dimension, in this order. ``Options.dims`` adds keys at the end."""

VARIABLE_KEYS = ("name", "mars.param", "param", "mars.shortName", "shortName", "anemoi.variable")
"""Keys whose values are variables: the first one that an object has."""

NODE_ROLES = ("levtype", "system", "method", "origin")
"""Objects that differ in one of these are in different groups."""

COORDINATE_ROLES = frozenset(CANDIDATES) - {"class", "stream", "expver", "model", "levelist"}
"""Roles whose only value is a scalar coordinate. That of the others is an attribute."""

NUMERIC_ROLES = frozenset(
    {"number", "fcmonth", "levelist", "direction", "frequency", "channel", "iteration", "wavelength"}
)

GRID_KEYS = (
    "mars.grid",
    "mars.area",
    "mars.rotation",
    "grid",
    "area",
    "rotation",
    "gridType",
    "gridName",
    "gridSpec",
    "md5GridSection",
    "geography.grid",
    "geography.gridType",
    "geography.gridName",
    "geography.gridSpec",
    "geography.md5GridSection",
    "grib.geography.gridType",
    "grib.geography.gridName",
    "grib.geography.md5GridSection",
)
"""Keys that tell grids apart, which are always read. See grid_keys()."""

_GRID_LEAVES = frozenset(key.rpartition(".")[2] for key in GRID_KEYS)
_NO_GRID_LEAVES = frozenset({"bitmapPresent"})  # of ecCodes' namespace `geography`: of the values, not of the grid

_MONTHLY_STREAMS = frozenset(
    {"moda", "mnth", "edmm", "edmo", "ewmm", "ewmo", "wamo", "wamd", "mmsa", "msmm", "swmm", "mnfc"}
)

_LONGEST_NAME = 200  # characters of names that are compared with others

_ROLE_KEYS: dict[str, tuple[str, ...]] = {
    "levelist": ("mars.levelist", "mars.level", "levelist", "level"),
    "levtype": ("mars.levtype", "levtype"),
    "direction": ("mars.direction", "direction"),
    "frequency": ("mars.frequency", "frequency"),
}


def role_keys(role: str) -> tuple[str, ...]:
    """Return the keys that have a role, the first one that an object has counts."""
    return _ROLE_KEYS.get(role, (f"mars.{role}", role))


# A key that lists the attributes of a Dataset.
DATASET_ATTRIBUTES = "dataset_attributes"


def used_keys(options: Options) -> list[str]:
    """Return all keys that the rules read."""
    roles = (*CANDIDATES, *NODE_ROLES, "date", "type", "timespan", "stepRange")
    keys = [key for role in roles for key in role_keys(role)]
    keys += [
        *VARIABLE_KEYS,
        *GRID_KEYS,
        "grib_sections",
        "grib.ls.stepRange",
        "variables",
        DATASET_ATTRIBUTES,
        *options.dims,
        *([options.variable_key] if options.variable_key else []),
    ]
    keys += [key for name in options.fill for key in (role_keys(name) if "." not in name else (name,))]
    return list(dict.fromkeys(keys))


def grid_keys(rows: Rows) -> list[str]:
    """Return the keys of objects that tell grids apart, in order: those with a last name such as ``grid`` or ``area``,
    wherever they are, and all of a map called ``geography``.

    Objects with none of them have one grid if they have one shape: their axes get no labels.
    """
    return sorted(key for key in rows.columns if _tells_grids_apart(key))


def _tells_grids_apart(key: str) -> bool:
    *path, leaf = key.split(".")
    return leaf in _GRID_LEAVES or ("geography" in path and leaf not in _NO_GRID_LEAVES)


def filled(rows: Rows, fill: Mapping[str, Any]) -> Rows:
    """Return rows whose absent keys have the values of `fill`, by the names of roles or by whole keys."""
    if not fill:
        return rows
    columns = dict(rows.columns)
    for name, value in fill.items():
        keys = (name,) if name in columns or "." in name else role_keys(name)
        have = rows.column(*keys).present
        key = next((key for key in keys if key in columns), keys[0])
        old = columns.get(key, Column.absent(len(rows)))
        columns[key] = Column.of([old.at(i) if have[i] else value for i in range(len(rows))])
    return Rows(
        columns, rows.dtypes, rows.shapes, rows.dim_names, rows.digests, rows.messages, rows.objects, rows.address
    )


def scalars_of(column: Column) -> Column:
    """Return a column without lists and maps, which label axes inside of objects."""
    return column.map(lambda value: None if isinstance(value, tuple) else value)


def numbers_of(column: Column) -> Column:
    """Return a column whose text is a number, if all of it is: ``"850"`` is the level 850."""
    parsed = [_number(value) for value in column.values]
    if any(value is None for value in parsed):
        is_mixed = len({isinstance(value, str) for value in column.values}) > 1
        return column.map(str) if is_mixed else column
    return column.map(_number)


def _number(value: Any) -> int | float | None:
    if isinstance(value, bool) or isinstance(value, (int, float)):
        return int(value) if isinstance(value, float) and value.is_integer() else value
    try:
        number = float(value)
    except (TypeError, ValueError):
        return None
    if not math.isfinite(number):
        return None
    return int(value) if number.is_integer() and str(value).strip().lstrip("+-").isdigit() else number


def references(rows: Rows, options: Options) -> tuple[Column, Column]:
    """Return the forecast reference times of objects, and their months if there are only months, both in seconds.

    A date and a time are one time. A date without a time and without a step is a month if it has no day, or if it is
    the first day of one in a stream of monthly means.
    """
    whole = rows.column("mars.forecast_reference_time", "forecast_reference_time")
    of_day = scalars_of(rows.column(*role_keys("time"))).map(lambda value: None if is_whole_date(value) else value)
    date = _read(rows, scalars_of(rows.column(*role_keys("date")).or_else(whole)), parse_date, "date")
    time = _read(rows, of_day, lambda each: parse_time(each, options.mars_time), "time")
    step = rows.column(*role_keys("step"), "stepRange")
    stream = rows.column(*role_keys("stream"))
    has_step = Column(np.where(step.present, 0, -1), [True])

    def at(row: int, *values: Any) -> tuple[int | None, int | None]:
        try:
            return _reference(*values)
        except CubeError as error:
            raise CubeError(f"{rows.address(row)}: {error}") from None

    found = derived((date, time, stream, has_step), at)
    return found.map(lambda each: each[0]), found.map(lambda each: each[1])


def _reference(date: Any, time: Any, stream: Any, has_step: Any) -> tuple[int | None, int | None]:
    if date is None:
        return None, None
    seconds, is_month = date
    is_first = is_month or (stream in _MONTHLY_STREAMS and seconds % DAY == 0 and _is_first_day(seconds))
    if time is None and not has_step and is_first:
        return None, seconds
    if time and seconds % DAY:  # the date has the time of day, too
        if seconds % DAY != time:
            raise CubeError(
                "the time of day in the date is another one than that of the time; leave one of them out by "
                "ignore=['mars.time']"
            )
        return seconds, None
    return seconds + (time or 0), None


def _is_first_day(seconds: int) -> bool:
    import datetime

    return (datetime.date(1970, 1, 1) + datetime.timedelta(seconds=seconds)).day == 1


def valid_times(rows: Rows) -> Column:
    """Return the times that objects say to be valid for, in seconds: ``valid_time``, or a ``time`` that is a whole date."""
    whole = scalars_of(rows.column(*role_keys("time"))).map(lambda value: value if is_whole_date(value) else None)
    found = scalars_of(rows.column(*role_keys("valid_time"))).or_else(whole)
    return _read(rows, found, parse_date, "valid_time").map(lambda date: date[0])


def hindcast_dates(rows: Rows) -> Column:
    """Return the dates of hindcasts in seconds."""
    dates = _read(rows, scalars_of(rows.column(*role_keys("hdate"))), parse_date, "hdate")
    return dates.map(lambda date: date[0])


def _read(rows: Rows, column: Column, parse: Any, what: str) -> Column:
    """Return column.map(parse), with the address of an object in errors."""

    def parsed(value: Any) -> Any:
        try:
            return parse(value)
        except CubeError as error:
            row = column.to_list().index(value)
            hint = f", or leave the key out by ignore=['{role_keys(what)[0]}']"
            raise CubeError(f"{rows.address(row)}: {what}: {error}{hint}") from None

    return column.map(parsed)


def sort_key(value: Any) -> tuple[int, Any]:
    """Return a key that sorts numbers before text, and text with its numbers by their size."""
    if isinstance(value, (int, float)):
        return (0, value)
    if isinstance(value, tuple):
        return (2, tuple(sort_key(each) for each in value))
    import re

    parts = re.split(r"([0-9]+)", str(value))  # the odd ones are numbers, whose text may have any length
    digits = [part.lstrip("0") for part in parts]
    return (1, tuple((i % 2 == 1, (len(digits[i]), digits[i]) if i % 2 else part) for i, part in enumerate(parts)))


def suggestion(name: str, known: Iterable[str]) -> str:
    """Return a question for the name that was probably meant, or empty text.

    >>> suggestion("tmie", ["mars.date", "time"])
    "; did you mean 'time'?"
    """
    close = difflib.get_close_matches(name, list(known), 1) if len(name) <= _LONGEST_NAME else []
    return f"; did you mean '{close[0]}'?" if close else ""
