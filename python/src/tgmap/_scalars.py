# SPDX-License-Identifier: Apache-2.0
"""Numbers as callers have them: of Python and NumPy, arrays without dimensions, Decimal and Fraction."""

from __future__ import annotations

import numbers
import sys
from typing import Any

from ._errors import OutOfRangeError

_PLAIN = (bool, int, float, str, bytes, type(None))
_MAX_EXPONENT = 400  # beyond the range of float64, and the int would have as many digits


def scalar(value: Any) -> Any:
    """Return a number as bool, int or float of Python, and text and bytes of NumPy as those of Python.

    A Decimal or a Fraction that is an integer becomes an int, else a float. All other values are returned as they are.

    >>> from fractions import Fraction
    >>> scalar(Fraction(6, 2)), scalar(Fraction(1, 4))
    (3, 0.25)
    """
    if type(value) in _PLAIN:
        return value
    if getattr(value, "shape", None) == () and hasattr(value, "item"):  # of NumPy, or of a library like it
        item = value.item()
        if isinstance(item, _PLAIN) and item is not None:
            return item
        return float(value) if isinstance(item, numbers.Real) else value  # longdouble
    if (decimal := sys.modules.get("decimal")) and isinstance(value, decimal.Decimal):  # loading it takes time
        return _of_decimal(value)
    if isinstance(value, bool) or not isinstance(value, numbers.Real):
        return value
    if isinstance(value, numbers.Integral):
        return int(value)
    if isinstance(value, numbers.Rational) and value.denominator == 1:
        return int(value.numerator)
    return _float(value)


def _float(value: Any) -> float:
    try:
        return float(value)
    except OverflowError:
        raise OutOfRangeError("a number is out of the range of float64") from None


def _of_decimal(value: Any) -> int | float:
    if not value.is_finite():
        return float(value)
    if value and value.adjusted() > _MAX_EXPONENT:
        raise OutOfRangeError(f"a Decimal of more than {_MAX_EXPONENT} digits is out of range")
    return int(value) if value == value.to_integral_value() else float(value)


def integer(value: Any, name: str) -> int:
    """Return a number as an int. Raises TypeError, with the name of the argument, if it is not an integer."""
    value = scalar(value)
    if not isinstance(value, int):
        raise TypeError(f"{name} must be an integer, not {type(value).__name__}")
    return int(value)


def real(value: Any, name: str) -> float:
    """Return a number as a float. Raises TypeError, with the name of the argument, if it is none."""
    value = scalar(value)
    if not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be a number, not {type(value).__name__}")
    return _float(value)


def truth(value: Any, name: str) -> bool:
    """Return a number as a bool. Raises TypeError, with the name of the argument, if it is none."""
    value = scalar(value)
    if not isinstance(value, (int, float)):
        raise TypeError(f"{name} must be True or False, not {type(value).__name__}")
    return bool(value)
