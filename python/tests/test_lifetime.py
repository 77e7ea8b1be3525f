# SPDX-License-Identifier: Apache-2.0
"""Objects that were not made or are closed, cycles of references, the end of the interpreter, and Ctrl-C."""

from __future__ import annotations

import contextlib
import gc
import os
import signal
import subprocess
import sys
import threading
import time
import weakref

import numpy as np
import pytest
from archives import field, write_fields

import tgmap
from tgmap import _core

CLASSES = sorted((c for c in vars(_core).values() if isinstance(c, type)), key=lambda c: c.__name__)
CLASSES += [tgmap.Archive, tgmap.Writer, tgmap.StreamWriter, tgmap.Appender]


def members(kind):
    """Return all functions that take an object of a class first."""
    for name in dir(kind):
        if name in ("__new__", "__init__", "__class__", "__init_subclass__", "__subclasshook__", "__dict__", "__del__"):
            continue
        found = getattr(kind, name)
        if isinstance(found, property):
            yield name, found.fget
        elif type(found).__module__.startswith("nanobind") and callable(found):
            yield name, found
        elif type(found).__name__ == "nb_func" or type(found).__name__ == "nb_method":
            yield name, found


ARGUMENTS = [(), (0,), ("a",), (0, 0), (None,), (np.zeros(3),), ((3,), "f8"), (None, None, None)]


@pytest.mark.filterwarnings("ignore:nanobind")
@pytest.mark.parametrize("kind", CLASSES, ids=lambda c: f"{c.__module__}.{c.__name__}")
def test_objects_that_init_has_not_made(kind):
    made = kind.__new__(kind)
    foreign = [5, None, object(), "text"]
    for name, function in members(kind):
        if name in ("__iter__", "__enter__", "__repr__", "__reduce__", "_repr_html_") or name.startswith("__init"):
            continue
        for arguments in ARGUMENTS:
            for wrong in (made, *foreign):
                try:
                    function(wrong, *arguments)
                except (TypeError, ValueError, AttributeError, IndexError, KeyError):
                    pass
                else:
                    assert name in ("__eq__", "__ne__", "__hash__", "__bool__", "__exit__"), name
    for convert in (repr, str, hash, bool, len, iter, list):
        try:
            convert(made)
        except Exception as error:
            assert isinstance(error, (TypeError, ValueError, AttributeError)), convert


@pytest.mark.filterwarnings("ignore:nanobind")
def test_functions_with_objects_that_are_none():
    opened = _core._OpenedArchive
    for wrong in (5, None, object(), b"bytes", opened.__new__(opened), tgmap.open(b""), _core._Table.__new__(_core._Table)):
        for call in (
            lambda w: _core._validate(w, "quick", False, 1, 10),
            lambda w: _core._gather(w, np.zeros((1, 2), "i8"), None, None, 1),
            lambda w: _core._read_table(w, ["a"], True, None, False, 1),
            lambda w: _core.Archive.__init__(_core.Archive.__new__(_core.Archive), w, mode="none"),
            lambda w: opened.at_offset(w, 0),
            lambda w: opened.read(w, 0, 0),
            lambda w: opened.is_replaced(w),
            lambda w: _core._Table.messages.fget(w),
            lambda w: _core._Table.objects.fget(w),
            lambda w: _core._Table.column(w, 0),
            lambda w: _core._hash_structure(w),
            lambda w: _core._hash_payload(w, True),
            lambda w: _core.StreamWriter(w, None),
            lambda w: tgmap.Archive._share(tgmap.open(b""), w) if not isinstance(w, tgmap.Archive) else 1 / None,
        ):
            with pytest.raises((TypeError, ValueError)):
                call(wrong)
    with pytest.raises(TypeError):
        tgmap.StreamWriter(tgmap.Appender.__new__(tgmap.Appender))
    closed = tgmap.open(b"")
    closed.close()
    with pytest.raises(ValueError, match="closed"):
        tgmap.open(b"")._share(closed)


class Calling:
    """A file object that calls something in each write."""

    call = None

    def write(self, data):
        if self.call is not None:
            self.call()
        return len(data)


ENDS = ("close", "abort")
STEPS = {
    "write": lambda s: s.write(np.arange(100_000.0)),
    "begin": lambda s: s.begin_object((2,), "f8"),
    "finish": lambda s: s.finish(),
    "close": lambda s: s.close(),
    "abort": lambda s: s.abort(),
}


