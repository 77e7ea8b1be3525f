# SPDX-License-Identifier: Apache-2.0
"""An existing file is lost only to a complete one."""

from __future__ import annotations

import datetime
import fcntl
import gc
import os
import resource
import stat
import threading
import warnings

import numpy as np
import pytest

import tgmap
from tgmap import compat

ROOT = os.geteuid() == 0


@pytest.fixture
def old(tmp_path):
    """A folder with an old file."""
    path = tmp_path / "old.tgm"
    path.write_bytes(b"precious")
    path.chmod(0o600)
    yield path
    assert sorted(p.name for p in tmp_path.iterdir() if p.name.startswith(".tgmap")) == []


def unchanged(path):
    return path.read_bytes() == b"precious" and stat.S_IMODE(path.stat().st_mode) == 0o600


def nested(depth):
    return [nested(depth - 1)] if depth else 0


WRONG_CALLS = {
    "metadata": lambda path: tgmap.stream(path, {"t": datetime.datetime.now()}),
    "sync of create": lambda path: tgmap.create(path, sync=1),
    "sync of stream": lambda path: tgmap.stream(path, sync="yes"),
    "exclusive": lambda path: tgmap.create(path, exclusive=1),
    "version": lambda path: tgmap.create(path, version=7),
    "keyword": lambda path: tgmap.stream(path, colour="red"),
    "list of metadata": lambda path: tgmap.stream(path, [1, 2]),
    "unknown metadata": lambda path: tgmap.stream(path, {"a": object()}),
    "reserved key": lambda path: tgmap.stream(path, {"_reserved_": 1}),
    "deep metadata": lambda path: tgmap.stream(path, {"a": nested(300)}),
}


@pytest.mark.parametrize("call", WRONG_CALLS.values(), ids=WRONG_CALLS)
def test_wrong_arguments(old, call):
    with pytest.raises((TypeError, ValueError, tgmap.Error)):
        call(old)
    assert unchanged(old)
    new = old.with_name("new.tgm")
    with pytest.raises((TypeError, ValueError, tgmap.Error)):
        call(new)
    assert not new.exists()


@pytest.mark.parametrize("begin", [tgmap.create, tgmap.stream], ids=["create", "stream"])
def test_an_exception_keeps_the_old_file(old, begin):
    new = old.with_name("new.tgm")
    for path in (old, new):
        with pytest.raises(ZeroDivisionError), begin(path) as out:
            out.write(np.zeros(5))
            raise ZeroDivisionError
        assert out.is_closed
    assert unchanged(old)
    assert len(tgmap.open(new)) == 1  # what was written whole stays
    with begin(old) as out:
        out.write(np.zeros(5))
    assert len(tgmap.open(old)) == 1
    assert stat.S_IMODE(old.stat().st_mode) == 0o600


def test_abandoned(old):
    out = tgmap.create(old)
    out.write(np.zeros(5))
    out.abandon()
    assert unchanged(old)
    out = tgmap.stream(old)
    out.write(np.zeros(5))
    out.abort()
    assert unchanged(old)


def test_without_descriptors(old):
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)
    held = []
    used = max(map(int, os.listdir("/proc/self/fd")))  # also those of archives that other tests have read by places
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 32, limit[1]))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            while True:
                held.append(os.open(os.devnull, os.O_RDONLY))
        for call in (tgmap.create, tgmap.stream, tgmap.append, compat.TensogramFile.create):
            with pytest.raises(OSError, match="Too many open files"):
                call(old)
        assert held
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limit)
        for each in held:
            os.close(each)
    assert unchanged(old)


def test_paths_that_are_no_text(tmp_path):
    for path in (os.fsencode(tmp_path) + b"/\xff.tgm", str(tmp_path) + "/\udcff.tgm"):
        with tgmap.create(path) as out:
            out.write(np.arange(3))
        assert out.path == str(tmp_path) + "/\udcff.tgm"
        with tgmap.append(path) as out:
            out.write(np.arange(3))
        with pytest.raises(FileExistsError):
            tgmap.create(path, exclusive=True)
        with pytest.raises(IsADirectoryError):
            tgmap.create(os.fsencode(tmp_path))
        os.write(os.open(path, os.O_WRONLY | os.O_APPEND), b"junk")
        with pytest.raises(tgmap.Error, match=r"\\xff\.tgm"):
            tgmap.append(path)
    assert os.listdir(os.fsencode(tmp_path)) == [b"\xff.tgm"]


