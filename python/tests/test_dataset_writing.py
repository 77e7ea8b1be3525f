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
    pipeline = {"other": {"encoding": "simple_packing", "bits": 24}}
    written(first, tmp_path / "c.tgm", pipeline=pipeline)
    again = tgmap.to_dataset(tmp_path / "c.tgm")
    np.testing.assert_allclose(again["other"], first["other"], atol=1e-3)
    xarray.testing.assert_equal(again["2t"], first["2t"])


def test_a_changed_dataset(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", ensemble()))
    changed = (first * 2).isel(number=[2, 0]).sortby("number").rename({"2t": "twice"})
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
