# SPDX-License-Identifier: Apache-2.0
"""Datasets of xarray are read when they are used: indexes, points, pickles, chunks."""

from __future__ import annotations

import pickle
import random
import subprocess
import sys

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: cubes of xarray (xarray is not here)")

from cube_archives import elements, forecast, write  # noqa: E402
from cube_rows import product  # noqa: E402

import tgmap  # noqa: E402
from tgmap.datasets._backend import TgmapBackendEntrypoint  # noqa: E402


@pytest.fixture(scope="module")
def path(tmp_path_factory):
    return write(tmp_path_factory.mktemp("cubes") / "forecast.tgm", forecast())


@pytest.mark.parametrize("pipeline", [{}, {"compression": "zstd"}, {"encoding": "simple_packing", "bits": 16}])
def test_every_index_gives_what_numpy_gives(tmp_path, pipeline):
    """Random indexes, one after another as xarray merges them, beside those of the loaded array."""
    dtype = "f8" if pipeline else "f4"
    rows = product(param="t", step=[0, 6, 12], levelist=[500, 850], _shape=[(4, 5)], _dtype=dtype)
    del rows[3]
    random.Random(1).shuffle(rows)
    found = tgmap.to_dataset(write(tmp_path / "i.tgm", rows, **pipeline), allow_holes=True)["t"]
    whole = found.copy().load()
    assert int(whole.isnull().sum()) == 20
    rng = random.Random(2)
    for _ in range(120):
        lazy, loaded = found, whole
        for _ in range(rng.randint(1, 2)):
            index = {dim: random_index(rng, lazy.sizes[dim]) for dim in lazy.dims if rng.random() < 0.7}
            lazy, loaded = lazy.isel(index), loaded.isel(index)
        xarray.testing.assert_identical(lazy.load(), loaded)


def random_index(rng, size):
    kind = rng.random()
    if kind < 0.25 and size:
        return rng.randrange(-size, size)
    if kind < 0.6:
        step = rng.choice([1, 1, 2, -1, -2])
        return slice(rng.choice([None, rng.randint(-size, size)]), rng.choice([None, rng.randint(-size, size)]), step)
    return [rng.randrange(-size, size) for _ in range(rng.randint(0, 4))] if size else []


def test_indexes_from_the_end(path):
    from xarray.core import indexing

    found = tgmap.to_dataset(path, group="pl")["t"]
    array, whole = found.variable._data.array, found.values
    last = np.array([-1, 0])
    np.testing.assert_array_equal(array[indexing.OuterIndexer((last, -1, last, slice(None)))], whole[last, -1][:, last])
    points = array[indexing.VectorizedIndexer((last, last, last, last))]
    np.testing.assert_array_equal(points, whole[last, last, last, last])


def test_points(tmp_path):
    rows = product(param="t", step=[0, 6, 12], _shape=[(4, 5)])
    found = tgmap.to_dataset(write(tmp_path / "i.tgm", rows))["t"]
    whole = found.copy().load()
    points = {
        "step": xarray.DataArray([0, 2, 2, 1], dims="p"),
        "y": xarray.DataArray([3, 0, 1, 1], dims="p"),
        "x": xarray.DataArray([4, -1, 2, 2], dims="p"),
    }
    for names in (("step", "y", "x"), ("y", "x"), ("step", "x"), ("x",)):
        index = {name: points[name] for name in names}
        xarray.testing.assert_identical(found.isel(index).load(), whole.isel(index))
        mixed = {**index, "y": slice(1, 3)} if "y" not in index else index
        xarray.testing.assert_identical(found.isel(mixed).load(), whole.isel(mixed))
    grid = {"y": xarray.DataArray([[0, 1], [2, 3]], dims=("a", "b")), "x": xarray.DataArray([1, 2], dims="b")}
    xarray.testing.assert_identical(found.isel(grid).load(), whole.isel(grid))


