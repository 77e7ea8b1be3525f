# SPDX-License-Identifier: Apache-2.0
"""Archives as datasets of xarray."""

from __future__ import annotations

import itertools
import random
import warnings

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: cubes of xarray (xarray is not here)")

from cube_archives import elements, ensemble, forecast, model_output, seasonal, spectra, write  # noqa: E402
from conftest import described_files  # noqa: E402
from cube_rows import product, sections  # noqa: E402

import tgmap  # noqa: E402
from tgmap.cubes import CubeError, CubeWarning  # noqa: E402
from tgmap.datasets._backend import TgmapBackendEntrypoint  # noqa: E402

HOUR = np.timedelta64(1, "h")


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write(tmp_path_factory.mktemp("cubes") / "forecast.tgm", forecast())


def number_of(rows, **keys):
    (found,) = [i for i, row in enumerate(rows) if all(row.get(key) == value for key, value in keys.items())]
    return found


def test_a_dataset(path):
    found = tgmap.to_dataset(path, where="mars.levtype=pl")
    assert isinstance(found, xarray.Dataset)
    rows = forecast()
    values = np.array(
        [
            [elements(number_of(rows, param="t", step=step, levelist=level)) for level in (500, 1000)]
            for step in (0, 3, 6)
        ]
    )
    reference = np.datetime64("2024-01-01", "ns")
    expected = xarray.DataArray(
        values,
        dims=("step", "levelist", "y", "x"),
        coords={
            "step": np.array([0, 3, 6]) * HOUR.astype("m8[ns]"),
            "levelist": [500, 1000],
            "forecast_reference_time": reference,
            "valid_time": ("step", reference + np.array([0, 3, 6]) * HOUR),
        },
        name="t",
    )
    xarray.testing.assert_equal(found["t"], expected)
    assert list(found) == ["t", "z"] and found["t"].dtype == np.float32
    assert found["t"].attrs["units"] == "K" and found["levelist"].attrs["units"] == "hPa"
    assert found.attrs["class"] == "od" and found.attrs["stream"] == "oper"
    assert found["t"].isel(step=1).sel(levelist=500).load().equals(expected.isel(step=1).sel(levelist=500))


def test_several_cubes_are_an_error(path):
    with pytest.raises(CubeError, match="4 cubes, not one; choose one by group= or where="):
        tgmap.to_dataset(path)
    assert isinstance(CubeError("x"), ValueError)
    assert list(tgmap.to_dataset(path, group="sfc_tp")) == ["tp"]
    found = tgmap.to_dataset(path, where="mars.levtype=sfc", join="outer")
    assert list(found) == ["2t", "10u", "lsm", "tp"]
    assert bool(found["tp"].isel(step=0).isnull().all()) and not bool(found["tp"].isel(step=1).isnull().any())
    assert (found["lsm"].isel(step=0).values == elements(number_of(forecast(), param="lsm"))).all()


def test_every_selection_that_the_error_lists_gives_the_group(path):
    tree = tgmap.to_datatree(path)
    for group in tgmap.explain_cube(path).plan.groups:
        assert group.where
        xarray.testing.assert_identical(tgmap.to_dataset(path, where=group.where), tree[group.name].to_dataset())


def test_a_tree(path):
    tree = tgmap.to_datatree(path)
    assert sorted(tree.children) == ["pl", "sfc", "sfc_lsm", "sfc_tp"]
    xarray.testing.assert_identical(tree["pl"].to_dataset(), tgmap.to_dataset(path, group="pl"))


def test_sources(path, tmp_path):
    expected = tgmap.to_dataset(path, group="pl").load()
    archive = tgmap.open(path)
    for source in (str(path), path.read_bytes(), archive, [path], [archive], tgmap.open_many([path])):
        xarray.testing.assert_identical(tgmap.to_dataset(source, group="pl"), expected)
    with pytest.raises(TypeError, match="mode.*tgmap.open"):
        tgmap.to_dataset(archive, mode="read")
    xarray.testing.assert_identical(tgmap.to_dataset(path, group="pl", mode="read"), expected)
    with pytest.raises(FileNotFoundError, match="no file matches"):
        tgmap.to_dataset(str(tmp_path / "*.nothing"))
    for missing in (tmp_path / "none.tgm", [path, tmp_path / "none.tgm"], []):
        with pytest.raises(FileNotFoundError):
            tgmap.to_dataset(missing)


