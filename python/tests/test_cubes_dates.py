# SPDX-License-Identifier: Apache-2.0
"""Rules of cubes: dates, times, steps, months and hindcasts."""

from __future__ import annotations

import numpy as np
import pytest
from cube_rows import groups, labels, only, product, table
from tgmap.cubes import CubeError, Options, plan
from tgmap.cubes._dates import Date, Step, parse_date, parse_step, parse_time

DAY = 86400


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (20240131, Date(19753 * DAY)),
        (20240131.0, Date(19753 * DAY)),
        ("20240131", Date(19753 * DAY)),
        ("2024-01-31", Date(19753 * DAY)),
        ("2024-01-31T06:30:00Z", Date(19753 * DAY + 23400)),
        ("2024-01-31 06:30", Date(19753 * DAY + 23400)),
        (202402, Date(19754 * DAY, True)),
        (20240200, Date(19754 * DAY, True)),
        ("2024-02", Date(19754 * DAY, True)),
        (16000101, Date(-135140 * DAY)),
    ],
)
def test_dates(value, expected):
    assert parse_date(value) == expected


@pytest.mark.parametrize("value", [-1, 0, "jan-15", 20241301, 20240231, "2024-01-31T25:00", True, "", 99])
def test_no_dates(value):
    with pytest.raises(CubeError, match="is no date; YYYYMMDD"):
        parse_date(value)


@pytest.mark.parametrize(
    ("value", "seconds"),
    [
        ("0000", 0),
        ("1200", 43200),
        ("0630", 23400),
        (0, 0),
        ("00", 0),
        (100, 3600),
        (1830, 66600),
        ("600", 21600),
        ("06:30", 23400),
    ],
)
def test_times(value, seconds):
    assert parse_time(value) == seconds


def test_small_integers_are_ambiguous():
    for value in (1, 6, 12, 30, 59, "6", "12"):
        with pytest.raises(CubeError, match="mars_time='hours' or mars_time='HHMM'"):
            parse_time(value)
    assert parse_time(12, "hours") == 43200 and parse_time(12, "HHMM") == 720 and parse_time(30, "HHMM") == 1800
    for value, convention in ((30, "hours"), (60, "HHMM"), (2400, None), (1260, None), ("x", None)):
        with pytest.raises(CubeError, match="no time of day"):
            parse_time(value, convention)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (6, Step(21600)),
        ("6", Step(21600)),
        (0.5, Step(1800)),
        ("30m", Step(1800)),
        ("2d", Step(172800)),
        ("90s", Step(90)),
        ("0-24", Step(86400, 0)),
        ("0-30m", Step(1800, 0)),
        ("30m-60m", Step(3600, 1800)),
        ("1-6h", Step(21600, 3600)),
    ],
)
def test_steps(value, expected):
    assert parse_step(value) == expected


@pytest.mark.parametrize(
    "value",
    [-1, "6-0", "x", "1-90m", True, 0.0001, "1-2-3", "1M", "30m-60", "9" * 400 + "d", 10**17, float("inf")],
)
def test_no_steps(value):
    with pytest.raises(CubeError, match="step"):
        parse_step(value)


def test_date_and_time_are_one_dimension():
    group = only(product(param="t", date=[20240101, 20240102], time=["0000", "1200"], step=[0, 6]))
    assert group.sizes == {"forecast_reference_time": 4, "step": 2, "y": 3, "x": 4}
    assert labels(group, "forecast_reference_time")[1] == "2024-01-01T12:00:00.000000000"
    assert group.coordinates["step"].values.dtype == "timedelta64[ns]"
    valid = group.coordinates["valid_time"]
    assert valid.dims == ("forecast_reference_time", "step")
    assert valid.values[1, 1] == np.datetime64("2024-01-01T18:00")
    assert "units" not in group.coordinates["step"].attrs  # to_netcdf refuses them there
    assert group.coordinates["step"].encoding["units"] == "seconds"


def test_text_and_integers_of_one_time_are_equal():
    rows = product(param="t", date=20240101, time=["1200"], step=0) + product(
        param="t", date="2024-01-01", time=1200, step=6
    )
    assert only(rows).sizes == {"step": 2, "y": 3, "x": 4}


