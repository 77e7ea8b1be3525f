# SPDX-License-Identifier: Apache-2.0
"""Names and values in texts of errors, which stay short however many or long they are."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

_SHOWN = 8
_LENGTH = 80


def listed(values: Collection[Any], most: int = _SHOWN) -> str:
    """Return the first values, and how many there are if not all are shown.

    >>> listed(["t", "u", "v"]), listed(range(5000), 3)
    ('t, u, v', '0, 1, 2, ... (5000 in all)')
    >>> listed([])
    'none'
    """
    if not values:
        return "none"
    first = [text for _, text in zip(range(most), map(short, values))]
    return ", ".join(first) + (f", ... ({len(values)} in all)" if len(values) > most else "")


def short(value: Any) -> str:
    """Return a value as text; of a list only the first ones, and of long text only its begin, with the number of all.

    >>> short("a" * 5000)[78:]
    'aa... (5000 characters)'
    >>> short(["0h", "6h"])
    '0h/6h'
    """
    if isinstance(value, tuple) and len(value) <= _SHOWN and len(repr(value)) <= _LENGTH:
        return repr(value)
    if isinstance(value, (list, tuple)):
        first = "/".join(short(each) for each in value[:_SHOWN])
        if any(isinstance(each, (list, tuple)) for each in value[:_SHOWN]):
            first = _cut(first)
        return first + (f"/... ({len(value)} values)" if len(value) > _SHOWN else "")
    return _cut(str(value))


def quoted(value: Any) -> str:
    """Return a value as Python writes it, cut as short() does."""
    if isinstance(value, (list, tuple)):
        return short(value)
    return _cut(repr(value))


def _cut(text: str) -> str:
    return text if len(text) <= _LENGTH else f"{text[:_LENGTH]}... ({len(text)} characters)"