@pytest.mark.parametrize("end", ENDS)
@pytest.mark.parametrize("step", STEPS)
def test_a_stream_that_is_closed_during_a_call(step, end):
    for in_thread in (False, True):
        file = Calling()
        stream = tgmap.stream(file)
        stream.write(np.arange(3.0))
        closers, raised = [], []

        def finish(stream=stream):
            with contextlib.suppress(tgmap.Error):  # an object has no end
                getattr(stream, end)()

        def call(stream=stream, closers=closers, raised=raised):
            if in_thread:
                closers.append(threading.Thread(target=finish))
                closers[-1].start()
                return
            try:
                getattr(stream, end)()
            except RuntimeError as error:
                raised.append(error)

        file.call = call
        STEPS[step](stream)
        file.call = None
        for each in closers:
            each.join()
        assert not raised or "in use" in str(raised[0])
        stream.abort()
        assert stream.is_closed and stream.objects in (1, 2)


def test_an_appender_that_is_closed_by_another_thread(tmp_path):
    for i in range(10):
        appender = tgmap.append(tmp_path / "a.tgm")
        stream = appender.begin_stream()

        def look(stream=stream, appender=appender):
            while not stream.is_closed:
                assert stream.objects >= 0 and appender.nbytes >= 0

        def write(stream=stream):
            with pytest.raises(ValueError, match="closed"):
                while True:
                    stream.write([np.zeros(20_000)] * 3)

        threads = [threading.Thread(target=each) for each in (look, look, write)]
        for each in threads:
            each.start()
        time.sleep(0.005)
        (appender.close if i % 2 else stream.abort)()
        for each in threads:
            each.join()


@pytest.mark.parametrize("make", [tgmap.create, tgmap.stream], ids=["create", "stream"])
def test_a_file_object_that_has_its_writer_is_collected(make):
    file = Calling()
    file.writer = make(file)
    file.writer.write(field(0))
    gone = weakref.ref(file)
    del file
    gc.collect()
    assert gone() is None


def test_an_appender_that_has_its_stream_is_collected(tmp_path):
    appender = tgmap.append(tmp_path / "a.tgm")
    appender.stream = appender.begin_stream()
    appender.stream.close()
    gone = weakref.ref(appender)
    del appender
    gc.collect()
    assert gone() is None


def run(code, *arguments):
    """Run a program that has an archive `a`, and return what it prints to both streams."""
    begin = "import sys, threading, time, numpy as np, tgmap\na = tgmap.open(sys.argv[1])\n"
    call = [sys.executable, "-c", begin + code, *map(str, arguments)]
    return subprocess.run(call, capture_output=True, text=True, timeout=60, check=False)


# What a program leaves behind at its end. All is gone with the modules.
LEFT = """
keep = [a[0], a[0][0], a[0][0].array, a.table("x"), iter(a), a.find("x=1"), a[0:1], a[0].metadata, np.asarray(a[1][0])]
a.me, a.keep = a, keep
it = iter(a); next(it)
try: a[1000]
except IndexError as e: E = e; E.archive = a
class File:
    def write(self, b): return len(b)
f, g = File(), File()
f.writer, g.writer = tgmap.create(f), tgmap.stream(g)
f.writer.write(np.zeros(3)); g.writer.write(np.zeros(3)); g.writer.close()
D = np.from_dlpack(a[0][0]); C = a[0][0].__dlpack__(max_version=(1, 0))
"""