def test_an_ambiguous_time_names_the_object():
    rows = product(param="t", date=20240101, time=[0, 6, 12, 18])
    with pytest.raises(CubeError, match="^1:0: time: the time 6 may be hours"):
        only(rows)
    assert labels(only(rows, mars_time="hours"), "forecast_reference_time")[1][:16] == "2024-01-01T06:00"
    assert labels(only(rows, mars_time="HHMM"), "forecast_reference_time")[1][:16] == "2024-01-01T00:06"


def test_dates_beyond_nanoseconds_are_seconds_everywhere():
    rows = product(param="t", date=[16000101, 20240101], time="0000", step=[0, 6])
    group = only(rows)
    kinds = {name: each.values.dtype for name, each in group.coordinates.items()}
    assert kinds == {
        "forecast_reference_time": "datetime64[s]",
        "step": "timedelta64[s]",
        "valid_time": "datetime64[s]",
    }
    assert labels(group, "forecast_reference_time") == ["1600-01-01T00:00:00", "2024-01-01T00:00:00"]
    with pytest.raises(CubeError, match="time_unit='s'"):
        only(rows, time_unit="ns")
    assert (
        only(product(param="t", date=20240101, step=[0, 6]), time_unit="s").coordinates["step"].values.dtype == "m8[s]"
    )
    # The last day of nanoseconds: the valid time is beyond.
    assert only(product(param="t", date=22620411, step=[0, 24])).coordinates["step"].values.dtype == "m8[s]"


def test_analyses_have_a_scalar_step():
    group = only(product(param="t", type="an", date=[20240101, 20240102], time="0000"))
    assert group.coordinates["step"].dims == () and group.coordinates["step"].values == np.timedelta64(0)
    assert group.coordinates["valid_time"].dims == ("forecast_reference_time",)


def test_times_that_are_whole_dates_are_valid_times():
    times = ["2024-01-01T06:00", "2024-01-01 12:30:00Z"]
    group = only(product(name="t", time=times))
    assert labels(group, "valid_time") == ["2024-01-01T06:00:00.000000000", "2024-01-01T12:30:00.000000000"]
    assert group.variables["t"].dims == ("valid_time", "y", "x")
    assert only(product(name="t", valid_time="2024-01-01T06:00:00")).coordinates["valid_time"].dims == ()
    steps = [{"name": "t", "step": step, "valid_time": f"2024-01-01T{step:02}:00:00"} for step in (6, 12)]
    group = only(steps)
    assert group.variables["t"].dims == ("step", "y", "x") and group.coordinates["valid_time"].dims == ("step",)


def test_stored_valid_times_are_no_dimension_of_a_forecast():
    rows = product(param="t", date=[20240101, 20240102], time="0000", step=[0, 24])
    for row in rows:
        row["valid_time"] = f"2024-01-{row['date'] % 100 + row['step'] // 24:02}T00:00:00"
    group = only(rows)
    assert group.variables["t"].dims == ("forecast_reference_time", "step", "y", "x")
    assert group.coordinates["valid_time"].values.astype("M8[D]").astype(str).tolist()[1] == [
        "2024-01-02",
        "2024-01-03",
    ]


def test_keys_that_are_something_else_can_be_ignored():
    rows = product(param="t", step=[0, 6], time="noon")
    with pytest.raises(CubeError, match=r"'noon' is no time of day.*ignore=\['mars.time'\]"):
        only(rows)
    assert only(rows, ignore="mars.time").variables["t"].dims == ("step", "y", "x")


def test_hindcasts_are_valid_after_their_own_date():
    group = only(product(param="t", date=20240601, time="0000", hdate=[20040601, 20050601], step=[0, 24]))
    assert group.sizes == {"step": 2, "hdate": 2, "y": 3, "x": 4}
    assert group.coordinates["forecast_reference_time"].dims == ()
    valid = group.coordinates["valid_time"]
    assert valid.dims == ("hdate", "step") and valid.values[1, 1] == np.datetime64("2005-06-02")


