# SPDX-License-Identifier: Apache-2.0
"""Datasets that are written and read again: labels of axes inside objects, attributes, names and types of keys."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: cubes of xarray (xarray is not here)")

from cube_archives import ensemble, write  # noqa: E402
from cube_rows import product  # noqa: E402

import tgmap  # noqa: E402
from tgmap.cubes import CubeWarning  # noqa: E402
from tgmap.datasets import accessor as accessor  # noqa: E402


STEP = {"standard_name": "forecast_period", "long_name": "time since the initial time of the forecast"}


def again(dataset, path, **options):
    """Return a Dataset after it was written. Nothing may be lost."""
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        dataset.tgm.to_tgm(path, **options)
    return tgmap.to_dataset(path)


def keys_of(path):
    return [each.metadata.to_dict() for message in tgmap.open(path) for each in message]


# ---- labels of axes inside objects -----------------------------------------------------------------


def test_labels_of_axes_inside_objects(tmp_path):
    made = xarray.Dataset(
        {
            "field": (("step", "band", "x"), np.arange(24.0).reshape(2, 3, 4)),
            "mask": (("band", "flag"), np.arange(6.0).reshape(3, 2)),
        },
        {
            "step": ("step", np.array([0, 6], "m8[h]").astype("m8[ns]"), STEP),
            "band": ["red", "green", "blue"],
            "x": [0.5, 1.5, 2.5, 4.0],
            "flag": [7, -1],
        },
    )
    found = again(made[["field"]], tmp_path / "a.tgm")
    xarray.testing.assert_identical(found, made[["field"]])
    assert found["field"].sel(band="green", x=4.0, step="6h").item() == 19.0
    assert found["band"].dtype.kind == "U" and found["x"].dtype == np.float64
    first = keys_of(tmp_path / "a.tgm")[0]
    assert first["band"] == ["red", "green", "blue"] and first["x"] == [0.5, 1.5, 2.5, 4.0]
    assert "flag" not in first and first["dim_names"] == ["band", "x"]
    xarray.testing.assert_identical(again(made[["mask"]], tmp_path / "b.tgm"), made[["mask"]])
    assert again(made[["field"]].isel(band=[2, 0]), tmp_path / "c.tgm")["band"].values.tolist() == ["blue", "red"]


def test_axes_of_one_size_have_their_own_labels(tmp_path):
    made = xarray.Dataset({"field": (("y", "x"), np.arange(9.0).reshape(3, 3))}, {"x": [1, 2, 3], "y": [30, 20, 10]})
    found = again(made, tmp_path / "a.tgm")
    xarray.testing.assert_identical(found, made)
    assert found["field"].sel(y=10, x=1).item() == 6.0


def test_a_list_labels_only_the_axis_of_its_name(tmp_path):
    with tgmap.create(tmp_path / "a.tgm") as out:
        keys = {"name": "field", "dim_names": ["y", "x"], "z": [1, 2, 3], "x": [1, 2], "y": [5, 6, 7]}
        out.write([tgmap.NewObject(np.zeros((3, 4)), keys)])
    found = tgmap.to_dataset(tmp_path / "a.tgm")
    assert list(found.coords) == ["y"] and found["field"].attrs == {"z": [1, 2, 3], "x": [1, 2]}
    named = tgmap.to_dataset(tmp_path / "a.tgm", dim_names=["z", "x"])
    assert list(named.coords) == ["z"] and named["z"].values.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    "labels, problem",
    [
        (np.arange(5000.0), "5000 labels would be a list in each object, of at most 4096"),
        (np.array([0, 1], "M8[ns]"), "labels of axes inside objects are numbers or text"),
        ([1.0, np.nan], "labels of axes inside objects are different ones, and numbers"),
        ([1.0, 1.0], "labels of axes inside objects are different ones, and numbers"),
    ],
)
def test_labels_that_are_not_stored_are_said(tmp_path, labels, problem):
    made = xarray.Dataset({"t": (("sample",), np.zeros(len(labels)))}, {"sample": labels})
    with pytest.warns(CubeWarning, match=problem):
        made.tgm.to_tgm(tmp_path / "a.tgm")
    assert "sample" not in tgmap.to_dataset(tmp_path / "a.tgm").coords


def test_an_axis_with_the_name_of_another_key(tmp_path):
    made = xarray.Dataset({"t": (("name",), np.zeros(2))}, {"name": ["a", "b"]})
    with pytest.warns(CubeWarning, match="'name' .*its name is that of another key"):
        made.tgm.to_tgm(tmp_path / "a.tgm")
    assert list(tgmap.to_dataset(tmp_path / "a.tgm")) == ["t"]


def test_levels_of_another_name_are_an_index(tmp_path):
    with tgmap.create(tmp_path / "a.tgm") as out:
        keys = {"name": "t", "dim_names": ["level", "x"], "mars": {"levelist": [500, 850]}}
        out.write([tgmap.NewObject(np.arange(4.0).reshape(2, 2), keys)])
    found = tgmap.to_dataset(tmp_path / "a.tgm")
    assert found["t"].sel(level=850).values.tolist() == [2.0, 3.0] and "levelist" not in found.coords


# ---- names of variables ----------------------------------------------------------------------------


@pytest.mark.parametrize("names", [[167, 168], [167, "2d"], ["167", "2d"]])
def test_names_of_variables_are_text(tmp_path, names):
    """Whatever the others are. What is written again has the integers of the file."""
    with tgmap.create(tmp_path / "a.tgm") as out:
        keys = {"name": "state", "variables": names, "dim_names": ["variables", "x"]}
        out.write([tgmap.NewObject(np.arange(6.0).reshape(2, 3), keys)])
    found = tgmap.to_dataset(tmp_path / "a.tgm")
    assert found["variables"].values.tolist() == [str(each) for each in names]
    assert found["state"].sel(variables="167").values.tolist() == [0.0, 1.0, 2.0]
    xarray.testing.assert_identical(again(found, tmp_path / "b.tgm"), found)
    assert keys_of(tmp_path / "b.tgm")[0]["variables"] == names
    again(found.isel(variables=[0]), tmp_path / "c.tgm")
    assert keys_of(tmp_path / "c.tgm")[0]["variables"] == names[:1]


def test_names_that_become_equal_are_no_labels(tmp_path):
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(np.zeros(2), {"name": "state", "variables": [167, "167"]})])
    assert not tgmap.to_dataset(tmp_path / "a.tgm").coords


@pytest.mark.parametrize(
    "given, name", [(167, "2t"), ("167", "167"), (999167, "param999167"), (167.0, "2t"), ("167.128", "2t")]
)
def test_parameters_keep_their_type(tmp_path, given, name):
    for others in ((), ("other",), (5,)):
        write(tmp_path / "a.tgm", product(param=[given, *others], step=[0, 6]))
        found = tgmap.to_dataset(tmp_path / "a.tgm")
        assert name in found.data_vars
        xarray.testing.assert_identical(again(found, tmp_path / "b.tgm"), found)
        stored = [each["mars"]["param"] for each in keys_of(tmp_path / "b.tgm")]
        assert [each for each in stored if each == given and type(each) is type(given)] == [given] * 2


# ---- attributes ------------------------------------------------------------------------------------


def test_attributes_return_to_their_owners(tmp_path):
    one = xarray.Dataset({"a": ("x", np.zeros(2), {"cell_methods": "mean"})}, attrs={"title": "a run", "class": "od"})
    two = xarray.Dataset(
        {"a": ("x", np.zeros(2), {"cell_methods": "mean", "n": 1}), "b": ("x", np.zeros(2), {"cell_methods": "mean"})},
        attrs={"title": "a run"},
    )
    for made in (one, two, two.assign(b=two["b"].assign_attrs(n=1)), two.drop_attrs(), two.drop_attrs(deep=False)):
        xarray.testing.assert_identical(again(made, tmp_path / "a.tgm"), made)
    assert all("dataset_attributes" not in each.attrs for each in tgmap.to_dataset(tmp_path / "a.tgm").data_vars.values())


def test_what_archives_of_others_have_is_written_without_a_list(tmp_path):
    write(tmp_path / "a.tgm", product(param=["t", "u"], step=[0, 6], stream="oper", levtype="sfc"))
    for where in (None, "mars.param=t"):
        found = tgmap.to_dataset(tmp_path / "a.tgm", where=where)
        xarray.testing.assert_identical(again(found, tmp_path / "b.tgm"), found)
        assert not any("dataset_attributes" in each for each in keys_of(tmp_path / "b.tgm"))


def test_a_list_of_attributes_that_is_none(tmp_path):
    for listed in (5, "title", [1]):
        with tgmap.create(tmp_path / "a.tgm") as out:
            keys = {"title": "x", "dataset_attributes": listed}
            out.write([tgmap.NewObject(np.zeros(2), {"name": name, **keys}) for name in ("v", "w")])
        assert tgmap.to_dataset(tmp_path / "a.tgm").attrs == {"title": "x"}


def test_a_renamed_variable_has_no_further_attribute(tmp_path):
    first = tgmap.to_dataset(write(tmp_path / "a.tgm", [{"name": "t", "step": step} for step in (0, 6)]))
    assert "name" not in first["t"].attrs
    made = first.rename(t="temperature")
    found = again(made, tmp_path / "b.tgm")
    xarray.testing.assert_equal(found, made)
    assert "name" not in found["temperature"].attrs and keys_of(tmp_path / "b.tgm")[0]["name"] == "temperature"
    xarray.testing.assert_identical(again(found, tmp_path / "c.tgm"), found)
    other = tgmap.to_dataset(tmp_path / "a.tgm", rename={"t": "other"})
    assert other["other"].attrs["name"] == "t"  # the key has another value than the name here


# ---- ensembles -------------------------------------------------------------------------------------


@pytest.mark.parametrize("names, dim", [("mars", "number"), ("cfgrib", "number"), ("earthkit", "member")])
def test_an_ensemble_keeps_the_types_of_its_members(tmp_path, names, dim):
    write(tmp_path / "a.tgm", ensemble())
    found = tgmap.to_dataset(tmp_path / "a.tgm", names=names)
    assert found["type"].dims == (dim,) and found["type"].values.tolist() == ["cf", "pf", "pf"]
    assert "type" not in found.attrs and "type" not in next(iter(found.data_vars.values())).attrs
    xarray.testing.assert_identical(again(found, tmp_path / "b.tgm"), tgmap.to_dataset(tmp_path / "a.tgm"))
    members = {(each["mars"]["type"], each["mars"]["number"]) for each in keys_of(tmp_path / "b.tgm")}
    assert members == {("cf", 0), ("pf", 1), ("pf", 2)}
    alone = tgmap.to_dataset(tmp_path / "a.tgm", where="mars.type=pf")
    assert "type" not in alone.coords and alone["2t"].attrs["type"] == "pf"


def test_an_ensemble_is_extended(tmp_path):
    write(tmp_path / "a.tgm", ensemble())
    whole = tgmap.to_dataset(tmp_path / "a.tgm").load()
    whole.isel(step=[0]).tgm.to_tgm(tmp_path / "b.tgm")
    whole.isel(step=[1]).tgm.to_tgm(tmp_path / "b.tgm", append_dim="step")
    xarray.testing.assert_identical(tgmap.to_dataset(tmp_path / "b.tgm"), whole)


def test_names_that_cannot_be_stored_are_said(tmp_path):
    """A name with a dot is a path, which another key may have; and one name is that of a list of ours."""
    labels = {"a.b": [1, 2, 3]}
    dataset = xarray.Dataset({"t": (("number", "a.b"), np.zeros((2, 3)), {"a": 1})}, {"number": [1, 2], **labels})
    with pytest.warns(CubeWarning, match="the labels of 'a.b' in 't', whose name is that of other keys"):
        dataset.tgm.to_tgm(tmp_path / "a.tgm")
    dataset = xarray.Dataset({"t": (("number", "x"), np.zeros((2, 3)), {"dataset_attributes": "x"})}, {"number": [1, 2]})
    with pytest.warns(CubeWarning, match="'dataset_attributes' of 't', whose name is that of the list"):
        dataset.tgm.to_tgm(tmp_path / "b.tgm")
