# SPDX-License-Identifier: Apache-2.0
"""Datasets of Dask are written in parallel: parts of tasks, which are joined."""

from __future__ import annotations

import os
import pickle
import stat
import threading
import warnings

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: writing cubes of Dask (xarray is not here)")
dask = pytest.importorskip("dask", reason="SKIPPED: writing cubes of Dask (dask is not here)")

from cube_archives import ensemble, forecast, model_output, write  # noqa: E402
from cube_rows import product  # noqa: E402
from dask.delayed import Delayed  # noqa: E402

import tgmap  # noqa: E402
import tgmap.datasets.accessor  # noqa: E402, F401
from tgmap.cubes import CubeError  # noqa: E402
from tgmap.datasets import _folders, _joining, _parallel, _parts  # noqa: E402

DATES = [20240101, 20240102, 20240103]


@pytest.fixture
def path(tmp_path):
    (tmp_path / "source").mkdir()
    rows = product(param=["t", "u"], date=DATES, time="0000", step=[0, 6, 12], levelist=[500, 850])
    return write(tmp_path / "source" / "a.tgm", rows)


@pytest.fixture
def folder(tmp_path):
    out = tmp_path / "written"
    out.mkdir()
    return out


def written(dataset, path, **options):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        return dataset.tgm.to_tgm(path, **options)


def content(path):
    """Return the keys and elements of all objects, in order."""
    found = [each for message in tgmap.open(path) for each in message]
    return [(each.metadata.to_dict(), each.array.dtype.str, each.array.tolist()) for each in found]


def fail(*_, **__):
    raise RuntimeError("broken")


@pytest.mark.parametrize(
    "chunks",
    [
        {},
        {"step": 1},
        {"levelist": 1},
        {"forecast_reference_time": 2, "levelist": 1},
        {"y": 1},
        {"forecast_reference_time": 1, "step": 1, "levelist": 1, "x": 3},
    ],
    ids=str,
)
def test_the_same_messages_in_the_same_order_as_without_dask(path, folder, chunks):
    written(tgmap.to_dataset(path), folder / "one.tgm")
    written(tgmap.to_dataset(path, chunks=chunks), folder / "parts.tgm")
    assert content(folder / "parts.tgm") == content(folder / "one.tgm")
    assert len(tgmap.open(folder / "parts.tgm")) == 18 and tgmap.validate(folder / "parts.tgm").is_sound
    assert sorted(os.listdir(folder)) == ["one.tgm", "parts.tgm"]
    assert stat.S_IMODE(os.stat(folder / "parts.tgm").st_mode) == stat.S_IMODE(os.stat(folder / "one.tgm").st_mode)


@pytest.mark.parametrize("rows", [ensemble(), forecast(), model_output()], ids=["ensemble", "forecast", "model"])
def test_variables_of_other_dimensions(tmp_path, folder, rows):
    """Variables of other dimensions are in messages of their own; some have no Dask array."""
    path = write(tmp_path / "a.tgm", rows)
    tree = tgmap.to_datatree(path)
    for name, node in tree.children.items():
        whole = node.to_dataset()
        lazy = tgmap.to_dataset(path, group=name, chunks={"step": 1} if "step" in whole.dims else {})
        lazy["still"] = (("a", "b"), np.arange(6.0).reshape(2, 3))
        lazy["point"] = lazy[list(whole)[0]].mean()
        lazy["half"] = lazy[list(whole)[0]] / 2
        lazy["short"] = lazy["half"].isel({lazy["half"].dims[0]: 0}, drop=True)
        for each in ("point", "half", "short"):
            lazy[each].attrs.clear()
        written(lazy, folder / "parts.tgm")
        written(lazy.compute(), folder / "one.tgm")
        assert content(folder / "parts.tgm") == content(folder / "one.tgm")


def test_pipelines(path, folder):
    lazy = tgmap.to_dataset(path, chunks={"step": 1}).astype("f8")
    written(lazy, folder / "p.tgm", pipeline={"t": {"encoding": "simple_packing", "bits": 24}, "compression": "zstd"})
    objects = tgmap.open(folder / "p.tgm")[3]
    assert [each.descriptor.encoding for each in objects] == ["simple_packing", "none"]
    assert objects[1].descriptor.compression == "zstd"
    again = tgmap.to_dataset(folder / "p.tgm")
    xarray.testing.assert_equal(again["u"], lazy["u"].compute())
    np.testing.assert_allclose(again["t"], lazy["t"].compute(), atol=1e-3)