def test_points_between_objects(tmp_path, monkeypatch):
    """Whole fields at points between objects are read as fields, not element by element."""
    from tgmap.datasets import _rows

    rows = product(param="t", step=[0, 6, 12], **{"levelist": [500, 850], "levtype": "pl"}, _shape=[(4, 5)])
    found = tgmap.to_dataset(write(tmp_path / "i.tgm", rows))["t"]
    whole = found.copy().load()
    step, level = xarray.DataArray([0, 2, 2], dims="p"), xarray.DataArray([1, 0, 1], dims="p")
    grid = xarray.DataArray([[0, 1], [2, 0]], dims=("a", "b"))
    calls, real = [], _rows.gather
    monkeypatch.setattr(
        _rows, "gather", lambda places, *slab, **options: calls.append("points" in options) or real(places, *slab, **options)
    )
    for index in (
        {"step": step, "levelist": level},
        {"step": step, "levelist": level, "y": slice(1, 3), "x": 0},
        {"step": grid},
        {"levelist": xarray.DataArray([1, 1, 0], dims="p"), "step": slice(None, None, -1)},
        {"step": grid, "levelist": slice(0, 1), "x": slice(None, None, -2)},
    ):
        xarray.testing.assert_identical(found.isel(index).load(), whole.isel(index))
        assert calls == [False], index
        calls.clear()


def test_nothing_is_read_before_it_is_used(path, monkeypatch):
    from tgmap.datasets import _rows

    read, real = [], _rows.gather

    def gather(places, slab=None, **options):
        points = options.get("points")
        read.append((len(places), slab if points is None else [each.tolist() for each in points]))
        return real(places, slab, **options)

    monkeypatch.setattr(_rows, "gather", gather)
    found = tgmap.to_dataset(path, group="pl")
    part = found["t"].sel(levelist=500).isel(y=slice(1, 3), x=0)
    assert not read
    part.load()
    assert read == [(3, (slice(1, 3, 1), 0))]
    read.clear()
    found["t"].isel(step=0, levelist=0, x=[3, 1]).load()
    assert read == [(1, (slice(None), slice(1, 4)))]
    read.clear()
    monkeypatch.setattr("tgmap.datasets._arrays._SPARSE", 2)
    corners = found["t"].isel(step=slice(0, 2), levelist=0, y=[2, 0], x=[3, 0]).load()  # four elements of twelve
    assert read == [(2, [[2, 2, 0, 0], [3, 0, 3, 0]])]
    monkeypatch.undo()
    whole = tgmap.to_dataset(path, group="pl")["t"].load()
    xarray.testing.assert_identical(corners, whole.isel(step=slice(0, 2), levelist=0, y=[2, 0], x=[3, 0]))


def test_open_dataset(path, tmp_path, monkeypatch):
    """The entry point is that of pyproject.toml, which an installed package has."""
    pyproject = __import__("pathlib").Path(__file__).resolve().parents[2] / "pyproject.toml"
    line = 'tgmap = "tgmap.datasets._backend:TgmapBackendEntrypoint"'
    if pyproject.is_file():
        assert f'[project.entry-points."xarray.backends"]\n{line}\n' in pyproject.read_text()
    info = tmp_path / "tgmap_test-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: tgmap-test\nVersion: 0\n")
    (info / "entry_points.txt").write_text("[xarray.backends]\n" + line.replace('"', "") + "\n")
    monkeypatch.syspath_prepend(tmp_path)
    xarray.backends.plugins.list_engines.cache_clear()
    try:
        expected = tgmap.to_dataset(path, group="pl")
        xarray.testing.assert_identical(xarray.open_dataset(path, engine="tgmap", group="pl"), expected)
        xarray.testing.assert_identical(xarray.open_dataset(path, group="pl"), expected)  # by the suffix
        xarray.testing.assert_identical(xarray.open_dataset(path, engine="tgmap", where="mars.levtype=pl"), expected)
        for source in ([path], str(path.parent / "fore*.tgm"), path.read_bytes(), tgmap.open(path)):
            xarray.testing.assert_identical(xarray.open_dataset(source, engine="tgmap", group="pl"), expected)
        tree = xarray.open_datatree(path, engine="tgmap")
        xarray.testing.assert_identical(tree["pl"].to_dataset(), expected)
        groups = xarray.open_groups(path, engine="tgmap")
        assert sorted(groups) == ["/pl", "/sfc", "/sfc_lsm", "/sfc_tp"]
        names = xarray.open_dataset(path, engine="tgmap", where="mars.levtype=pl", names="cfgrib", drop_variables="z")
        assert list(names) == ["t"] and names["isobaricInhPa"].values.tolist() == [1000, 500]
    finally:
        monkeypatch.undo()
        xarray.backends.plugins.list_engines.cache_clear()


def test_what_the_engine_opens_by_itself():
    guess = TgmapBackendEntrypoint().guess_can_open
    assert guess("a.tgm") and guess(b"TENSOGRM...") and not guess("a.nc") and not guess(b"CDF") and not guess(3)


