# SPDX-License-Identifier: Apache-2.0
"""Rules of cubes: names and attributes."""

from __future__ import annotations

import pytest
from cube_rows import labels, only, product, table
from tgmap.cubes import CubeError, Options, plan

PRESSURE = product(
    param=["t", "z"],
    levtype="pl",
    levelist=[500, 1000, 850],
    number=[1, 2],
    date=20240101,
    time=["0000", "1200"],
    step=[0, 6],
)


def test_mars():
    group = only(PRESSURE)
    assert group.variables["t"].dims == ("number", "forecast_reference_time", "step", "levelist", "y", "x")
    assert labels(group, "levelist") == [500, 850, 1000]
    assert group.coordinates["levelist"].attrs["units"] == "hPa"


def test_cfgrib():
    group = only(PRESSURE, names="cfgrib")
    assert group.variables["t"].dims == ("number", "time", "step", "isobaricInhPa", "y", "x")
    assert labels(group, "isobaricInhPa") == [1000, 850, 500]
    assert group.coordinates["isobaricInhPa"].attrs["standard_name"] == "air_pressure"
    for position, level in enumerate([1000, 850, 500]):
        for row in group.variables["t"].cells[:, :, :, position].reshape(-1).tolist():
            assert PRESSURE[row]["levelist"] == level
    assert "valid_time" in group.coordinates


def test_earthkit():
    group = only(PRESSURE, names="earthkit")
    assert group.variables["t"].dims == ("member", "forecast_reference_time", "step", "level", "y", "x")
    assert labels(group, "level") == [500, 850, 1000]


@pytest.mark.parametrize(
    ("value", "mars", "cfgrib"),
    [
        ("2t", "2t", "t2m"),
        (167, "2t", "t2m"),
        ("10u", "10u", "u10"),
        ("167.128", "2t", "t2m"),
        (999999, "param999999", "param999999"),
    ],
)
def test_variables(value, mars, cfgrib):
    rows = product(param=value)
    assert list(only(rows).variables) == [mars]
    assert list(only(rows, names="cfgrib").variables) == [cfgrib]
    assert only(rows, names="earthkit").variables.keys() == only(rows).variables.keys()


def test_the_key_of_variables():
    rows = [{"name": "a", "param": "t", "shortName": "p"}, {"param": "u", "shortName": "q"}]
    assert list(only(rows).variables) == ["a", "u"]
    assert list(only(rows, variable_key="mars.shortName").variables) == ["p", "q"]
    nothing = table([{"_message": 0}, {"_message": 0}])
    assert list(plan(nothing).only().variables) == ["object_0", "object_1"]


def test_collisions_are_errors_with_the_ways_out():
    rows = product(param=["2t", 167])
    with pytest.raises(CubeError, match="two variables are called '2t'; rename one by rename=.*variable_key=.*names="):
        only(rows)
    with pytest.raises(CubeError, match="a variable and a coordinate are called 'step'"):
        only(product(param="step", step=[0, 6]))
    group = only(product(param="step", step=[0, 6]), rename={"step": "hours"})
    assert list(group.variables) == ["hours"] and group.coordinates["step"].dims == ("step",)


def test_other_keys_never_take_a_name():
    rows = [{"param": "t", "step": step, "t": step + 1, "y": step + 2, "x.step": step + 3} for step in (0, 6)]
    group = only(rows)
    assert list(group.coordinates) == ["step"] and list(group.variables) == ["t"]
    assert "mars.t: not used; its name is taken" in plan(table(rows)).explain()


def test_rename():
    group = only(PRESSURE, rename={"t": "temperature", "levelist": "p", "y": "row"})
    assert list(group.variables) == ["temperature", "z"]
    assert group.variables["temperature"].dims == ("number", "forecast_reference_time", "step", "p", "row", "x")
    assert labels(group, "p") == [500, 850, 1000]


def test_attributes():
    rows = product(param=["2t", "msl"], step=[0, 6], levtype="sfc", **{"class": "od", "source.name": "x"})
    group = only(rows, attrs={"2t": {"units": "degC"}, "step": {"comment": "c"}})
    assert group.attrs == {"levtype": "sfc", "class": "od", "source.name": "x"}
    assert group.variables["2t"].attrs == {"units": "degC", "param": "2t"}
    assert group.variables["msl"].attrs["standard_name"] == "air_pressure_at_mean_sea_level"
    assert group.coordinates["step"].attrs["comment"] == "c"


def test_reasons():
    found = plan(table(PRESSURE), Options())
    roles = {each.key: each.role for each in found.reasons if each.variable == "t"}
    assert roles["number"] == roles["forecast_reference_time"] == roles["step"] == roles["levelist"] == "dimension"
    text = found.explain()
    assert text.startswith("48 objects, 1 cube\n\npl")
    assert "levelist: dimension; 3 values: it varies" in text