@pytest.mark.parametrize("scheduler", ["sync", "threads", "processes"])
def test_schedulers(path, folder, scheduler):
    """That of distributed is in test_clusters.py."""
    lazy = tgmap.to_dataset(path, chunks={"forecast_reference_time": 1}) * 2
    with dask.config.set(scheduler=scheduler, num_workers=1 if scheduler == "processes" else 2):
        written(lazy, folder / "p.tgm")
    xarray.testing.assert_equal(tgmap.to_dataset(folder / "p.tgm"), (tgmap.to_dataset(path) * 2).compute())
    assert os.listdir(folder) == ["p.tgm"]


@pytest.mark.parametrize("chunks", [None, {"step": 1}])
def test_a_delayed_writes_when_it_is_computed(path, folder, chunks):
    delayed = written(tgmap.to_dataset(path, chunks=chunks), folder / "d.tgm", compute=False)
    assert isinstance(delayed, Delayed) and os.listdir(folder) == []
    for scheduler in ("sync", "threads"):
        assert dask.compute(delayed, scheduler=scheduler) == (None,)
        assert os.listdir(folder) == ["d.tgm"]
    xarray.testing.assert_equal(tgmap.to_dataset(folder / "d.tgm"), tgmap.to_dataset(path).load())
    again = pickle.loads(pickle.dumps(written(tgmap.to_dataset(path, chunks={}), folder / "e.tgm", compute=False)))
    again.compute()
    assert content(folder / "e.tgm") == content(folder / "d.tgm")


def test_the_file_that_is_read_can_be_written(path):
    expected = (tgmap.to_dataset(path) * 2).compute()
    written(tgmap.to_dataset(path, chunks={"step": 1}) * 2, path)
    xarray.testing.assert_equal(tgmap.to_dataset(path), expected)


def test_what_is_shared_is_computed_once(path, folder):
    calls = []

    def double(block):
        calls.append(block.size)
        return block * 2

    first = tgmap.to_dataset(path, chunks={"forecast_reference_time": 1})
    doubled = first["t"].copy(data=first["t"].data.map_blocks(double, dtype="f4", meta=np.empty(0, "f4")))
    doubled = doubled.drop_attrs()
    both = xarray.Dataset({"a": doubled + 1, "b": doubled - 1, "c": doubled.mean("levelist")})
    written(both, folder / "s.tgm")
    assert len(calls) == 3


def test_blocks_are_tasks_of_their_own(path, folder):
    """Their results are small, and the graph grows with their number, and not faster."""
    tasks = []
    for chunks in ({"step": 1}, {"step": 1, "levelist": 1}):
        delayed = tgmap.to_dataset(path, chunks=chunks).tgm.to_tgm(folder / "s.tgm", compute=False)
        keys = [key for key in dict(delayed.__dask_graph__()) if isinstance(key, tuple)]
        tasks.append([key for key in keys if key[0].startswith("write_block-")])
        assert len(keys) < 8 * len(tasks[-1]) + 8
    assert [len(each) for each in tasks] == [3, 6]


