# SPDX-License-Identifier: Apache-2.0
"""Selections made of values of Python: ``{"mars.param": "2t", "mars.step": [0, 6]}``."""

from __future__ import annotations

import math
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from typing import Any

import numpy as np

from . import _core
from ._scalars import scalar


def quote(value: str | float | np.generic) -> str:
    r"""Return the text of a value, or of a key, as it is written in a selection.

    Text gets quotes, so that it is text whatever characters it has. Numbers compare as numbers.

    >>> import tgmap
    >>> tgmap.quote("2t"), tgmap.quote("it's a/b"), tgmap.quote(6), tgmap.quote(True)
    ('"2t"', '"it\'s a/b"', '6', 'true')
    """
    text = _scalar(value)
    if text is None:
        raise TypeError(f"only text, numbers and bool can be quoted, not {type(value).__name__}")
    return text


def text_of(where: Any) -> str:
    """Return the text of a selection that is given as a mapping; empty if it selects everything."""
    if not isinstance(where, Mapping):
        kind = type(where).__name__
        raise TypeError(f"a selection must be text, a mapping of keys to values, or None, not {kind}")
    return " and ".join(_condition(key, value) for key, value in where.items())


def _condition(key, value) -> str:
    if not isinstance(key, str):
        raise TypeError(f"keys of a selection must be text, not {type(key).__name__}")
    name = _core._quote(key)
    values: list[str] = []  # alternatives of one condition
    others: list[str] = []  # conditions
    for each in _alternatives(value):
        if each is None:
            others.append(f"not has {name}")
        elif isinstance(each, range):
            values += _steps(each)
        elif isinstance(each, slice):
            _add_slice(each, key, name, values, others)
        else:
            text = _scalar(each)
            if text is None:
                _refuse(key, each)
            values.append(text)
    conditions = [f"{name}={'/'.join(values)}", *others] if values else others
    if not conditions:
        return f"(has {name} and not has {name})"  # one of nothing
    return conditions[0] if len(conditions) == 1 else f"({' or '.join(conditions)})"


def _alternatives(value):
    if isinstance(value, (str, bytes, range, slice)) or value is None:
        return [value]
    if isinstance(value, (list, tuple, AbstractSet)):
        return value
    if hasattr(value, "__array__") and not isinstance(value, np.generic):
        return list(np.asarray(value).ravel())  # keeps the types of NumPy, unlike tolist()
    return [value]  # also numbers of all kinds, see _scalar


def _scalar(value) -> str | None:
    """Return the text of one value; None if its type has none."""
    value = scalar(value)
    if isinstance(value, str):
        return _core._quote(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(int(value))
    if isinstance(value, float):
        if math.isfinite(value):
            return float.__repr__(value)
        return "NaN" if math.isnan(value) else "inf" if value > 0 else "-inf"  # as they are printed
    return None


def _steps(numbers: range) -> list[str]:
    if not numbers or numbers[0] == numbers[-1]:  # len() of a long one is an OverflowError
        return [str(each) for each in numbers]
    return [f"{numbers[0]}/to/{numbers[-1]}/by/{numbers.step}"]


def _add_slice(ends: slice, key, name, values, others) -> None:
    first, last, step = (None if each is None else _end(key, each) for each in (ends.start, ends.stop, ends.step))
    if step is not None:
        if first is None or last is None:
            raise ValueError(f"a slice with a step needs both ends ('{_core._shown(key)}')")
        if any(isinstance(scalar(each), str) for each in (ends.start, ends.stop, ends.step)):
            raise TypeError(f"a slice with a step must be of numbers ('{_core._shown(key)}')")
        if scalar(ends.step) == 0:
            raise ValueError(f"the step of a slice must not be 0 ('{_core._shown(key)}')")
        values.append(f"{first}/to/{last}/by/{step}")
    elif first is not None and last is not None:
        values.append(f"{first}..{last}")
    elif first is not None or last is not None:
        others.append(f"{name}<={last}" if first is None else f"{name}>={first}")
    else:
        others.append(f"has {name}")


def _end(key, value) -> str:
    if isinstance(scalar(value), bool) or (text := _scalar(value)) is None:
        _refuse(key, value)
    if text in ("NaN", "inf", "-inf"):
        raise ValueError(f"ends of a slice must be finite; leave out the end ('{_core._shown(key)}')")
    return text


def _refuse(key, value):
    hint = "; use its text" if hasattr(value, "isoformat") or isinstance(value, np.generic) else ""
    raise TypeError(
        f"the value of '{_core._shown(key)}' must be text, a number, a bool, None, a range or a slice, or a list, tuple, set or "
        f"array of these, not {type(value).__name__}{hint}"
    )
