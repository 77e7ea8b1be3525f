# SPDX-License-Identifier: Apache-2.0
"""Rules of cubes: accumulations and other intervals of steps."""

from __future__ import annotations

import numpy as np
import pytest
from cube_rows import groups, labels, only, product, sections, table
from tgmap.cubes import CubeError, Options, plan
from tgmap.cubes._grib import grid_section, interval_start

HOUR = np.timedelta64(1, "h")


def bounds_of(group, name="step_bounds"):
    return (group.coordinates[name].values // HOUR).tolist()


def hours(group):
    return (group.coordinates["step"].values // HOUR).tolist()


def test_intervals_of_one_start():
    group = only(product(param="tp", step=["0-6", "0-12", "0-24"]))
    assert hours(group) == [6, 12, 24]
    assert bounds_of(group) == [[0, 6], [0, 12], [0, 24]]
    assert group.coordinates["step"].attrs["bounds"] == "step_bounds"


def test_intervals_of_one_length():
    group = only(product(param="tp", step=["0-1", "1-2", "2-3"]))
    assert hours(group) == [1, 2, 3] and bounds_of(group) == [[0, 1], [1, 2], [2, 3]]


def test_step_0_belongs_to_intervals_that_begin_there():
    group = only(product(param="tp", step=[0, "0-6", "0-12"]))
    assert hours(group) == [0, 6, 12] and bounds_of(group) == [[0, 0], [0, 6], [0, 12]]


def test_other_intervals_are_apart():
    rows = product(param="tp", step=["0-6", "6-12", "12-18", "0-12", "6-18"], date=20240101, time="0000")
    found = groups(rows)
    assert {name: hours(each) for name, each in found.items()} == {"fields": [6, 12, 18], "fields_tp": [12, 18]}
    assert bounds_of(found["fields_tp"]) == [[0, 12], [6, 18]]
    assert "neither begin together nor have one length: a part of 12h" in plan(table(rows)).explain()


def test_mixed_intervals():
    rows = product(param="tp", step=["0-6", "6-12", "0-18"])
    group = only(rows, intervals="mixed")
    assert hours(group) == [6, 12, 18] and bounds_of(group) == [[0, 6], [6, 12], [0, 18]]
    with pytest.raises(CubeError, match=r"several objects for 1 cell:\n  all: 0:0, 1:0 \(they differ in mars.step\)"):
        only(product(param="tp", step=["0-12", "6-12"]), intervals="mixed")


def test_instants_beside_other_intervals_are_apart():
    found = groups(product(param="tp", step=[6, 12, "0-6", "0-12"]))
    assert [hours(each) for each in found.values()] == [[6, 12], [6, 12]]
    assert sorted("step_bounds" in each.coordinates for each in found.values()) == [False, True]


def test_a_plain_step_is_only_the_end():
    group = only(product(param="tp", step=[6, 12], stepType="accum"))
    assert "step_bounds" not in group.coordinates and "bounds" not in group.coordinates["step"].attrs


@pytest.mark.parametrize("more", [{"stepRange": ["0-6", "0-12"]}, {"timespan": ["6h", "12h"]}, {"timespan": "fs"}])
def test_where_starts_are_stored(more):
    steps = [6, 12]
    rows = [
        {
            "param": "tp",
            "step": step,
            **{key: value[i] if isinstance(value, list) else value for key, value in more.items()},
        }
        for i, step in enumerate(steps)
    ]
    assert bounds_of(only(rows)) == [[0, 6], [0, 12]]


@pytest.mark.parametrize("edition", [1, 2])
def test_starts_of_grib(edition):
    rows = [
        {"param": "tp", "step": step, "grib_sections": sections(edition=edition, start=step - 6)} for step in (6, 12)
    ]
    assert bounds_of(only(rows)) == [[0, 6], [6, 12]]
    for row in rows:
        row["grib_sections"] = sections(edition=edition, start=row["step"], is_interval=False)
    assert "step_bounds" not in only(rows).coordinates
    whole = sections(edition=edition, start=3)
    assert (
        len(whole) == len(sections(edition=edition)) and interval_start(whole.hex()) == interval_start(whole) == 10800
    )
    for cut in range(len(whole)):
        assert interval_start(whole[:cut]) in (None, 10800) and (grid_section(whole[:cut]) is None or cut > 30)


def test_a_range_alone_is_a_step():
    assert hours(only(product(param="tp", stepRange=["0-6", "0-12"]))) == [6, 12]


def test_instants_have_no_timespan():
    assert "step_bounds" not in only(product(param="t", step=[6, 12], timespan="none")).coordinates


def test_wrong_intervals():
    with pytest.raises(CubeError, match="0:0: the step 6 is not the end of the interval '0-12'"):
        only(product(param="tp", step=6, stepRange="0-12"))
    with pytest.raises(CubeError, match="begins before the forecast"):
        only(product(param="tp", step=6, timespan="12h"))


def test_one_interval_is_a_scalar():
    group = only(product(param="tp", step="0-24"))
    assert group.coordinates["step"].dims == () and group.coordinates["step_bounds"].dims == ("bounds",)
    assert bounds_of(group) == [0, 24]


def test_minutes():
    group = only(product(param="tp", step=["0-30m", "0-1", "0-90m"]))
    assert (group.coordinates["step"].values // np.timedelta64(1, "m")).tolist() == [30, 60, 90]


def test_reanalysis_accumulations():
    """ERA5: forecasts at 06 and 18, hourly accumulations of steps 1 to 12, whose step is only the end."""
    rows = product(
        param=["tp", "ssrd"], type="fc", date=[20240101, 20240102], time=["0600", "1800"], step=[*range(1, 13)]
    )
    group = only(rows)
    assert group.sizes == {"forecast_reference_time": 4, "step": 12, "y": 3, "x": 4}
    assert hours(group)[:2] == [1, 2]
    assert group.coordinates["valid_time"].values[3, 11] == np.datetime64("2024-01-03T06:00")


def test_bounds_of_one_of_several_variables_have_its_name():
    rows = product(param="tp", step=["0-6", "0-12"]) + product(param="2t", step=[6, 12])
    group = only(rows)
    assert "bounds" not in group.coordinates["step"].attrs
    assert bounds_of(group, "step_bounds_tp") == [[0, 6], [0, 12]]
