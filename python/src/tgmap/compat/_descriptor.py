# SPDX-License-Identifier: Apache-2.0
"""Descriptors of objects: as they are stored, and as callers give them."""

from __future__ import annotations

import sys
import warnings

from .._core import _shown
from .._warnings import stacklevel_of_caller
from ._metadata import copied

DTYPES = (
    "float16 bfloat16 float32 float64 complex64 complex128 int8 int16 int32 int64 uint8 uint16 uint32 uint64 bitmask"
).split()
_FIELDS = "type ndim shape strides dtype byte_order encoding filter compression hash".split()
_LIKE_METADATA = "name param shortName long_name description units dim_names mars cf product instrument".split()


class DataObjectDescriptor:
    """The description of one object: tensor and pipeline."""

    __slots__ = (
        "obj_type",
        "ndim",
        "_shape",
        "_strides",
        "dtype",
        "byte_order",
        "encoding",
        "filter",
        "compression",
        "_params",
    )

    def __init__(self, obj_type, shape, strides, dtype, byte_order, encoding, filter, compression, params):
        self.obj_type = obj_type
        self.ndim = len(shape)
        self._shape = list(shape)
        self._strides = list(strides)
        self.dtype = dtype
        self.byte_order = byte_order
        self.encoding = encoding
        self.filter = filter
        self.compression = compression
        self._params = params

    @classmethod
    def of(cls, d) -> DataObjectDescriptor:
        """Return the same as a descriptor of tgmap."""
        params = d.params
        if len(params) > 1:
            params = {key: params[key] for key in sorted(params, key=str)}
        out = cls(
            d.type,
            d.shape,
            d.strides,
            d.dtype,
            d.byte_order,
            d.encoding or "none",
            d.filter or "none",
            d.compression or "none",
            params,
        )
        out.ndim = d.ndim
        return out

    @classmethod
    def from_dict(cls, given: dict) -> DataObjectDescriptor:
        """Return the descriptor that a caller gives as a dict. Warns of keys that look like metadata.

        Raises:
            ValueError: a key is missing, or a value is not one of the format.
        """
        for key in ("type", "shape", "dtype"):
            if key not in given:
                raise ValueError(f"descriptor missing '{key}'")
        shape = _extents(given["shape"])
        strides = _extents(given["strides"]) if "strides" in given else c_strides(shape)
        dtype = _text(given["dtype"])
        if dtype not in DTYPES:
            raise ValueError(f"unknown dtype: {_shown(dtype)}")
        byte_order = _text(given.get("byte_order", sys.byteorder))
        if byte_order not in ("little", "big"):
            raise ValueError(f"unknown byte_order: '{_shown(byte_order)}', expected 'little' or 'big'")
        params = {_text(key): value for key, value in given.items() if key not in _FIELDS}
        misplaced = [key for key in params if key in _LIKE_METADATA]
        if misplaced:
            _warn_of_metadata(misplaced)
        stages = [_text(given.get(key, "none")) for key in ("encoding", "filter", "compression")]
        return cls(_text(given["type"]), shape, strides, dtype, byte_order, *stages, params)

    @property
    def shape(self) -> list[int]:
        """Extents of the tensor."""
        return list(self._shape)

    @property
    def strides(self) -> list[int]:
        """Strides in elements, as they are stated."""
        return list(self._strides)

    @property
    def params(self) -> dict:
        """Parameters of the pipeline, and further keys."""
        return copied(self._params)

    @property
    def hash(self) -> None:
        """None: version 3 has the hash in the frame."""
        return None

    def __repr__(self) -> str:
        return (
            f"DataObjectDescriptor(type='{_shown(str(self.obj_type))}', shape={self._shape}, dtype='{self.dtype}', "
            f"encoding='{_shown(self.encoding)}', compression='{_shown(self.compression)}')"
        )


def c_strides(shape: list[int]) -> list[int]:
    """Return the strides of C order, in elements. Raise ValueError if one does not fit 64 bits."""
    out, step = [], 1
    for i, extent in enumerate(reversed(shape)):
        out.append(step)
        step *= extent
        if step >= 2**64 and i + 1 < len(shape):
            raise ValueError(f"strides overflow: the strides of shape {shape} do not fit 64 bits")
    return out[::-1]


def _text(value) -> str:
    if not isinstance(value, str):
        raise TypeError(f"'{type(value).__name__}' object is not an instance of 'str'")
    return value


def _extents(values) -> list[int]:
    from ._errors import unsigned

    if isinstance(values, str):
        raise TypeError("shape and strides must be sequences of integers")
    return [unsigned(each) for each in values]


def _warn_of_metadata(keys: list[str]) -> None:
    names = ", ".join(f"'{key}'" for key in keys)
    warnings.warn(
        f"descriptor contains application-metadata-like keys ({names}) that were captured into "
        "DataObjectDescriptor.params; metadata of an object belongs in meta['base'][i]",
        UserWarning,
        stacklevel=stacklevel_of_caller(),
    )
