# SPDX-License-Identifier: Apache-2.0
"""Objects that are decoded from the bytes of their frame or of their message alone. Does not need Zarr."""

from __future__ import annotations

import struct
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._errors import Error
from ._arrays import to_elements

_FRAME = struct.Struct(">2sHHHQ")
FRAME_HEADER_BYTES = _FRAME.size
_OBJECT_FRAME = 9
_FRAME_TAIL = 20
_PREAMBLE_BYTES = 24
_HASHES_PRESENT = 1 << 7
_HEADER_METADATA = 1
_STAGES_BYTES = 1 << 20  # of what codecs need besides the elements


def decode_frame(frame: Any, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the elements of an object frame of wire format 3.

    Raises:
        Error: the bytes are no such frame, their stored hash is another one, or the object has another dtype or shape.
    """
    content = memoryview(frame).cast("B")
    if len(content) < _FRAME.size + _FRAME_TAIL:
        raise Error(_NO_FRAME)
    magic, kind, _, _, length = _FRAME.unpack_from(content)
    if magic != b"FR" or kind != _OBJECT_FRAME or length != len(content):
        raise Error(_NO_FRAME)
    padding = b"\0" * (-len(content) % 8)
    end = _PREAMBLE_BYTES + len(_METADATA) + len(content) + len(padding)
    total = end + 24
    preamble = struct.pack(">8sHHIQ", b"TENSOGRM", 3, _HEADER_METADATA | _HASHES_PRESENT, 0, total)
    postamble = struct.pack(">QQ8s", end, total, b"39277777")
    return decode_message(b"".join((preamble, _METADATA, content, padding, postamble)), 0, dtype, shape)


def decode_message(message: Any, number: int, dtype: np.dtype[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """Return the elements of an object of a message of any wire format.

    Raises:
        Error: the bytes are no such message, the stored hash is another one, or the object has another dtype or shape.
    """
    size = dtype.itemsize
    for extent in shape:
        size *= extent
    try:
        found = _core.Archive(message, index="none", max_decoded=4 * size + _STAGES_BYTES)
        objects = found[0]
        if len(found) != 1 or objects.length != found.nbytes:
            raise Error(_NO_MESSAGE)
        chosen = objects[number]
    except IndexError:
        raise Error(_NO_MESSAGE) from None
    if chosen.shape != shape:
        raise Error(f"{_CHANGED}: the object has the shape {chosen.shape}, not {shape}")
    if not can_be(chosen.descriptor.dtype, dtype):
        raise Error(f"{_CHANGED}: the object has the dtype {chosen.descriptor.dtype}, not one that {dtype} holds")
    return to_elements(chosen.decode(verify=True), dtype)


def can_be(name: str, dtype: np.dtype[Any]) -> bool:
    """Return whether a dtype holds all values of a dtype of the format."""
    if name in ("bitmask", "bfloat16"):
        found = np.dtype(bool) if name == "bitmask" else np.dtype(np.float32)
    else:
        found = np.dtype(name)
    return np.can_cast(found, dtype, "safe")


def frame_length(header: bytes, limit: int) -> int:
    """Return the length of an object frame, as its header states it. Raises Error if it goes beyond a limit."""
    magic, kind, _, _, length = _FRAME.unpack(header)
    if magic != b"FR" or kind != _OBJECT_FRAME or not _FRAME.size + _FRAME_TAIL <= length <= limit:
        raise Error("the file has changed: the bytes are no frame of an object")
    return int(length)


def _metadata_frame() -> bytes:
    """Return a frame of metadata that has no keys."""
    body = b"\xa0"
    length = _FRAME.size + len(body) + 12
    frame = _FRAME.pack(b"FR", 1, 1, 2, length) + body + struct.pack(">Q4s", _core.xxh3(body), b"ENDF")
    return frame + b"\0" * (-length % 8)


_METADATA = _metadata_frame()
_CHANGED = "the file of this chunk has changed since the references were made"
_NO_FRAME = f"{_CHANGED}: the bytes are no frame of an object"
_NO_MESSAGE = f"{_CHANGED}: the bytes are no message with this object"