def test_many_files_are_one_cube(path, tmp_path):
    rows = forecast()
    for step in (0, 3, 6):
        write(tmp_path / f"step{step}.tgm", [row for row in rows if row["step"] == step and row["levtype"] == "pl"])
    found = tgmap.to_dataset(str(tmp_path / "step*.tgm"))
    whole = tgmap.to_dataset(path, group="pl")
    xarray.testing.assert_identical(found.drop_vars(list(found)), whole.drop_vars(list(whole)))
    paths = [tmp_path / f"step{step}.tgm" for step in (6, 0, 3)]
    shuffled = tgmap.to_dataset(paths)
    written = {step: [row for row in rows if row["step"] == step and row["levtype"] == "pl"] for step in (0, 3, 6)}
    for step, level, param in itertools.product((0, 3, 6), (500, 1000), ("t", "z")):
        number = number_of(written[step], param=param, levelist=level)
        for each in (found, shuffled):
            assert (each[param].sel(step=step * HOUR, levelist=level).values == elements(number)).all()


def test_a_damaged_file_is_an_error(path, tmp_path):
    """Labels that only it has would be missing without a word."""
    content = path.read_bytes()
    third = tgmap.open(path)[3].offset
    (tmp_path / "damaged.tgm").write_bytes(content[: third + 40] + bytes(60) + content[third + 100 :])
    for source in (tmp_path / "damaged.tgm", [path, tmp_path / "damaged.tgm"], str(tmp_path / "dam*.tgm")):
        with pytest.raises(tgmap.Error):
            tgmap.to_dataset(source, group="pl")


@pytest.mark.parametrize("many", [False, True])
def test_an_incomplete_message_is_a_warning(path, tmp_path, many):
    """A file that was copied in part lacks labels, too."""
    cut = tmp_path / "cut.tgm"
    cut.write_bytes(path.read_bytes()[:-40])
    with pytest.warns(CubeWarning, match="cut.tgm ends in an incomplete message, which is not in the cube"):
        found = tgmap.to_dataset([cut] if many else cut, where="mars.param=t", allow_holes=True)
    assert found.sizes["step"] == 3


def test_coordinates_without_fields_are_a_warning(tmp_path):
    rows = [{"name": "lat", "_values": np.arange(3.0)}, *product(param="t", step=[0, 6])]
    path = write(tmp_path / "a.tgm", rows)
    with pytest.warns(CubeWarning, match="these messages have no fields: a.tgm:0:0"):
        assert list(tgmap.to_dataset(path).coords) == ["step"]
    with pytest.warns(CubeWarning, match="no fields"):
        assert "objects: not used; latitudes and longitudes are those of their own" in str(tgmap.explain_cube(path))
    with pytest.warns(CubeWarning, match="no fields"), pytest.raises(CubeError, match="all objects are latitudes or"):
        tgmap.to_dataset(path, where="name=lat")


def test_one_step_a_file_combines(tmp_path):
    rows = [{"param": "t", "date": 20240101, "time": "0000", "step": step} for step in (0, 6)]
    paths = [write(tmp_path / f"{row['step']}.tgm", [row]) for row in rows]
    options = {"engine": TgmapBackendEntrypoint, "ensure_dims": ["step"]}
    found = xarray.open_mfdataset(paths, combine="by_coords", **options) if has_dask() else None
    parts = [xarray.open_dataset(each, **options) for each in paths]
    together = xarray.concat(parts, "step")
    assert together.sizes["step"] == 2 and "step" in parts[0].dims
    if found is not None:
        xarray.testing.assert_equal(found.load(), together.load())


def has_dask():
    try:
        import dask.array  # noqa: F401
    except ImportError:
        return False
    return True


def test_the_control_of_an_ensemble(tmp_path):
    found = tgmap.to_dataset(write(tmp_path / "e.tgm", ensemble()))
    assert found["2t"].dims == ("number", "step", "y", "x") and found["number"].values.tolist() == [0, 1, 2]
    for number, step in itertools.product((0, 1, 2), (0, 6)):
        row = number_of(ensemble(), step=step, **({"number": number} if number else {"type": "cf"}))
        assert (found["2t"].sel(number=number, step=step * HOUR).values == elements(row)).all()
    assert found["forecast_reference_time"].values == np.datetime64("2024-01-01T12:00")


