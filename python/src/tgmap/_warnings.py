# SPDX-License-Identifier: Apache-2.0
"""Warnings on behalf of the code that calls this package."""

from __future__ import annotations

import sys
import warnings

from ._errors import KeyWarning

_PACKAGE = __name__.partition(".")[0]


def stacklevel_of_caller() -> int:
    """Return the level of the frame that called into this package, for warnings.warn."""
    level, frame = 1, sys._getframe(1)
    while frame is not None and str(frame.f_globals.get("__name__", "")).partition(".")[0] == _PACKAGE:
        level, frame = level + 1, frame.f_back
    return level


def warn_of_key(text: str) -> None:
    warnings.warn(text, KeyWarning, stacklevel=stacklevel_of_caller())
