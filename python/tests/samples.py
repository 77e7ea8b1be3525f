# SPDX-License-Identifier: Apache-2.0
"""The archive that tests and examples in docstrings use."""

from __future__ import annotations

import numpy
import tgmap

FIELD = numpy.array([[273.5, 274.0, 271.25, 270.0], [272.5, 273.0, 275.0, 276.5], [280.0, 281.5, 279.25, 278.0]], "f4")


def write_forecast(path):
    """Write four messages, steps 0, 6, 12 and 18, each with the objects 2t and 10u of shape (3, 4)."""
    with tgmap.create(path) as writer:
        for step in (0, 6, 12, 18):
            objects = [
                tgmap.NewObject(values, {"name": name, "mars": {"param": name, "step": step}})
                for name, values in (("2t", FIELD), ("10u", FIELD / 2))
            ]
            writer.write(objects, {"source": "example"})
