# SPDX-License-Identifier: Apache-2.0
"""Ensembles with a control forecast."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ._columns import Column, Rows, combined, derived
from ._plan import Options
from ._roles import numbers_of, role_keys, scalars_of


def members(rows: Rows, times: Sequence[Column], options: Options) -> tuple[Column, Column]:
    """Return the numbers of members, and the types of objects, of which ``cf`` and ``pf`` are one if they belong
    together.

    A control forecast (``cf``) beside perturbed ones (``pf``) of equal class, stream, expver and times is member 0,
    unless it has a number: ecCodes gives ``pf`` a number and ``cf`` none.

    Args:
        times: the forecast reference times, the months and the dates of hindcasts. A control of 00 UTC is no member of
            the ensemble of 12 UTC.
    """
    number = numbers_of(scalars_of(rows.column(*role_keys("number"))))
    kinds = scalars_of(rows.column(*role_keys("type")))
    if options.control == "separate" or "cf" not in kinds.values or "pf" not in kinds.values:
        return number, kinds
    names = [rows.column(*role_keys(name)) for name in ("class", "stream", "expver")]
    family = combined([each.codes for each in (*names, *times)], len(rows))
    perturbed = np.unique(family[kinds.codes == kinds.values.index("pf")])
    beside = Column(np.where(np.isin(family, perturbed), 0, -1), [True])

    def joined(_: int, kind: Any, member: Any, has_ensemble: Any) -> tuple[Any, Any]:
        if kind != "cf" or not has_ensemble:
            return kind, member
        return "pf", 0 if member is None else member

    found = derived((kinds, number, beside), joined)
    return found.map(lambda each: each[1]), found.map(lambda each: each[0])
