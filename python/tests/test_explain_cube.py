# SPDX-License-Identifier: Apache-2.0
"""Explanations of cubes, which need no xarray."""

from __future__ import annotations

import sys

import pytest
from cube_archives import forecast, write
from cube_rows import product

import tgmap
from tgmap.cubes import CubeError
from tgmap.datasets._read import read_plan


@pytest.fixture
def without_xarray(monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)


def test_explanations_need_no_xarray(tmp_path, without_xarray):
    path = write(tmp_path / "forecast.tgm", forecast())
    assert "variable tp (step: 2, y: 3, x: 4)" in str(tgmap.explain_cube(path))
    assert tgmap.explain_cube(path, where="mars.param=lsm").address("lsm").startswith("forecast.tgm:")


def test_reasons_are_those_of_the_cube(tmp_path):
    """A variable in two dtypes is two cubes, each with its own reasons and only the tags in its name that differ."""
    rows = product(param="t", type="fc", levtype="pl", date=[20240101, 20240102], time="0000", step=[0, 6])
    rows += product(param="t", type="fc", levtype="pl", date=20240103, time="0000", step=[0, 6], _dtype="f8")
    groups = {each.name: each for each in tgmap.explain_cube(write(tmp_path / "d.tgm", rows)).plan.groups}
    assert list(groups) == ["pl", "pl_t"]
    for name, role in (("pl", "dimension"), ("pl_t", "scalar")):
        assert [each.role for each in groups[name].reasons if each.key == "forecast_reference_time"] == [role]
    text = str(tgmap.explain_cube(tmp_path / "d.tgm", rename={"t": "temperature"}))
    assert text.count("forecast_reference_time: dimension") == text.count("forecast_reference_time: scalar") == 1


def test_holes_between_dtypes_name_promotion(tmp_path):
    rows = product(param="t", levtype="pl", step=[0, 6], number=[1, 2, 3])
    rows[1]["_dtype"] = "f8"
    path = write(tmp_path / "h.tgm", rows)
    with pytest.raises(
        CubeError, match="Take promote=True for one variable of float32 and float64 as float64, allow_holes"
    ):
        read_plan(path, None, {})
    assert read_plan(path, None, {"promote": True})[0].only().variables["t"].holes == 0


@pytest.mark.parametrize("function", [tgmap.to_dataset, tgmap.to_datatree])
def test_cubes_say_what_to_install(tmp_path, without_xarray, function):
    with pytest.raises(ModuleNotFoundError, match="pip install"):
        function(tmp_path / "a.tgm")
