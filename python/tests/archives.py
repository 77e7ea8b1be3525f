# SPDX-License-Identifier: Apache-2.0
"""Archives that tests write."""

from __future__ import annotations

import numpy as np

import tgmap

SHAPE = (4, 6)


def field(number: int, dtype="f4") -> np.ndarray:
    return (np.arange(24).reshape(SHAPE) + 100 * number).astype(dtype)


def keys(number: int) -> dict:
    return {"mars": {"param": "2t" if number % 2 else "10u", "step": number // 2 * 6}, "x": number / 2}


def write_fields(path, count=10, **options):
    """Write messages of one field, with the keys mars.param, mars.step and x, and the message-wide key source."""
    with tgmap.create(path, reproducible=True) as out:
        for i in range(count):
            out.write([tgmap.NewObject(field(i), keys(i), **options)], {"source": "demo", "ok": i < 5})
    return path


def with_values(values):
    """Return an archive in memory with one message for each value of the key k; None: without the key."""
    metadata = [{} if value is None else {"k": value} for value in values]
    return tgmap.open(b"".join(tgmap.encode([tgmap.NewObject(field(0), each)]) for each in metadata))
