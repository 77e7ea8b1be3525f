# SPDX-License-Identifier: Apache-2.0
"""Rules of cubes: ensembles with a control forecast."""

from __future__ import annotations

import pytest
from cube_rows import groups, labels, only, product
from tgmap.cubes import CubeError

KEYS = {"param": "t", "class": "od", "stream": "enfo", "expver": "0001", "date": 20240101, "time": "0000"}
PERTURBED = product(**KEYS, type="pf", number=[1, 2, 3], step=[0, 6])
CONTROL = product(**KEYS, type="cf", step=[0, 6])


def test_the_control_is_member_0():
    group = only(PERTURBED + CONTROL)
    assert group.variables["t"].dims == ("number", "step", "y", "x")
    assert labels(group, "number") == [0, 1, 2, 3]
    assert group.variables["t"].cells[0].tolist() == [6, 7]


def test_the_control_apart():
    found = groups(PERTURBED + CONTROL, control="separate")
    dims = sorted(each.variables["t"].dims for each in found.values())
    assert dims == [("number", "step", "y", "x"), ("step", "y", "x")]


@pytest.mark.parametrize("key", ["class", "stream", "expver", "date", "time", "hdate"])
def test_a_control_of_another_forecast_is_apart(key):
    other = {"date": 20240102, "time": "1200", "hdate": 20100101}.get(key, "zz")
    found = groups(PERTURBED + [{**row, key: other} for row in CONTROL])
    dims = sorted(each.variables["t"].dims for each in found.values())
    assert dims == [("number", "step", "y", "x"), ("step", "y", "x")]


def test_each_run_has_its_own_control():
    rows = [{**row, "time": time} for time in ("0000", "1200") for row in PERTURBED + CONTROL]
    group = only(rows)
    assert group.variables["t"].dims == ("number", "forecast_reference_time", "step", "y", "x")
    assert labels(group, "number") == [0, 1, 2, 3] and group.variables["t"].holes == 0
    with pytest.raises(CubeError, match="number=0, forecast_reference_time=2024-01-01T12:00:00, step=0h"):
        only([row for row in rows if row["type"] == "pf" or row["time"] == "0000"])


def test_a_control_whose_date_is_written_otherwise():
    rows = PERTURBED + [{**row, "date": "2024-01-01", "time": "00:00"} for row in CONTROL]
    assert labels(only(rows), "number") == [0, 1, 2, 3]


def test_a_control_that_has_a_number_keeps_it():
    group = only(PERTURBED + [{**row, "number": 51} for row in CONTROL])
    assert labels(group, "number") == [1, 2, 3, 51]


def test_a_member_0_beside_the_control_is_a_duplicate():
    with pytest.raises(CubeError, match="number=0.*they differ in mars.type"):
        only(PERTURBED + CONTROL + product(**KEYS, type="pf", number=0, step=[0, 6]))


def test_a_control_alone_has_no_member():
    assert only(CONTROL).variables["t"].dims == ("step", "y", "x")
    assert "number" not in only(CONTROL).coordinates


def test_means_and_spreads_are_no_members():
    rows = PERTURBED + product(**KEYS, type=["em", "es"], step=[0, 6])
    found = groups(rows)
    assert len(found) == 3
    assert sorted(each.variables["t"].dims[0] for each in found.values()) == ["number", "step", "step"]


def test_a_missing_member_is_a_hole():
    with pytest.raises(CubeError, match="number=2, step=6h"):
        only([row for row in PERTURBED if (row["number"], row["step"]) != (2, 6)] + CONTROL)
