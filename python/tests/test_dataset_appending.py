# SPDX-License-Identifier: Apache-2.0
"""Fields are appended to an archive along a dimension."""

from __future__ import annotations

import os
import warnings

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: appending cubes of xarray (xarray is not here)")

from cube_archives import elements, ensemble, model_output, write  # noqa: E402
from cube_rows import product  # noqa: E402

import tgmap  # noqa: E402
import tgmap.datasets.accessor  # noqa: E402, F401
from tgmap.cubes import CubeError  # noqa: E402
from tgmap.datasets import _joining, _parts  # noqa: E402

TIME = "forecast_reference_time"
LATER = np.datetime64("2024-02-01", "ns")


def rows_of(dates):
    return product(param=["t", "u"], date=dates, time="0000", step=[0, 6, 12], levelist=[500, 850])


@pytest.fixture(params=["numpy", "dask"])
def whole(request, tmp_path):
    (tmp_path / "source").mkdir()
    path = write(tmp_path / "source" / "a.tgm", rows_of([20240101, 20240102, 20240103]))
    if request.param == "dask":
        pytest.importorskip("dask", reason="SKIPPED: appending cubes of Dask (dask is not here)")
    return tgmap.to_dataset(path, chunks={"step": 1} if request.param == "dask" else None)


@pytest.fixture
def target(tmp_path):
    (tmp_path / "written").mkdir()
    return tmp_path / "written" / "e.tgm"


def append(dataset, target, dim=TIME, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return dataset.tgm.to_tgm(target, append_dim=dim, **options)


def test_one_time_after_another(whole, target):
    begin = b""
    for i in range(3):
        append(whole.isel({TIME: [i]}), target)
        content = target.read_bytes()
        assert content.startswith(begin) and len(content) > len(begin)
        begin = content
    xarray.testing.assert_equal(tgmap.to_dataset(target), whole.load())
    assert os.listdir(target.parent) == ["e.tgm"] and tgmap.validate(target).is_sound
    assert len(tgmap.open(target)) == 18


def test_several_labels_in_any_order(whole, target):
    append(whole.isel({TIME: [2, 0]}), target)
    append(whole.isel({TIME: [1]}).isel(levelist=[1, 0], step=[2, 0, 1]), target)
    xarray.testing.assert_equal(tgmap.to_dataset(target), whole.load())


def test_along_other_dimensions(whole, target):
    for dim in ("step", "levelist"):
        target.unlink(missing_ok=True)
        append(whole.isel({dim: [1]}), target, dim)
        append(whole.isel({dim: [0]}), target, dim)
        xarray.testing.assert_equal(tgmap.to_dataset(target), whole.isel({dim: [0, 1]}).load())


def test_readers_see_the_whole_archive_before(whole, target):
    append(whole.isel({TIME: [0]}), target)
    archive = tgmap.open(target)
    assert len(archive) == 6
    append(whole.isel({TIME: [1]}), target)
    assert len(archive) == 6
    archive.refresh()
    assert len(archive) == 12


@pytest.mark.parametrize("names", ["mars", "cfgrib", "earthkit"])
def test_names_of_profiles(tmp_path, names):
    whole = tgmap.to_dataset(write(tmp_path / "a.tgm", ensemble()), names=names)
    (number,) = {"number", "member"} & set(whole.dims)
    for i in range(3):
        append(whole.isel({number: [i]}), tmp_path / "b.tgm", number)
    xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "b.tgm", names=names), whole)


def test_coordinates_in_messages(tmp_path):
    whole = tgmap.to_dataset(write(tmp_path / "m.tgm", model_output()))
    for i in range(2):
        append(whole.isel(step=[i]), tmp_path / "n.tgm", "step")
    xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "n.tgm"), whole)
    first = whole.drop_vars("valid_time").isel(step=[0])
    moved = first.assign_coords(latitude=whole["latitude"] + 1, step=[np.timedelta64(18, "h")])
    with pytest.raises(CubeError, match="no cube of the same variables: their keys or grids differ; nothing was"):
        append(moved, tmp_path / "n.tgm", "step")


