# SPDX-License-Identifier: Apache-2.0
"""Archives like real ones, whose elements say which object they are of."""

from __future__ import annotations

import numpy as np
from cube_rows import product

import tgmap

SHAPE = (3, 4)
OPERATIONAL = {"class": "od", "expver": "0001"}


def elements(number, shape=SHAPE, dtype="f4"):
    """Return the elements of an object: its number times 100, and their positions."""
    return (number * 100 + np.arange(int(np.prod(shape)))).reshape(shape).astype(dtype)


def write(path, rows, **pipeline):
    """Write a message for each row, or for those of equal "_message". Keys are those of cube_rows.table."""
    messages = {}
    for number, row in enumerate(rows):
        messages.setdefault(row.get("_message", number), []).append((number, row))
    with tgmap.create(path, reproducible=True) as out:
        for members in messages.values():
            out.write([_object(number, row, pipeline) for number, row in members])
    return path


def _object(number, row, pipeline):
    metadata, mars = {}, {}
    for key, value in row.items():
        if key.startswith("_"):
            continue
        if key in ("name", "variables", "grib_sections") or "." in key:
            at = metadata
            *path, leaf = key.split(".")
            for each in path:
                at = at.setdefault(each, {})
            at[leaf] = value
        else:
            mars[key] = value
    if mars:
        metadata["mars"] = mars
    if "_dims" in row:
        metadata["dim_names"] = row["_dims"]
    array = row.get("_values")
    if array is None:
        array = elements(number, row.get("_shape", SHAPE), row.get("_dtype", "f4"))
    return tgmap.NewObject(array, metadata, **pipeline)


def forecast():
    """A forecast as ECMWF's: tp has no step 0, lsm only step 0; surface and pressure levels."""
    common = {**OPERATIONAL, "stream": "oper", "type": "fc", "date": 20240101, "time": "0000"}
    surface = {**common, "levtype": "sfc"}
    return (
        product(**surface, step=[0, 3, 6], param=["2t", "10u"])
        + product(**surface, step=[3, 6], param="tp")
        + product(**surface, step=0, param="lsm")
        + product(**common, levtype="pl", step=[0, 3, 6], levelist=[1000, 500], param=["t", "z"])
    )


def ensemble():
    """Perturbed members have a number, the control has none."""
    common = {**OPERATIONAL, "stream": "enfo", "date": 20240101, "time": 1200, "levtype": "sfc", "param": "2t"}
    return product(**common, type="cf", step=[0, 6]) + product(**common, type="pf", number=[1, 2], step=[0, 6])


def seasonal():
    steps = {1: (744, 1440), 2: (696, 1440)}
    return [
        {
            **OPERATIONAL,
            "stream": "msmm",
            "type": "fcmean",
            "system": 5,
            "method": 1,
            "date": 20240001 + 100 * month,
            "time": "0000",
            "fcmonth": number + 1,
            "step": steps[month][number],
            "levtype": "sfc",
            "param": "2t",
        }
        for month in (1, 2)
        for number in (0, 1)
    ]


def spectra():
    """Wave spectra on a reduced grid, one object for each direction and frequency."""
    tables = {"grib.scaledDirections": [150, 450, 750], "grib.directionScalingFactor": 10}
    return product(
        stream="wave",
        type="fc",
        date=20240101,
        time="0000",
        step=0,
        param="2dfd",
        direction=[1, 2, 3],
        frequency=[1, 2],
        _shape=[(7,)],
        grid="O96",
        **{key: [value] if isinstance(value, list) else value for key, value in tables.items()},
    )


def model_output():
    """The output of an AI model: latitudes and longitudes in each message, names of dimensions."""
    rows = []
    for message, step in enumerate((6, 12)):
        rows += [
            {"name": "latitude", "_values": np.linspace(90, -90, 5), "_message": message},
            {"name": "longitude", "_values": np.linspace(0, 360, 5, endpoint=False), "_message": message},
        ]
        rows += [
            {
                "name": name,
                "step": step,
                "date": 20240101,
                "time": "0000",
                "_shape": (5,),
                "_dims": ["cell"],
                "_message": message,
            }
            for name in ("2t", "msl")
        ]
    return rows