def test_writers_that_are_left_open(old):
    with pytest.warns(ResourceWarning, match="/dev/full was not closed, and bytes are lost: No space left"):
        tgmap.create("/dev/full").write(np.zeros(5))
    full = os.open("/dev/full", os.O_WRONLY)
    with pytest.warns(ResourceWarning, match="a writer was not closed"):
        tgmap.create(full).write(np.zeros(5))
    os.close(full)
    with pytest.warns(ResourceWarning, match="old.tgm was not closed"):
        out = tgmap.stream(old)
        out.write(np.zeros(5))
        del out
    assert unchanged(old)
    for wrong in (np.array(["text"]), np.array([np.nan])):
        with pytest.warns(ResourceWarning, match="old.tgm was not closed"):
            out = tgmap.create(old)
            out.write(np.zeros(5))
            with pytest.raises((TypeError, tgmap.Error)):
                out.write(wrong)
            del out
        assert unchanged(old)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        tgmap.create(old).write(np.zeros(5))  # nothing is lost
        gc.collect()
    assert len(tgmap.open(old)) == 1


def test_a_stream_of_an_appender_that_is_left_open(tmp_path):
    path = tmp_path / "a.tgm"
    with pytest.warns(ResourceWarning, match="its message was cut off"):
        out = tgmap.append(path)
        out.begin_stream().write(np.zeros(5))
        del out
        gc.collect()
    assert path.stat().st_size == 0


def test_a_pipe_that_is_opened_later(tmp_path):
    path = tmp_path / "pipe"
    os.mkfifo(path)
    seen = []
    reader = threading.Thread(target=lambda: seen.append(path.read_bytes()))
    timer = threading.Timer(0.05, reader.start)
    timer.start()
    with tgmap.create(path) as out:  # waits without the lock of the interpreter
        out.write(np.arange(3))
    timer.join()
    reader.join()
    assert len(tgmap.open(seen[0])) == 1


def in_child(work):
    """Run work in a child made by fork, and return its exit status."""
    child = os.fork()
    if child == 0:
        status = 1
        try:
            work()
            status = 0
        finally:
            os._exit(status)
    return os.waitpid(child, 0)[1]


def test_children(old):
    held = {"out": tgmap.create(old), "appender": tgmap.append(old.with_name("b.tgm"))}
    held["out"].write(np.zeros(5))
    held["appender"].write(np.zeros(5))

    def use():
        for each in held.values():
            with pytest.raises(tgmap.Error):
                each.write(np.ones(5))
        held.clear()
        gc.collect()
        with pytest.raises(tgmap.Error, match="another program is appending"):
            tgmap.append(old.with_name("b.tgm"))

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)  # of forks of programs with threads
        assert in_child(use) == 0
    assert unchanged(old)
    for each in held.values():
        each.write(np.zeros(5))
        each.close()
    assert len(tgmap.open(old)) == len(tgmap.open(old.with_name("b.tgm"))) == 2


@pytest.mark.skipif(ROOT, reason="root may write everything")
def test_files_that_may_not_be_written(old):
    old.chmod(0o444)
    for call in (tgmap.create, tgmap.stream):
        with pytest.raises(PermissionError):
            call(old)
    assert old.read_bytes() == b"precious"
    old.chmod(0o600)


def test_compat(old):
    file = compat.TensogramFile.create(str(old))
    assert old.read_bytes() == b"" and stat.S_IMODE(old.stat().st_mode) == 0o600
    array = np.arange(4.0)
    descriptor = {"type": "ntensor", "shape": [4], "dtype": "float64", "byte_order": "little"}
    file.append({}, [(descriptor, array)])
    assert len(file) == 1
    with tgmap.append(old), pytest.raises(OSError, match="another program is appending"):
        file.append({}, [(descriptor, array)])
    with open(old, "rb") as held:
        fcntl.flock(held, fcntl.LOCK_SH)
        with pytest.raises(OSError, match="another program is appending"):
            file.append({}, [(descriptor, array)])
    file.append({}, [(descriptor, array)])
    assert len(file) == 2
    size = old.stat().st_size
    limit = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size + 10, limit[1]))
    try:
        with pytest.raises(OSError, match="File too large"):
            file.append({}, [(descriptor, array)])
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, limit)
    assert old.stat().st_size == size


REFUSED = {
    "dtype": lambda out: out.write(np.array(["text"])),
    "keyword": lambda out: out.write(np.zeros(3), nonsense=1),
    "elements": lambda out: out.write(np.array([np.nan])),
    "metadata": lambda out: out.write(np.zeros(3), {1: 2}),
    "no arguments": lambda out: out.write(),
    "too many arguments": lambda out: out.write(np.zeros(3), {}, 5),
}


@pytest.mark.parametrize("call", REFUSED.values(), ids=REFUSED)
def test_a_call_that_was_refused(old, call):
    out = tgmap.create(old)
    out.write(np.zeros(2))
    with pytest.raises((TypeError, ValueError)):
        call(out)
    with pytest.warns(ResourceWarning, match="a call to write was refused, and the older file stays"):
        del out
    assert unchanged(old)
    with pytest.raises((TypeError, ValueError)), tgmap.create(old) as out:
        call(out)
    assert unchanged(old)
    out = tgmap.create(old)
    out.write(np.zeros(2))
    with pytest.raises((TypeError, ValueError)):
        call(out)
    out.close()  # the program has caught the exception
    assert len(tgmap.open(old)) == 1
