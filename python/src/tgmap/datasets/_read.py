# SPDX-License-Identifier: Apache-2.0
"""Archives as cubes, without xarray: their plan, and an explanation of it."""

from __future__ import annotations

import dataclasses
import warnings
from typing import Any

import numpy as np

from .._core import _shown
from .._warnings import stacklevel_of_caller
from ..cubes import CubeError, CubeWarning, Group, Options, Plan, plan
from ._sources import Places, open_source
from ._tables import read_rows

OPTION_NAMES = tuple(each.name for each in dataclasses.fields(Options))
OPEN_NAMES = ("mode", "damage", "index", "index_cache", "trust_index_of", "max_decoded")


def read_plan(given: Any, where: Any, options: dict[str, Any], **fixed: Any) -> tuple[Plan, Places]:
    """Return the cubes of archives and where their objects are.

    Args:
        given: a path, bytes, an archive, a glob, or a list.
        options: those of the rules and of opening.
        fixed: options of the rules that come before others.

    Raises:
        TypeError: there is no such option.
        CubeError: the objects are no cube.
    """
    options = dict(options)
    to_open = {name: options.pop(name) for name in OPEN_NAMES if name in options}
    for name in options:
        if name not in OPTION_NAMES:
            import difflib

            close = difflib.get_close_matches(name, (*OPTION_NAMES, *OPEN_NAMES), 1)
            hint = f"; did you mean '{close[0]}'?" if close else f"; there are {', '.join(OPTION_NAMES)}"
            raise TypeError(f"there is no option '{name}'{hint}")
    chosen = Options(**{**options, **fixed})
    source = open_source(given, **to_open)
    rows, places = read_rows(source, where, chosen)
    found = plan(rows, chosen)
    for reason in found.reasons:
        if not reason.variable and reason.role == "not used":
            warnings.warn(_shown(reason.text), CubeWarning, stacklevel_of_caller())
    return found, places


class CubeExplanation:
    """What the cubes of archives are, and why. ``print`` it. See :func:`tgmap.explain_cube`.

    Attributes:
        plan: the groups, variables and reasons as data.
    """

    def __init__(self, found: Plan, places: Places):
        self.plan = found
        self._places = places

    def address(self, variable: str, group: str | None = None, **labels: Any) -> str | None:
        """Return the address of the object that fills a cell, such as ``forecast.tgm:3:0``; None for a hole.

        Args:
            variable: its name.
            group: the name of its group, if there are several of this variable.
            labels: of each dimension between objects that has more than one: ``step="6h"`` or a timedelta, dates as
                text.

        Raises:
            CubeError: there is no such variable or label, or a label is not given.
        """
        of = self._group(variable, group)
        found = of.variables[variable]
        position = []
        for name, size in zip(found.dims, found.cells.shape):
            coordinate = of.coordinates[name]
            assert coordinate.values is not None
            if name not in labels and size > 1:
                shown = ", ".join(str(each) for each in coordinate.values[:3])
                raise CubeError(f"a label of {name} is needed, such as {name}={shown}")
            position.append(_position(name, coordinate.values, labels[name]) if name in labels else 0)
        row = int(found.cells[tuple(position)])
        return None if row < 0 else self._places.address(row)

    def _group(self, variable: str, name: str | None) -> Group:
        groups = self.plan.groups if name is None else (self.plan.group(name),)
        found = [each for each in groups if variable in each.variables]
        if len(found) == 1:
            return found[0]
        if not found:
            names = sorted({name for each in groups for name in each.variables})
            raise CubeError(f"there is no variable '{variable}'; there are {', '.join(names)}")
        raise CubeError(
            f"the variable '{variable}' is in the groups {', '.join(each.name for each in found)}; choose one"
        )

    def __str__(self) -> str:
        return self.plan.explain()

    __repr__ = __str__


def _position(name: str, values: Any, label: Any) -> int:
    if values.dtype.kind == "m" and isinstance(label, str):
        from ..cubes._dates import parse_step

        label = np.timedelta64(parse_step(label).end, "s")
    elif values.dtype.kind == "M":
        label = np.datetime64(label)
    found = np.flatnonzero(values == label)
    if len(found):
        return int(found[0])
    raise CubeError(f"{name} has no {label}")
