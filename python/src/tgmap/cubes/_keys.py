# SPDX-License-Identifier: Apache-2.0
"""The columns that the rules have read, by roles."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ._columns import Column, Numbers, Rows
from ._ensembles import members
from ._grids import Inner, inner_axes
from ._intervals import steps
from ._plan import Options, Reason
from ._roles import (
    CANDIDATES,
    NODE_ROLES,
    NUMERIC_ROLES,
    VARIABLE_KEYS,
    hindcast_dates,
    numbers_of,
    references,
    role_keys,
    scalars_of,
    valid_times,
)
from ._texts import short

DATE_ROLES = frozenset({"forecast_reference_time", "month", "valid_time", "hdate"})


@dataclass
class Keys:
    """The columns that rules have read, by roles, and the reasons so far.

    Attributes:
        names: of variables, dimensions and coordinates, before they were renamed.
        reasons_of: those about whole variables by their names, and those about parts by their first rows.
    """

    rows: Rows
    options: Options
    variable: Column
    candidates: dict[str, Column]
    node: dict[str, Column]
    kind: Column
    starts: Column
    step_of_month: Column
    axes: Numbers
    inner: list[Inner | None]
    is_coordinate: Column
    reasons: list[Reason] = field(default_factory=list)
    names: set[str] = field(default_factory=set)
    reasons_of: dict[str | int, list[Reason]] = field(default_factory=dict)

    def note(self, reason: Reason, row: int = -1) -> None:
        """Add a reason. The row is the first of the part that it is about; without one it is about the whole variable."""
        self.reasons.append(reason)
        self.reasons_of.setdefault(row if row >= 0 else reason.variable, []).append(reason)


def read_keys(rows: Rows, options: Options) -> Keys:
    """Return the roles of all objects."""
    reference, month = references(rows, options)
    hdate = hindcast_dates(rows)
    number, kind = members(rows, (reference, month, hdate), options)
    ends, starts = steps(rows)
    fcmonth = numbers_of(scalars_of(rows.column(*role_keys("fcmonth"))))
    has_month = fcmonth.present
    step = Column(np.where(has_month | month.present, -1, ends.codes), ends.values)  # the mean of a month has no step
    known = {
        "number": number,
        "forecast_reference_time": reference,
        "month": month,
        "valid_time": valid_times(rows),
        "fcmonth": fcmonth,
        "step": step.take(np.arange(len(rows))),
        "hdate": hdate,
    }
    candidates = {}
    for role in CANDIDATES:
        column = known[role] if role in known else scalars_of(rows.column(*role_keys(role)))
        if role == "time":  # a time of day without a date
            has_date = reference.present | month.present | known["valid_time"].present
            column = Column(np.where(has_date, -1, column.codes), column.values)
            column = column.take(np.arange(len(rows)))
        candidates[role] = numbers_of(column) if role in NUMERIC_ROLES else column
    for key in options.dims:
        if key not in candidates:
            candidates[key] = scalars_of(rows.column(*((key,) if key in rows.columns else role_keys(key))))
    apart = {role: _apart(rows, role, options) for role in NODE_ROLES}
    axes, inner, is_coordinate = inner_axes(rows, options)
    keys = (options.variable_key,) if options.variable_key else VARIABLE_KEYS
    variable = scalars_of(rows.column(*keys))
    if not variable.present.all():
        variable = variable.or_else(Column.of(rows.objects).map(lambda number: f"object_{number}"))
    return Keys(
        rows,
        options,
        variable,
        candidates,
        apart,
        kind if _keeps_apart("type", options) else Column.absent(len(rows)),
        starts,
        Column(np.where(has_month, ends.codes, -1), ends.values),
        axes,
        inner,
        is_coordinate,
    )


def is_noise(key: str) -> bool:
    """Return whether a key is another one in each object and says nothing about dimensions: uuids and statistics."""
    leaf = key.rpartition(".")[2].lower()
    return "uuid" in leaf or leaf in NOISE or "_reserved_" in key


def _keeps_apart(role: str, options: Options) -> bool:
    """Return whether objects of other values are apart: not if the caller wants a dimension."""
    return not any(key in options.dims for key in (role, *role_keys(role)))


def _apart(rows: Rows, role: str, options: Options) -> Column:
    wanted = _keeps_apart(role, options)
    return scalars_of(rows.column(*role_keys(role))) if wanted else Column.absent(len(rows))


NOISE = tuple(
    "*uuid hash checksum id dim_names grib_sections min max mean std sum average minimum maximum "
    "standard_deviation stdev skewness kurtosis statistics".split()
)
"""Last names of keys that is_noise() means; ``*`` is any text around the name."""


def label_text(role: str, value: Any) -> str:
    """Return a label for people: dates and hours."""
    if role in DATE_ROLES:
        return str(np.datetime64(value, "s"))
    if role == "step":
        return f"{value // 3600}h" if value % 3600 == 0 else f"{value}s"
    return short(value)
