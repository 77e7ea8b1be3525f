# SPDX-License-Identifier: Apache-2.0
"""Dates, times of day, steps and intervals of MARS as seconds."""

from __future__ import annotations

import datetime
import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from ._plan import CubeError
from ._texts import quoted

HOUR, DAY = 3600, 86400
_EPOCH = datetime.date(1970, 1, 1).toordinal()
_MAX_NS_SECONDS = 9_223_372_036  # what int64 holds in nanoseconds
_DATE = re.compile(r"(\d{4})-?(\d{2})-?(\d{2})(?:[T ](\d{2}):?(\d{2})(?::?(\d{2})(?:\.0*)?)?(?:Z|\+00:?00)?)?")
_MONTH = re.compile(r"(\d{4})-?(\d{2})(?:-?00)?")
_STEP = re.compile(r"(\d+(?:\.\d+)?)([hmsdHSD]?)")  # M is a month in ecCodes
_MAX_SECONDS = 9_000_000_000_000  # also fits 64 bits of microseconds
_UNITS = {"": HOUR, "h": HOUR, "m": 60, "s": 1, "d": DAY}


class Date(NamedTuple):
    """Seconds since 1970, and whether only the month is given."""

    seconds: int
    is_month: bool = False


class Step(NamedTuple):
    """The end of a step in seconds, and its start if it is an interval."""

    end: int
    start: int | None = None


def parse_date(value: Any) -> Date:
    """Return a date: ``20240131``, ``"2024-01-31"``, ``"2024-01-31T06:00:00Z"``, or a month: ``202401``, ``20240100``.

    >>> parse_date(19700102)
    Date(seconds=86400, is_month=False)
    """
    text = _digits(value)
    try:
        if match := _MONTH.fullmatch(text):
            first = _days(int(match[1]), int(match[2]), 1) * DAY
            next_month(first)  # its end is a date, too
            return Date(first, True)
        if match := _DATE.fullmatch(text):
            year, month, day, *rest = (int(each or 0) for each in match.groups())
            return Date(_days(year, month, day) * DAY + _seconds(*rest))
    except ValueError:
        pass
    raise CubeError(f"{quoted(value)} is no date; YYYYMMDD, YYYYMM or ISO 8601 are understood. Select others by where=")


def is_whole_date(value: Any) -> bool:
    """Return whether a time is a date with a time of day: ``"2024-01-31T06:00"``."""
    return isinstance(value, str) and len(value) > 10 and _DATE.fullmatch(value.strip()) is not None