def test_seasonal_forecasts(tmp_path):
    found = tgmap.to_dataset(write(tmp_path / "s.tgm", seasonal()))
    assert found["2t"].dims == ("forecast_reference_time", "fcmonth", "y", "x")
    assert (found["step"].values // HOUR).tolist() == [[744, 1440], [696, 1440]]
    assert found.attrs.get("system", found["2t"].attrs.get("system")) == 5


def test_wave_spectra(tmp_path):
    found = tgmap.to_dataset(write(tmp_path / "w.tgm", spectra()))
    assert found["2dfd"].dims == ("direction", "frequency", "values")
    assert found["direction_degrees"].values.tolist() == [15, 45, 75]
    assert (found["2dfd"].sel(direction=2, frequency=1).values == elements(2, (7,))).all()


def test_output_of_a_model(tmp_path):
    found = tgmap.to_dataset(write(tmp_path / "m.tgm", model_output()))
    assert found["2t"].dims == ("step", "cell")
    assert found["latitude"].dims == found["longitude"].dims == ("cell",)
    assert found["latitude"].values.tolist() == np.linspace(90, -90, 5).tolist()
    assert found["latitude"].attrs["units"] == "degrees_north"
    assert found["latitude"].isel(cell=[4, 0]).values.tolist() == [-90, 90]
    assert (found["msl"].isel(step=1).values == elements(7, (5,))).all()


@pytest.mark.parametrize("options", [{}, {"hashes": False}])
def test_messages_share_equal_coordinates(tmp_path, options):
    with tgmap.create(tmp_path / "g.tgm", **options) as out:
        for step, first in ((0, 60), (6, 60), (12, 50)):
            objects = [
                tgmap.NewObject(np.arange(3.0) + first, {"name": "latitude"}),
                tgmap.NewObject(elements(step), {"name": "t", "step": step}),
            ]
            out.write(objects)
    tree = tgmap.to_datatree(tmp_path / "g.tgm")
    found = {tuple(node["latitude"].values.tolist()): node["step"].values // HOUR for node in tree.children.values()}
    assert {key[0]: np.atleast_1d(steps).tolist() for key, steps in found.items()} == {60: [0, 6], 50: [12]}


def test_coordinates_are_those_of_their_own_file(tmp_path):
    """Messages of several files have equal numbers."""
    paths = [tmp_path / "a.tgm", tmp_path / "b.tgm"]
    for step, path in enumerate(paths):
        latitude = {"name": "latitude", "_values": np.arange(3.0) + 10 * step, "_message": 0}
        write(path, [latitude, {"name": "t", "step": step, "_message": 0}])
    tree = tgmap.to_datatree(paths)
    found = {float(node["step"].values // HOUR): node["latitude"].values.tolist() for node in tree.children.values()}
    assert found == {0: [0, 1, 2], 1: [10, 11, 12]}


def test_lists_in_metadata_label_axes(tmp_path):
    row = {
        "name": "state",
        "variables": ["t", "u"],
        "step": 6,
        "grid": [0.5, 0.5],
        "_shape": (2, 5),
        "_dims": ["variable", "cell"],
    }
    found = tgmap.to_dataset(write(tmp_path / "l.tgm", [row]))
    assert found["variable"].values.tolist() == ["t", "u"] and "variables" not in found.coords
    assert found["state"].sel(variable="u").values.tolist() == found["state"].values[1].tolist()
    assert found.sel(variable=["u"]).sizes["variable"] == 1
    assert found["state"].attrs["grid"] == [0.5, 0.5]
    names = {"name": "t", "_shape": (2, 5), "_dims": {"2": "row", "5": "column"}}
    assert tgmap.to_dataset(write(tmp_path / "n.tgm", [names]))["t"].dims == ("row", "column")


def test_grids_of_grib(tmp_path):
    """Byte strings are the sections of a GRIB message as its import keeps them."""
    rows = [
        {"param": "t", "step": step, "_shape": (7,), "grib_sections": sections(grid, start=step)}
        for grid in (b"O96", b"N32")
        for step in (0, 6)
    ]
    tree = tgmap.to_datatree(write(tmp_path / "g.tgm", rows))
    assert [node["t"].sizes for node in tree.children.values()] == [{"step": 2, "values": 7}] * 2
    assert "known by the grid section of GRIB" in str(tgmap.explain_cube(tmp_path / "g.tgm"))


def test_message_wide_names_of_dimensions(tmp_path):
    with tgmap.create(tmp_path / "a.tgm") as out:
        out.write([tgmap.NewObject(elements(0), {"name": "t"})], {"dim_names": ["lat", "lon"], "title": "demo"})
    found = tgmap.to_dataset(tmp_path / "a.tgm")
    assert found["t"].dims == ("lat", "lon") and found["t"].attrs["title"] == "demo"


def test_masked_elements_are_nan(tmp_path):
    field = elements(0, dtype="f8")
    field[1, 2] = np.nan
    write(tmp_path / "n.tgm", [{"param": "t", "_values": field}], allow_nan=True)
    np.testing.assert_array_equal(tgmap.to_dataset(tmp_path / "n.tgm")["t"].values, field)


def test_dtypes(tmp_path):
    for dtype in ("f4", "f8", ">f4", "i2", "u1", "?", "c8"):
        write(
            tmp_path / "d.tgm",
            [{"param": "t", "step": step, "_values": elements(step, dtype=dtype)} for step in (0, 6)],
        )
        found = tgmap.to_dataset(tmp_path / "d.tgm")["t"]
        assert found.dtype == np.dtype(dtype).newbyteorder("="), dtype
        np.testing.assert_array_equal(found.isel(step=1).values, elements(6, dtype=dtype))


def test_promotion(tmp_path):
    rows = [{"param": "t", "step": 0}, {"param": "t", "step": 6, "_dtype": "f8"}]
    found = tgmap.to_dataset(write(tmp_path / "p.tgm", rows), promote=True)["t"]
    assert found.dtype == np.float64
    np.testing.assert_array_equal(found.values, [elements(0), elements(1)])


def test_netcdf(path, tmp_path):
    """Units of times are in the encoding, where writers look for them."""
    found = tgmap.to_dataset(path, group="pl")
    variables, _ = xarray.conventions.cf_encoder(found.variables, found.attrs)
    assert variables["step"].attrs["units"] == "seconds" and variables["step"].values.tolist() == [0, 10800, 21600]
    assert variables["valid_time"].attrs["units"].startswith("seconds since 1970-01-01")
    rows = product(param="tp", date=20240101, time="0000", step=["0-6", "0-12"])
    intervals = tgmap.to_dataset(write(tmp_path / "i.tgm", rows))
    months = tgmap.to_dataset(write(tmp_path / "m.tgm", product(param="t", stream="moda", date=[20240101, 20240201])))
    for each in (intervals, months):
        xarray.conventions.cf_encoder(each.variables, each.attrs)
    pytest.importorskip("scipy", reason="SKIPPED: writing cubes as NetCDF (scipy is not here)")
    for each in (found, intervals, months):
        each.to_netcdf(tmp_path / "a.nc", engine="scipy")
        with xarray.open_dataset(tmp_path / "a.nc", engine="scipy", decode_timedelta=True) as again:
            again = again.set_coords([name for name in again if str(name).endswith("_bounds")])
            durations = "step_bounds"  # bounds have the units of their coordinate, which xarray knows of dates only
            xarray.testing.assert_equal(
                again.drop_vars(durations, errors="ignore"), each.drop_vars(durations, errors="ignore")
            )


@pytest.mark.filterwarnings("ignore::tgmap.cubes.CubeWarning")
@pytest.mark.parametrize("file", [each for each, _ in described_files()], ids=lambda each: each.name)
@pytest.mark.filterwarnings("ignore::tgmap.IndexWarning")
def test_real_archives(file):
    """Each object of files that others wrote is in one cell, and has its own elements there."""
    options = {"duplicates": "stack", "allow_holes": True, "damage": "skip"}
    try:
        archive = tgmap.open(file, damage="skip")
        explanation = tgmap.explain_cube(file, **options)
        tree = tgmap.to_datatree(file, **options)
    except tgmap.Error as error:
        assert error.code == "unsupported_version"
        return
    seen = 0
    for group in explanation.plan.groups:
        dataset = tree[group.name].to_dataset()
        for name, variable in group.variables.items():
            for index, row in np.ndenumerate(variable.cells):
                if row < 0:
                    continue
                places, seen = explanation._places, seen + 1
                stored = archive[int(places.messages[row])][int(places.objects[row])]
                try:
                    expected = stored.decode()
                except tgmap.Error:
                    continue  # damaged, or a codec is missing
                found = dataset[name].values if dataset[name].size == 0 else dataset[name][index].values
                assert found.dtype == expected.dtype
                if expected.size:
                    assert found.tobytes() == expected.tobytes()
    coordinates = sum(len(message) for message in archive) - seen
    assert 0 <= coordinates <= 4


def test_options(path):
    with pytest.raises(TypeError, match="no option 'squeze'; did you mean 'squeeze'"):
        tgmap.to_dataset(path, squeze=True)
    with pytest.raises(ValueError, match="names must be one of 'mars', 'cfgrib', 'earthkit'"):
        tgmap.to_dataset(path, names="grib")
    with pytest.raises(CubeError, match="no group 'x'"):
        tgmap.to_dataset(path, group="x")
    with pytest.raises(CubeError, match="no objects"):
        tgmap.to_dataset(path, where="mars.param=nothing")
    with pytest.warns(tgmap.KeyWarning, match="did you mean 'mars.param'"), pytest.raises(CubeError):
        tgmap.to_dataset(path, where="mars.parm=nothing")


def test_errors_name_objects(tmp_path):
    rows = product(param="t", step=[0, 6]) * 2
    with pytest.raises(CubeError, match=r"step=0h: d.tgm:0:0, d.tgm:2:0"):
        tgmap.to_dataset(write(tmp_path / "d.tgm", rows))


def test_files_of_one_name_are_told_apart(tmp_path):
    paths = []
    for hour in ("00", "12"):
        (tmp_path / hour).mkdir()
        paths.append(write(tmp_path / hour / "t.tgm", product(param="t", date=20240101, time=f"{hour}00")))
    found = tgmap.explain_cube([*paths, write(tmp_path / "u.tgm", product(param="u"))])
    assert found.address("t", forecast_reference_time="2024-01-01T12:00") == "12/t.tgm:0:0"
    assert found.address("u") == "u.tgm:0:0"
    with pytest.raises(CubeError, match=f"all: {tmp_path.name}/t.tgm:0:0, 00/t.tgm:0:0"):
        tgmap.to_dataset([write(tmp_path / "t.tgm", product(param="t", date=20240101, time="0000")), paths[0]])


def test_a_tree_of_names_with_a_slash(tmp_path):
    """A Dataset has them, and no tree."""
    path = write(tmp_path / "s.tgm", product(param=["a/b", "t"], levtype=["sfc", "pl"], **{"x.p/q": 1}))
    assert list(tgmap.to_dataset(path, group="pl").data_vars) == ["a/b", "t"]
    for tree in (tgmap.to_datatree(path), TgmapBackendEntrypoint().open_datatree(path)):
        assert list(tree["pl"].data_vars) == ["a_b", "t"]
        assert (tree["sfc"]["a_b"].values == elements(0)).all()
    steps = write(tmp_path / "c.tgm", [{"param": "t", "step": step, "x.p/q": step + 1} for step in (0, 6)])
    assert tgmap.to_datatree(steps)["fields"]["p_q"].values.tolist() == [1, 7]
    both = write(tmp_path / "b.tgm", product(param=["a/b", "a_b"]))
    with pytest.raises(CubeError, match="'a_b' for 'a/b' is taken; rename one by rename={'a/b': 'other'}"):
        tgmap.to_datatree(both)
    assert list(tgmap.to_datatree(both, rename={"a/b": "c"})["fields"].data_vars) == ["c", "a_b"]


def test_options_that_match_nothing_are_warnings(path):
    with pytest.warns(CubeWarning, match="rename names 'tpp', which is no variable.*; did you mean 'tp'?"):
        tgmap.to_dataset(path, where="mars.param=tp", rename={"tpp": "rain"})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tgmap.to_dataset(path, where="mars.param=tp", rename={"tp": "rain"}, ignore=["mars.class"])


def test_explanation(path):
    found = tgmap.explain_cube(path)
    text = str(found)
    assert text.startswith("21 objects, 4 cubes")
    assert "variable tp (step: 2, y: 3, x: 4) float32" in text
    assert "forecast_reference_time: scalar; all objects have 2024-01-01T00:00:00" in text
    number = number_of(forecast(), param="t", step=3, levelist=500)
    assert found.address("t", step="3h", levelist=500) == f"forecast.tgm:{number}:0"
    assert found.address("t", step=3 * HOUR, levelist=500) == f"forecast.tgm:{number}:0"
    for labels in ({"step": "3h"}, {"step": "4h", "levelist": 500}):
        with pytest.raises(CubeError, match="levelist is needed|has no"):
            found.address("t", **labels)
    with pytest.raises(CubeError, match="there are 10u, 2t, lsm, t, tp, z"):
        found.address("q")
    joined = tgmap.explain_cube(path, join="outer")
    assert joined.address("tp", step=0 * HOUR) is None and "1 of 3 cells empty" in str(joined)


@pytest.mark.parametrize("seed", range(12))
def test_never_a_value_under_the_wrong_label(tmp_path, seed):
    """Messages of random cubes are shuffled, left out, repeated and divided into files; each value has its labels."""
    rng = random.Random(seed)
    choices = {"number": [1, 2, 50], "step": [0, 3, 120], "levelist": [1000, 500, 10], "quantile": ["1:10", "10:10"]}
    rows = []
    for param in rng.sample(["t", "u", "q"], 2):
        keys = rng.sample(list(choices), 2)
        values = [rng.sample(choices[key], 2) for key in keys]
        rows += [{"param": param, **dict(zip(keys, each))} for each in itertools.product(*values)]
    kept = [row for row in rows if rng.random() < 0.85] or rows
    kept += [row for row in kept if rng.random() < 0.2]
    rng.shuffle(kept)
    for number, row in enumerate(kept):
        row = kept[number] = dict(row)
        row["_values"] = elements(number)
    cut = rng.randrange(len(kept) + 1)
    paths = [write(tmp_path / f"{i}.tgm", part) for i, part in enumerate((kept[:cut], kept[cut:]))]
    names = rng.choice(["mars", "cfgrib", "earthkit"])
    tree = tgmap.to_datatree(paths, allow_holes=True, duplicates="last", names=names)
    expected = {}
    for number, row in enumerate(kept):
        expected[tuple(sorted((key, value) for key, value in row.items() if key != "_values"))] = number
    seen = set()
    aliases = {"member": "number", "level": "levelist"}
    for node in tree.children.values():
        for name, array in node.to_dataset().load().items():
            outer = array.dims[:-2]
            for index in itertools.product(*(range(array.sizes[dim]) for dim in outer)):
                cell = array.isel(dict(zip(outer, index)))
                if bool(cell.isnull().all()):
                    continue
                keys = {"param": name}
                for key, value in cell.coords.items():
                    if key in ("valid_time",):
                        continue
                    key = aliases.get(key, key)
                    keys[key] = int(value.values // HOUR) if key == "step" else value.values.item()
                number = expected[tuple(sorted(keys.items()))]
                assert (cell.values == elements(number)).all()
                seen.add(number)
    assert seen == set(expected.values())


@pytest.mark.parametrize("many", [False, True])
def test_fields_that_are_selected_keep_their_coordinates(tmp_path, many):
    path = write(tmp_path / "model.tgm", model_output())
    source = [path] if many else path
    whole = tgmap.to_dataset(source)
    for where in ("name=2t", "name=2t/msl"):
        found = tgmap.to_dataset(source, where=where)
        xarray.testing.assert_identical(found, whole[list(found)].assign_attrs(found.attrs))
        assert found["latitude"].values.tolist() == [90, 45, 0, -45, -90]
    assert tgmap.explain_cube(source, where="name=2t").address("2t", step="12h") == "model.tgm:1:2"
    assert tgmap.to_dataset(source, where="mars.step=12")["msl"].shape == (5,)


def test_a_list_of_one_message_of_many(tmp_path):
    """Only some messages are looked at for the kinds of values."""
    rows = [{"param": "t", "step": step, "levelist": 500, "_shape": (2, 4)} for step in range(100)]
    rows[48]["levelist"] = [500, 850]
    tree = tgmap.to_datatree(write(tmp_path / "a.tgm", rows))
    (found,) = [each for each in tree.children.values() if "levelist" in each["t"].dims]
    assert found["levelist"].values.tolist() == [500, 850]
