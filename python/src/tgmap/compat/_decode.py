# SPDX-License-Identifier: Apache-2.0
"""Decoding messages: functions and iterators."""

from __future__ import annotations

import functools
import os
import sys
from collections import namedtuple

import numpy as np

from .. import _core
from .._archive import open as open_archive
from .._errors import Error
from ._descriptor import DataObjectDescriptor
from ._errors import hash_mismatch, missing_hash, translates_errors, unsigned
from ._metadata import Metadata

Message = namedtuple("Message", ["metadata", "objects"])
Message.__doc__ = """A decoded message.

``objects`` is a list of pairs (DataObjectDescriptor, array). ``decode_with_masks`` gives triples; the third item is a
dict of bool arrays under the names ``"nan"``, ``"inf+"`` and ``"inf-"``, as far as they occur.
"""


def checked_bytes(buf):
    """Return a buffer that is bytes or a bytearray. Raise TypeError for others, as the reference package does."""
    if not isinstance(buf, (bytes, bytearray)):
        raise TypeError(f"'{type(buf).__name__}' object cannot be converted to bytes; use bytes(obj)")
    return buf


def first_message(buf) -> _core.Message:
    """Return the message at the beginning of a buffer."""
    if len(checked_bytes(buf)) == 0:
        raise ValueError("FramingError: the buffer is empty and holds no message")
    message = open_archive(memoryview(buf), index="none").at_offset(0)
    if message.is_incomplete:
        raise ValueError("FramingError: the message is a stream that was cut before its end")
    return message


def thread_count(threads: int) -> int:
    """Return the number of threads to use; 0 means that of TENSOGRAM_THREADS, or one."""
    threads = unsigned(threads)
    if threads == 0:
        text = os.environ.get("TENSOGRAM_THREADS", "").strip()
        if not text:
            return 1
        if not text.isdecimal():
            raise ValueError(f"MetadataError: TENSOGRAM_THREADS must be a number of threads, not '{_core._shown(text)}'")
        threads = int(text)
    return threads if threads <= 1 else min(threads, 4 * (os.cpu_count() or 1))


def verify(item: _core.Object) -> None:
    """Raise IntegrityError if an object has no hash or another one."""
    matches = item.verify()
    if matches is None:
        raise missing_hash(item.index)
    if not matches:
        try:
            item.decode(verify=True)
        except Error as error:
            if error.code == "hash_mismatch":
                raise hash_mismatch(item.index, error.expected, error.found) from None
        raise hash_mismatch(item.index, 0, 0)


@functools.lru_cache(maxsize=1)
def _bfloat16():
    """Return the dtype of bfloat16: that of ml_dtypes, or uint16 without this package."""
    try:
        from ml_dtypes import bfloat16
    except ImportError:
        return np.dtype(np.uint16)
    return np.dtype(bfloat16)


def with_known_dtype(array: np.ndarray, name: str) -> np.ndarray:
    """Return an array of opaque bytes as bfloat16."""
    return array.view(_bfloat16()) if name == "bfloat16" else array


def _elements(item: _core.Object, descriptor, restore_non_finite: bool, threads: int) -> np.ndarray:
    if descriptor.dtype == "bitmask":
        if descriptor.is_plain:
            return np.frombuffer(item.payload, np.uint8).copy()
        return item.ranges([(0, item.size)], threads=threads)[0]
    array = item.decode(threads=threads, restore_missing=restore_non_finite, ignore_strides=True)
    return with_known_dtype(array, descriptor.dtype)


def in_stored_order(array: np.ndarray, descriptor, native_byte_order: bool) -> np.ndarray:
    """Return the array with the bytes as they are stored, if native order is not asked for."""
    if native_byte_order or descriptor.byte_order == sys.byteorder or descriptor.dtype == "bitmask":
        return array
    return array.byteswap()


def decoded_object(item, native_byte_order=True, threads=0, restore_non_finite=True, verify_hash=False) -> tuple:
    """Return the pair of descriptor and array of an object of tgmap."""
    if verify_hash:
        verify(item)
    stored = item.descriptor
    array = _elements(item, stored, restore_non_finite, thread_count(threads))
    return DataObjectDescriptor.of(stored), in_stored_order(array, stored, native_byte_order)


def decoded_message(message, native_byte_order=True, threads=0, restore_non_finite=True, verify_hash=False) -> Message:
    """Return a message of tgmap as metadata and arrays. Compares all hashes before it decodes."""
    if verify_hash:
        for item in message:
            verify(item)
    objects = [decoded_object(item, native_byte_order, threads, restore_non_finite) for item in message]
    return Message(Metadata.of(message), objects)


def object_at(message: _core.Message, index: int) -> _core.Object:
    """Return an object of a message. Raise ValueError if there is none."""
    index, count = unsigned(index), len(message)
    if index >= count:
        raise ValueError(f"ObjectError: object index {index} out of range (num_objects={count})")
    return message[index]


def decoded_ranges(item, ranges, join, native_byte_order, threads, restore_non_finite=True):
    """Return parts of an object: a list of flat arrays, or one array if they are joined."""
    descriptor = item.descriptor
    pairs = [(unsigned(first), unsigned(count)) for first, count in ranges]
    size = item.size
    for first, count in pairs:
        if first + count > size:
            raise ValueError(
                f"EncodingError: range (offset={first}, count={count}): range error: "
                f"range ({first}, {first + count}) exceeds payload size of {size} elements"
            )
    parts = item.ranges(pairs, threads=thread_count(threads), restore_missing=bool(restore_non_finite))
    parts = [in_stored_order(with_known_dtype(p, descriptor.dtype), descriptor, native_byte_order) for p in parts]
    if not join:
        return parts
    if parts:
        return np.concatenate(parts)
    return with_known_dtype(item.ranges([(0, 0)])[0], descriptor.dtype)


