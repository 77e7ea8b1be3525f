# SPDX-License-Identifier: Apache-2.0
"""Writing archives: what Python adds to the writers of the extension module."""

from __future__ import annotations

import io
import operator

from . import _core, _source
from ._paths import as_bytes, printable


def encode(objects, metadata=None, **options) -> bytes:
    """Return one message as bytes.

    Arrays may have any strides and byte order. bool becomes a bitmask, bfloat16 is that of ml_dtypes. Their memory is
    read without the lock of the interpreter: no other thread may change it meanwhile.

    >>> import numpy, tgmap
    >>> data = tgmap.encode(numpy.arange(6.0).reshape(2, 3), {"step": 12}, filter="shuffle", compression="none")
    >>> tgmap.open(data)[0].arrays()[0].shape
    (2, 3)

    Args:
        objects: an array, a ``NewObject``, a ``StoredObject``, an ``Object`` of an archive, which is copied as it is
            stored, or a list of them.
        metadata: keys of the whole message: text, numbers, bool, None, bytes, lists, tuples and mappings.
        options: how arrays are encoded, and the layout of the message.

    Options of arrays; ``NewObject`` takes them for one array alone:
        encoding: ``"none"`` or ``"simple_packing"`` (float64), with ``bits`` (16) or ``max_error``, ``decimal_scale``
            (0), and ``reference`` with ``binary_scale``.
        filter: ``"none"`` or ``"shuffle"``, with ``shuffle_size``.
        compression: ``"none"``, ``"zstd"`` with ``level``, ``"lz4"``, ``"szip"`` with ``rsi``, ``block_size`` and
            ``flags``, ``"blosc2"`` with ``codec`` and ``level``, ``"zfp"`` with ``rate``, ``precision`` or
            ``tolerance``, ``"sz3"`` with ``error_bound`` and ``error_mode``, ``"rle"`` or ``"roaring"``.
        allow_nan, allow_infinity: store NaN and infinities in masks; else they are an error. ``mask_method`` and
            ``small_mask_bytes`` say how. ``check_elements=False`` stores them as plain numbers instead.
        byte_order: ``"native"``, ``"little"`` or ``"big"``; default: that of the array.

    Options of objects of an archive:
        take_damaged: copy keys, and payloads of version 2 into version 3, also if their hash does not match; they get
            a new one (False).

    Options of the message:
        version: 2 or 3 (3).
        hashes: store a hash of every frame (True).
        index, hash_list: ``"header"``, ``"footer"``, ``"both"`` or ``"none"`` (``"header"``).
        alignment: payloads begin at multiples of this number of bytes (8).
        reproducible: no uuid, and no time except SOURCE_DATE_EPOCH (False).
        encoder, encoder_version, time, uuid: text of the provenance; an empty one is not written.

    Raises:
        TypeError: the format has no such elements or metadata, or a keyword is unknown or not used.
        ValueError: an option has a wrong value.
        Error: the elements do not suit the pipeline, such as NaN without ``allow_nan``; with the code
            ``"hash_mismatch"``, an object of an archive is damaged.
    """
    return _core.encode(objects, metadata, **options)


def _seeks(file) -> bool:
    """Return whether written bytes of a file object can be overwritten: known only of those of Python itself."""
    if not isinstance(file, (io.BytesIO, io.FileIO, io.BufferedWriter, io.BufferedRandom)):
        return False
    return _source.answers(file, "seekable", False, False) and "a" not in str(getattr(file, "mode", ""))


def _target(target, exclusive) -> dict:
    """Return what the writers of the extension module write to. Nothing is created yet."""
    if isinstance(target, (str, bytes)) or (hasattr(target, "__fspath__") and not _source.is_file(target)):
        return {"target": as_bytes(target), "exclusive": exclusive, "seeks": False}
    if exclusive:
        raise TypeError("exclusive needs a path")
    if hasattr(target, "write"):
        _check_output(target)
        return {"target": target, "exclusive": False, "seeks": _seeks(target)}
    try:
        if isinstance(target, bool):
            raise TypeError
        return {"target": operator.index(target), "exclusive": False, "seeks": False}
    except TypeError:
        text = f"cannot write to {type(target).__name__}; pass a path, an int as file descriptor, or a file object"
        raise TypeError(text) from None


