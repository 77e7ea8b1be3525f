# SPDX-License-Identifier: Apache-2.0
"""The command line: ``python -m tgmap ls forecast.tgm``."""

from __future__ import annotations

import os
import sys

from ._command import path


def main() -> None:
    """Replace this process by the command ``tgmap`` with the same arguments."""
    try:
        command = path()
    except FileNotFoundError as error:
        sys.exit(f"tgmap: {error}")
    if sys.executable:
        os.environ.setdefault("TGMAP_PYTHON", sys.executable)  # the verbs that are written in Python run in this one
    sys.stdout.flush()
    os.execv(command, ["tgmap", *sys.argv[1:]])


if __name__ == "__main__":
    main()
