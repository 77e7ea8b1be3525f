# SPDX-License-Identifier: Apache-2.0
"""Datasets of xarray as archives, and back."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: writing cubes of xarray (xarray is not here)")

from cube_archives import elements, ensemble, forecast, model_output, seasonal, spectra, write  # noqa: E402
from cube_rows import product  # noqa: E402

import tgmap  # noqa: E402
import tgmap.datasets.accessor  # noqa: E402, F401
from tgmap.cubes import CubeError, CubeWarning  # noqa: E402

ARCHIVES = {
    "pressure": ([row for row in forecast() if row["levtype"] == "pl"], {}),
    "joined": ([row for row in forecast() if row["levtype"] == "sfc"], {"join": "outer"}),
    "ensemble": (ensemble(), {}),
    "seasonal": (seasonal(), {}),
    "spectra": (spectra(), {}),
    "model": (model_output(), {}),
    "months": (product(param="2t", stream="moda", date=[20240101, 20240201], levtype="sfc"), {}),
    "intervals": (product(param="tp", date=20240101, time="0000", step=["0-6", "0-12"]), {}),
    "minutes": (product(param="tp", date=20240101, time="0030", step=["15m", "30m", 1]), {}),
    "hindcasts": (product(param="t", date=20240101, time="0000", hdate=[20040101, 20050101], step=[0, 24]), {}),
    "old": (product(param="t", date=[15000101, 16000101], time="0000", step=[0, 24]), {}),
    "integers": (product(name="mask", step=[0, 6], _dtype="i2"), {}),
    "scalar": (product(param="t", step=6, date=20240101, time="1200", number=3), {}),
    "holes": (product(param="t", step=[0, 6], levelist=[500, 850])[:-1], {"allow_holes": True}),
    "streams": (product(param="t", stream=["oper", "enfo"], model=["a", "b"]), {}),
    "labels": ([{"name": "state", "variables": ["t", "u"], "_shape": (2, 5), "_dims": ["channel", "cell"]}], {}),
    "valid_times": (product(name="t", time=["2024-01-01T06:00", "2024-01-01T12:00"]), {}),
    "valid_time": (product(name="t", valid_time="2024-01-01T06:00"), {}),
    "quantiles": (product(param="t", quantile=["1:3", "2:3"], step=[0, 6]), {}),
}


def written(dataset, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset.tgm.to_tgm(path, **options)


@pytest.mark.parametrize("names", ["mars", "cfgrib", "earthkit"])
@pytest.mark.parametrize("kind", ARCHIVES)
def test_round_trip(tmp_path, kind, names):
    rows, options = ARCHIVES[kind]
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", rows), names=names, **options)
    written(first, tmp_path / "b.tgm")
    again = tgmap.to_dataset(tmp_path / "b.tgm", names=names)
    xarray.testing.assert_equal(again, first)
    assert list(again) == list(first) and set(again.coords) == set(first.coords)
    for name in first.variables:
        assert again[name].dims == first[name].dims and again[name].dtype == first[name].dtype
        assert again[name].attrs.get("units") == first[name].attrs.get("units")
    for name in first:
        assert {**again.attrs, **again[name].attrs} == {**first.attrs, **first[name].attrs}


def test_pipelines(tmp_path):
    rows = [{**row, "_values": elements(i, dtype="f8")} for i, row in enumerate(ensemble())]
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", rows))
    written(first, tmp_path / "b.tgm", pipeline={"compression": "zstd"})
    assert tgmap.open(tmp_path / "b.tgm")[0][0].descriptor.compression == "zstd"
    xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "b.tgm"), first)
    first["other"] = first["2t"].where(first["2t"] > 102)
    del first["other"].attrs["param"]
    pipeline = {"other": {"encoding": "simple_packing", "bits": 24}}
    written(first, tmp_path / "c.tgm", pipeline=pipeline)
    again = tgmap.to_dataset(tmp_path / "c.tgm")
    np.testing.assert_allclose(again["other"], first["other"], atol=1e-3)
    xarray.testing.assert_equal(again["2t"], first["2t"])


def test_a_changed_dataset(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", ensemble()))
    changed = (first.drop_attrs() * 2).isel(number=[2, 0]).sortby("number").rename({"2t": "twice"})
    written(changed, tmp_path / "a.tgm")  # the file that it is read from
    again = tgmap.to_dataset(tmp_path / "a.tgm")
    xarray.testing.assert_equal(again, changed)
    xarray.testing.assert_equal(again.load(), (first * 2).isel(number=[0, 2]).rename({"2t": "twice"}))


def test_a_dataset_of_others(tmp_path):
    made = xarray.Dataset(
        {"t2m": (("time", "latitude", "longitude"), np.arange(24.0).reshape(2, 3, 4), {"units": "degC"})},
        coords={
            "time": np.array(["2024-01-01T06", "2024-01-02T06"], "M8[ns]"),
            "latitude": [60.0, 50.0, 40.0],
            "longitude": [0.0, 10.0, 20.0, 30.0],
        },
    )
    import tgmap.datasets.accessor  # noqa: F401

    written(made, tmp_path / "o.tgm")
    again = tgmap.to_dataset(tmp_path / "o.tgm", names="cfgrib")
    xarray.testing.assert_equal(again, made)
    assert again["t2m"].attrs["units"] == "degC"
    archive = tgmap.open(tmp_path / "o.tgm")
    assert len(archive) == 2 and archive[1][2].metadata["mars.date"] == 20240102


def test_what_has_no_place_is_said(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", product(param="t", step=[0, 6])))
    first = first.assign_coords(depth=("y", [1, 2, 3]), realm=7).assign_attrs(made=np.datetime64("2024-01-01"))
    with pytest.warns(CubeWarning) as caught:
        first.tgm.to_tgm(tmp_path / "b.tgm")
    text = str(caught[0].message)
    assert "the coordinate 'depth' (keys={'depth': 'KEY'}" in text and "'realm'" in text
    assert "the attribute 'made' of the dataset, which is datetime64" in text
    assert caught[0].filename == __file__
    del first.attrs["made"]
    written(first.drop_vars("depth"), tmp_path / "c.tgm", keys={"realm": "mars.model"})
    assert tgmap.open(tmp_path / "c.tgm")[0][0].metadata["mars.model"] == 7
    written(first, tmp_path / "c.tgm", keys={"realm": None, "depth": None})


def test_further_dimensions(tmp_path):
    made = xarray.Dataset({"t": (("kind", "cell"), np.ones((2, 3)))}, coords={"kind": ["a", "b"]})
    written(made, tmp_path / "k.tgm", keys={"kind": "mars.kind"})
    assert tgmap.to_dataset(tmp_path / "k.tgm", dims=["mars.kind"])["t"].dims == ("kind", "cell")


def test_a_dimension_without_labels_is_one_of_the_objects(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", product(param="t", step=[0, 6]))).drop_vars("step")
    written(first, tmp_path / "b.tgm")
    again = tgmap.to_dataset(tmp_path / "b.tgm")
    xarray.testing.assert_equal(again, first)
    assert len(tgmap.open(tmp_path / "b.tgm")) == 1 and again["t"].dims == ("step", "y", "x")


def test_errors_leave_files_as_they_were(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", product(param="t", step=[0, 6])))
    before = (tmp_path / "a.tgm").read_bytes()
    wrong = first.assign(when=("step", np.array(["2024-01-01", "2024-01-02"], "M8[ns]")))
    with pytest.raises(CubeError, match="'when' has the dtype datetime64"):
        wrong.tgm.to_tgm(tmp_path / "a.tgm")
    for path in ("a.tgm", "new.tgm"):
        with pytest.raises((TypeError, tgmap.Error)):
            first.tgm.to_tgm(tmp_path / path, pipeline={"compression": "none", "nothing": 1})
    assert (tmp_path / "a.tgm").read_bytes() == before and os.listdir(tmp_path) == ["a.tgm"]
    with pytest.raises(CubeError, match="no coordinate, whose labels"):
        first.drop_vars("step").tgm.to_tgm(tmp_path / "b.tgm", keys={"step": "mars.step"})
    with pytest.raises(CubeError, match="'nothing', which is no coordinate"):
        first.tgm.to_tgm(tmp_path / "b.tgm", keys={"nothing": "a"})


def test_a_new_file_has_usual_permissions(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", product(param="t", step=[0, 6])))
    written(first, tmp_path / "b.tgm")
    assert (tmp_path / "b.tgm").stat().st_mode == (tmp_path / "a.tgm").stat().st_mode


@pytest.mark.parametrize(
    ("role", "labels", "text"),
    [
        ("step", np.array([0, 500], "m8[ms]"), "parts of a second"),
        ("step", np.array([-6, 0], "m8[h]"), "negative steps"),
        ("step", [6, 12], "is of int64, not of timedelta64"),
        ("forecast_reference_time", np.array(["2024-01-01T00:00:00.1", "2024-01-01T00:00:00.7"], "M8[ns]"), "parts of"),
        ("hdate", [20240101, 20240102], "is of int64, not of datetime64"),
    ],
)
def test_labels_that_keys_do_not_have_are_errors(tmp_path, role, labels, text):
    dataset = xarray.Dataset({"t": ((role, "x"), np.zeros((2, 3)))}, {role: labels})
    with pytest.raises(CubeError, match=text):
        dataset.tgm.to_tgm(tmp_path / "a.tgm")
    assert not os.listdir(tmp_path)


def test_attributes_whose_names_are_paths(tmp_path):
    attrs = {"a": 1, "a.b": 2, "mars": "x", "units": "K", "mars.model": "m"}
    dataset = xarray.Dataset({"t": ("x", np.zeros(3), attrs)})
    with pytest.warns(CubeWarning, match="'a.b' of 't'.*'mars' of 't'"):
        dataset.tgm.to_tgm(tmp_path / "a.tgm")
    found = tgmap.to_dataset(tmp_path / "a.tgm")["t"]
    assert found.attrs == {"a": 1, "units": "K", "model": "m", "standard_name": "air_temperature"}


def test_days_with_bounds_are_no_months(tmp_path):
    days = np.array(["2024-01-01", "2024-01-02"], "M8[ns]")
    dataset = xarray.Dataset({"a": (("time", "x"), np.arange(6.0).reshape(2, 3))}, {"time": days})
    dataset["time"].attrs["bounds"] = "time_bnds"
    dataset.tgm.to_tgm(tmp_path / "a.tgm")
    found = tgmap.to_dataset(tmp_path / "a.tgm", names="cfgrib")
    assert found["time"].values.tolist() == days.tolist() and found["a"].values.tolist() == dataset["a"].values.tolist()


def field(*shape):
    return np.arange(float(np.prod(shape))).reshape(shape)


STEPS = np.array([0, 6], "m8[h]").astype("m8[ns]")
ROUND_TRIPS = {
    "a scalar": ({"t": ((), 3.5)}, {}),
    "an encoding": ({"t": (("x",), field(3), {"units": "K"}, {"dtype": "int16", "scale_factor": 0.1})}, {}),
    "values that are not decoded": ({"t": (("x",), np.array([1, -1], "i2"), {"_FillValue": -1})}, {}),
    "text as labels": ({"t": (("levelist", "x"), field(2, 3))}, {"levelist": ["high", "low"]}),
    "objects as labels": ({"t": (("model", "x"), field(2, 3))}, {"model": np.array(["a", "b"], object)}),
    "small integers as labels": ({"t": (("number", "x"), field(2, 3))}, {"number": np.array([1, 2], "i2")}),
    "numbers as labels": ({"t": (("levelist", "x"), field(2, 3))}, {"levelist": np.array([0.5, 2], "f4")}),
    "no coordinates": ({"t": (("a", "b"), field(2, 3))}, {}),
    "a slash": ({"a/b": (("c/d", "e"), field(2, 3))}, {}),
    "a dot": ({"a.b": (("c.d", "e"), field(2, 3))}, {}),
    "other signs": ({"t @:[0]": (("x y",), field(3))}, {}),
    "half precision": ({"t": (("x",), field(3).astype("f2"))}, {}),
    "complex numbers": ({"t": (("x",), field(3).astype("c16"))}, {}),
    "truth values": ({"t": (("x",), field(3) > 1)}, {}),
    "large integers": ({"t": (("x",), np.array([2**64 - 1], "u8"))}, {}),
    "another byte order": ({"t": (("x",), field(3).astype(">f4"))}, {}),
    "no elements": ({"t": (("x",), np.zeros(0))}, {}),
    "objects without dimensions": ({"t": (("step",), field(2))}, {"step": STEPS}),
    "names of two profiles": ({"2t": (("x",), field(3)), "t2m": (("x",), field(3) + 1)}, {}),
    "latitudes of a mesh": ({"t": (("y", "x"), field(2, 3))}, {"latitude": (("y", "x"), field(2, 3))}),
}


@pytest.mark.parametrize("case", ROUND_TRIPS)
def test_round_trips_of_datasets_of_others(tmp_path, case):
    made = xarray.Dataset(*ROUND_TRIPS[case])
    written(made, tmp_path / "a.tgm")
    again = tgmap.to_dataset(tmp_path / "a.tgm")
    xarray.testing.assert_equal(again, made)
    for name in made:
        assert again[name].dtype == made[name].dtype.newbyteorder("=")
        assert {**again[name].attrs, **made[name].attrs} == again[name].attrs


def test_attributes_that_are_not_read_again_are_said(tmp_path):
    kept = {"long_name": "L", "units": "K", "list": [1, 2], "text": "", "flag": True, "class": "od", "levtype": "pl"}
    lost = {
        "version": "property of objects",
        "dim_names": "property of objects",
        "name": "that of the variable",
        "history:1": "no name of a key",
        "@a": "no name of a key",
        "a..b": "no name of a key",
        "": "no name of a key",
        "step": "of a label",
        "date": "of a label",
        "nested": "is dict",
        "none": "is NoneType",
        "big": "more than 64 bits",
        "nan": "not a number",
        "two": "several dimensions",
    }
    values = {"nested": {}, "none": None, "big": 2**70, "nan": np.nan, "two": np.ones((2, 2)), "name": "temperature"}
    attrs = {**kept, **{name: values.get(name, 1) for name in lost}}
    made = xarray.Dataset({"t": (("x",), field(3), attrs)})
    with pytest.warns(CubeWarning) as caught:
        made.tgm.to_tgm(tmp_path / "a.tgm")
    said = str(caught[0].message).split("; the attribute ")
    assert len(said) == len(lost) and len(caught) == 1
    for name, reason in lost.items():
        (found,) = [each for each in said if f"'{name}' of 't', " in each]
        assert reason in found
    again = tgmap.to_dataset(tmp_path / "a.tgm")["t"]
    assert {name: again.attrs.get(name) for name in kept} == kept and again.dims == ("x",)
    assert not set(lost) - {"name"} & set(again.attrs) and not set(again.coords)


def test_a_variable_that_readers_take_for_a_coordinate(tmp_path):
    made = xarray.Dataset({"latitude": (("x",), field(3)), "t": (("x",), field(3))})
    with pytest.warns(CubeWarning, match="that 'latitude' is a variable, as readers take it for a coordinate"):
        made.tgm.to_tgm(tmp_path / "a.tgm")
    xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "a.tgm"), made.set_coords("latitude"))


@pytest.mark.parametrize(
    ("variable", "coordinates", "text"),
    [
        (("x", ["a"]), {}, "dtype <U1, which an archive does not store; drop it; convert it to numbers"),
        (("x", np.array(["a", 1], object)), {}, "dtype object"),
        (("x", np.array(["2024"], "M8[ns]")), {}, "dtype datetime64"),
        (("x", np.array([1], "m8[ns]")), {}, "dtype timedelta64"),
        (("x", np.zeros(1, "g")), {}, "dtype float128|dtype longdouble"),
        ((("time", "x"), field(2, 3)), {"time": np.array(["2024-01-01", "NaT"], "M8[ns]")}, "'time' has no label at 1"),
        ((("levelist", "x"), field(2, 3)), {"levelist": [np.nan, 1]}, "'levelist' has no label at 0"),
        ((("step", "x"), field(2, 3)), {"step": STEPS[[1, 1]]}, "'step' has the label 6h twice"),
        ((("month", "x"), field(2, 3)), {"month": [1, 2]}, "'month' is of int64, not of datetime64"),
    ],
)
def test_what_has_no_place_at_all_is_an_error(tmp_path, variable, coordinates, text):
    made = xarray.Dataset({"t": variable}, coordinates)
    with pytest.raises(CubeError, match=text):
        made.tgm.to_tgm(tmp_path / "a.tgm")
    assert not os.listdir(tmp_path)
    with pytest.raises(CubeError, match="the name 5 is no text"):
        made.rename(t=5).tgm.to_tgm(tmp_path / "a.tgm")


def test_a_few_fields_are_loaded_at_once(tmp_path, monkeypatch):
    from tgmap.datasets import _arrays, _writing

    rows = product(param=["t", "u"], number=[1, 2, 3], step=[0, 6], levelist=[500, 850])
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", rows))
    read = []
    real = _arrays.CubeArray.__getitem__
    monkeypatch.setattr(_arrays.CubeArray, "__getitem__", lambda self, key: read.append(key) or real(self, key))
    for limit, count in ((48, 24), (4 * 48, 6), (1 << 20, 2)):
        read.clear()
        monkeypatch.setattr(_writing, "_LOADED_BYTES", limit)
        written(first, tmp_path / "b.tgm")
        assert len(read) == count
        xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "b.tgm"), first)
        read.clear()


@pytest.mark.parametrize(
    ("role", "dates"),
    [
        ("time", ["10001-11-01", "10001-11-02"]),
        ("time", ["0999-01-01", "0999-01-02"]),
        ("hdate", ["-0001-01-01", "0001-01-01"]),
        ("valid_time", ["10001-11-01", "10001-11-02"]),
        ("valid_time", ["-0001-01-01", "0001-01-01"]),
    ],
)
def test_dates_that_keys_do_not_have_are_errors(tmp_path, role, dates):
    made = xarray.Dataset({"t": ((role, "x"), field(2, 3))}, {role: np.array(dates, "M8[s]")})
    with pytest.raises(CubeError, match=f"'{role}' has dates outside of the years (0|1000) to 9999"):
        made.tgm.to_tgm(tmp_path / "a.tgm")
    assert not os.listdir(tmp_path)


def test_monthly_means_of_analyses(tmp_path):
    keys = {"class": "ea", "stream": "moda", "type": "an", "levtype": "sfc", "param": "2t"}
    rows = product(**keys, date=[20200101, 20200201, 20200301])
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", rows))
    assert "month" in first.dims
    written(first, tmp_path / "b.tgm")
    xarray.testing.assert_identical(tgmap.to_dataset(tmp_path / "b.tgm").load(), first.load())
    for i in (2, 0, 1):
        written(first.isel(month=[i]), tmp_path / "c.tgm", append_dim="month")
    xarray.testing.assert_identical(tgmap.to_dataset(tmp_path / "c.tgm").load(), first)
    with pytest.warns(CubeWarning, match="the coordinate 'step', as a month with a step would be a date"):
        first.assign_coords(step=np.timedelta64(0, "ns")).tgm.to_tgm(tmp_path / "d.tgm")
    xarray.testing.assert_identical(tgmap.to_dataset(tmp_path / "d.tgm").load(), first)


def test_intervals_of_several_variables(tmp_path):
    common = {"date": 20240101, "time": "0000"}
    rows = product(param="tp", step=["0-1", "1-2", "2-3"], **common)
    rows += product(param="mx2t", step=["0-1", "0-2", "0-3"], **common)
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", rows))
    assert {"step_bounds_tp", "step_bounds_mx2t"} <= set(first.coords)
    written(first, tmp_path / "b.tgm")
    xarray.testing.assert_identical(tgmap.to_dataset(tmp_path / "b.tgm").load(), first.load())
    keys = [each.metadata["mars"] for each in tgmap.open(tmp_path / "b.tgm")[1]]
    found = {each["param"]: each["step"] for each in keys}
    assert found == {"tp": "1-2", "mx2t": "0-2"}


def test_pipelines_that_do_not_fit_are_errors(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", ensemble()))
    with pytest.raises(CubeError, match="pipeline= names '2tt', which is no variable; there are 2t"):
        first.tgm.to_tgm(tmp_path / "b.tgm", pipeline={"2tt": {"compression": "zstd"}})
    packed = {"encoding": "simple_packing", "bits": 16}
    for pipeline in (packed, {"2t": packed}):
        with pytest.raises(CubeError, match=r"the variable '2t' has the dtype float32, .*astype\('float64'\)"):
            first.tgm.to_tgm(tmp_path / "b.tgm", pipeline=pipeline)
    written(first.astype("f8"), tmp_path / "b.tgm", pipeline=packed)


def test_valid_times_that_contradict_the_labels_are_said(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", ensemble()))
    later = first.assign_coords(valid_time=first["valid_time"] + np.timedelta64(1, "h"))
    with pytest.warns(CubeWarning, match="'valid_time', which is not the sum of the initial time and the step"):
        later.tgm.to_tgm(tmp_path / "b.tgm")
    xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "b.tgm"), first)


def test_the_hint_names_the_usual_key(tmp_path):
    made = xarray.Dataset({"t": (("z", "x"), field(2, 3))}, {"pressure_level": ("z", [500.0, 850.0])})
    with pytest.warns(CubeWarning, match="keys={'pressure_level': 'mars.levelist'} writes it"):
        made.tgm.to_tgm(tmp_path / "a.tgm")
    levels = made.swap_dims(z="pressure_level")
    written(levels, tmp_path / "a.tgm", keys={"pressure_level": "mars.levelist"})
    again = tgmap.to_dataset(tmp_path / "a.tgm", rename={"levelist": "pressure_level"})
    assert again["pressure_level"].values.tolist() == [500, 850] and again["t"].dims == ("pressure_level", "x")


def test_keys_that_name_another_variable_are_not_written(tmp_path):
    """Selections by these keys would find the wrong objects."""
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", product(param=["t", "q"], step=[0, 6])))
    squared = first.assign(ws=first["t"].copy(data=first["t"] ** 2))
    assert squared["ws"].attrs["param"] == "t"
    swapped = first.rename(t="q", q="t")
    for made, said, count in ((squared, "'param' of 'ws'", 2), (swapped, "'param' of '[tq]', .*'param' of '[tq]'", 0)):
        with pytest.warns(CubeWarning, match=f"the attribute {said}, which is that of another variable"):
            made.tgm.to_tgm(tmp_path / "b.tgm")
        xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "b.tgm"), made)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", tgmap.KeyWarning)
            assert len(list(tgmap.open(tmp_path / "b.tgm").find_objects("mars.param=t"))) == count
    numbered = first[["t"]].assign_attrs(shortName="z", paramId=130)
    with pytest.warns(CubeWarning, match="'shortName' of 't', which is") as caught:
        numbered.tgm.to_tgm(tmp_path / "b.tgm")
    assert "paramId" not in str(caught[0].message)
    assert tgmap.to_dataset(tmp_path / "b.tgm").attrs["paramId"] == 130
