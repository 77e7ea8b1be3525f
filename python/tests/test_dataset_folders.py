# SPDX-License-Identifier: Apache-2.0
"""Hidden folders in which archives are written: those of processes that were killed are removed, and no others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys

import numpy as np
import pytest

xarray = pytest.importorskip("xarray", reason="SKIPPED: cubes of xarray (xarray is not here)")

import tgmap  # noqa: E402
from tgmap.datasets import accessor as accessor  # noqa: E402
from tgmap.datasets._folders import folder_beside, own_folder, remove_stale_folders  # noqa: E402

DATASET = xarray.Dataset({"field": (("step", "x"), np.zeros((2, 3)))}, {"step": np.array([0, 6], "m8[h]").astype("m8[ns]")})

WRITER = """
import sys, time
import numpy as np, xarray
import tgmap.datasets.accessor
from tgmap.datasets import _folders
from tgmap.datasets._layout import Field
kind, path = sys.argv[1:]
def stuck(self, labels, elements):
    sys.stdout.write("writing")
    sys.stdout.flush()
    time.sleep(600)
Field.object = stuck
steps = np.array([12, 18], "m8[h]").astype("m8[ns]")
dataset = xarray.Dataset({"field": (("step", "x"), np.zeros((2, 3)))}, {"step": steps})
if kind == "parallel":
    import dask
    dask.config.set(scheduler="threads")
    dataset = dataset.chunk(step=1)
dataset.tgm.to_tgm(path, append_dim="step" if kind == "append" else None)
"""


def started(kind, path):
    """Return a process that writes a file, and is in the middle of it."""
    process = subprocess.Popen([sys.executable, "-c", WRITER, kind, str(path)], stdout=subprocess.PIPE, text=True)
    assert process.stdout.read(7) == "writing"
    return process


def kill(process):
    process.send_signal(signal.SIGKILL)
    process.wait()
    process.stdout.close()


def folders(path):
    return [each for each in os.listdir(path.parent) if each.startswith(f".{path.name}.")]


@pytest.mark.parametrize("kind", ["new", "append", "parallel"])
def test_killed_writers(tmp_path, kind):
    if kind == "parallel":
        pytest.importorskip("dask", reason="SKIPPED: datasets of Dask (Dask is not here)")
    path = tmp_path / "f.tgm"
    if kind == "append":
        DATASET.tgm.to_tgm(path)
    process = started(kind, path)
    try:
        assert len(folders(path)) == 1
        DATASET.tgm.to_tgm(path)  # while the other one writes
        assert len(folders(path)) == 1
    finally:
        kill(process)
    assert len(folders(path)) == 1
    DATASET.tgm.to_tgm(tmp_path / "g.tgm")  # of another file
    assert len(folders(path)) == 1
    path.unlink()
    DATASET.tgm.to_tgm(path)
    assert folders(path) == [] and sorted(os.listdir(tmp_path)) == ["f.tgm", "g.tgm"]
    xarray.testing.assert_equal(tgmap.to_dataset(path), DATASET)


def test_folders_that_stay(tmp_path):
    path, name = str(tmp_path / "f.tgm"), "0123456789ab"
    elsewhere = tmp_path / "elsewhere"
    for folder in (tmp_path / f".f.tgm.{name}.parts", tmp_path / f".f.tgm.{name}x.parts", elsewhere):
        folder.mkdir()
        if folder != tmp_path / f".f.tgm.{name}.parts":  # that one has no owner
            (folder / "owner").touch()
    (tmp_path / ".f.tgm.aaaaaaaaaaaa.parts").symlink_to(elsewhere)
    (tmp_path / ".f.tgm.bbbbbbbbbbbb.parts").touch()
    linked = tmp_path / ".f.tgm.cccccccccccc.parts"
    linked.mkdir()
    (linked / "owner").symlink_to(elsewhere / "owner")
    before = sorted(os.listdir(tmp_path))
    remove_stale_folders(path)
    assert sorted(os.listdir(tmp_path)) == before and (elsewhere / "owner").exists()
    (linked / "owner").unlink()
    (linked / "owner").touch()
    (linked / "part.tgm").write_bytes(b"x")
    remove_stale_folders(path)
    assert sorted(os.listdir(tmp_path)) == [each for each in before if each != linked.name]
    remove_stale_folders(str(tmp_path / "absent" / "f.tgm"))


def test_an_owner_is_known_while_it_lives(tmp_path):
    path = str(tmp_path / "f.tgm")
    with own_folder(path) as folder, own_folder(path) as other:
        assert folder != other and os.listdir(folder) == ["owner"]
        code = "import sys; from tgmap.datasets._folders import remove_stale_folders; remove_stale_folders(sys.argv[1])"
        subprocess.run([sys.executable, "-c", code, path], check=True)
        assert os.path.isdir(folder) and os.path.isdir(other)
    assert os.listdir(tmp_path) == []
    assert os.path.dirname(folder_beside(path)) == os.path.realpath(tmp_path)


def test_file_systems_without_locks(tmp_path, monkeypatch):
    import fcntl

    def refuse(*_):
        raise OSError(38, "Function not implemented")

    monkeypatch.setattr(fcntl, "flock", refuse)
    path = str(tmp_path / "f.tgm")
    with own_folder(path) as folder:
        remove_stale_folders(path)
        assert os.path.isdir(folder)
    assert os.listdir(tmp_path) == []


def test_a_link_to_a_file_that_is_not_there(tmp_path):
    (tmp_path / "to").mkdir()
    (tmp_path / "f.tgm").symlink_to("to/g.tgm")
    DATASET.tgm.to_tgm(tmp_path / "f.tgm")
    assert (tmp_path / "f.tgm").is_symlink() and os.listdir(tmp_path / "to") == ["g.tgm"]
