# SPDX-License-Identifier: Apache-2.0
"""Cubes as arrays of Dask: names, sizes of tasks, reading by places."""

from __future__ import annotations

import os
import pickle
import random

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: chunks of cubes (xarray is not here)")
dask = pytest.importorskip("dask", reason="SKIPPED: chunks of cubes (dask is not here)")

from cube_archives import elements, forecast, write  # noqa: E402
from cube_rows import product  # noqa: E402

import tgmap  # noqa: E402
from tgmap.datasets._backend import TgmapBackendEntrypoint  # noqa: E402

ENGINE = {"engine": TgmapBackendEntrypoint}


def write_steps(path, first=0, steps=(0, 6)):
    return write(path, [{"param": "t", "step": step, "_values": elements(step + first)} for step in steps])


def only(groups):
    (found,) = [each for each in groups if "t" in each]
    return found


OPENED = {
    "to_dataset": lambda path: tgmap.to_dataset(path, chunks={}),
    "to_dataset of a list": lambda path: tgmap.to_dataset([path], chunks={}),
    "to_datatree": lambda path: only(tgmap.to_datatree(path, chunks={}).children.values()).to_dataset(),
    "chunk of a Dataset": lambda path: tgmap.to_dataset(path).chunk({"step": 1}),
    "chunk of a part": lambda path: tgmap.to_dataset(path).isel(x=slice(3)).chunk(),
    "chunk of a variable": lambda path: tgmap.to_dataset(path).map(lambda each: each.chunk({"step": 1})),
    "open_dataset": lambda path: xarray.open_dataset(path, chunks={}, **ENGINE),
    "open_dataset of a list": lambda path: xarray.open_dataset([path], chunks={}, **ENGINE),
    "open_dataset of a glob": lambda path: xarray.open_dataset(str(path.parent / "*.tgm"), chunks={}, **ENGINE),
    "open_mfdataset": lambda path: xarray.open_mfdataset([path], **ENGINE),
    "open_groups": lambda path: only(xarray.open_groups(path, chunks={}, **ENGINE).values()),
}


@pytest.mark.parametrize("how", OPENED)
def test_names_are_those_of_the_content_of_files(tmp_path, how):
    """Dask takes arrays of one name for equal, also those of another file with the same path."""
    if how == "open_dataset of a glob" and tuple(map(int, xarray.__version__.split(".")[:2])) < (2025, 7):
        pytest.skip("SKIPPED: names of chunks of globs (this xarray takes a glob for the path of a file)")
    path = write_steps(tmp_path / "c.tgm")
    status = os.stat(path)
    before = [OPENED[how](path)["t"] for _ in range(2)]
    assert before[0].chunks is not None and before[0].data.name == before[1].data.name
    write_steps(path, first=5)
    assert os.stat(path).st_size == status.st_size
    after = OPENED[how](path)["t"]
    assert after.data.name != before[0].data.name
    assert float(after.isel(step=0, y=0, x=0)) == 500


def test_names_of_other_variables_and_parts_differ(tmp_path):
    rows = product(param=["t", "u"], step=[0, 6])
    found = tgmap.to_dataset(write(tmp_path / "c.tgm", rows))
    parts = [found["t"], found["u"], found["t"].isel(step=[1]), found["t"].isel(step=[0]), found["t"].isel(x=[0])]
    names = {each.variable.chunk().data.name for each in parts} | {found["t"].variable.chunk(step=1).data.name}
    assert len(names) == 6


def test_a_file_that_changes_is_an_error(tmp_path):
    path = write_steps(tmp_path / "c.tgm")
    found = [
        tgmap.to_dataset(path, chunks={}),
        xarray.open_dataset([path], chunks={}, **ENGINE),
        pickle.loads(pickle.dumps(tgmap.to_dataset(path))),
    ]
    size, time = os.stat(path).st_size, os.stat(path).st_mtime_ns
    write_steps(path, first=5)
    os.utime(path, ns=(time + 10**9, time + 10**9))
    for each in found:
        with pytest.raises(tgmap.ChangedFileError, match=f"c.tgm.*{time + 10**9}.*{time}") as caught:
            each["t"].compute(scheduler="sync")
        assert caught.value.code == "archive_changed"
    write_steps(path, steps=(0, 6, 12))
    for each in found:
        with pytest.raises(tgmap.ChangedFileError, match=f"{os.stat(path).st_size}.*{size}"):
            each["t"].compute(scheduler="sync")


