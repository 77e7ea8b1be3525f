# SPDX-License-Identifier: Apache-2.0
"""Objects that are to be written, from a descriptor and data."""

from __future__ import annotations

import math

import numpy as np

from .. import _core
from ._descriptor import DataObjectDescriptor, c_strides
from ._options import EncodeOptions
from ._pipeline import encoding_error, metadata_error, pipeline_of
from ._stored import stored_form


def _bytes_of(data) -> bytes | memoryview:
    if isinstance(data, (bytes, bytearray, memoryview)):
        return memoryview(data).cast("B") if not isinstance(data, bytes) else data
    if isinstance(data, (list, tuple)):
        return bytes(data)
    raise ValueError("data must be a numpy array or bytes")


def _check_size(d: DataObjectDescriptor, size: int) -> None:
    elements = math.prod(d._shape)
    if elements >= 2**64:
        raise metadata_error("shape product overflow")
    if d.dtype == "bitmask":
        expected = (elements + 7) // 8
        source = f"for bitmask (ceil({elements}/8))"
    else:
        expected = elements * _stored_dtype(d).itemsize
        source = "from shape and dtype"
    if expected != size:
        raise metadata_error(f"data_len {size} does not match expected {expected} bytes {source}")


def _stored_dtype(d: DataObjectDescriptor) -> np.dtype:
    name = "uint16" if d.dtype == "bfloat16" else "uint8" if d.dtype == "bitmask" else d.dtype
    return np.dtype(name).newbyteorder("<" if d.byte_order == "little" else ">")


def _elements(d: DataObjectDescriptor, data) -> np.ndarray:
    """Return data as an array of the shape and dtype of its descriptor.

    An array of that dtype gives its elements, whatever its strides and byte order. Other arrays and bytes give their
    bytes, which are in the byte order of the descriptor.
    """
    stored = _stored_dtype(d)
    if isinstance(data, np.ndarray):
        is_same = data.dtype.newbyteorder("=") == stored.newbyteorder("=") or data.dtype.name == d.dtype
        if is_same and d.dtype != "bitmask":
            _check_size(d, data.nbytes)
            return data.reshape(d._shape)
        if d.dtype == "bitmask" and data.dtype == bool:
            return data.reshape(d._shape)
        data = data.tobytes()
    data = _bytes_of(data)
    _check_size(d, len(data))
    if d.dtype == "bitmask":
        bits = np.unpackbits(np.frombuffer(data, np.uint8), count=math.prod(d._shape))
        return bits.view(bool).reshape(d._shape)
    return np.frombuffer(data, stored).reshape(d._shape)


def missing_element(d: DataObjectDescriptor, elements: np.ndarray, number: int) -> ValueError:
    """Return the exception for NaN and infinities that are not allowed."""
    value = elements.reshape(-1)[number]
    if np.isnan(value):
        kind, option = "NaN", "allow_nan"
    else:
        kind, option = ("-Inf" if np.real(value) == -np.inf else "+Inf"), "allow_inf"
    return encoding_error(
        f"strict-{kind.lstrip('+-')} check: {kind} at element {number} of {d.dtype} array; "
        f"pass {option}=True to store it in a mask"
    )


def _check_type(d: DataObjectDescriptor) -> None:
    if not d.obj_type:
        raise metadata_error("obj_type must not be empty")
    if len(d._strides) != len(d._shape):
        raise metadata_error(f"strides.len() {len(d._strides)} does not match shape.len() {len(d._shape)}")


def new_object(descriptor: DataObjectDescriptor, data, keys: dict, options: EncodeOptions):
    """Return an object that is ready to be written, and its elements."""
    d = descriptor
    _check_type(d)
    elements = _elements(d, data)
    pipeline, further = pipeline_of(d)
    further.pop("szip_block_offsets", None)
    dtype = "bfloat16" if d.dtype == "bfloat16" else None
    arguments = {**pipeline, **options.missing, "byte_order": d.byte_order, "type": d.obj_type, "dtype": dtype}
    rewritten = d._strides != c_strides(d._shape) or _are_parameters(further)
    if not rewritten:
        return _core.NewObject(elements, keys, descriptor=further, **arguments), elements
    made = _core.NewObject(elements, **arguments)
    return stored_form(made, keys, {**further, "strides": d._strides}), elements


def _are_parameters(keys: dict) -> bool:
    """Return whether keys are named as parameters of stages, which the writer leaves to the stages."""
    return any(key.startswith(("sp_", "szip_", "shuffle_", "zstd_", "blosc2_", "zfp_", "sz3_")) for key in keys)


def stored_object(descriptor: DataObjectDescriptor, data, keys: dict):
    """Return an object whose data is encoded already."""
    d = descriptor
    if not isinstance(data, (bytes, bytearray, memoryview, list)):
        raise ValueError(
            f"encode_pre_encoded requires bytes data (got {type(data).__name__}): the payload must be encoded already"
        )
    data = _bytes_of(data)
    _check_type(d)
    if (d.encoding, d.filter, d.compression) == ("none", "none", "none"):
        _check_size(d, len(data))
    pipeline_of(d, is_encoded=True)
    _check_block_offsets(d, len(data))
    entries = {
        "type": d.obj_type,
        "ndim": d.ndim,
        "shape": d._shape,
        "strides": d._strides,
        "dtype": d.dtype,
        "byte_order": d.byte_order,
        "encoding": d.encoding,
        "filter": d.filter,
        "compression": d.compression,
        **d._params,
    }
    return _core.StoredObject(entries, data, keys)


def _check_block_offsets(d: DataObjectDescriptor, size: int) -> None:
    if "szip_block_offsets" not in d._params:
        return
    if d.compression != "szip":
        raise metadata_error(f"szip_block_offsets provided but compression is '{d.compression}', not 'szip'")
    offsets = d._params["szip_block_offsets"]
    if not isinstance(offsets, list) or not all(type(each) is int and each >= 0 for each in offsets):
        raise metadata_error("szip_block_offsets must be a list of integers")
    if offsets and offsets[0] != 0:
        raise metadata_error(f"szip_block_offsets must begin with 0, not {offsets[0]}")
    for i, (before, after) in enumerate(zip(offsets, offsets[1:])):
        if after <= before:
            raise metadata_error(
                f"szip_block_offsets must be strictly increasing: offset {i + 1} is {after}, after {before}"
            )
    if offsets and offsets[-1] > 8 * size:
        raise metadata_error(f"szip_block_offsets: offset {offsets[-1]} is behind the {8 * size} bits of the payload")
