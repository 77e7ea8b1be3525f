# SPDX-License-Identifier: Apache-2.0
"""Which attributes are those of a Dataset, for readers of its archive."""

from __future__ import annotations

from typing import Any

import xarray

from ..cubes._build import common_attributes
from ._labels import plain_attribute


def listed_attributes(dataset: xarray.Dataset) -> list[str] | None:
    """Return the names of the attributes of a Dataset, if readers would find others; they take what all variables have.

    Attributes of variables that are named as one of the Dataset stay theirs, and it is in none then.
    """
    own = {_read_name(key): plain_attribute(value) for key, value in dataset.attrs.items()}
    of_variables = [
        {**own, **{_read_name(key): plain_attribute(value) for key, value in each.attrs.items()}}
        for each in dataset.data_vars.values()
    ]
    found = common_attributes(of_variables)
    return None if found == set(own) else sorted(own)


def _read_name(key: Any) -> str:
    return str(key).removeprefix("mars.")
