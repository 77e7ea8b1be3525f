# SPDX-License-Identifier: Apache-2.0
"""Archives of samples, whose elements say which object they are of."""

from __future__ import annotations

import numpy as np

import tgmap

SHAPE = (2, 3)
PARAMS = ("2t", "q", "z")
LEVELS = (500, 1000)


def code_of(date, time="0000", param="2t", level=None, step=0, number=0):
    """Return the first element of an object of these keys."""
    day = int(str(date)[-4:-2]) * 31 + int(str(date)[-2:])
    return float(
        ((day * 4 + int(time) // 600) * 10 + PARAMS.index(param) * 3 + (level or 0) // 500) * 100 + step + number * 50
    )


def elements(value, shape=SHAPE, dtype="f4"):
    return (value + np.arange(int(np.prod(shape))).reshape(shape) / 16).astype(dtype)


def new_object(dtype="f4", shape=SHAPE, **keys):
    """Return an object of some keys of MARS. A level of None is absent."""
    names = {"level": "levelist"}
    mars = {names.get(key, key): value for key, value in keys.items() if value is not None}
    return tgmap.NewObject(elements(code_of(**keys), shape, dtype), {"mars": mars})


def write(path, objects):
    """Write a message for each object, or for each list of objects."""
    with tgmap.create(path, reproducible=True) as out:
        for each in objects:
            out.write(each if isinstance(each, list) else [each])
    return path


def channels():
    """Return the keys of the channels of a sample: one of the surface, and others on levels."""
    return [("2t", None), *((param, level) for param in ("q", "z") for level in LEVELS)]


def training_set(path, dates=(20240101, 20240102, 20240103), times=("0000", "1200"), shape=SHAPE):
    """Write a message for each date and time, with an object for each channel."""
    return write(
        path,
        [
            [new_object(date=date, time=time, param=param, level=level, shape=shape) for param, level in channels()]
            for date in dates
            for time in times
        ],
    )
