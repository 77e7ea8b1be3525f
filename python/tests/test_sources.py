# SPDX-License-Identifier: Apache-2.0
"""What archives are opened from, and written to: paths, descriptors, buffers and file objects."""

from __future__ import annotations

import array
import bz2
import ctypes
import gzip
import http.client
import io
import json
import lzma
import os
import pickle
import socket
import subprocess
import sys
import tarfile
import tempfile
import threading
import zipfile

import numpy as np
import pytest
from archives import field, write_fields

import tgmap
import tgmap.compat

COUNT = 5
NAMES = ["plain.tgm", "häagen \N{SNOWMAN}.tgm", os.fsdecode(b"caf\xe9-\xff.tgm"), "new\nline.tgm"]


@pytest.fixture(scope="module")
def content(tmp_path_factory):
    return write_fields(tmp_path_factory.mktemp("sources") / "a.tgm", COUNT).read_bytes()


@pytest.fixture
def path(tmp_path, content):
    file = tmp_path / "a.tgm"
    file.write_bytes(content)
    return file


def check(archive):
    assert len(archive) == COUNT
    assert all(np.array_equal(archive[i][0].array, field(i)) for i in range(COUNT))


def check_both(make):
    """Check an archive of a new source, and its validation."""
    check(tgmap.open(make()))
    assert tgmap.validate(make()) and len(tgmap.validate(make()).messages) == COUNT


def test_a_file_that_nobody_else_has(path):
    check_both(lambda: open(path, "rb"))
    check_both(lambda: open(path, "rb", buffering=0))
    check_both(lambda: open(path, "r+b"))


def test_threads_get_the_values_of_their_own_file(tmp_path):
    paths = [write_fields(tmp_path / f"{i}.tgm", i + 1) for i in range(4)]
    wrong = []

    def run(i):
        for _ in range(100):
            if len(tgmap.open(open(paths[i], "rb"))) != i + 1:
                wrong.append(i)

    threads = [threading.Thread(target=run, args=(i,)) for i in range(4)]
    for each in threads:
        each.start()
    for each in threads:
        each.join()
    assert wrong == []


@pytest.mark.parametrize("mode", ["rb", "r+b"])
def test_a_position_is_not_used_and_stays(path, mode):
    with open(path, mode) as file:
        file.seek(100)
        check(tgmap.open(file))
        file.read(10)
        check(tgmap.open(file))
        assert file.tell() == 110


def test_bytes_that_are_not_yet_written(tmp_path, content):
    for make in (lambda: open(tmp_path / "b.tgm", "w+b", buffering=2**20), tempfile.TemporaryFile):
        with make() as file:
            file.write(content)
            check(tgmap.open(file))
    raw = io.FileIO(tmp_path / "c.tgm", "w+")
    with io.BufferedWriter(raw, 2**20) as file:
        file.write(content)
        check(tgmap.open(file))
    with tempfile.NamedTemporaryFile() as file, tempfile.SpooledTemporaryFile() as spooled:
        file.write(content)
        spooled.write(content)
        archive = tgmap.open(file)
        check(archive)
        assert archive.mode == "map"
        check(tgmap.open(spooled))
        spooled.rollover()
        check(tgmap.open(spooled))


def test_compressed_files(tmp_path, content):
    for module in (gzip, bz2, lzma):
        with module.open(tmp_path / "a.z", "wb") as out:
            out.write(content)
        check_both(lambda module=module: module.open(tmp_path / "a.z", "rb"))
        with module.open(tmp_path / "a.z", "rb") as file:
            file.read(8)
            check(tgmap.open(file))
            assert file.tell() == 8
        buffered = io.BufferedReader(module.open(tmp_path / "a.z", "rb"))
        check(tgmap.open(buffered))


