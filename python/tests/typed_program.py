# SPDX-License-Identifier: Apache-2.0
"""A program with types, which mypy checks; it also runs as an example."""

from __future__ import annotations

import sys

import numpy
import tgmap
from numpy.typing import NDArray


def mean_of(path: str, where: str) -> dict[str, float]:
    """Return the mean of each object that a selection matches, by its name."""
    means: dict[str, float] = {}
    with tgmap.open(path, damage="skip") as archive:
        messages: int = len(archive)
        for o in archive.find_objects(where):
            field: NDArray[numpy.float32] = o.array
            shape: tuple[int, ...] = o.shape
            assert len(shape) == o.ndim and messages > 0
            means[str(o.metadata["name"])] = float(field.mean())
        last: tgmap.Message = archive[-1]
        first_two = archive[:2]
        assert last.verify() is not False and len(first_two) <= 2
    return means


def is_sound(path: str) -> bool:
    """Return whether an archive is sound; print what is not."""
    result: tgmap.Validation = tgmap.validate(path, "full")
    for finding in result.findings:
        print(finding.code, finding.message, finding.text)
    return result.is_sound


if __name__ == "__main__":
    print(mean_of(sys.argv[1], sys.argv[2]), is_sound(sys.argv[1]))
