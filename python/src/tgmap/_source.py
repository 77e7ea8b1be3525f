# SPDX-License-Identifier: Apache-2.0
"""What an archive is opened from: a path, a file descriptor, memory, or a file object."""

from __future__ import annotations

import io
import operator
import os
import stat
from typing import Any, NamedTuple

from ._paths import as_text

_MAGIC = b"TENSOGRM"  # every message begins with it
_LONGEST_PATH = 4096
_LARGEST_DESCRIPTOR = 2**31 - 1
_BLOCK_BYTES = 1 << 24


class Source(NamedTuple):
    """What the extension module opens.

    Attributes:
        opened: a path as text, a descriptor, an object with a buffer, or a file that is read to its end.
        path: the absolute path of a regular file that was named, or None.
        name: None, unless `opened` is read to its end; then its path, or empty text.
        keeps: what must live until the archive is open.
        is_own: nobody else closes `opened`.
    """

    opened: Any
    path: str | None = None
    name: str | None = None
    keeps: Any = None
    is_own: bool = False

    @property
    def is_memory(self) -> bool:
        return self.name is None and not isinstance(self.opened, (str, int))


def of_path(path) -> Source:
    """Return a named file. A pipe or a device is opened now, and read to its end."""
    text = as_text(path)
    try:
        kind = os.stat(text).st_mode
    except OSError:
        kind = stat.S_IFREG  # the extension module reports it
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
        return Source(text, path=os.path.abspath(text))
    return Source(io.FileIO(text), name=text, is_own=True)


def of_memory(buffer) -> Source:
    return Source(buffer)


def of_descriptor(descriptor) -> Source:
    """Return an open file. A pipe or a device is read to its end."""
    if not 0 <= descriptor <= _LARGEST_DESCRIPTOR:
        raise ValueError("a file descriptor is an int from 0 to 2**31 - 1")
    descriptor = int(descriptor)
    kind = os.fstat(descriptor).st_mode
    if stat.S_ISREG(kind) or stat.S_ISDIR(kind):
        return Source(descriptor)
    return Source(io.FileIO(descriptor, closefd=False), name="")


def resolve(source) -> Source:
    """Return what :func:`tgmap.open` opens for its first argument.

    Raises:
        TypeError: it is no path, descriptor, buffer or file object of bytes.
        ValueError: the file is closed or write-only, the path has a NUL, or the integer is no descriptor.
    """
    if isinstance(source, str):
        return of_path(source)
    if isinstance(source, bytes):
        return of_path(source) if _is_path(source) else of_memory(source)
    if isinstance(source, bool):
        raise TypeError("a bool is no file descriptor; pass a path, an int, bytes or a file object")
    if isinstance(source, int):
        return of_descriptor(source)
    if hasattr(source, "__fspath__") and not is_file(source):
        return of_path(source)
    buffer = _buffer_of(source)
    if buffer is not None:
        return _of_buffer(source, buffer)
    return _of_file(source)


def _is_path(content: bytes) -> bool:
    """Return whether bytes are a path: they have no message, and may be a name."""
    return 0 < len(content) < _LONGEST_PATH and b"\0" not in content and _MAGIC not in content


def is_file(thing) -> bool:
    """Return whether an object that may have a path, too, is a file object."""
    return hasattr(thing, "closed") and (hasattr(thing, "read") or hasattr(thing, "write"))


def _buffer_of(source):
    try:
        return memoryview(source)
    except TypeError:
        return None


def _of_buffer(source, buffer) -> Source:
    if buffer.ndim > 0:
        return of_memory(source)
    # Numbers of NumPy and of ctypes have a buffer, but are no bytes of an archive.
    try:
        return of_descriptor(operator.index(source))
    except TypeError:
        raise TypeError(
            f"one number of type {type(source).__name__} is no archive; pass a path, an int as file descriptor, bytes "
            "or a file object"
        ) from None


def _of_file(file) -> Source:
    file = _unwrapped(file)
    _check_file(file)
    if type(file) is io.BytesIO:
        return of_memory(file.getbuffer())
    raw = _raw_of(file)
    if raw is None:
        return of_memory(_content(file))
    if hasattr(file, "flush"):
        file.flush()
    status = os.fstat(raw.fileno())
    if stat.S_ISREG(status.st_mode):
        # A file that states no size, as in /proc, is read through its object.
        content = b"" if status.st_size > 0 else _content(raw if type(file) is io.BufferedWriter else file)
        return of_memory(content) if content else Source(raw.fileno(), keeps=file)
    return Source(file, name="")


def _unwrapped(file):
    """Return the file in a wrapper of tempfile, whose methods are those of that file."""
    if type(file).__module__ == "tempfile":
        for name in ("file", "_file"):
            inner = getattr(file, name, None)
            if inner is not None and hasattr(inner, "read"):
                return inner
    return file


def _raw_of(file):
    """Return the raw file of a file whose bytes are those of its descriptor; None for all other objects."""
    if type(file) is io.FileIO:
        return file
    if type(file) in (io.BufferedReader, io.BufferedRandom, io.BufferedWriter) and type(file.raw) is io.FileIO:
        return file.raw
    return None


def _check_file(file) -> None:
    if isinstance(file, io.TextIOBase):
        raise TypeError("this file gives text; open it in binary mode ('rb'), or pass its attribute `buffer`")
    if not hasattr(file, "read") and _raw_of(file) is None:
        hint = "; pass socket.makefile('rb')" if hasattr(file, "recv") else ""
        if hasattr(file, "extractfile"):
            hint = "; pass a file in it: extractfile(name)"
        raise TypeError(
            f"cannot open {type(file).__name__}: it is no path, no file descriptor and no buffer, and has no read(){hint}"
        )
    if hasattr(file, "namelist"):  # of zipfile, whose read() takes a name
        raise TypeError(f"cannot open {type(file).__name__}: it is a folder of files; pass one of them: open(name)")
    if getattr(file, "closed", False) is True:
        raise ValueError("the file is closed; pass its path, or open it again")
    if not answers(_raw_of(file) or file, "readable", True, True):
        raise ValueError("the file is not open for reading; open it with 'rb' or 'r+b', or pass its path")


def answers(file, name: str, default: bool, if_raises: bool) -> bool:
    """Return what a method such as ``seekable`` says; `default` without it. It may raise, as in streams of tarfile."""
    method = getattr(file, name, None)
    if not callable(method):
        return default
    try:
        return bool(method())
    except Exception:
        return if_raises


def _read_all(file):
    """Return what read() gives until the end; None if a file that does not wait has no bytes yet, and is not at its end.

    There read() without a size returns the bytes before that point as if they were all; the next call tells.
    """
    content = file.read()
    if not content or not isinstance(file, (io.RawIOBase, io.BufferedIOBase)):
        return content
    while more := file.read(_BLOCK_BYTES):
        content += more
    return None if more is None else content


def _content(file):
    """Return the bytes of a file object: all of them if it can seek, and else those that are left."""
    if answers(file, "seekable", hasattr(file, "seek") and hasattr(file, "tell"), False):
        position = file.tell()
        file.seek(0)
        content = _read_all(file)
        file.seek(position)
    else:
        content = _read_all(file)
    if content is None:
        raise BlockingIOError("the file has no bytes yet, and reading it does not wait for them")
    if isinstance(content, str):
        raise TypeError("this file gives text; open it in binary mode ('rb')")
    if _buffer_of(content) is None:
        raise TypeError(f"read() of {type(file).__name__} returns {type(content).__name__}, not bytes")
    return content
