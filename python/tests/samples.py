# SPDX-License-Identifier: Apache-2.0
"""The archive that tests and examples in docstrings use."""

from __future__ import annotations

import subprocess

import numpy
from tgmap import _command

FIELD = numpy.array([[273.5, 274.0, 271.25, 270.0], [272.5, 273.0, 275.0, 276.5], [280.0, 281.5, 279.25, 278.0]], "f4")


def write_forecast(path):
    """Write four messages, steps 0, 6, 12 and 18, each with the objects 2t and 10u of shape (3, 4)."""
    folder = path.parent / "arrays"
    folder.mkdir(exist_ok=True)
    numpy.save(folder / "a.npy", FIELD)
    numpy.save(folder / "b.npy", FIELD / 2)
    for step in (0, 6, 12, 18):
        meta = (
            '{"base":[{"name":"2t","mars":{"param":"2t","step":%d}},{"name":"10u","mars":{"param":"10u","step":%d}}],'
            '"extra":{"source":"example"}}' % (step, step)
        )
        verb = "create" if step == 0 else "append"
        call = [_command.path(), verb, path, folder / "a.npy", folder / "b.npy", "--meta", meta, "--no-sync", "-q"]
        subprocess.run(call, check=True)