def test_asynchronous_loading(path):
    asyncio = pytest.importorskip("asyncio")
    if not hasattr(xarray.Dataset, "load_async"):
        pytest.skip("SKIPPED: asynchronous loading (this xarray has none)")
    found = tgmap.to_dataset(path, group="pl")
    loaded = asyncio.run(found.load_async())
    xarray.testing.assert_identical(loaded, tgmap.to_dataset(path, group="pl").load())


def test_pickles(path):
    found = tgmap.to_dataset(path, group="pl")
    xarray.testing.assert_identical(pickle.loads(pickle.dumps(found)), found.load())
    many = tgmap.to_dataset([path, path], group="pl", duplicates="last")
    xarray.testing.assert_identical(pickle.loads(pickle.dumps(many)), many.load())


def test_chunks(path):
    pytest.importorskip("dask", reason="SKIPPED: chunks of cubes (dask is not here)")
    whole = tgmap.to_dataset(path, group="pl").load()
    found = tgmap.to_dataset(path, group="pl", chunks={})
    assert found["t"].chunks == ((3,), (2,), (3,), (4,))
    xarray.testing.assert_identical(found.compute(), whole)
    small = tgmap.to_dataset(path, group="pl", chunks={"step": 1})
    assert small["t"].chunks == ((1, 1, 1), (2,), (3,), (4,))
    xarray.testing.assert_identical(small.compute(scheduler="threads"), whole)
    again = tgmap.to_dataset(path, group="pl", chunks={"step": 1})
    assert again["t"].data.name == small["t"].data.name
    with pytest.raises(ValueError, match="chunks names 'time', which is no dimension; there are step"):
        tgmap.to_dataset(path, group="pl", chunks={"time": 1})
    tree = tgmap.to_datatree(path, chunks={"levelist": 1})
    assert tree["pl"]["t"].chunks[1] == (1, 1) and tree["sfc"]["2t"].chunks == ((3,), (3,), (4,))
    lazy = xarray.open_dataset(path, engine=TgmapBackendEntrypoint, group="pl", chunks={})
    assert lazy["t"].chunks == ((3,), (2,), (3,), (4,))
    xarray.testing.assert_identical(lazy.compute(), whole)


def test_names_of_chunks_change_with_the_file(tmp_path):
    pytest.importorskip("dask", reason="SKIPPED: names of chunks (dask is not here)")
    names = []
    for first in (0, 5):
        rows = [{"param": "t", "step": step, "_values": elements(step + first)} for step in (0, 6)]
        path = write(tmp_path / "c.tgm", rows)
        names.append(tgmap.to_dataset([path], chunks={})["t"].data.name)
    assert names[0] != names[1]


def test_preferred_chunks_hold_whole_objects(tmp_path, monkeypatch):
    from tgmap.datasets import _arrays

    monkeypatch.setattr(_arrays, "_CHUNK_BYTES", 3 * 48)
    rows = product(param="t", step=[0, 6, 12, 18], levelist=[500, 850])
    found = tgmap.to_dataset(write(tmp_path / "c.tgm", rows))["t"]
    assert found.encoding["preferred_chunks"] == {"step": 1, "levelist": 2, "y": 3, "x": 4}


def test_chunks_of_several_dtypes_agree(tmp_path, monkeypatch):
    pytest.importorskip("dask", reason="SKIPPED: chunks of several dtypes (dask is not here)")
    from tgmap.datasets import _arrays

    monkeypatch.setattr(_arrays, "_CHUNK_BYTES", 2 * 96)
    rows = product(param="t", step=[0, 6, 12, 18]) + product(param="u", step=[0, 6, 12, 18], _dtype="f8")
    path = write(tmp_path / "c.tgm", rows)
    opened = xarray.open_dataset(path, engine=TgmapBackendEntrypoint, chunks={})
    for found in (tgmap.to_dataset(path, chunks={}), opened):
        assert dict(found.chunks) == {"step": (2, 2), "y": (3,), "x": (4,)}


def test_more_files_than_descriptors(tmp_path):
    for step in range(60):
        write(tmp_path / f"{step:02}.tgm", [{"param": "t", "step": step}])
    code = f"""
import resource, tgmap
resource.setrlimit(resource.RLIMIT_NOFILE, (48, 48))
found = tgmap.to_dataset("{tmp_path}/*.tgm")["t"]
assert found.sizes["step"] == 60 and found.values.shape[0] == 60
open("/dev/null").close()
"""
    subprocess.run([sys.executable, "-c", code], check=True)