def spoil_first_message(path):
    """Overwrite the beginning of an archive, so that nobody can scan it, and keep the size and time of the file."""
    status = os.stat(path)
    with open(path, "r+b") as file:
        file.write(b"\xff" * 48)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


@pytest.mark.filterwarnings("ignore:The specified chunks separate")
@pytest.mark.parametrize("how", ["to_dataset", "open_dataset", "pickle"])
def test_nothing_is_scanned(tmp_path, how):
    path = write_steps(tmp_path / "c.tgm", steps=(0, 6, 12))
    chunks = {"step": 1}
    if how == "to_dataset":
        found = tgmap.to_dataset(path, chunks=chunks)
    else:
        found = xarray.open_dataset(path, chunks=chunks if how == "open_dataset" else None, **ENGINE)
    pickled = pickle.dumps(found)
    spoil_first_message(path)
    found = pickle.loads(pickled) if how == "pickle" else found
    with pytest.raises(tgmap.Error):
        tgmap.to_dataset(path)
    assert (found["t"].isel(step=slice(1, 3)).values == [elements(6), elements(12)]).all()


def test_tables_of_places_are_small(tmp_path):
    """An object takes one byte if the sizes of messages are equal, else at most four; shuffled ones two more."""
    rng = np.random.default_rng(1)
    count = 4000
    for kind, most in (("equal", 1), ("different", 4)):
        with tgmap.create(tmp_path / "n.tgm") as out:
            for i in range(count):
                keys = {"mars": {"param": "t", "number": i // 100, "step": i % 100}}
                size = 3 if kind == "equal" else int(rng.integers(1, 1000))
                field = tgmap.NewObject(np.zeros(2, "f4"), {**keys, "note": "x" * size})
                out.write([field])
        found = tgmap.to_dataset(tmp_path / "n.tgm", ignore=["note"], chunks={"number": 1})["t"]
        ((name, table),) = [item for item in dict(found.data.__dask_graph__()).items() if isinstance(item[0], str)]
        assert name.startswith("original-t-")
        assert len(pickle.dumps(table)) < most * count + 600, kind


def test_tasks_are_small(tmp_path):
    rows = product(param="t", number=list(range(20)), step=list(range(0, 60, 6)))
    found = tgmap.to_dataset(write(tmp_path / "n.tgm", rows), chunks={"number": 1})["t"]
    for array in (found.data, (found * 2 + 1).data):
        (optimized,) = dask.optimize(array)
        tasks = [task for key, task in dict(optimized.__dask_graph__()).items() if isinstance(key, tuple)]
        assert len(tasks) == 20
        assert max(len(pickle.dumps(each)) for each in tasks) < 1000


def test_several_dtypes_and_holes(tmp_path):
    rows = product(param="t", step=[0, 6, 12, 18])
    rows[1]["_dtype"] = "f8"
    path = write(tmp_path / "p.tgm", [*rows, {"param": "u", "step": 0}])
    options = {"promote": True, "join": "outer", "allow_holes": True}
    whole = tgmap.to_dataset(path, **options).load()
    assert whole["t"].dtype == np.float64 and int(whole["u"].isnull().sum()) == 36
    for chunks in ({}, {"step": 1}, {"step": 3, "x": 2}):
        found = tgmap.to_dataset(path, chunks=chunks, **options)
        xarray.testing.assert_identical(found.compute(scheduler="sync"), whole)


def test_archives_in_memory(tmp_path):
    content = write_steps(tmp_path / "c.tgm").read_bytes()
    found = tgmap.to_dataset(content, chunks={"step": 1})
    assert (pickle.loads(pickle.dumps(found))["t"].isel(step=1).values == elements(6)).all()


def test_many_files(tmp_path):
    for step in range(0, 60, 6):
        write_steps(tmp_path / f"{step:02}.tgm", steps=(step,))
    found = tgmap.to_dataset(str(tmp_path / "*.tgm"), chunks={"step": 4})
    assert found["t"].chunks[0] == (4, 4, 2)
    again = pickle.loads(pickle.dumps(found))["t"].isel(step=slice(3, 9)).compute(scheduler="sync")
    assert (again.values == [elements(step) for step in range(18, 54, 6)]).all()


def test_coordinates_of_objects_are_chunked(tmp_path):
    latitude = np.arange(12.0).reshape(3, 4)
    rows = [{"name": "latitude", "_values": latitude, "_message": 0, "_dims": ["y", "x"]}]
    rows += [{"name": "t", "step": 6, "_message": 0, "_dims": ["y", "x"]}]
    path = write(tmp_path / "g.tgm", rows)
    found = xarray.open_dataset(path, chunks={}, **ENGINE)
    assert found["latitude"].chunks == ((3,), (4,))
    write(path, [{**rows[0], "_values": latitude + 1}, rows[1]])
    again = xarray.open_dataset(path, chunks={}, **ENGINE)
    assert again["latitude"].data.name != found["latitude"].data.name
    assert (again["latitude"].values == latitude + 1).all()


def test_variables_without_chunks_stay_lazy(tmp_path):
    """Selections keep the class of variables; arithmetic gives plain ones."""
    rows = forecast()
    found = tgmap.to_dataset(write(tmp_path / "f.tgm", rows), group="pl")
    part = found["t"].isel(step=[0, 2]).isel(step=1)
    expected = part.copy().load()
    xarray.testing.assert_identical(part.chunk({"levelist": 1}).compute(scheduler="sync"), expected)
    xarray.testing.assert_identical((part + 1).chunk().compute(scheduler="sync"), expected + 1)


def test_every_index_of_chunks_gives_what_numpy_gives(tmp_path):
    """Random chunks of cubes with holes, in parts that are chosen before and after chunking."""
    rows = product(param="t", step=[0, 6, 12], levelist=[500, 850], _shape=[(4, 5)])
    del rows[3]
    random.Random(1).shuffle(rows)
    lazy = tgmap.to_dataset(write(tmp_path / "i.tgm", rows), allow_holes=True)["t"]
    whole = lazy.copy().load()
    rng = random.Random(2)
    for _ in range(40):
        found, expected = lazy, whole
        for is_chunked in (True, False):
            index = {dim: random_index(rng, found.sizes[dim]) for dim in found.dims if rng.random() < 0.5}
            found, expected = found.isel(index), expected.isel(index)
            if is_chunked and found.ndim:
                found = found.chunk({dim: rng.randint(1, 3) for dim in found.dims if found.sizes[dim]})
        xarray.testing.assert_identical(found.compute(scheduler="sync"), expected)


def random_index(rng, size):
    if rng.random() < 0.5:
        return slice(rng.randint(0, size // 2), rng.randint(size // 2, size) or None, rng.choice([1, 2]))
    return [rng.randrange(-size, size) for _ in range(rng.randint(1, 4))] if size else []


def test_files_are_opened_by_tasks_of_xarray(tmp_path):
    paths = [write_steps(tmp_path / f"{step}.tgm", steps=(step,)) for step in (0, 6)]
    with dask.config.set(scheduler="threads", num_workers=2):
        found = xarray.open_mfdataset(paths, parallel=True, ensure_dims=["step"], combine="by_coords", **ENGINE)
        assert (found["t"].values == [elements(0), elements(6)]).all()


@pytest.mark.parametrize("how", ["archive", "collection"])
@pytest.mark.parametrize("chunks", [None, {}], ids=["eager", "dask"])
def test_a_file_that_was_replaced_before_the_dataset_was_made(tmp_path, how, chunks):
    """Labels of the open archive never come with values of the file that took its place."""
    path = tmp_path / "a.tgm"
    write_steps(path)
    opened = tgmap.open(path) if how == "archive" else tgmap.open_many([path])
    opened[0], len(opened)
    write_steps(path, first=7)
    try:
        found = tgmap.to_dataset(opened, chunks=chunks)["t"].isel(y=0, x=0).values.tolist()
    except tgmap.ChangedFileError:
        return
    assert (how, chunks) == ("archive", None)  # it is read through the open file
    assert found == [0, 600]


def test_a_file_that_was_replaced_by_one_of_the_same_state(tmp_path):
    path = write_steps(tmp_path / "a.tgm")
    status = os.stat(path)
    found = tgmap.to_dataset(path)
    write_steps(path, first=7)
    os.utime(path, ns=(0, status.st_mtime_ns))
    assert os.stat(path).st_size == status.st_size
    with pytest.raises(tgmap.ChangedFileError, match="leads to another file"):
        pickle.dumps(found)
    with pytest.raises(tgmap.ChangedFileError, match="leads to another file"):
        found.chunk()