@pytest.mark.parametrize("where", ["input", "message", "join", "rename"])
@pytest.mark.parametrize("old", [False, True])
@pytest.mark.parametrize("compute", [True, False])
def test_failures_leave_nothing_behind(path, folder, monkeypatch, where, old, compute):
    target = folder / "f.tgm"
    if old:
        target.write_bytes(path.read_bytes())
    lazy = tgmap.to_dataset(path, chunks={"step": 1})
    if where == "input":
        broken = lazy["t"].data.map_blocks(
            lambda block, block_id=(): fail() if block_id[1] else block, dtype="f4", meta=np.empty(0, "f4")
        )
        lazy["t"] = lazy["t"].copy(data=broken)
    else:
        if where == "rename" and old:
            return  # the writer of the library replaces the old file
        of_join = (_joining, "create" if old else "_copy")
        module, name = {"message": (_parts, "create"), "join": of_join, "rename": (os, "replace")}[where]
        real = os.replace
        named = lambda a, b: fail() if str(b) == str(target) else real(a, b)  # noqa: E731
        monkeypatch.setattr(module, name, named if where == "rename" else fail)
    with pytest.raises(RuntimeError, match="broken"), dask.config.set(scheduler="threads", num_workers=2):
        found = lazy.tgm.to_tgm(target, compute=compute)
        found.compute()
    left = os.listdir(folder)
    if where == "input" and not compute:  # nothing of ours runs after the input of a Delayed has failed
        left = [each for each in left if not (each.startswith(".f.tgm.") and each.endswith(".parts"))]
    assert left == (["f.tgm"] if old else [])
    assert not old or target.read_bytes() == path.read_bytes()


def test_permissions_of_a_file_that_is_replaced_stay(path, folder):
    target = folder / "m.tgm"
    target.write_bytes(b"")
    os.chmod(target, 0o640)
    link = folder / "link.tgm"
    link.symlink_to("m.tgm")
    written(tgmap.to_dataset(path, chunks={"step": 1}), link)
    assert link.is_symlink() and stat.S_IMODE(target.stat().st_mode) == 0o640
    written(tgmap.to_dataset(path, chunks={"step": 1}), folder / "new.tgm")
    assert content(target) == content(folder / "new.tgm") and len(tgmap.open(target)) == 18
    if os.geteuid() == 0:
        os.chown(target, 1234, 1235)
        written(tgmap.to_dataset(path, chunks={"step": 1}), target)
        assert (target.stat().st_uid, target.stat().st_gid) == (1234, 1235)


@pytest.mark.parametrize("how", ["absent", "refused", "short"])
def test_bytes_are_copied_where_the_system_does_not(path, folder, monkeypatch, how):
    """Network file systems and older kernels refuse to copy between files, or copy a part."""
    real, calls = getattr(os, "copy_file_range", None), []

    def refused(*_):
        calls.append(1)
        raise OSError(18, "Invalid cross-device link")

    def short(source, target, count, offset):
        calls.append(1)
        return real(source, target, min(count, 100), offset)

    if how == "absent":
        monkeypatch.delattr(os, "copy_file_range", raising=False)
    else:
        if real is None:
            pytest.skip("SKIPPED: copying by the system (this system cannot)")
        monkeypatch.setattr(os, "copy_file_range", refused if how == "refused" else short)
    written(tgmap.to_dataset(path, chunks={"levelist": 1}), folder / "c.tgm")
    monkeypatch.undo()
    written(tgmap.to_dataset(path), folder / "one.tgm")
    assert content(folder / "c.tgm") == content(folder / "one.tgm")
    assert how == "absent" or calls


def test_runs_of_messages_are_copied_at_once(path, folder, monkeypatch):
    real, copied = _joining._copy, []
    monkeypatch.setattr(_joining, "_copy", lambda *arguments: copied.append(arguments[3]) or real(*arguments))
    written(tgmap.to_dataset(path, chunks={"forecast_reference_time": 1}), folder / "a.tgm")
    assert len(copied) == 3 and sum(copied) == (folder / "a.tgm").stat().st_size
    copied.clear()
    written(tgmap.to_dataset(path, chunks={"levelist": 1}), folder / "b.tgm")
    assert len(copied) == 18


def test_few_parts_are_open_at_once(path, folder, monkeypatch):
    monkeypatch.setattr(_joining, "_MAX_OPEN", 2)
    real, most = _joining._copy, []
    monkeypatch.setattr(_joining, "_copy", lambda *given: most.append(len(os.listdir("/proc/self/fd"))) or real(*given))
    with dask.config.set(scheduler="sync"):
        written(tgmap.to_dataset(path, chunks={"step": 1, "levelist": 1}), folder / "a.tgm")
    assert len(tgmap.open(folder / "a.tgm")) == 18
    assert max(most) - min(most) <= 2


