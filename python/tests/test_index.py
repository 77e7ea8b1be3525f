# SPDX-License-Identifier: Apache-2.0
"""Indexes: an archive that has changed gives what it gives without one, and a warning says so."""

import os
import subprocess
import sys
import warnings

import numpy as np
import pytest

import tgmap

STEPS = 30


def write(path, expver="0001"):
    """Write messages of equal size; that of step 17 has another expver."""
    with tgmap.create(path) as writer:
        for step in range(STEPS):
            metadata = {"mars": {"step": step + 100, "expver": expver if step == 17 else "0001"}}
            writer.write(tgmap.NewObject(np.arange(4, dtype="float32"), metadata))


def make_index(path):
    tgmap.open(path, index="create").close()
    with tgmap.open(path) as archive:
        assert archive.uses_index and archive.index_is_current


@pytest.fixture
def indexed(tmp_path):
    path = str(tmp_path / "a.tgm")
    write(path)
    make_index(path)
    return path


def found(archive):
    rows = archive.table(["mars.step"], where="mars.expver=0077")
    return (
        [message.index for message in archive.find("mars.expver=0077")],
        [item.index for item in archive.find_objects("mars.expver=0077")],
        list(rows["mars.step"]),
        len(archive),
    )


def rewrite_in_place(path):
    other = path + ".other"
    write(other, "0077")
    data = open(other, "rb").read()
    with open(path, "r+b") as file:
        file.write(data)
        file.truncate()


def replace(path):
    write(path + ".other", "0077")
    os.replace(path + ".other", path)


def grow(path):
    write(path + ".other", "0077")
    with open(path, "ab") as file:
        file.write(open(path + ".other", "rb").read())


@pytest.mark.parametrize("change", [rewrite_in_place, replace, grow])
def test_a_changed_archive_answers_as_without_an_index(indexed, change):
    change(indexed)
    with tgmap.open(indexed, index="none") as archive:
        expected = found(archive)
    assert len(expected[0]) == 1
    with pytest.warns(tgmap.IndexWarning, match="the index is not used: .*; everything is read. Run: tgmap index (update|create) ") as seen:
        archive = tgmap.open(indexed)
    assert seen[0].filename == __file__
    assert not archive.index_is_current
    assert found(archive) == expected


def test_a_current_index_does_not_warn(indexed):
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with tgmap.open(indexed) as archive:
            assert found(archive) == ([], [], [], STEPS)
        tgmap.open(indexed, index="none").close()


def test_a_selection_of_an_open_archive_looks_again(indexed):
    archive = tgmap.open(indexed)
    assert archive.index_is_current
    grow(indexed)
    assert not archive.index_is_current
    with pytest.warns(tgmap.IndexWarning):
        archive.refresh()
    assert [message.index for message in archive.find("mars.expver=0077")] == [STEPS + 17]


def test_an_appender_keeps_a_current_index_current(indexed):
    with tgmap.append(indexed) as appender:
        appender.write(tgmap.NewObject(np.zeros(3), {"mars": {"step": 5, "expver": "0077"}}))
        with pytest.warns(tgmap.IndexWarning):
            assert len(tgmap.open(indexed)) == STEPS + 1
    with tgmap.open(indexed) as archive:
        assert archive.index_is_current
        assert [message.index for message in archive.find("mars.expver=0077")] == [STEPS]


def test_writing_an_archive_anew_removes_its_index(indexed):
    write(indexed, "0077")
    assert not os.path.exists(indexed + ".tgx")
    with tgmap.open(indexed) as archive:
        assert not archive.uses_index


def test_an_index_that_is_not_a_regular_file_is_not_waited_for(indexed):
    os.remove(indexed + ".tgx")
    os.mkfifo(indexed + ".tgx")
    program = f"import tgmap; a = tgmap.open({indexed!r}); print(len(a), a.uses_index)"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, timeout=30)
    assert done.stdout == f"{STEPS} False\n", done.stderr


@pytest.mark.skipif(os.geteuid() != 0, reason="only root can give files away")
def test_whose_indexes_are_used(indexed, monkeypatch):
    import pwd

    nobody = pwd.getpwnam("nobody")
    daemon = pwd.getpwnam("daemon")
    os.chown(indexed, daemon.pw_uid, -1)
    os.chown(indexed + ".tgx", daemon.pw_uid, -1)
    assert tgmap.open(indexed).index_is_current  # the owner of the archive
    os.chown(indexed + ".tgx", nobody.pw_uid, -1)
    with pytest.warns(tgmap.IndexWarning, match="belongs to user"):
        assert not tgmap.open(indexed).uses_index
    monkeypatch.setattr(warnings, "warn", lambda *given, **named: None)
    assert "belongs to user" in tgmap.open(indexed).index_problem
    assert tgmap.open(indexed, trust_index_of="daemon,nobody").index_is_current
    assert tgmap.open(indexed, trust_index_of=str(nobody.pw_uid)).index_is_current
    assert not tgmap.open(indexed, trust_index_of="daemon").uses_index
    monkeypatch.setenv("TGMAP_TRUST_INDEX_OF", "group:nogroup")
    assert tgmap.open(indexed).index_is_current
    monkeypatch.setenv("TGMAP_TRUST_INDEX_OF", "group:daemon,nobody2")
    assert not tgmap.open(indexed).uses_index
