# SPDX-License-Identifier: Apache-2.0
"""Cubes of archives like real ones: their dimensions, and each value under the labels of its keys."""

from __future__ import annotations

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: cubes of archives like real ones (xarray is not here)")
import real_archives  # noqa: E402
from cube_archives import elements, write  # noqa: E402

import tgmap  # noqa: E402

HOUR = np.timedelta64(1, "h")
TIME = "forecast_reference_time"

# The sizes of the dimensions between objects of each variable, by group; options of the second, and so on.
ARCHIVES = {
    "high_resolution": {
        "ml": {"t": {"step": 3, "levelist": 2}},
        "pl": {"t": {"step": 3, "levelist": 3}, "q": {"step": 3, "levelist": 3}},
        "sfc": {"2t": {"step": 3}, "10u": {"step": 3}},
        "sfc_lsm": {"lsm": {}},
        "sfc_ssrd_tp": {"tp": {"step": 2}, "ssrd": {"step": 2}},
    },
    "ensemble_with_control": {
        "pl": {"t": {"number": 4, TIME: 2, "step": 2}},
        "sfc": {"2t": {"number": 4, TIME: 2, "step": 2}},
    },
    "hindcasts": {"sfc": {"2t": {"number": 3, "step": 2, "hdate": 2}}},
    "seasonal_of_two_systems": {
        "sfc_system4": {"2t": {"number": 3, TIME: 2, "fcmonth": 2}},
        "sfc_system5": {"2t": {"number": 3, TIME: 2, "fcmonth": 2}},
    },
    "monthly_means": {
        "sfc": {"t": {TIME: 8}},
        "sfc_2t_10u": {"2t": {"month": 3}, "10u": {"month": 3}},
    },
    "accumulations_of_a_reanalysis": {"sfc": {"tp": {TIME: 2, "step": 3}}, "sfc_2t": {"2t": {TIME: 4}}},
    "waves": {
        "sfc": {"2dfd": {"step": 2, "direction": 3, "frequency": 2}},
        "sfc_swh": {"swh": {"step": 2}},
    },
    "reduced_grids": {"sfc": {"2t": {"step": 2}}, "sfc_2t": {"2t": {"step": 2}}},
    "output_of_a_model": {"fields": {"2t": {"step": 3}, "msl": {"step": 3}}, "fields_t": {"t": {"step": 3}}},
}


def rows_of(name):
    """Return the rows of an archive, in another order, with the elements of each."""
    rows = getattr(real_archives, name)()
    messages = list(dict.fromkeys(row.get("_message", i) for i, row in enumerate(rows)))
    if len(messages) == len(rows):
        np.random.default_rng(len(rows)).shuffle(rows)
    for number, row in enumerate(rows):
        same = row.pop("_same", None)  # coordinates are equal in all messages
        row["_values"] = elements(sum(map(ord, same)) if same else number, row.get("_shape", (3, 4)))
    return rows