def parse_time(value: Any, convention: str | None = None) -> int:
    """Return a time of day in seconds.

    Text of four digits and integers of 100 and more are HHMM. Below 100 an integer is either hours, as in MARS, or
    HHMM, as in ecCodes' ``dataTime``: `convention` is ``"hours"`` or ``"HHMM"``.

    >>> parse_time("0630"), parse_time(1200), parse_time("06:30")
    (23400, 43200, 23400)
    """
    text = _digits(value)
    try:
        if match := re.fullmatch(r"(\d{1,2}):(\d{2})(?::(\d{2}))?", text):
            return _seconds(*(int(each or 0) for each in match.groups()))
        if re.fullmatch(r"\d{3,4}", text):
            return _seconds(int(text) // 100, int(text) % 100, 0)
        if re.fullmatch(r"\d{6}", text):
            return _seconds(int(text[:2]), int(text[2:4]), int(text[4:]))
        if re.fullmatch(r"\d{1,2}", text):
            number = int(text)
            if number == 0:
                return 0
            if convention is not None:
                return _seconds(number, 0, 0) if convention == "hours" else _seconds(0, number, 0)
            raise CubeError(
                f"the time {quoted(value)} may be hours, as in MARS, or minutes of HHMM, as in ecCodes' dataTime; say which "
                "by mars_time='hours' or mars_time='HHMM'"
            )
    except CubeError:
        raise
    except ValueError:
        pass
    raise CubeError(f"{quoted(value)} is no time of day; HHMM and HH:MM are understood. Select others by where=")


def parse_step(value: Any) -> Step:
    """Return a step: hours, ``"30m"``, or an interval such as ``"0-24"``.

    >>> parse_step(6), parse_step("30m"), parse_step("0-24")
    (Step(end=21600, start=None), Step(end=1800, start=None), Step(end=86400, start=0))
    """
    if isinstance(value, (int, float)) and not isinstance(value, bool) and value >= 0:
        return Step(_whole(value * HOUR, value))
    if isinstance(value, str):
        begin, dash, end = value.strip().partition("-")
        matches = [_STEP.fullmatch(each) for each in ((begin, end) if dash else (begin,))]
        if all(matches):
            parts = [(float(match[1]), match[2].lower()) for match in matches if match]
            if dash and parts[0][0] and not parts[0][1] and parts[1][1] not in ("", "h"):
                raise CubeError(f"the step {quoted(value)} has a unit only at its end; write it at its start, too")
            if dash and not parts[1][1] and parts[0][1] not in ("", "h"):
                raise CubeError(f"the step {quoted(value)} has a unit only at its start; write it at its end, too")
            seconds = [_whole(number * _UNITS[unit], value) for number, unit in parts]
            if not dash:
                return Step(seconds[0])
            if seconds[0] <= seconds[1]:
                return Step(seconds[1], seconds[0])
    raise CubeError(f"{quoted(value)} is no step; hours, '30m' and '0-24' are understood. Select others by where=")


def parse_span(value: Any, end: int) -> int | None:
    """Return the start of an interval by its length, as ``mars.timespan`` has it; None for an instant."""
    if value in ("fs", "from-start"):
        return 0
    if value in ("none", "instant", 0, "0", "0h"):
        return None
    return end - parse_step(value).end


def next_month(seconds: int) -> int:
    """Return the first second of the month after the one that begins with `seconds`."""
    first = datetime.date.fromordinal(seconds // DAY + _EPOCH)
    year, month = (first.year + 1, 1) if first.month == 12 else (first.year, first.month + 1)
    return _days(year, month, 1) * DAY


def fits_nanoseconds(seconds: Sequence[int]) -> bool:
    """Return whether 64 bits hold all of these in nanoseconds, as those of dates from 1678 to 2262."""
    return all(-_MAX_NS_SECONDS <= each <= _MAX_NS_SECONDS for each in seconds)


def dates(seconds: Sequence[int], unit: str) -> NDArray[Any]:
    """Return seconds since 1970 as datetime64. Raises CubeError if the unit does not hold them."""
    return _checked(seconds, unit, "a date").astype("datetime64[s]").astype(f"datetime64[{unit}]")


def durations(seconds: Sequence[int], unit: str) -> NDArray[Any]:
    """Return seconds as timedelta64. Raises CubeError if the unit does not hold them."""
    return _checked(seconds, unit, "a step").astype("timedelta64[s]").astype(f"timedelta64[{unit}]")


def _checked(seconds: Sequence[int], unit: str, what: str) -> NDArray[np.int64]:
    if unit == "ns" and not fits_nanoseconds(seconds):
        raise CubeError(f"{what} does not fit 64 bits of nanoseconds; use time_unit='s'")
    return np.array(seconds, dtype=np.int64)


def _digits(value: Any) -> str:
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    return str(value).strip() if not isinstance(value, bool) else ""


def _days(year: int, month: int, day: int) -> int:
    return datetime.date(year, month, day).toordinal() - _EPOCH


def _seconds(hours: int, minutes: int, seconds: int = 0) -> int:
    if hours > 23 or minutes > 59 or seconds > 59:
        raise ValueError
    return hours * HOUR + minutes * 60 + seconds


def _whole(seconds: float, value: Any) -> int:
    if not abs(seconds) < _MAX_SECONDS:
        raise CubeError(f"the step {quoted(value)} is too large")
    if seconds != int(seconds):
        raise CubeError(f"the step {quoted(value)} is no whole number of seconds")
    return int(seconds)