def test_nothing_is_left_at_the_end(tmp_path):
    done = run("tgmap._core._warn_of_leaks(True)\n" + LEFT, write_fields(tmp_path / "a.tgm"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_threads_that_nobody_waits_for_end_silently(tmp_path):
    code = """
def work(a):
    while True: a[0][0].array, a.table("x"), time.sleep(0.001)
for _ in range(2): threading.Thread(target=work, args=(a,), daemon=True).start()
time.sleep(0.02)
"""
    done = run(code, write_fields(tmp_path / "a.tgm"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


CALLS_OF_PYTHON = """
import io, os
class Taking:
    def write(self, data):
        time.sleep(0.001)
        return len(data)
class Given:
    def __array__(self, dtype=None, copy=None):
        for _ in range(2000): pass
        return np.zeros(3)
content = tgmap.encode(np.zeros(3))
def piped():
    read, write = os.pipe()
    os.write(write, content)
    os.close(write)
    return tgmap.open(os.fdopen(read, "rb"))
def written(begin):
    with begin(Taking()) as out: out.write(np.zeros(3))
calls = [lambda: written(tgmap.create), lambda: written(tgmap.stream), lambda: tgmap.encode(Given()), piped]
def work(call):
    while True: call()
for call in calls:
    for _ in range(2): threading.Thread(target=work, args=(call,), daemon=True).start()
time.sleep(0.1)
"""


def test_threads_in_calls_of_python_end_silently(tmp_path):
    done = run(CALLS_OF_PYTHON, write_fields(tmp_path / "a.tgm"))
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


WORKERS = """
import multiprocessing, os
def work(data, how, q):
    global kept
    kept = data, data[0][0].array, np.from_dlpack(data[0][0])
    if how == "daemon": threading.Thread(target=lambda d: time.sleep(60), args=(data,), daemon=True).start()
    q.put(np.ascontiguousarray(kept[1]))
    q.cancel_join_thread() if how == "daemon" else None
    if how == "_exit":
        q.close(); q.join_thread(); sys.stderr.flush(); os._exit(0)
    if how == "exit": sys.exit(0)
if __name__ == "__main__":
    for method in ("spawn", "forkserver"):
        context = multiprocessing.get_context(method)
        hows = ("plain", "daemon", "_exit", "exit")
        queues = [context.Queue() for how in hows]  # one each: the daemon may end while it holds the lock of its queue
        workers = [context.Process(target=work, args=(a, how, q)) for how, q in zip(hows, queues)]
        for each in workers: each.start()
        for how, q in zip(hows, queues):
            if how != "daemon": q.get()
        for each in workers:
            each.join(); assert each.exitcode == 0
"""


def test_workers_end_silently(tmp_path):
    program = tmp_path / "program.py"
    program.write_text("import sys, threading, time, numpy as np, tgmap\na = tgmap.open(sys.argv[1])\n" + WORKERS)
    path = write_fields(tmp_path / "a.tgm")
    done = subprocess.run([sys.executable, program, path], capture_output=True, text=True, timeout=60, check=False)
    assert (done.returncode, done.stderr) == (0, "")


@pytest.fixture
def interrupted():
    """Send SIGINT to this process after a while, and expect KeyboardInterrupt soon after."""

    def interrupt(call, after=0.15):
        timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
        timer.start()
        begin = time.monotonic()
        with pytest.raises(KeyboardInterrupt):
            while True:
                call()
        timer.join()
        assert time.monotonic() - begin < after + 2

    return interrupt


def test_ctrl_c_ends_opening_a_pipe(tmp_path, interrupted):
    read, write = os.pipe()
    os.mkfifo(tmp_path / "fifo")
    with open(read, "rb") as file:
        interrupted(lambda: tgmap.open(read))
        interrupted(lambda: tgmap.open(file))
        interrupted(lambda: tgmap.open(tmp_path / "fifo"))
        interrupted(lambda: tgmap.validate(f"/dev/fd/{read}"))
    os.close(write)


@pytest.fixture(scope="module")
def many(tmp_path_factory):
    """An archive of many messages, and of one large object."""
    path = tmp_path_factory.mktemp("many") / "a.tgm"
    one = tgmap.encode([tgmap.NewObject(np.zeros(1), {"k": "v"})], index="none", hash_list="none", hashes=False)
    path.write_bytes(tgmap.encode(np.zeros(1 << 20), compression="zstd", hashes=False) + one * 60_000)
    return path


def test_ctrl_c_ends_one_call(many):
    code = """
import os, signal
a = tgmap.open(sys.argv[1], index="none")
def after(seconds): threading.Timer(seconds, os.kill, (os.getpid(), signal.SIGINT)).start()
for name, call in {
    "table": lambda: a.table("k", threads=1),
    "gather": lambda: a.gather(np.zeros(60, "i8"), threads=1),
    "addresses": lambda: a.gather(np.arange(1, 60_001)),
    "points": lambda: tgmap.gather(a.places(np.zeros(2000, "i8")), points=([5],), threads=1),
}.items():
    call()  # the first one brings pages into memory
    wholes, shares = [], []
    for _ in range(3):
        begin = time.monotonic()
        call()
        wholes.append(time.monotonic() - begin)
    whole = min(wholes)
    for _ in range(6):  # another program may have the processor at the wrong time
        begin = time.monotonic()
        try:
            after(whole / 10)
            call()
            time.sleep(whole)
        except KeyboardInterrupt:
            shares.append((time.monotonic() - begin) / whole)
            if shares[-1] < 0.7: break
    print(name, "ended" if shares[-1] < 0.7 else (whole, shares))
"""
    done = run(code, many)
    assert done.stdout.split() == ["table", "ended", "gather", "ended", "addresses", "ended", "points", "ended"], done.stderr
    assert done.returncode == 0