def test_members_of_files(tmp_path, path, content):
    with tarfile.open(tmp_path / "a.tar", "w") as tar:
        tar.add(__file__, "first")
        tar.add(path, "a.tgm")
    with zipfile.ZipFile(tmp_path / "a.zip", "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("a.tgm", content)
    with tarfile.open(tmp_path / "a.tar") as tar, zipfile.ZipFile(tmp_path / "a.zip") as archive:
        check_both(lambda: tar.extractfile("a.tgm"))
        check_both(lambda: archive.open("a.tgm"))


class Readable:
    """An object with read() alone."""

    def __init__(self, content):
        self.content = content

    def read(self, size=-1):
        out, self.content = self.content, b""
        return out


class Remote(Readable):
    """A file of another program, as of fsspec, that has the path and the descriptor of something else."""

    closed = False

    def __fspath__(self):
        return __file__

    def fileno(self):
        return 0


class Decoding(io.FileIO):
    """A file whose bytes are not those of its descriptor."""

    def readall(self):
        return gzip.decompress(super().readall())

    def read(self, size=-1):
        return self.readall()


def test_other_objects_with_read(tmp_path, content):
    for kind in (Readable, Remote):
        check_both(lambda kind=kind: kind(content))
    check(tgmap.open(Readable(bytearray(content))))
    (tmp_path / "a.z").write_bytes(gzip.compress(content))
    check_both(lambda: Decoding(tmp_path / "a.z"))
    check(tgmap.open(io.BufferedReader(Decoding(tmp_path / "a.z"))))
    file = io.BytesIO(content)
    file.seek(0, io.SEEK_END)
    check(tgmap.open(file))


def response_of(content, is_split):
    """Return the response of a server, which has sent the body with the headers, or after them."""
    ours, theirs = socket.socketpair()

    def serve():
        head = b"HTTP/1.0 200 OK\r\nContent-Length: %d\r\n\r\n" % len(content)
        with theirs:
            for part in (head, content) if is_split else (head + content,):
                theirs.sendall(part)

    threading.Thread(target=serve).start()
    response = http.client.HTTPResponse(ours)
    response.begin()
    ours.close()
    return response


def test_answers_of_servers(content):
    for is_split in (False, True):
        check_both(lambda is_split=is_split: response_of(content, is_split))


def pipe_of(content):
    read, write = os.pipe()

    def fill():
        with open(write, "wb") as out:
            out.write(content)

    threading.Thread(target=fill).start()
    return read


def peeked(content):
    file = open(pipe_of(content), "rb")
    assert file.peek(8)[:8] == content[:8]
    return file


def test_pipes(tmp_path, content):
    check_both(lambda: open(pipe_of(content), "rb"))
    check_both(lambda: open(pipe_of(content), "rb", buffering=0))
    check_both(lambda: peeked(content))
    for make in (tgmap.open, tgmap.validate):
        descriptor = pipe_of(content)
        assert len(getattr(made := make(descriptor), "messages", made)) == COUNT
        os.close(descriptor)
    with open(pipe_of(b"lead" + content), "rb") as file:
        assert file.read(4) == b"lead"
        archive = tgmap.open(file)
        check(archive)
    with pytest.raises(TypeError, match="pipe"):
        pickle.dumps(archive)
    with pytest.raises(TypeError, match="pipe"):
        archive.partition(2)
    os.mkfifo(tmp_path / "fifo")
    threading.Thread(target=(tmp_path / "fifo").write_bytes, args=(content,)).start()
    archive = tgmap.open(tmp_path / "fifo")
    check(archive)
    assert archive.path == str(tmp_path / "fifo") and not archive.is_replaced
    code = "import sys, tgmap; print(len(tgmap.open(sys.stdin.buffer)), len(tgmap.open(sys.stdin.buffer)))"
    done = subprocess.run([sys.executable, "-c", code], input=content, capture_output=True, check=True)
    assert done.stdout.split() == [b"%d" % COUNT, b"0"]


def test_a_pipe_without_bytes_is_an_error():
    read, write = os.pipe()
    os.set_blocking(read, False)
    with open(read, "rb") as file, open(write, "wb"), pytest.raises(BlockingIOError):
        tgmap.open(file)


def test_files_that_cannot_be_opened(tmp_path, path):
    closed = [open(path, "rb"), open(path, "rb", buffering=0), io.BytesIO(b""), gzip.open(path)]
    for each in closed:
        each.close()
        with pytest.raises(ValueError, match="closed"):
            tgmap.open(each)
    for mode in ("wb", "ab"):
        with open(tmp_path / "out", mode) as file, pytest.raises(ValueError, match="not open for reading"):
            tgmap.open(file)
    with gzip.open(tmp_path / "out.z", "wb") as file, pytest.raises(ValueError, match="not open for reading"):
        tgmap.open(file)
    texts = [open(path, encoding="latin-1"), io.StringIO("TENSOGRM"), gzip.open(path, "rt"), Readable("text")]
    for each in texts:
        with pytest.raises(TypeError, match="binary"):
            tgmap.open(each)
    with pytest.raises(TypeError, match="returns list"):
        tgmap.open(Readable([1]))
    with socket.socket() as unread, pytest.raises(TypeError, match="makefile"):
        tgmap.open(unread)
    for each in (None, object(), [1, 2], {}, 1.5):
        with pytest.raises(TypeError, match="cannot open"):
            tgmap.open(each)


@pytest.mark.parametrize("call", [tgmap.open, tgmap.validate, tgmap.create, tgmap.stream], ids=lambda c: c.__name__)
def test_numbers(call):
    for wrong in (True, False, np.True_, np.float64(1), 1.0, ctypes.c_double(1)):
        with pytest.raises(TypeError):
            call(wrong)
    for wrong in (-1, -(2**40), 2**31, 2**32, 2**64, np.int64(2**31), np.int64(-1)):
        with pytest.raises(ValueError, match="descriptor"):
            call(wrong)
    for wrong in (9999, np.int64(9999)):
        with pytest.raises(OSError):
            call(wrong)


def test_integers_of_numpy_are_descriptors(tmp_path, path):
    with open(path, "rb") as file:
        for kind in (int, np.int64, np.uint16, np.int32):
            check(tgmap.open(kind(file.fileno())))
    with open(tmp_path / "out.tgm", "wb") as file, tgmap.create(np.int64(file.fileno())) as out:
        out.write(field(0))
    assert len(tgmap.open(tmp_path / "out.tgm")) == 1


def test_buffers(content):
    for kind in (bytes, bytearray, memoryview, lambda c: np.frombuffer(c, "u1"), lambda c: array.array("B", c)):
        check(tgmap.open(kind(content)))
    check(tgmap.open((ctypes.c_char * len(content)).from_buffer_copy(content)))
    assert len(tgmap.open(b"")) == 0 and tgmap.validate(b"")
    assert not tgmap.validate(content[5:]) and not tgmap.validate(memoryview(b"short"))


class BytesPath:
    """An os.PathLike of bytes."""

    def __init__(self, path):
        self.path = path

    def __fspath__(self):
        return os.fsencode(self.path)


FORMS = {"text": str, "bytes": os.fsencode, "path": lambda p: p, "path of bytes": BytesPath}


@pytest.mark.parametrize("name", NAMES, ids=["plain", "unicode", "no unicode", "newline"])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_paths(tmp_path, content, name, form):
    path = form(tmp_path / name)
    with tgmap.create(path) as out:
        out.write(field(0))
        assert out.path == str(tmp_path / name) and repr(out).encode()
    with tgmap.append(path) as out:
        out.write(field(1))
        assert out.path == str(tmp_path / name) and repr(out).encode()
    with tgmap.stream(path) as out:
        out.write(field(0))
    with open(tmp_path / name, "wb") as file:
        file.write(content)
    archive = tgmap.open(path, index="create")
    check(archive)
    assert archive.path == str(tmp_path / name)
    assert json.loads(json.dumps(archive.path)) == archive.path and os.path.exists(archive.path)
    assert repr(archive).encode() and str(archive).encode()
    assert tgmap.validate(path)
    check(pickle.loads(pickle.dumps(archive)))
    assert np.array_equal(pickle.loads(pickle.dumps(archive[2][0])).array, field(2))
    index = form(tmp_path / f"{name}.tgx")
    assert tgmap.open(path, index_path=index).uses_index
    assert sum(len(part) for part in archive.partition(2)) == COUNT
    file = tgmap.compat.TensogramFile.open(path)
    assert len(file) == COUNT and repr(file).encode() and os.path.exists(file.source())
    assert tgmap.compat.validate_file(path)["file_issues"] == []
    with open(tmp_path / name, "ab") as out:
        out.write(content)
    with pytest.warns(tgmap.IndexWarning) as caught:
        archive.refresh()
    assert str(caught[0].message).isprintable()
    assert len(archive) == 2 * COUNT
    os.unlink(tmp_path / name)
    with pytest.raises(FileNotFoundError) as raised:
        tgmap.open(path)
    assert raised.value.filename == str(tmp_path / name) and str(raised.value).encode()
    tgmap.compat.TensogramFile.create(path)
    assert os.path.getsize(tmp_path / name) == 0


def test_damage_in_a_file_whose_name_is_no_text(tmp_path):
    path = tmp_path / os.fsdecode(b"\xff.tgm")
    path.write_bytes(b"TENSOGRM" + bytes(90))
    with pytest.raises(tgmap.Error) as raised:
        tgmap.open(path)[0]
    assert str(raised.value).encode()


NUL_CALLS = {
    "open": tgmap.open,
    "validate": tgmap.validate,
    "create": tgmap.create,
    "stream": tgmap.stream,
    "append": tgmap.append,
    "index_path": lambda path: tgmap.open("c", index_path=path),
    "compat.open": tgmap.compat.TensogramFile.open,
    "compat.create": tgmap.compat.TensogramFile.create,
    "compat.file": tgmap.compat.TensogramFile,
    "compat.validate_file": tgmap.compat.validate_file,
    "core.archive": lambda path: tgmap._core.Archive(os.fsdecode(path)),
    "core.appender": lambda path: tgmap._core.Appender(os.fsencode(path)),
}


@pytest.mark.parametrize("call", NUL_CALLS.values(), ids=NUL_CALLS)
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_path_with_a_nul(tmp_path, monkeypatch, content, call, form):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "c").write_bytes(content)
    is_content = form is os.fsencode and call in (tgmap.open, tgmap.validate)
    path = "c\0d" if form is FORMS["path"] else form("c\0d")
    if is_content:  # bytes with a NUL are content
        assert not tgmap.validate(path)
        return
    with pytest.raises(ValueError):
        call(path)
    assert os.listdir() == ["c"] and (tmp_path / "c").read_bytes() == content


