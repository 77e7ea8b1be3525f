# SPDX-License-Identifier: Apache-2.0
"""Codecs of Zarr that decode payloads as they are stored. Does not need Zarr."""

from __future__ import annotations

import math
import struct
from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np

from ._arrays import bytes_codec

_ZSTD_MAGIC = b"\x28\xb5\x2f\xfd"
_MAX_ELEMENT_BYTES = 255


class Pipeline(NamedTuple):
    """How a payload is decoded by codecs that each Zarr has. Two objects of one array are equal in all of it.

    Attributes:
        dtype: of the format.
        byte_order: of the elements.
        shuffle: bytes of an element of the filter; 0 without it.
        compression: ``"none"``, ``"zstd"`` or ``"lz4"``.
    """

    dtype: str
    byte_order: str
    shuffle: int
    compression: str

    def codecs(self) -> list[dict[str, Any]]:
        """Return the codecs as a document of Zarr v3 has them."""
        out = [bytes_codec(np.dtype(self.dtype), self.byte_order)]
        if self.shuffle:
            out.append({"name": "numcodecs.shuffle", "configuration": {"elementsize": self.shuffle}})
        if self.compression == "zstd":
            out.append({"name": "zstd", "configuration": {"level": 0, "checksum": False}})
        if self.compression == "lz4":
            out.append({"name": "numcodecs.lz4", "configuration": {"acceleration": 1}})
        return out


def pipeline_of(descriptor: Mapping[str, Any], payload_bytes: int, begin: bytes) -> Pipeline | None:
    """Return how others decode a payload; None if only this package does it, bit for bit.

    Packed elements are among the latter: their references differ from field to field, and others round otherwise. So
    are those with masks, of dtypes that Zarr does not have, and with other strides than those of C.

    Args:
        descriptor: of the object.
        payload_bytes: size of the payload.
        begin: its first bytes, up to 16.
    """
    dtype, shape = descriptor["dtype"], descriptor["shape"]
    if dtype in ("bitmask", "bfloat16") or descriptor["encoding"] != "none" or descriptor.get("masks"):
        return None
    if not _is_dense(shape, descriptor.get("strides")):
        return None
    size = math.prod(shape) * np.dtype(dtype).itemsize
    shuffle = 0
    if not size:
        return None  # others refuse payloads without a byte
    if descriptor["filter"] == "shuffle":
        shuffle = descriptor.get("shuffle_element_size", 0)
        if type(shuffle) is not int or not 1 <= shuffle <= _MAX_ELEMENT_BYTES or size % shuffle:
            return None
    elif descriptor["filter"] != "none":
        return None
    compression = descriptor["compression"]
    if compression == "none":
        fits = payload_bytes == size
    elif compression == "zstd":
        stated = _zstd_size(begin)
        fits = stated is None or stated == size
        fits = fits and begin[:4] == _ZSTD_MAGIC
    else:
        fits = compression == "lz4" and len(begin) >= 4 and struct.unpack_from("<I", begin)[0] == size
    order = descriptor.get("byte_order") or "little"
    return Pipeline(dtype, order if np.dtype(dtype).itemsize > 1 else "little", shuffle, compression) if fits else None


def _is_dense(shape: Any, strides: Any) -> bool:
    """Return whether strides are those of C; they do not matter along an axis of one element."""
    if strides is None or len(strides) != len(shape):
        return strides is None
    expected = 1
    for size, stride in zip(reversed(shape), reversed(strides)):
        if size > 1 and stride != expected:
            return False
        expected *= size
    return True


def _zstd_size(begin: bytes) -> int | None:
    """Return the size that a frame of zstd states, or None."""
    if len(begin) < 6:
        return None
    flags = begin[4]
    is_single_segment = bool(flags & 0x20)
    size_bytes = (1 if is_single_segment else 0, 2, 4, 8)[flags >> 6]
    position = 5 + (0 if is_single_segment else 1) + (0, 1, 2, 4)[flags & 3]
    if not size_bytes or len(begin) < position + size_bytes:
        return None
    return int.from_bytes(begin[position : position + size_bytes], "little") + (256 if size_bytes == 2 else 0)