def test_months_without_time_and_step_have_bounds():
    group = only(product(param="t", stream="moda", date=[20240101, 20240201, 20241201]))
    assert group.sizes == {"month": 3, "y": 3, "x": 4}
    assert group.coordinates["month"].attrs["bounds"] == "month_bounds"
    bounds = group.coordinates["month_bounds"]
    assert bounds.dims == ("month", "bounds")
    assert bounds.values.astype("M8[D]").astype(str).tolist() == [
        ["2024-01-01", "2024-02-01"],
        ["2024-02-01", "2024-03-01"],
        ["2024-12-01", "2025-01-01"],
    ]
    assert "valid_time" not in group.coordinates
    assert "month" in only(product(param="t", date=[202401, 202402])).coordinates
    days = only(product(param="t", stream="oper", date=[20240101, 20240201]))
    assert "forecast_reference_time" in days.coordinates and "month" not in days.coordinates


def test_the_mean_of_a_month_has_no_step():
    """An analysis has the step 0, but not the mean of analyses."""
    group = only(product(param="t", type="an", stream="moda", date=[20240101, 20240201]))
    assert "step" not in group.coordinates and "valid_time" not in group.coordinates


def test_dates_by_other_names_are_said_not_to_be_read():
    rows = [{"param": "t", "x.dataDate": 20240101 + day, "step": day} for day in (0, 1)]
    (said,) = [each.text for each in plan(table(rows)).reasons if not each.variable]
    assert said == "x.dataDate of ecCodes are no dates here: those are read from date and time, with or without mars."
    assert not [each for each in plan(table([{**row, "date": 20240101} for row in rows])).reasons if not each.variable]


def test_one_month_has_bounds():
    bounds = only(product(param="t", stream="moda", date=20240201)).coordinates["month_bounds"]
    assert bounds.dims == ("bounds",) and bounds.values[1] == np.datetime64("2024-03-01")


def test_seasonal_forecasts_have_months_and_steps_that_depend_on_the_date():
    steps = {(20240101, 1): 744, (20240101, 2): 1440, (20240201, 1): 696, (20240201, 2): 1440}
    rows = [
        {"param": "2t", "date": date, "time": "0000", "fcmonth": month, "step": step, "stream": "msmm"}
        for (date, month), step in steps.items()
    ]
    group = only(rows)
    assert group.sizes == {"forecast_reference_time": 2, "fcmonth": 2, "y": 3, "x": 4}
    assert group.coordinates["fcmonth"].values.dtype == np.int64
    step = group.coordinates["step"]
    assert step.dims == ("forecast_reference_time", "fcmonth")
    assert (step.values // np.timedelta64(1, "h")).tolist() == [[744, 1440], [696, 1440]]
    assert only(rows, squeeze=False).variables["2t"].dims == group.variables["2t"].dims


def test_systems_methods_and_origins_are_apart():
    rows = product(param="2t", levtype="sfc", system=[5, 51], fcmonth=[1, 2]) + product(
        param="2t", levtype="sfc", system=51, origin="egrr", fcmonth=[1, 2, 3]
    )
    found = groups(rows)
    assert sorted(found) == ["sfc_system5", "sfc_system51", "sfc_system51_originegrr"]
    assert found["sfc_system5"].where == "mars.system=5"
    assert found["sfc_system51_originegrr"].sizes["fcmonth"] == 3


def test_a_wrong_date_names_the_object():
    rows = product(param="t", date=[20240101, 20240199])
    with pytest.raises(CubeError, match="^1:0: date: 20240199 is no date.*where="):
        plan(table(rows), Options())


def test_a_date_with_a_time_of_day_has_it_once():
    rows = product(param="t", date="2024-01-01T06:00:00", time="0600")
    assert str(only(rows).coordinates["forecast_reference_time"].values) == "2024-01-01T06:00:00.000000000"
    with pytest.raises(CubeError, match="^0:0: the time of day in the date is another one"):
        only(product(param="t", date="2024-01-01T06:00:00", time="1200"))


def test_a_month_without_an_end_is_an_error():
    with pytest.raises(CubeError, match="^0:0: date: 999912 is no date"):
        only(product(param="t", date=999912))
