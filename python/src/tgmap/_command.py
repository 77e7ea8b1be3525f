# SPDX-License-Identifier: Apache-2.0
"""The command ``tgmap`` that comes with the package."""

from __future__ import annotations

import os


def path() -> str:
    """Return the path of the command.

    Raises:
        FileNotFoundError: the package was built without it.
    """
    found = os.path.join(os.path.dirname(os.path.abspath(__file__)), "bin", "tgmap")
    if not os.access(found, os.X_OK):
        raise FileNotFoundError(
            f"the command is not at {found}: this package was built without it (-DTGMAP_BUILD_CLI=OFF)"
        )
    return found
