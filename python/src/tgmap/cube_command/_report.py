# SPDX-License-Identifier: Apache-2.0
"""What ``tgmap cube`` says on standard error, and its exit status. Both are as those of the other verbs."""

from __future__ import annotations

import os
import re
import sys
from typing import Any

from .._core import _shown
from ..cubes import CubeError

FINE, FAILED, USAGE, DAMAGED = 0, 1, 2, 3

_FLAGS = frozenset({"allow_holes", "promote"})
_OPTION = re.compile(
    r"\b(names|variable_key|dims|ignore|ensure_dims|squeeze|fill|dim_names|control|duplicates|allow_holes|intervals|join"
    r"|promote|time_unit|mars_time|rename|where|group)=(\[[^\]]*\]|\{[^}]*\}|'[^']*'(?:(?:, | or )'[^']*')*|True|False)?"
)


class UsageError(Exception):
    """A mistake in the arguments."""


class Report:
    """Prints one line for each problem, and keeps the exit status."""

    def __init__(self) -> None:
        self.status = FINE
        self.is_quiet = False

    def failed(self, *lines: str) -> None:
        """Print what could not be done."""
        self.status = FAILED
        self._say(*lines)

    def failed_as_cube(self, error: CubeError) -> None:
        """Print why objects are no cube. Options in the text are those of the command."""
        self.failed(*map(with_options, error.args))

    def usage(self, text: str) -> None:
        """Print a mistake in the arguments."""
        self.status = USAGE
        self._say(f"{text}; run `tgmap cube --help`")

    def damaged(self, text: str) -> None:
        """Print that an archive is damaged. Empty text prints nothing: a warning has said it."""
        self.status = DAMAGED if self.status == FINE else self.status
        if text and not self.is_quiet:
            self._say(text)

    def warn(self, message: Any, *_: Any) -> None:
        """Print a warning, as warnings.showwarning does."""
        if not self.is_quiet:
            self._say(with_options(str(message)))

    def _say(self, *lines: str) -> None:
        text = "\n".join(_shown(each) for each in lines)
        try:
            sys.stderr.write(f"tgmap: {text}\n")
            sys.stderr.flush()
        except OSError:
            pass  # there is nobody to tell

    def write(self, text: str) -> None:
        """Write the results. A reader that has closed the pipe is no error."""
        try:
            data = memoryview(text.encode("utf-8", "backslashreplace"))
            while len(data):
                data = data[os.write(1, data) :]
        except BrokenPipeError:
            return
        except OSError as error:
            self.failed(f"standard output: {os.strerror(error.errno or 0)}; free some space, or write elsewhere")


def with_options(text: str) -> str:
    """Return a text in which options of Python are those of the command.

    >>> with_options("Take duplicates='first' or 'last', or allow_holes=True, or select by where=")
    'Take --duplicates first or last, or --allow-holes, or select by --where'
    >>> with_options("leave it out by ignore=['mars.time'], or fill={'number': VALUE}")
    'leave it out by --ignore mars.time, or --fill number=VALUE'
    """
    return _OPTION.sub(lambda match: _option(match[1], match[2] or ""), text)


def _option(name: str, value: str) -> str:
    option = "--" + name.replace("_", "-")
    if name in _FLAGS or not value:
        return option
    if name == "squeeze":
        return "--no-squeeze"
    words = re.findall(r"[^\[\]{}',\s][^\[\]{}',]*", value.replace("': ", "=").replace("'", ""))
    return f"{option} {','.join(words)}" if value[0] in "[{" else f"{option} {value.replace(chr(39), '')}"
