# SPDX-License-Identifier: Apache-2.0
"""Rules of cubes: which keys are dimensions, holes, duplicates."""

from __future__ import annotations

import numpy as np
import pytest
from cube_rows import groups, labels, only, product, table
from tgmap.cubes import CANDIDATES, CubeError, Options, plan


def test_candidates_are_dimensions_in_their_order():
    rows = product(levelist=[500, 850], step=[0, 6], param="t", number=[1, 2], date=[20240101, 20240102])
    group = only(rows)
    assert group.variables["t"].dims == ("number", "forecast_reference_time", "step", "levelist", "y", "x")
    assert group.variables["t"].shape == (2, 2, 2, 2, 3, 4)
    cells = group.variables["t"].cells
    for (n, d, s, level), row in np.ndenumerate(cells):
        keys = (rows[row]["number"], rows[row]["date"], rows[row]["step"], rows[row]["levelist"])
        assert keys == ([1, 2][n], [20240101, 20240102][d], [0, 6][s], [500, 850][level])


def test_no_other_key_is_a_dimension():
    rows = [{**row, "colour": i, "uuid": f"{i:08}"} for i, row in enumerate(product(param="t", step=[0, 6, 12]))]
    group = only(rows)
    assert group.sizes == {"step": 3, "y": 3, "x": 4}
    assert group.coordinates["colour"].dims == ("step",) and "uuid" not in group.coordinates
    assert "colour" not in CANDIDATES


def test_a_key_that_depends_on_others_is_auxiliary():
    rows = [
        {"param": "t", "stream": stream, "step": step}
        for stream, steps in (("oper", (0, 6)), ("scda", (12, 18)))
        for step in steps
    ]
    group = only(rows)
    assert group.variables["t"].dims == ("step", "y", "x")
    assert group.coordinates["stream"].dims == ("step",)
    assert labels(group, "stream") == ["oper", "oper", "scda", "scda"]
    text = plan(table(rows)).explain()
    assert "stream: not used; objects are distinct without it, by step" in text


def test_the_last_candidates_are_dropped_first():
    rows = [{"param": "t", "date": 20240101 + i, "time": "0000", "step": 24 * i} for i in range(3)]
    group = only(rows)
    assert group.variables["t"].dims == ("forecast_reference_time", "y", "x")
    assert group.coordinates["step"].dims == ("forecast_reference_time",)
    assert labels(group, "valid_time")[2][:10] == "2024-01-05"
    rows = product(param="t", step=[0, 6], model=["a", "b"])
    assert only(rows).variables["t"].dims == ("step", "model", "y", "x")


def test_each_variable_is_solved_alone():
    rows = product(param="t", step=[0, 6], expver="0001") + product(param="u", step=6, expver=["0001", "0002"])
    found = groups(rows)
    assert {name: list(each.variables) for name, each in found.items()} == {"fields": ["t"], "fields_u": ["u"]}
    assert found["fields_u"].variables["u"].dims == ("expver", "y", "x")


def test_one_value_is_a_scalar_unless_it_is_asked_for():
    rows = product(param="t", number=3, step=6, levelist=500, levtype="pl", date=20240101, time="0000")
    group = only(rows)
    assert group.variables["t"].dims == ("y", "x")
    assert group.coordinates["number"].dims == () and group.coordinates["levelist"].values == 500
    kept = only(rows, ensure_dims=["step"])
    assert kept.variables["t"].dims == ("step", "y", "x")
    assert only(rows, ensure_dims="isobaricInhPa", names="cfgrib").variables["t"].dims[0] == "isobaricInhPa"
    every = only(rows, squeeze=False).variables["t"]
    assert every.dims == ("number", "forecast_reference_time", "step", "levelist", "y", "x")


def test_a_key_that_some_objects_lack_keeps_them_apart():
    rows = product(param="t", step=[0, 6], quantile=["1:3", "2:3"]) + product(param="t", step=[0, 6])
    found = groups(rows)
    assert [each.variables["t"].dims for each in found.values()] == [("step", "quantile", "y", "x"), ("step", "y", "x")]
    filled = only(rows, fill={"quantile": "all"})
    assert labels(filled, "quantile") == ["1:3", "2:3", "all"]


def test_filled_numbers():
    group = only(product(param="t", step=[0, 6]), fill={"number": 0}, ensure_dims="number")
    assert group.sizes["number"] == 1 and labels(group, "number") == [0]


def test_further_dimensions():
    rows = product(param="t", step=[0, 6], kind=["a", "b"])
    with pytest.raises(CubeError, match="several objects"):
        only(rows)
    group = only(rows, dims=["mars.kind"])
    assert group.variables["t"].dims == ("step", "kind", "y", "x") and labels(group, "kind") == ["a", "b"]
    assert only(rows, dims="kind").sizes["kind"] == 2


def test_dimensions_that_keep_objects_apart_otherwise():
    rows = product(param="t", step=[0, 6], type=["an", "fc"], levtype="sfc")
    assert len(groups(rows)) == 2
    group = only(rows, dims="mars.type")
    assert group.variables["t"].dims == ("step", "type", "y", "x") and labels(group, "type") == ["an", "fc"]
    rows = product(param="t", step=[0, 6], system=[4, 5])
    assert only(rows, dims=["system"]).sizes["system"] == 2