def test_blocks_have_a_limit(path, folder, monkeypatch):
    monkeypatch.setattr(_parallel, "_BLOCK_BYTES", 4 * 2 * 48)
    sizes = []
    real = _parts._write_part
    monkeypatch.setattr(_parts, "_write_part", lambda path, *rest: sizes.append(len(rest[1])) or real(path, *rest))
    written(tgmap.to_dataset(path, chunks={}), folder / "a.tgm")
    assert sum(sizes) == 18 and max(sizes) <= 4
    written(tgmap.to_dataset(path), folder / "one.tgm")
    assert content(folder / "a.tgm") == content(folder / "one.tgm")


@pytest.mark.parametrize("compute", [True, False])
def test_no_fields(folder, compute):
    """An archive without messages would replace another one without a word."""
    empty = xarray.Dataset({"t": (("step", "x"), np.zeros((0, 3)))}, {"step": np.zeros(0, "m8[ns]")})
    (folder / "e.tgm").write_bytes(b"old")
    for each in (empty, empty.chunk(), xarray.Dataset()):
        with pytest.raises(CubeError, match="no fields to write"):
            each.tgm.to_tgm(folder / "e.tgm", compute=compute)
    assert os.listdir(folder) == ["e.tgm"] and (folder / "e.tgm").read_bytes() == b"old"


def test_long_names(path, folder):
    name = "\U0001f30d" * 62 + ".tgm"
    written(tgmap.to_dataset(path, chunks={"step": 1}), folder / name)
    assert os.listdir(folder) == [name]


class Unreadable(Exception):
    """An error that cannot be pickled."""

    def __init__(self, text, more):
        super().__init__(text, more)

    def __reduce__(self):
        raise TypeError


@pytest.mark.parametrize("error", [ZeroDivisionError("no space"), Unreadable("no space", 1)])
def test_the_first_failure_is_the_one_that_is_raised(path, folder, monkeypatch, error):
    """Tasks that begin after it do nothing, and do not hide it."""
    real, calls = _parts._write_part, []

    def write(part, messages, numbers):
        calls.append(part)
        if len(calls) == 2:
            raise error
        return real(part, messages, numbers)

    monkeypatch.setattr(_parts, "_write_part", write)
    delayed = tgmap.to_dataset(path, chunks={"step": 1, "levelist": 1}).tgm.to_tgm(folder / "a.tgm", compute=False)
    for _ in range(2):
        calls.clear()
        with pytest.raises((ZeroDivisionError, RuntimeError), match="no space") as caught:
            delayed.compute(scheduler="sync")
        assert type(caught.value) is (RuntimeError if isinstance(error, Unreadable) else ZeroDivisionError)
        assert len(calls) == 2 and os.listdir(folder) == []


@pytest.mark.parametrize("chunks", [None, {"step": 1}])
def test_targets_that_cannot_be_are_errors_before_anything_is_computed(path, folder, chunks):
    dataset = tgmap.to_dataset(path, chunks=chunks)
    if chunks:
        dataset["t"] = dataset["t"].copy(data=dataset["t"].data.map_blocks(fail, dtype="f4", meta=np.empty(0, "f4")))
    (folder / "d.tgm").mkdir()
    for target, error, name in (
        (folder / "none" / "a.tgm", FileNotFoundError, "none"),
        (folder / "d.tgm", IsADirectoryError, "d.tgm"),
        (folder / ("x" * 300), OSError, "x" * 300),
    ):
        with pytest.raises(error) as caught:
            dataset.tgm.to_tgm(target)
        assert os.path.basename(caught.value.filename) == name
    assert os.listdir(folder) == ["d.tgm"] and os.listdir(folder / "d.tgm") == []


def test_no_task_makes_the_folder_when_the_program_waits(path, folder, monkeypatch):
    """A task that the failure of another one overtakes would make it again."""
    made = []
    real = _folders.make_folder
    for module in (_folders, _parallel):
        monkeypatch.setattr(module, "make_folder", lambda given: made.append(threading.get_ident()) or real(given))
    with dask.config.set(scheduler="threads", num_workers=2):
        written(tgmap.to_dataset(path, chunks={"step": 1}), folder / "a.tgm")
    assert made == [threading.get_ident()]