def keys_of(row):
    """Return what labels of a cell must be, as far as the row has the keys."""
    out = {key: row[key] for key in ("number", "fcmonth", "direction", "frequency") if key in row}
    if not isinstance(row.get("levelist", ()), (list, tuple)):
        out["levelist"] = row["levelist"]
    if row.get("type") == "cf":
        out["number"] = 0
    if "step" in row:
        out["step"] = row["step"] * HOUR
    if "hdate" in row:
        out["hdate"] = np.datetime64(f"{row['hdate']}"[:4] + "-" + f"{row['hdate']}"[4:6] + "-" + f"{row['hdate']}"[6:])
    if "date" in row:
        text = str(row["date"])
        date = np.datetime64(f"{text[:4]}-{text[4:6]}-{text[6:]}", "s")
        time = row.get("time", 0)
        out[TIME] = out["month"] = date + np.timedelta64(time // 100 * 60 + time % 100, "m")
    return out


@pytest.mark.parametrize("name", ARCHIVES)
def test_archives_like_real_ones(tmp_path, name):
    rows = rows_of(name)
    path = write(tmp_path / "real.tgm", rows)
    explanation = tgmap.explain_cube(path)
    sizes = {
        group.name: {each.name: dict(zip(each.dims, each.cells.shape)) for each in group.variables.values()}
        for group in explanation.plan.groups
    }
    assert sizes == ARCHIVES[name]
    tree = tgmap.to_datatree(path).load()
    by_address = {}
    seen = {}
    for number, row in enumerate(rows):
        message = row.get("_message", number)
        by_address[message, seen.setdefault(message, 0)] = number
        seen[message] += 1
    used = set()
    for group, variable, labels, address in explanation.cells():
        number = by_address[tuple(map(int, address.split(":")[-2:]))]
        assert number not in used
        used.add(number)
        cell = tree[group][variable].sel(labels)
        np.testing.assert_array_equal(cell.values, rows[number]["_values"])
        wanted = keys_of(rows[number])
        for key, label in labels.items():
            assert label == wanted[key], key
        for key in {"step", TIME, "number", "levelist"} & set(cell.coords) & set(wanted):
            assert (cell.coords[key].values == wanted[key]).all(), key
    assert used == {number for number, row in enumerate(rows) if "anemoi.variable" not in row}


def test_whole_files_of_one_kind(tmp_path):
    """What is in one file after another is the same cube."""
    rows = rows_of("ensemble_with_control")
    whole = tgmap.to_datatree(write(tmp_path / "all.tgm", rows))
    paths = [write(tmp_path / f"{i}.tgm", rows[i::3]) for i in range(3)]
    for name, node in tgmap.to_datatree(paths).children.items():
        xarray.testing.assert_equal(node.to_dataset().load(), whole[name].to_dataset().load())


def test_intervals_that_the_sections_of_grib_have(tmp_path):
    found = tgmap.to_datatree(write(tmp_path / "era5.tgm", rows_of("accumulations_of_a_reanalysis")))["sfc"]
    assert (found["step_bounds"].values // HOUR).tolist() == [[0, 1], [1, 2], [2, 3]]
    found = tgmap.to_datatree(write(tmp_path / "hres.tgm", rows_of("high_resolution")))["sfc_ssrd_tp"]
    assert (found["step_bounds"].values // HOUR).tolist() == [[0, 1], [0, 2]]


def test_months_have_bounds(tmp_path):
    found = tgmap.to_datatree(write(tmp_path / "moda.tgm", rows_of("monthly_means")))["sfc_2t_10u"]
    assert [str(each)[:7] for each in found["month_bounds"].values[:, 1]] == ["2023-12", "2024-01", "2024-02"]


def test_one_dataset_of_everything_at_the_surface(tmp_path):
    path = write(tmp_path / "hres.tgm", rows_of("high_resolution"))
    found = tgmap.to_dataset(path, where="mars.levtype=sfc", join="outer", names="cfgrib")
    assert {name: int(found[name].isnull().all(["y", "x"]).sum()) for name in found} == {
        "t2m": 0,
        "u10": 0,
        "tp": 1,
        "ssrd": 1,
        "lsm": 2,
    }


@pytest.mark.parametrize("name", ARCHIVES)
def test_written_back(tmp_path, name):
    """Each cube of an archive is the same after it was written."""
    tree = tgmap.to_datatree(write(tmp_path / "real.tgm", rows_of(name)))
    for group, node in tree.children.items():
        dataset = node.to_dataset().load()
        dataset.tgm.to_tgm(tmp_path / "again.tgm")
        again = tgmap.to_dataset(tmp_path / "again.tgm")
        dataset = dataset.drop_vars(set(dataset.coords) - set(again.coords))
        inner = [dim for dim in ("levelist",) if dim in dataset.dims]  # labels of an axis were in the order of a list
        xarray.testing.assert_equal(again.load(), dataset.sortby(inner))