@translates_errors
def decode(buf, native_byte_order=True, threads=0, restore_non_finite=True, verify_hash=False) -> Message:
    """Decode the message at the beginning of a buffer.

    Args:
        buf: bytes or a bytearray.
        native_byte_order: give elements in the byte order of this machine. If False, their bytes are as stored.
        threads: number of threads; 0 uses TENSOGRAM_THREADS, or one.
        restore_non_finite: put masked NaN and infinities back.
        verify_hash: compare the hash of every object first.

    Raises:
        ValueError: the bytes are not a message, or an object cannot be decoded.
        IntegrityError: with verify_hash, a hash is missing or another one.
    """
    return decoded_message(first_message(buf), native_byte_order, threads, restore_non_finite, verify_hash)


@translates_errors
def decode_with_masks(buf, native_byte_order=True, threads=0) -> Message:
    """Decode a message without putting NaN and infinities back; give their masks as flat bool arrays."""
    message = first_message(buf)
    objects = []
    for item in message:
        descriptor, array = decoded_object(item, native_byte_order, threads, restore_non_finite=False)
        masks = {name: mask.reshape(-1) for name, mask in item.masks().items()}
        objects.append((descriptor, array, masks))
    return Message(Metadata.of(message), objects)


@translates_errors
def decode_metadata(buf) -> Metadata:
    """Return the metadata of the message at the beginning of a buffer. Decodes no object."""
    return Metadata.of(first_message(buf))


def descriptors_of(message: _core.Message) -> list[DataObjectDescriptor]:
    """Return the descriptors of all objects of a message of tgmap."""
    return [DataObjectDescriptor.of(item.descriptor) for item in message]


@translates_errors
def decode_descriptors(buf) -> tuple[Metadata, list[DataObjectDescriptor]]:
    """Return metadata and descriptors of the message at the beginning of a buffer. Decodes no object."""
    message = first_message(buf)
    return Metadata.of(message), descriptors_of(message)


@translates_errors
def decode_object(buf, index, native_byte_order=True, threads=0, restore_non_finite=True, verify_hash=False) -> tuple:
    """Decode one object: (Metadata, DataObjectDescriptor, array).

    Raises:
        ValueError: there is no such object.
        IntegrityError: with verify_hash, its hash is missing or another one.
    """
    message = first_message(buf)
    item = object_at(message, index)
    return Metadata.of(message), *decoded_object(item, native_byte_order, threads, restore_non_finite, verify_hash)


@translates_errors
def decode_range(
    buf, object_index, ranges, join=False, native_byte_order=True, threads=0, restore_non_finite=True
) -> list[np.ndarray] | np.ndarray:
    """Decode parts of an object, given as pairs (first element, number of elements).

    Returns a list of flat arrays, or one array of all parts with ``join``. All pipelines are supported.
    """
    item = object_at(first_message(buf), object_index)
    return decoded_ranges(item, ranges, join, native_byte_order, threads, restore_non_finite)


def _places(buf) -> list[tuple[int, int]]:
    if len(buf) == 0:
        return []
    archive = open_archive(memoryview(buf), damage="skip", index="none")
    return [(message.offset, message.length) for message in archive if not message.is_incomplete]


@translates_errors
def scan(buf) -> list[tuple[int, int]]:
    """Return the pairs (offset, length) of all messages in a buffer. Skips bytes that belong to none."""
    return _places(checked_bytes(buf))


class MessageIter:
    """An iterator over the messages of a buffer; ``len`` is the number of those that are left."""

    def __init__(self, buf: bytes, verify_hash: bool):
        self._buf = buf
        self._places = _places(buf)
        self._next = 0
        self._verify_hash = verify_hash

    def __iter__(self) -> MessageIter:
        return self

    @translates_errors
    def __next__(self) -> Message:
        if self._next >= len(self._places):
            raise StopIteration
        offset, _ = self._places[self._next]
        self._next += 1
        message = open_archive(memoryview(self._buf), index="none").at_offset(offset)
        return decoded_message(message, verify_hash=self._verify_hash)

    def __len__(self) -> int:
        return len(self._places) - self._next

    def __repr__(self) -> str:
        return f"MessageIter(position={self._next}, remaining={len(self)})"


@translates_errors
def iter_messages(buf, *, verify_hash=False) -> MessageIter:
    """Return an iterator that decodes the messages of a buffer one after another."""
    if not isinstance(buf, bytes):
        raise TypeError(f"'{type(buf).__name__}' object cannot be converted to bytes; use bytes(obj)")
    return MessageIter(buf, verify_hash)


def compute_hash(data, algo="xxh3") -> str:
    """Return the hash of bytes or a bytearray as 16 hexadecimal digits.

    >>> compute_hash(b"abc")
    '78af5f94892f3950'
    """
    checked_algorithm(algo)
    return f"{_core.xxh3(checked_bytes(data)):016x}"


def checked_algorithm(name: str) -> bool:
    """Return whether hashes are wanted. Raise ValueError for algorithms that the format does not have."""
    if not isinstance(name, str):
        raise TypeError(f"'{type(name).__name__}' object is not an instance of 'str'")
    if name not in ("xxh3", "none"):
        raise ValueError(f"MetadataError: unknown hash type: {_core._shown(name)}, expected 'xxh3' or 'none'")
    return name == "xxh3"