def test_a_cube_of_several_in_the_archive(tmp_path):
    surface = product(param="2t", levtype="sfc", date=[20240101, 20240102], time="0000")
    pressure = product(param="t", levtype="pl", date=[20240101, 20240102], time="0000", levelist=[500, 850])
    path = write(tmp_path / "a.tgm", surface + pressure)
    added = tgmap.to_dataset(path, group="pl").assign_coords({TIME: [LATER, LATER + np.timedelta64(1, "D")]})
    append(added, path)
    assert tgmap.to_dataset(path, group="pl").sizes[TIME] == 4 and tgmap.to_dataset(path, group="sfc").sizes[TIME] == 2


def test_further_dimensions(tmp_path):
    made = xarray.Dataset({"t": (("kind", "cell"), np.arange(6.0).reshape(2, 3))}, coords={"kind": ["a", "b"]})
    for i in range(2):
        append(made.isel(kind=[i]), tmp_path / "k.tgm", "kind", keys={"kind": "mars.kind"})
    xarray.testing.assert_equal(tgmap.to_dataset(tmp_path / "k.tgm", dims=["mars.kind"]), made)


CHANGES = {
    "already": (lambda d: d.assign_coords({TIME: [np.datetime64("2024-01-01")]}), f"the {TIME} 2024-01-01T00:00:00 al"),
    "fewer steps": (lambda d: d.isel(step=[0, 1]), "other labels of step: 0h, 6h, 12h, where 't' has 0h, 6h"),
    "more levels": (lambda d: xarray.concat([d, d.assign_coords(levelist=[1, 2])], "levelist"), "labels of levelist"),
    "other steps": (lambda d: d.assign_coords(step=d["step"] + np.timedelta64(1, "h")), "other labels of step"),
    "no step": (lambda d: d.isel(step=0), "other labels of step"),
    "one variable": (lambda d: d[["t"]], "has also the variable 'u'"),
    "another variable": (lambda d: d.rename(t="v"), "has no variable 'v'; there are t, u"),
    "a shape": (lambda d: d.isel(y=[0, 1]), r"objects of the shape \(3, 4\) for 't', not \(2, 4\)"),
    "a dtype": (lambda d: d.astype("f8"), "objects of the dtype float32 for 't', not float64"),
    "without the dimension": (lambda d: d.assign(w=d["t"].isel({TIME: 0})), "'w' has no dimension 'forecast_ref"),
    "a key": (lambda d: d.assign_attrs(levtype="pl"), "no cube"),
}


@pytest.mark.parametrize("change", CHANGES)
def test_what_does_not_fit_is_an_error(whole, target, change):
    append(whole.isel({TIME: [0, 1]}), target)
    before = target.read_bytes()
    changed, text = CHANGES[change]
    with pytest.raises(CubeError, match=text):
        append(changed(whole.drop_vars("valid_time").isel({TIME: [2]}).assign_coords({TIME: [LATER]})), target)
    assert target.read_bytes() == before and os.listdir(target.parent) == ["e.tgm"]


def test_no_such_dimension(whole, target):
    scalar = whole.isel({TIME: 0})
    with pytest.raises(CubeError, match=f"between objects; there are: step, levelist; expand_dims\\('{TIME}'\\) makes"):
        append(scalar, target)
    with pytest.raises(CubeError, match="append_dim is 'y', which is no dimension between objects; there are: "):
        append(whole, target, "y")
    assert os.listdir(target.parent) == []


@pytest.mark.parametrize("where", ["message", "copy", "labels"])
def test_failures_leave_the_archive_as_it_was(whole, target, monkeypatch, where):
    append(whole.isel({TIME: [0]}), target)
    before = target.read_bytes()
    if where == "message":
        monkeypatch.setattr(_parts, "create", lambda *_: 1 / 0)
    elif where == "labels":
        monkeypatch.setattr(_parts, "extend", lambda *_: 1 / 0)
    else:
        real = _joining.append

        class Full:
            def __init__(self, *arguments, **options):
                self._out, self._count = real(*arguments, **options), 0

            def __enter__(self):
                self._out.__enter__()
                return self

            def __exit__(self, *arguments):
                return self._out.__exit__(*arguments)

            def write(self, message):
                self._out.write(message)
                self._count += 1
                assert os.path.getsize(target) > len(before)
                if self._count == 4:
                    raise ZeroDivisionError

        monkeypatch.setattr(_joining, "append", Full)
    with pytest.raises(ZeroDivisionError):
        append(whole.isel({TIME: [1, 2]}), target)
    assert target.read_bytes() == before and os.listdir(target.parent) == ["e.tgm"]
    monkeypatch.undo()
    append(whole.isel({TIME: [1, 2]}), target)
    xarray.testing.assert_equal(tgmap.to_dataset(target), whole.load())


