# SPDX-License-Identifier: Apache-2.0
"""What ``tgmap cube`` does. The command finds Python, checks its own options, and calls :func:`main`."""

from __future__ import annotations

import os
import signal
import sys
import warnings
from collections.abc import Sequence
from typing import NoReturn

from ._report import FAILED, Report, UsageError

__all__ = ["main"]


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Explain the cubes of the archives that the arguments name, and exit with the status of ``tgmap``."""
    signal.signal(signal.SIGINT, signal.SIG_DFL)  # ends as other programs do, without a traceback
    report = Report()
    with warnings.catch_warnings():
        warnings.simplefilter("always")
        warnings.showwarning = report.warn  # type: ignore[assignment]
        text = _run(sys.argv[1:] if arguments is None else arguments, report)
    report.write(text)
    sys.stdout.flush()
    os._exit(report.status)  # nothing is left to write, and closed pipes are no error


def _run(arguments: Sequence[str], report: Report) -> str:
    from .._errors import Error
    from ..cubes import CubeError

    try:
        from ._arguments import parse
        from ._explain import explained

        given = parse(arguments)
        report.is_quiet = given.quiet
        return explained(given, report)
    except UsageError as error:
        report.usage(str(error))
    except CubeError as error:
        report.failed_as_cube(error)
    except Error as error:
        report.failed(str(error))
    except OSError as error:
        report.failed(f"{error.filename}: {error.strerror}" if error.filename else str(error))
    except MemoryError:
        report.failed("there is not enough memory")
    assert report.status >= FAILED
    return ""
