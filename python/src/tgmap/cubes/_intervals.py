# SPDX-License-Identifier: Apache-2.0
"""Steps that are intervals, such as accumulations. Nothing is de-accumulated."""

from __future__ import annotations

from typing import Any

import numpy as np

from ._columns import Column, Numbers, Rows, derived
from ._dates import HOUR, Step, parse_span, parse_step
from ._grib import interval_start
from ._plan import CubeError
from ._roles import role_keys, scalars_of
from ._texts import quoted


def steps(rows: Rows) -> tuple[Column, Column]:
    """Return the ends of steps, and the starts of those that are intervals, in seconds.

    A start is known if ``stepRange`` or the step itself has it, ``timespan`` says how long the interval is, or the
    product section of GRIB has it. A plain number in ``mars.step`` is only the end. An analysis without a step has the
    step 0.
    """
    step = scalars_of(rows.column(*role_keys("step")))
    ranges = scalars_of(rows.column("mars.stepRange", "stepRange", "grib.ls.stepRange"))
    span = scalars_of(rows.column("mars.timespan", "timespan"))
    kind = rows.column(*role_keys("type"))
    of_grib = rows.column("grib_sections").map(interval_start)

    def at(row: int, *values: Any) -> Step | None:
        try:
            return _step(*values)
        except CubeError as error:
            raise CubeError(f"{rows.address(row)}: {error}") from None

    found = derived((step, ranges, span, kind, of_grib), at)
    return found.map(lambda each: each[0]), found.map(lambda each: each[1])


def _step(step: Any, ranges: Any, span: Any, kind: Any, of_grib: Any) -> Step | None:
    if step is None and ranges is None:
        return Step(0) if kind == "an" else None
    found = parse_step(ranges if step is None else step)
    if found.start is None and ranges is not None:
        of_range = parse_step(ranges)
        if of_range.end != found.end:
            raise CubeError(f"the step {quoted(step)} is not the end of the interval {quoted(ranges)}")
        found = of_range
    if found.start is None and span is not None:
        start = parse_span(span, found.end)
        if start is not None and start < 0:
            raise CubeError(f"the interval of {quoted(span)} that ends at step {quoted(step)} begins before the forecast")
        found = Step(found.end, start)
    elif found.start is None and of_grib is not None and of_grib <= found.end:
        found = Step(found.end, of_grib)
    return found


def split(ends: Column, starts: Column, mode: str) -> list[tuple[str, Numbers]]:
    """Return rows of one variable, divided so that intervals of each part have one start or one length.

    Each part has a name, which is empty if there is only one. Steps without a start are instants; beside intervals that
    all begin there, such as 0 beside 0-6 and 0-12, they belong to them.
    """
    count = len(ends)
    every = np.arange(count, dtype=np.int64)
    known = starts.compact().values
    if mode == "mixed" or not known:
        return [("", every)]
    if len(known) == 1:
        is_elsewhere = ~starts.present & (ends.codes != _code_of(ends, known[0]))
        if not is_elsewhere.any():
            return [("", every)]
        return [("instant", every[is_elsewhere]), ("interval", every[~is_elsewhere])]
    lengths = derived((ends, starts), lambda _, end, start: None if start is None else end - start)
    parts = [("instant", every[~lengths.present])] if not lengths.present.all() else []
    parts += [(_length(each), every[lengths.codes == code]) for code, each in enumerate(lengths.values)]
    return [("", every)] if len(parts) == 1 else sorted(parts, key=lambda part: part[0])


def _code_of(column: Column, value: Any) -> int:
    return column.values.index(value) if value in column.values else len(column.values)


def _length(seconds: int) -> str:
    if seconds % HOUR == 0:
        return f"{seconds // HOUR}h"
    return f"{seconds // 60}m" if seconds % 60 == 0 else f"{seconds}s"