def test_an_archive_that_grows_meanwhile(tmp_path):
    dask = pytest.importorskip("dask", reason="SKIPPED: appending cubes of Dask (dask is not here)")
    whole = tgmap.to_dataset(write(tmp_path / "a.tgm", rows_of([20240101, 20240102, 20240103])), chunks={})
    target = tmp_path / "e.tgm"
    append(whole.isel({TIME: [0]}), target)
    first, second = (append(whole.isel({TIME: [i]}), target, compute=False) for i in (1, 1))
    assert dask.compute(first) == (None,)
    with pytest.raises(CubeError, match="it has changed; write again; nothing was appended"):
        second.compute()
    assert tgmap.to_dataset(target).sizes[TIME] == 2
    assert sorted(os.listdir(tmp_path)) == ["a.tgm", "e.tgm"]


def test_another_program_appends(whole, target):
    append(whole.isel({TIME: [0]}), target)
    with tgmap.append(target):
        with pytest.raises(tgmap.Error):
            append(whole.isel({TIME: [1]}), target)
    assert len(tgmap.open(target)) == 6 and os.listdir(target.parent) == ["e.tgm"]


def test_an_empty_file_is_a_new_archive(whole, target):
    target.write_bytes(b"")
    append(whole, target)
    assert (tgmap.to_dataset(target)["t"].isel({TIME: 0, "step": 0, "levelist": 0}).values == elements(0)).all()


def test_another_size_than_when_labels_were_compared(tmp_path):
    path = write(tmp_path / "a.tgm", rows_of([20240101]))
    before = path.read_bytes()
    part = _joining.Part(str(write(tmp_path / "p.tgm", rows_of([20240102])[:1])), np.zeros(1, "i8"), np.ones(1, "i8"))
    with pytest.raises(ValueError, match=f"has {len(before)} bytes, and had 5 when the labels were compared"):
        _joining.extend([part], str(path), 5)
    assert path.read_bytes() == before


@pytest.mark.parametrize("chunks", [None, {}, {"step": 1}])
def test_variables_of_other_dimensions_are_appended_one_after_another(tmp_path, chunks):
    if chunks is not None:
        pytest.importorskip("dask", reason="SKIPPED: appending cubes of Dask (dask is not here)")
    made = xarray.Dataset(
        {"a": (("step", "levelist", "x"), np.zeros((2, 2, 3))), "b": (("step", "x"), np.ones((2, 3)))},
        {"step": np.array([0, 6], "m8[h]").astype("m8[ns]"), "levelist": [500, 850]},
    )
    append(made, tmp_path / "a.tgm", "step")
    later = made.assign_coords(step=made["step"] + np.timedelta64(1, "D"))
    append(later if chunks is None else later.chunk(chunks), tmp_path / "a.tgm", "step")
    found = [(each[0].metadata["name"], each[0].metadata["mars"]["step"]) for each in tgmap.open(tmp_path / "a.tgm")]
    expected = [("a", 0), ("a", 0), ("a", 6), ("a", 6), ("b", 0), ("b", 6)]
    assert found == expected + [(name, step + 24) for name, step in expected]


def test_what_readers_would_not_find_is_an_error(tmp_path, monkeypatch):
    """The last look at the parts counts the fields."""
    whole = tgmap.to_dataset(write(tmp_path / "a.tgm", rows_of([20240101, 20240102])))
    append(whole.isel({TIME: [0]}), tmp_path / "e.tgm")
    before = (tmp_path / "e.tgm").read_bytes()
    real = _parts._write_part
    monkeypatch.setattr(_parts, "_write_part", lambda path, messages, numbers: real(path, iter(()), numbers[:0]))
    with pytest.raises(CubeError, match="not all of the new ones are fields of it; nothing was appended"):
        append(whole.isel({TIME: [1]}), tmp_path / "e.tgm")
    assert (tmp_path / "e.tgm").read_bytes() == before
