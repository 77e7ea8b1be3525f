# SPDX-License-Identifier: Apache-2.0
"""Samples of several times: which states belong together."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import _shown
from ..cubes import CubeError
from ..cubes._dates import is_whole_date, parse_date, parse_step, parse_time
from ..cubes._texts import quoted
from ._cells import Axis, SampleError

Numbers = NDArray[np.int64]

_DATES = frozenset({"date", "dataDate", "validityDate", "hdate"})
_TIMES = frozenset({"time", "dataTime", "validityTime"})
_STEPS = frozenset({"step", "endStep"})
_LAG = re.compile(r"([+-]?)\s*(\d+(?:\.\d+)?[hmsdHSD]?)")


def windows(samples: Axis, times: Sequence[Any], mars_time: str | None) -> tuple[Numbers, Numbers]:
    """Return the samples that have a state at each of some times relative to their own, and the numbers of the states.

    The first array has the number of the state at time 0 of each sample that is whole, even if 0 is not in `times`; the
    second a row for each, with the numbers of its states.

    Raises:
        SampleError: the keys of samples have no time, or two states have the same one.
    """
    try:
        series, of_keys, is_number = _series(samples, mars_time)
        lags = [_number(each, samples) if is_number else _seconds(each) for each in times]
    except CubeError as error:
        raise SampleError(_shown(str(error))) from None
    known = {each: i for i, each in enumerate(zip(of_keys, series))}
    if len(known) < len(series):
        raise SampleError("two samples have the same time; add the key that tells them apart to sample=")
    own, states = [], []
    for i, (group, time) in enumerate(zip(of_keys, series)):
        found = [known.get((group, time + lag), -1) for lag in lags]
        if min(found) >= 0:
            own.append(i)
            states.append(found)
    return np.array(own, dtype=np.int64), np.array(states, dtype=np.int64).reshape(-1, len(lags))


def _series(samples: Axis, mars_time: str | None) -> tuple[list[Any], list[Any], bool]:
    """Return for each sample its time, the values of its other keys, and whether times are plain numbers.

    If there is a step that varies, it is the time, of forecasts that are apart. Otherwise it is the date and the time.
    """
    leaves = [key.rpartition(".")[2] for key in samples.keys]
    columns = list(zip(*samples.labels))
    roles: dict[str, int] = {}
    for i, leaf in enumerate(leaves):
        role = "date" if leaf in _DATES or _are_dates(columns[i]) else "time" if leaf in _TIMES else ""
        role = "step" if leaf in _STEPS and not role else role
        if role in roles:
            names = f"'{samples.keys[roles[role]]}' and '{samples.keys[i]}'"
            raise SampleError(_shown(f"times= cannot tell which {role} counts, {names}; leave one out of sample="))
        if role:
            roles[role] = i
    if "step" in roles and (len(set(columns[roles["step"]])) > 1 or "date" not in roles):
        used, times = {roles["step"]}, [parse_step(each).end for each in columns[roles["step"]]]
    elif "date" in roles:
        used = {roles[role] for role in ("date", "time") if role in roles}
        times = [parse_date(each).seconds for each in columns[roles["date"]]]
        if "time" in roles and not _are_dates(columns[roles["date"]]):
            of_day = [parse_time(each, mars_time) for each in columns[roles["time"]]]
            times = [date + time for date, time in zip(times, of_day)]
    else:
        return _plain_series(samples, columns)
    return times, _others(samples, used), False


def _plain_series(samples: Axis, columns: list[tuple[Any, ...]]) -> tuple[list[Any], list[Any], bool]:
    """Return the series of the one key whose values are numbers."""
    found = [i for i, values in enumerate(columns) if all(type(each) in (int, float) for each in values)]
    if len(found) != 1:
        names = ", ".join(f"'{each}'" for each in samples.keys)
        raise SampleError(_shown(f"times= needs a date, a step or one number among the keys of sample=, not {names}"))
    return list(columns[found[0]]), _others(samples, {found[0]}), True


def _others(samples: Axis, used: set[int]) -> list[Any]:
    return [tuple(value for i, value in enumerate(label) if i not in used) for label in samples.labels]


def _are_dates(values: Sequence[Any]) -> bool:
    return bool(values) and all(is_whole_date(each) for each in values)


def _seconds(lag: Any) -> int:
    """Return a relative time in seconds: ``"-6h"``, ``"1d"``, hours, or a timedelta."""
    if isinstance(lag, np.timedelta64) or hasattr(lag, "total_seconds"):
        seconds = np.timedelta64(lag, "s")
        if seconds != lag:
            raise SampleError(f"the time {lag} has parts of a second")
        return int(seconds.astype(np.int64))
    match = _LAG.fullmatch(str(lag).strip())
    if match is None or isinstance(lag, bool):
        raise SampleError(_shown(f"{quoted(lag)} is no relative time, such as '-6h', '1d' or 0"))
    seconds_of = parse_step(match[2]).end
    return -seconds_of if match[1] == "-" else seconds_of


def _number(lag: Any, samples: Axis) -> Any:
    if isinstance(lag, bool) or not isinstance(lag, (int, float, np.integer, np.floating)):
        raise SampleError(_shown(f"{quoted(lag)} is no number, as the values of {', '.join(samples.keys)} are"))
    return lag
