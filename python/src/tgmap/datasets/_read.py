# SPDX-License-Identifier: Apache-2.0
"""Archives as cubes, without xarray: their plan, and an explanation of it."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from .._core import _shown
from .._warnings import stacklevel_of_caller
from ..cubes import CubeError, CubeWarning, Group, Options, Plan, plan
from ..cubes._cells import Cell, cells, check_variables, position
from ..cubes._map import cell_map
from ..cubes._texts import listed, short
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
        index = []
        for name, size in zip(found.dims, found.cells.shape):
            coordinate = of.coordinates[name]
            assert coordinate.values is not None
            if name not in labels and size > 1:
                shown = ", ".join(short(each) for each in coordinate.values[:3])
                raise CubeError(f"a label of {name} is needed, such as {name}={shown}")
            index.append(position(name, coordinate.values, labels[name]) if name in labels else 0)
        row = int(found.cells[tuple(index)])
        return None if row < 0 else self._places.address(row)

    def cells(
        self, variables: str | Sequence[str] = (), group: str | None = None, **labels: Any
    ) -> Iterator[tuple[str, str, dict[str, Any], str | None]]:
        """Yield the cells that have some labels: group, variable, labels and the address of the object; None for a hole.

        Args:
            variables: one name or several; all without.
            group: the name of a group.
            labels: of dimensions or scalar coordinates: ``step="6h"``, or several: ``step=["0h", "6h"]``. Dimensions
                without one have all of theirs.

        Raises:
            CubeError: there is no such variable or dimension, or no variable has the label.
        """
        groups = self.plan.groups if group is None else (self.plan.group(group),)
        names = (variables,) if isinstance(variables, str) else variables
        for each in cells(groups, names, labels):
            address = None if each.row < 0 else self._places.address(each.row)
            yield each.group, each.variable, dict(each.labels), address

    def located(
        self, variables: Sequence[str], group: str | None, labels: Mapping[str, Any]
    ) -> Iterator[tuple[Cell, tuple[str, int, int] | None]]:
        """Yield what :meth:`cells` does, with path, message and object for the address."""
        groups = self.plan.groups if group is None else (self.plan.group(group),)
        for each in cells(groups, variables, labels):
            yield each, None if each.row < 0 else self._places.location(each.row)

    def damage(self) -> Iterator[tuple[str, str]]:
        """Yield the path of each damaged archive, with the problem, if they were opened with ``damage="skip"``.

        The problem of one that ends in an incomplete message is empty: a warning has said it.
        """
        source = self._places.source
        for number, path in enumerate(source.paths):
            archive = source.archive(number)
            if archive.gaps:
                yield path, "the file is damaged; message numbers skip the damaged parts"
            elif archive.tail is not None:
                yield path, ""

    @property
    def paths(self) -> list[str]:
        """The path of each archive, in order; empty for those in memory."""
        return list(self._places.source.paths)

    def map(self, variables: str | Sequence[str] = (), group: str | None = None, width: int = 80) -> str:
        """Return a picture as text: which cells of variables have an object.

        Args:
            variables: one name or several; without, those that have holes.
            group: the name of a group.
            width: of the picture in characters.

        Raises:
            CubeError: there is no such variable or group.
        """
        groups = self.plan.groups if group is None else (self.plan.group(group),)
        names = (variables,) if isinstance(variables, str) else tuple(variables)
        check_variables(groups, names)
        found = [
            cell_map(of, each, each.name if len(self.plan.groups) == 1 else f"{each.name} of {of.name}", width)
            for of in groups
            for each in of.variables.values()
            if (each.name in names if names else each.holes)
        ]
        return "\n\n".join(found) if found else "no variable has a cell without an object"

    def _group(self, variable: str, name: str | None) -> Group:
        groups = self.plan.groups if name is None else (self.plan.group(name),)
        found = [each for each in groups if variable in each.variables]
        if len(found) == 1:
            return found[0]
        if not found:
            names = sorted({name for each in groups for name in each.variables})
            raise CubeError(f"there is no variable '{short(variable)}'; there are {listed(names)}")
        raise CubeError(
            f"the variable '{short(variable)}' is in the groups {listed([each.name for each in found])}; choose one"
        )

    def __str__(self) -> str:
        return self.plan.explain()

    __repr__ = __str__
