# SPDX-License-Identifier: Apache-2.0
"""Files of messages."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import operator
import os

from .._archive import open as open_archive
from .._core import _shown
from .._paths import as_text, printable
from .._writing import create
from ._decode import (
    Message,
    decoded_message,
    decoded_object,
    decoded_ranges,
    descriptors_of,
    object_at,
)
from ._encode import encode
from ._errors import translates_errors, unsigned
from ._metadata import Metadata

_REMOTE_SCHEMES = ("s3://", "s3a://", "gs://", "az://", "azure://", "http://", "https://")


def is_remote_url(source: str) -> bool:
    """Return whether text is an address of a server, such as ``"s3://bucket/key.tgm"``.

    >>> is_remote_url("https://example.org/f.tgm"), is_remote_url("/data/f.tgm")
    (True, False)
    """
    if not isinstance(source, str):
        raise TypeError(f"'{type(source).__name__}' object is not an instance of 'str'")
    return source.lower().startswith(_REMOTE_SCHEMES)


def checked_source(source, bidirectional) -> str:
    """Return a path as text. Raise TypeError for what is no path, and OSError for addresses of servers."""
    if type(bidirectional) is not bool:
        raise TypeError(f"'{type(bidirectional).__name__}' object is not an instance of 'bool'")
    path = as_text(os.fspath(source))
    if is_remote_url(path):
        raise OSError(f"RemoteError: tgmap opens no remote files: {_shown(path)}; download the file first")
    return path


def checked_storage_options(options) -> dict[str, str]:
    """Return options of a server as text. Raise ValueError for values that have none."""
    out = {}
    for key, value in dict(options or {}).items():
        try:
            out[key] = str(value)
        except Exception as error:
            raise ValueError(f"storage_options value for key '{_shown(str(key))}' must be convertible to string") from error
    return out


_NO_LOCKS = {errno.ENOSYS, errno.ENOLCK, errno.EOPNOTSUPP, errno.EINVAL, errno.EPERM, 524}


def _locked(path):
    """Open a file for appending, under the lock of appenders where the file system has locks."""
    while True:
        file = open(path, "ab", buffering=0)  # noqa: SIM115
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            file.close()
            raise OSError(f"IoError: another program is appending to {printable(path)}") from None
        except OSError as problem:
            if problem.errno not in _NO_LOCKS:  # the reference implementation takes no lock
                file.close()
                raise
        if os.path.samestat(os.fstat(file.fileno()), os.stat(path)):
            return file
        file.close()  # it was replaced meanwhile


def _append_bytes(path, message) -> None:
    """Add a message to a file. A message of which only a part can be written is cut off again."""
    with _locked(path) as file:
        end, left = os.fstat(file.fileno()).st_size, memoryview(message)
        try:
            while left:
                left = left[file.write(left) :]
        except BaseException:
            written = len(message) - len(left)
            if os.fstat(file.fileno()).st_size == end + written:  # else another program has added bytes
                os.ftruncate(file.fileno(), end)
            raise
        finally:
            with contextlib.suppress(OSError):
                fcntl.flock(file, fcntl.LOCK_UN)  # a child that was forked meanwhile has a copy of the descriptor


class TensogramFile:
    """A file of messages, for reading and appending. Use ``open`` or ``create``.

    Objects are read when they are asked for; a message is never read as a whole for one of its objects.
    """

    def __init__(self, path: str):
        self._path = as_text(path)
        self._archive = None
        self._count = None

    @staticmethod
    def open(source, *, bidirectional=True) -> TensogramFile:
        """Open a file. Messages are found at the first use.

        Raises:
            OSError: there is no such file, or the source is remote, which this package does not read.
        """
        path = checked_source(source, bidirectional)
        if not os.path.exists(path):
            raise OSError(f"file not found: {printable(path)}")
        return TensogramFile(path)

    @staticmethod
    def open_remote(source, storage_options=None, *, bidirectional=True) -> TensogramFile:
        """Raise OSError: this package reads no remote files."""
        checked_storage_options(storage_options)
        checked_source(source, bidirectional)
        raise OSError(f"RemoteError: unsupported scheme: {_shown(str(source))}")

    @staticmethod
    def create(path) -> TensogramFile:
        """Create a file; an existing one is replaced by an empty one. Missing folders are created."""
        path = as_text(os.fspath(path))
        folder = os.path.dirname(path)
        if folder:
            os.makedirs(folder, exist_ok=True)
        create(path).close()
        return TensogramFile(path)

    def append(
        self,
        global_meta_dict,
        descriptors_and_data,
        hash="xxh3",
        threads=0,
        allow_nan=False,
        allow_inf=False,
        nan_mask_method=None,
        pos_inf_mask_method=None,
        neg_inf_mask_method=None,
        small_mask_threshold_bytes=None,
        aggregate_hash=None,
    ) -> None:
        """Append one message. Arguments: those of ``encode``."""
        message = encode(
            global_meta_dict,
            descriptors_and_data,
            hash,
            threads,
            allow_nan,
            allow_inf,
            nan_mask_method,
            pos_inf_mask_method,
            neg_inf_mask_method,
            small_mask_threshold_bytes,
            aggregate_hash,
        )
        _append_bytes(self._path, message)
        self._archive = self._count = None

    @property
    def _messages(self):
        """The archive. Elements are read, never mapped, so that a file that is cut meanwhile is an error."""
        archive = self._archive
        if archive is None:
            archive = self._archive = open_archive(self._path, mode="read", damage="skip", index="none")
        return archive

    @translates_errors
    def message_count(self) -> int:
        """Return the number of messages. Scans the file at the first use."""
        count = self._count
        if count is None:
            archive = self._messages
            count = len(archive)
            while count and archive[count - 1].is_incomplete:
                count -= 1
            self._count = count
        return count

    def _message(self, index):
        index, count = unsigned(index), self.message_count()
        if index >= count:
            raise ValueError(f"FramingError: message index {index} out of range (count={count})")
        return self._messages[index]

    @translates_errors
    def decode_message(
        self, index, native_byte_order=True, threads=0, restore_non_finite=True, verify_hash=False
    ) -> Message:
        """Decode a message. Arguments: as ``tgmap.compat.decode``."""
        return decoded_message(self._message(index), native_byte_order, threads, restore_non_finite, verify_hash)

    @translates_errors
    def file_decode_metadata(self, msg_index) -> Metadata:
        """Return the metadata of a message. Reads no payload."""
        return Metadata.of(self._message(msg_index))

    @translates_errors
    def file_decode_descriptors(self, msg_index) -> dict:
        """Return a dict of ``metadata`` and ``descriptors`` of a message. Reads no payload."""
        message = self._message(msg_index)
        return {"metadata": Metadata.of(message), "descriptors": descriptors_of(message)}

    @translates_errors
    def file_decode_object(self, msg_index, obj_index, native_byte_order=True, threads=0, verify_hash=False) -> dict:
        """Decode one object: a dict of ``metadata``, ``descriptor`` and ``data``. Reads no other object."""
        message = self._message(msg_index)
        item = object_at(message, obj_index)
        descriptor, data = decoded_object(item, native_byte_order, threads, verify_hash=verify_hash)
        return {"metadata": Metadata.of(message), "descriptor": descriptor, "data": data}

    @translates_errors
    def file_decode_range(self, msg_index, obj_index, ranges, join=False, native_byte_order=True, threads=0):
        """Decode parts of an object, given as pairs (first element, number of elements)."""
        item = object_at(self._message(msg_index), obj_index)
        return decoded_ranges(item, ranges, join, native_byte_order, threads)

    def file_decode_object_batch(self, msg_indices, obj_index, native_byte_order=True, threads=0, verify_hash=False):
        """Raise OSError: batches are for remote files."""
        raise OSError("batch object decode requires a remote backend")

    def file_decode_range_batch(self, msg_indices, obj_index, ranges, join=False, native_byte_order=True, threads=0):
        """Raise OSError: batches are for remote files."""
        raise OSError("batch range decode requires a remote backend")

    def is_remote(self) -> bool:
        """Return False: only local files are opened."""
        return False

    def source(self) -> str:
        """Return the path."""
        return self._path

    @translates_errors
    def read_message(self, index) -> bytes:
        """Return the bytes of a message as stored."""
        return bytes(self._message(index).bytes)

    def messages(self) -> list[bytes]:
        """Return the bytes of all messages."""
        return [self.read_message(i) for i in range(self.message_count())]

    def __enter__(self) -> TensogramFile:
        return self

    def __exit__(self, *_) -> bool:
        return False

    def __len__(self) -> int:
        return self.message_count()

    def __bool__(self) -> bool:
        return self.message_count() > 0

    def __iter__(self) -> TensogramFileIter:
        return TensogramFileIter(self._path)

    def __getitem__(self, key):
        count = self.message_count()
        if isinstance(key, slice):
            return [self.decode_message(i) for i in range(count)[key]]
        try:
            index = operator.index(key)
        except TypeError:
            raise TypeError("indices must be integers or slices") from None
        if not -count <= index < count:
            raise IndexError(f"message index {index} out of range for file with {count} messages")
        return self.decode_message(index % count)

    def __repr__(self) -> str:
        return f"TensogramFile(source='{printable(self._path)}')"


class TensogramFileIter:
    """An iterator over the messages that a file has when it begins."""

    def __init__(self, path: str):
        self._file = TensogramFile(path)
        self._count = self._file.message_count()
        self._next = 0

    def __iter__(self) -> TensogramFileIter:
        return self

    def __next__(self) -> Message:
        if self._next >= self._count:
            raise StopIteration
        self._next += 1
        return self._file.decode_message(self._next - 1)

    def __len__(self) -> int:
        return self._count - self._next

    def __repr__(self) -> str:
        return f"TensogramFileIter(position={self._next}, remaining={len(self)})"