def _check_output(file) -> None:
    if isinstance(file, io.TextIOBase):
        raise TypeError("this file takes text; open it in binary mode ('wb'), or pass its attribute `buffer`")
    if getattr(file, "closed", False) is True:
        raise ValueError("the file is closed; pass its path, or open it again")
    if not _source.answers(file, "writable", True, True):
        raise ValueError("the file is not open for writing; open it with 'wb' or 'r+b', or pass its path")


class Writer(_core.Writer):
    """Writes messages one after another. Use :func:`tgmap.create`.

    Leaving the context closes it. After an exception a file of a new name keeps the messages that were written, which
    are whole, and an older file that would be replaced stays as it is.
    """

    def __init__(self, target, *, exclusive=False, sync=False, **options):
        super().__init__(**_target(target, exclusive), sync=sync, **options)

    def __repr__(self) -> str:
        state = "closed, " if self.is_closed else ""
        return f"<Writer {printable(self.path)}: {state}{self.messages} messages, {self.nbytes} bytes>"


def create(target, *, exclusive=False, sync=False, **options) -> Writer:
    """Create an archive.

    Args:
        target: a path, a file descriptor, or a file object with ``write``. A file of a new name grows as it is written.
            One that exists is replaced by ``close``, and stays if bytes cannot be written, or if an exception leaves
            the context; archives that have it open keep it. A message that is refused, and whose exception the program
            catches, is not written; ``close`` then replaces the file by one with the other messages. Owner, permissions
            and access list stay. Arguments are checked before anything is created.
        exclusive: raise FileExistsError if the file exists.
        sync: put the file on the disk before ``close`` returns.
        options: the layout of messages; see :func:`tgmap.encode`.
    """
    return Writer(target, exclusive=exclusive, sync=sync, **options)


class StreamWriter(_core.StreamWriter):
    """Writes one message object by object. Use :func:`tgmap.stream`, or ``Appender.begin_stream``.

    Leaving the context finishes the message. After an exception it does not: in a file of a new name readers then find
    the whole objects; an older file that would be replaced stays.
    """

    def __init__(self, target, metadata=None, *, exclusive=False, sync=False, **options):
        if isinstance(target, _core.Appender):
            super().__init__(target, metadata)
        else:
            super().__init__(**_target(target, exclusive), sync=sync, metadata=metadata, **options)

    def __repr__(self) -> str:
        return f"<StreamWriter: {'closed, ' if self.is_closed else ''}{self.objects} objects>"


def stream(target, metadata=None, *, exclusive=False, sync=False, **options) -> StreamWriter:
    """Begin an archive of one message that is written object by object.

    Args:
        target, exclusive, sync: as for :func:`tgmap.create`.
        metadata: keys of the whole message.
        options: the layout of the message; see :func:`tgmap.encode`. ``index`` and ``hash_list`` are in the footer,
            unless they are ``"none"``.
    """
    return StreamWriter(target, metadata, exclusive=exclusive, sync=sync, **options)


class Appender(_core.Appender):
    """Adds messages to an archive while others read it. Use :func:`tgmap.append`."""

    def __init__(self, path, **options):
        super().__init__(as_bytes(path), **options)

    def begin_stream(self, metadata=None) -> StreamWriter:
        """Begin a message that is written object by object. Readers see it once it is closed.

        After an exception in its context the message is cut off, and the appender is closed.
        """
        return StreamWriter(self, metadata)

    def __repr__(self) -> str:
        return f"<Appender {printable(self.path)}: {'closed' if self.is_closed else f'{self.nbytes} bytes'}>"


def append(path, *, create=True, on_tail="refuse", sync=False, lock=True, **options) -> Appender:
    """Open an archive to add messages to it.

    Bytes that exist never change, and readers see whole messages only; ``Archive.refresh`` finds new ones. A lock on
    the file keeps other appenders out.

    Args:
        path: the path of the archive.
        create: create the archive if it does not exist.
        on_tail: what happens if the archive ends in an incomplete message: ``"refuse"`` it, or ``"truncate"``.
        sync: wait for the disk after each message.
        lock: lock the file. False is for file systems without locks, where nothing else may append.
        options: the layout of messages; see :func:`tgmap.encode`.

    Raises:
        Error: the archive is damaged, or another appender has it open.
    """
    return Appender(path, create=create, on_tail=on_tail, sync=sync, lock=lock, **options)
