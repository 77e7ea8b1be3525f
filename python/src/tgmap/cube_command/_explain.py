# SPDX-License-Identifier: Apache-2.0
"""The result of ``tgmap cube``: text, a table of cells, a picture, or JSON."""

from __future__ import annotations

import argparse
import dataclasses
import itertools
import sys
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any

from .._archive import open as open_archive
from .._core import _shown
from .._dataset import explain_cube
from .._paths import printable
from ..cubes import CubeError, Group, Plan
from ..cubes._cells import text_of
from ..cubes._texts import listed
from ..datasets._read import CubeExplanation
from ._json import as_json, cell_json
from ._report import Report

_MAX_WIDTH = 60


def explained(given: argparse.Namespace, report: Report) -> str:
    """Return what the command prints. Reports damage of the archives."""
    found = _read(given, report)
    if given.labels or given.cells:
        names = _names(found, given)
        located = found.located(given.variables, given.group, given.labels)
        rows = ((cell, None if place is None else (names[place[0]], *place[1:])) for cell, place in located)
        if given.json:
            return "".join(cell_json(*each) for each in rows)
        return _table(rows, given)
    if given.map:
        return found.map(given.variables, given.group, given.width) + "\n"
    plan = _chosen(found.plan, given.group, given.variables)
    return as_json(plan, given.files) if given.json else _text(plan, given)


def _read(given: argparse.Namespace, report: Report) -> CubeExplanation:
    archives: Any = given.files
    opening = given.opening
    if "-" in given.files:
        archives = [open_archive(sys.stdin.buffer if each == "-" else each, **opening) for each in given.files]
        opening = {}
    found = explain_cube(archives, where=given.where, **given.options, **opening)
    if not found.plan.groups:
        found.plan.only()  # raises the reason
    names = _names(found, given)
    for path, problem in found.damage():
        name = printable(names[path])
        report.damaged(f"{name}: {problem}; run `tgmap info {name}` to see them" if problem else "")
    return found


def _names(found: CubeExplanation, given: argparse.Namespace) -> dict[str, str]:
    """Return the archives as they were given, by their paths."""
    return dict(zip(found.paths, given.files))


def _chosen(plan: Plan, group: str | None, variables: Sequence[str]) -> Plan:
    """Return a plan with one group only, or with some variables."""
    groups = list(plan.groups if group is None else (plan.group(group),))
    if variables:
        known = {name for each in groups for name in each.variables}
        for name in variables:
            if name not in known:
                raise CubeError(f"there is no variable '{name}'; there are {listed(sorted(known))}")
        groups = [_of_variables(each, variables) for each in groups if set(variables) & set(each.variables)]
    return dataclasses.replace(plan, groups=tuple(groups))


def _of_variables(group: Group, names: Sequence[str]) -> Group:
    return dataclasses.replace(group, variables={name: each for name, each in group.variables.items() if name in names})


def _text(plan: Plan, given: argparse.Namespace) -> str:
    lines: list[str] = []
    for line in plan.explain().split("\n"):
        is_heading = line[:1] not in ("", " ", "-") and bool(lines)
        for each in _folded(line, given):
            lines.append(_bold(each, given) if is_heading else each)
    return "\n".join(lines) + "\n"


def _folded(line: str, given: argparse.Namespace) -> list[str]:
    if not given.terminal or len(line) <= given.width:
        return [line]
    indent = " " * (len(line) - len(line.lstrip()) + 4)
    folded = textwrap.wrap(line, max(20, given.width), subsequent_indent=indent, break_on_hyphens=False)
    return [line[: len(line) - len(line.lstrip())] + folded[0].lstrip(), *folded[1:]]


def _bold(text: str, given: argparse.Namespace) -> str:
    return f"\x1b[1m{text}\x1b[0m" if given.colored else text


def _table(cells: Iterable[Any], given: argparse.Namespace) -> str:
    """Return a table of cells: aligned at a terminal, else with tabs. Cells of other dimensions begin a new table."""
    out = []
    for dims, of_dims in itertools.groupby(cells, key=lambda each: tuple(each[0].labels)):
        head = ["group", "variable", *dims, "object"]
        rows = [_row(cell, place) for cell, place in of_dims]
        out.append(_aligned(head, rows, given) if given.terminal else _tabbed([head, *rows]))
    return "\n".join(out)


def _row(cell: Any, place: Any) -> list[str]:
    address = "-" if place is None else address_of(*place)
    labels = [_shown(text_of(value)) for value in cell.labels.values()]
    return [_shown(cell.group), _shown(cell.variable), *labels, address]


def address_of(path: str, message: int, object: int) -> str:
    """Return the address of an object, which other verbs take."""
    return f"{printable(path)}:{message}:{object}"


def _tabbed(rows: Sequence[Sequence[str]]) -> str:
    return "".join("\t".join(row) + "\n" for row in rows)


def _aligned(head: Sequence[str], rows: Sequence[Sequence[str]], given: argparse.Namespace) -> str:
    every = [head, *rows]
    widths = [min(_MAX_WIDTH, max(len(row[i]) for row in every)) for i in range(len(head))]
    lines = ["  ".join(f"{each:<{width}}" for each, width in zip(row, widths)).rstrip() for row in every]
    return "\n".join([_bold(lines[0], given), *lines[1:]]) + "\n"
