# SPDX-License-Identifier: Apache-2.0
"""Rows of archives as an import of GRIB makes them, with the keys and types that ecCodes gives.

Numbers of parameters are integers, or text such as ``"130.128"`` for GRIB 1; dates and times are integers; the step of an
accumulation is its end, and its start is only in the product section, which ``grib_sections`` keeps.
"""

from __future__ import annotations

from cube_rows import product, sections

GLOBAL = {"domain": "g", "class": "od", "expver": "0001"}


def high_resolution():
    """HRES: instants from step 0 on, rain and radiation from step 1 on, and the land-sea mask at step 0 only."""
    common = {**GLOBAL, "stream": "oper", "type": "fc", "date": 20240101, "time": 0}
    surface = {**common, "levtype": "sfc"}
    rows = product(**surface, step=[0, 1, 2], param=[167, 165]) + product(**surface, step=0, param=172)
    rows += product(**common, levtype="pl", step=[0, 1, 2], levelist=[1000, 850, 500], param=[130, 133])
    rows += product(**common, levtype="ml", step=[0, 1, 2], levelist=[136, 137], param=130)
    rows = [{**row, "grib_sections": sections(is_interval=False)} for row in rows]
    accumulations = product(**surface, step=[1, 2], param=[228, 169])
    return rows + [{**row, "grib_sections": sections(start=0)} for row in accumulations]


def ensemble_with_control():
    """ENS: two runs of a control and perturbed members, on the surface and on levels."""
    rows = []
    for time in (0, 1200):
        common = {**GLOBAL, "stream": "enfo", "date": 20240101, "time": time}
        for level in ({"levtype": "sfc", "param": 167}, {"levtype": "pl", "param": 130, "levelist": 500}):
            rows += product(**common, **level, type="cf", step=[0, 24])
            rows += product(**common, **level, type="pf", number=[1, 2, 3], step=[0, 24])
    return rows


def hindcasts():
    """Hindcasts of several years, each with a control."""
    common = {**GLOBAL, "stream": "enfh", "date": 20240104, "time": 0, "levtype": "sfc", "param": 167}
    rows = product(**common, hdate=[20220104, 20230104], type="cf", step=[0, 168])
    return rows + product(**common, hdate=[20220104, 20230104], type="pf", number=[1, 2], step=[0, 168])


def seasonal_of_two_systems():
    """SEAS5 and an older system: monthly means of members, whose steps depend on the month of the start."""
    hours = {1: (744, 1440), 2: (696, 1440)}
    return [
        {
            **GLOBAL,
            "class": "c3",
            "stream": "msmm",
            "type": "fcmean",
            "origin": "ecmf",
            "system": system,
            "method": 1,
            "number": number,
            "date": 20240001 + 100 * month,
            "time": 0,
            "fcmonth": lead + 1,
            "step": hours[month][lead],
            "levtype": "sfc",
            "param": 167,
        }
        for system in (4, 5)
        for number in (0, 1, 2)
        for month in (1, 2)
        for lead in (0, 1)
    ]


def monthly_means():
    """ERA5: means of months, and means of the months at hours of the day."""
    common = {**GLOBAL, "class": "ea", "type": "an", "levtype": "sfc"}
    rows = product(**common, stream="moda", date=[20231101, 20231201, 20240101], param=[167, 165])
    return rows + product(**common, stream="mnth", date=[20231101, 20231201], time=[0, 600, 1200, 1800], param=130)


def accumulations_of_a_reanalysis():
    """ERA5: accumulations of one hour each, in forecasts that begin twice a day, beside analyses."""
    common = {**GLOBAL, "class": "ea", "stream": "oper", "levtype": "sfc", "date": 20240101}
    rows = product(**common, type="an", time=[600, 700, 1800, 1900], param="167.128")
    for time in (600, 1800):
        for step in (1, 2, 3):
            row = {**common, "type": "fc", "time": time, "step": step, "param": "228.128"}
            rows.append({**row, "grib_sections": sections(edition=1, start=step - 1)})
    return rows


def waves():
    """Spectra on a reduced grid, an object for each direction and frequency, beside heights of waves."""
    common = {**GLOBAL, "stream": "wave", "type": "fc", "date": 20240101, "time": 0, "grid": "O320"}
    rows = product(**common, levtype="sfc", step=[0, 6], param=140229, _shape=[(7,)])
    indices = {"direction": [1, 2, 3], "frequency": [1, 2]}
    return rows + product(**common, levtype="sfc", step=[0, 6], param=140251, **indices, _shape=[(7,)])


def reduced_grids():
    """One parameter on two reduced grids of equal length, which only their sections tell apart."""
    common = {**GLOBAL, "stream": "oper", "type": "fc", "date": 20240101, "time": 0, "levtype": "sfc", "param": 167}
    return [
        {**row, "grib_sections": sections(grid=grid, is_interval=False)}
        for grid in (b"O96", b"N80")
        for row in product(**common, step=[0, 6], _shape=[(9,)])
    ]


def output_of_a_model():
    """An AI model: latitudes and longitudes in each message, stacked levels with names of dimensions, flat fields."""
    rows = []
    for message, step in enumerate((0, 6, 12)):
        common = {"_message": message, "date": 20240101, "time": 0, "step": step}
        for name in ("latitudes", "longitudes"):
            rows.append({"anemoi.variable": name, "name": name, "_message": message, "_shape": (5,), "_same": name})
        rows.append({**common, "name": "t", "levelist": [1000, 500], "_shape": (2, 5), "_dims": ["levelist", "cell"]})
        rows += [{**common, "name": name, "_shape": (5,), "_dims": ["cell"]} for name in ("2t", "msl")]
    return rows