def test_dimensions_that_no_object_has():
    rows = product(param="t", step=[0, 6])
    with pytest.raises(CubeError, match="ensure_dims names 'member', and no object has it; fill="):
        only(rows, names="earthkit", ensure_dims=["member"])
    with pytest.raises(CubeError, match="ensure_dims names 'stepp', and no object has it; did you mean 'step'.$"):
        only(rows, ensure_dims=["stepp"])
    with pytest.raises(CubeError, match="dims names 'mars.kind', and no object has this key"):
        only(rows, dims=["mars.kind"])


def test_holes_name_cells():
    rows = [
        row
        for row in product(param="t", step=[0, 6], levelist=[500, 850])
        if row != {"param": "t", "step": 6, "levelist": 850}
    ]
    with pytest.raises(
        CubeError, match="'t' has no object for 1 cell of 4:\n  step=6h, levelist=850\nTake allow_holes=True"
    ):
        only(rows)
    variable = only(rows, allow_holes=True).variables["t"]
    assert variable.cells.tolist() == [[0, 1], [2, -1]] and variable.holes == 1
    assert "1 of 4 cells empty" in plan(table(rows), Options(allow_holes=True)).explain()


def test_holes_in_integers_are_an_error():
    rows = product(param="t", step=[0, 6], levelist=[500, 850])[:-1]
    for row in rows:
        row["_dtype"] = "int16"
    with pytest.raises(CubeError, match="no int16 means that a value is missing"):
        only(rows, allow_holes=True)


def test_duplicates_name_cells_and_messages():
    rows = product(param="t", step=[0, 6], level=1) + [{"param": "t", "step": 6, "level": 1, "comment": "again"}]
    with pytest.raises(CubeError) as caught:
        only(rows)
    text = str(caught.value)
    assert "several objects for 1 cell:\n  step=6h: 1:0, 2:0 (they differ in mars.comment)" in text
    assert "duplicates='first', 'last' or 'stack'" in text
    assert only(rows, duplicates="first").variables["t"].cells.tolist() == [0, 1]
    assert only(rows, duplicates="last").variables["t"].cells.tolist() == [0, 2]
    with pytest.raises(CubeError, match="step=0h, duplicate=1"):
        only(rows, duplicates="stack")
    stacked = only(rows, duplicates="stack", allow_holes=True)
    assert stacked.variables["t"].dims == ("step", "duplicate", "y", "x")
    assert stacked.variables["t"].cells.tolist() == [[0, -1], [1, 2]]


def test_two_equal_objects_are_a_duplicate_of_everything():
    rows = product(param="t") * 2
    with pytest.raises(CubeError, match="  all: 0:0, 1:0\n"):
        only(rows)
    assert only(rows, duplicates="last").variables["t"].cells.tolist() == 1
    assert only(rows, duplicates="stack").variables["t"].cells.tolist() == [0, 1]


def test_a_huge_cube_of_few_objects_is_refused():
    rows = [{"param": "t", "step": i, "levelist": i * 7 % 3001, "number": i * 11 % 2999} for i in range(3000)]
    rows += [
        {"param": "t", "step": 1, "levelist": 7, "number": 12},
        {"param": "t", "step": 1, "levelist": 8, "number": 11},
    ]
    rows += [{"param": "t", "step": 2, "levelist": 7, "number": 11}]
    with pytest.raises(CubeError, match="select fewer"):
        only(rows, allow_holes=True)


def test_text_that_is_a_number_is_a_number():
    rows = product(param="t", levelist=["1000", 850, "500"])
    assert labels(only(rows), "levelist") == [500, 850, 1000]
    rows = product(param="t", channel=["10", "B2", "B10"])
    assert labels(only(rows), "channel") == ["10", "B2", "B10"]


def test_dtypes_are_apart_unless_promotion_is_lossless_and_asked_for():
    rows = [{"param": "t", "step": 0}, {"param": "t", "step": 6, "_dtype": "float64"}]
    assert len(groups(rows)) == 2
    group = only(rows, promote=True)
    assert group.variables["t"].dtype == "float64" and group.sizes["step"] == 2
    rows[0]["_dtype"] = "int64"
    assert len(groups(rows, promote=True)) == 2
    rows[0]["_dtype"] = "bfloat16"
    assert len(groups(rows, promote=True)) == 2


def test_no_objects():
    with pytest.raises(CubeError, match="no objects"):
        plan(table([])).only()


@pytest.mark.parametrize("wrong", [{"names": "grib"}, {"join": "inner"}, {"duplicates": "all"}, {"time_unit": "h"}])
def test_wrong_options(wrong):
    with pytest.raises(ValueError, match="must be one of"):
        Options(**wrong)


def test_labels_stay_different():
    big = product(param="t", kind=[2**63 + 1, 2**63 + 2])
    assert only(big, dims=["mars.kind"]).coordinates["kind"].values.tolist() == [2**63 + 1, 2**63 + 2]
    for kinds in ([2**63 + 1, 2**63 + 2, 0.5], [1, "1"]):
        with pytest.raises(CubeError, match="labels of kind that differ in the files are equal"):
            only(product(param="t", kind=kinds), dims=["mars.kind"])


def test_digits_of_any_kind_and_length_are_sorted():
    long = "9" * 5000
    found = only(product(param="t", model=["\u00b2", "1" + long, "2", "b10", "b9"]))
    assert labels(found, "model") == ["2", "1" + long, "b9", "b10", "\u00b2"]


def test_no_object_is_lost_when_variables_are_joined():
    rows = product(param="t", model=[1, True], step=[0]) + product(param="u", model=2, step=0)
    with pytest.raises(CubeError, match="join"):
        only(rows, join="outer")
