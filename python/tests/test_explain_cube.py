# SPDX-License-Identifier: Apache-2.0
"""Explanations of cubes, which need no xarray."""

from __future__ import annotations

import sys

import pytest
from cube_archives import forecast, write

import tgmap


@pytest.fixture
def without_xarray(monkeypatch):
    monkeypatch.setitem(sys.modules, "xarray", None)


def test_explanations_need_no_xarray(tmp_path, without_xarray):
    path = write(tmp_path / "forecast.tgm", forecast())
    assert "variable tp (step: 2, y: 3, x: 4)" in str(tgmap.explain_cube(path))
    assert tgmap.explain_cube(path, where="mars.param=lsm").address("lsm").startswith("forecast.tgm:")


@pytest.mark.parametrize("function", [tgmap.to_dataset, tgmap.to_datatree])
def test_cubes_say_what_to_install(tmp_path, without_xarray, function):
    with pytest.raises(ModuleNotFoundError, match="pip install"):
        function(tmp_path / "a.tgm")