def test_outputs_that_cannot_be_written(tmp_path, path):
    for call in (tgmap.create, tgmap.stream):
        with open(path, "rb") as file, pytest.raises(ValueError, match="not open for writing"):
            call(file)
        with pytest.raises(ValueError, match="closed"):
            call(file)
        for text in (io.StringIO(), open(tmp_path / "text", "w")):
            with pytest.raises(TypeError, match="binary"):
                call(text)
    with gzip.open(tmp_path / "a.z", "wb") as file, tgmap.create(file) as out:
        out.write(field(3))
    assert np.array_equal(tgmap.open(gzip.open(tmp_path / "a.z"))[0][0].array, field(3))


def test_members_of_a_streamed_tar(tmp_path, content):
    memory = io.BytesIO()
    with tarfile.open(fileobj=memory, mode="w") as tar:
        entry = tarfile.TarInfo("a.tgm")
        entry.size = len(content)
        tar.addfile(entry, io.BytesIO(content))
    with tarfile.open(fileobj=io.BytesIO(memory.getvalue()), mode="r|") as tar:
        check(tgmap.open(tar.extractfile(tar.next())))


@pytest.mark.parametrize("buffering", [-1, 0])
def test_sockets_that_do_not_wait(content, buffering):
    ours, theirs = socket.socketpair()
    theirs.setblocking(False)
    with ours, theirs, theirs.makefile("rb", buffering=buffering) as file:
        ours.sendall(content[: len(content) // 2])
        with pytest.raises(BlockingIOError):
            tgmap.open(file)
    ours, theirs = socket.socketpair()
    with theirs, theirs.makefile("rb", buffering=buffering) as file:
        ours.sendall(content)
        ours.close()
        check(tgmap.open(file))


def test_folders_of_files_are_refused(tmp_path):
    with zipfile.ZipFile(tmp_path / "a.zip", "w") as file, pytest.raises(TypeError, match=r"open\(name\)"):
        tgmap.open(file)
    with tarfile.open(tmp_path / "a.tar", "w") as file, pytest.raises(TypeError, match=r"extractfile\(name\)"):
        tgmap.open(file)
    with pytest.raises(ValueError, match="file descriptor"):
        tgmap.open(10**5000)
