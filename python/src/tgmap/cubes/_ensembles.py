# SPDX-License-Identifier: Apache-2.0
"""Ensembles with a control forecast."""

from __future__ import annotations

from ._columns import Column, Rows, combined
from ._plan import Options
from ._roles import numbers_of, role_keys, scalars_of


def members(rows: Rows, options: Options) -> tuple[Column, Column]:
    """Return the numbers of members, and the types of objects, of which ``cf`` and ``pf`` are one if they belong
    together.

    A control forecast (``cf``) beside perturbed ones (``pf``) of equal class, stream, expver and date is member 0,
    unless it has a number: ecCodes gives ``pf`` a number and ``cf`` none.
    """
    number = numbers_of(scalars_of(rows.column(*role_keys("number"))))
    kinds = scalars_of(rows.column(*role_keys("type")))
    if options.control == "separate" or "cf" not in kinds.values or "pf" not in kinds.values:
        return number, kinds
    family = combined(
        [rows.column(*role_keys(name)).codes for name in ("class", "stream", "expver", "date")], len(rows)
    )
    kind = kinds.to_list()
    perturbed = {int(family[i]) for i in range(len(rows)) if kind[i] == "pf"}
    numbers, types = number.to_list(), list(kind)
    for i in range(len(rows)):
        if kind[i] == "cf" and int(family[i]) in perturbed:
            types[i] = "pf"
            if numbers[i] is None:
                numbers[i] = 0
    return Column.of(numbers), Column.of(types)
