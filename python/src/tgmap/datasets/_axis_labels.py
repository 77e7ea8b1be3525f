# SPDX-License-Identifier: Apache-2.0
"""Labels of axes inside objects as lists that each object has."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import xarray

from ..cubes import CANDIDATES, VARIABLE_KEYS
from ..cubes._axis_labels import NAME_LABELS, stored_labels
from ..cubes._grids import COORDINATE_NAMES
from ._labels import is_name, is_property

_MOST_LABELS = 4096  # each object has all of them


def axis_labels(
    dataset: xarray.Dataset, roles: Mapping[str, str | None], keys: Mapping[str, str | None]
) -> tuple[dict[str, tuple[str, list[Any]]], dict[str, str]]:
    """Return the coordinates that are lists of labels of an axis: the index of the axis, names of variables, levels and
    the like. Of others that would be lists, returns why they have no place in an archive.

    Args:
        roles: of the dimensions and coordinates; None for those inside objects.
        keys: those that the caller gave coordinates; None leaves one out.

    Returns:
        The axis and the labels of each coordinate, and the reasons.
    """
    found, problems = {}, {}
    for given, each in dataset.coords.items():
        name = str(given)
        is_list = name in NAME_LABELS or name in CANDIDATES or name in each.dims
        if not is_list or len(each.dims) != 1 or name.lower() in COORDINATE_NAMES:
            continue
        if roles[str(each.dims[0])] is not None or roles[name] is not None or keys.get(name, "") is None:
            continue
        labels = stored_labels(each.values, each.encoding)
        problem = _problem(name, each.dtype, labels)
        if problem:
            problems[name] = problem
        else:
            found[name] = (str(each.dims[0]), labels)
    return found, problems


def _problem(name: str, dtype: np.dtype[Any], labels: list[Any]) -> str:
    """Return why labels of an axis inside objects have no place in an archive, or empty text."""
    if len(labels) > _MOST_LABELS:
        return f"its {len(labels)} labels would be a list in each object, of at most {_MOST_LABELS}"
    if is_property(name) or name in VARIABLE_KEYS or not is_name(name):
        return "its name is that of another key, or of none"
    if dtype.kind not in "biufUO" or not all(isinstance(each, (str, bool, int, float)) for each in labels):
        return "labels of axes inside objects are numbers or text"
    if len(set(labels)) < len(labels) or any(each != each for each in labels):
        return "labels of axes inside objects are different ones, and numbers"
    return ""
