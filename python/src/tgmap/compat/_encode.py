# SPDX-License-Identifier: Apache-2.0
"""Encoding messages."""

from __future__ import annotations

import math

import numpy as np

from .. import _core
from .._errors import Error
from ._decode import checked_algorithm, thread_count
from ._descriptor import DataObjectDescriptor, c_strides
from ._errors import translates_errors
from ._metadata import RESERVED
from ._pipeline import encoding_error, metadata_error, pipeline_of
from ._stored import stored_form

_MASK_METHODS = ("none", "rle", "roaring", "lz4", "zstd", "blosc2")


class EncodeOptions:
    """Options of encode, checked."""

    def __init__(self, hash, threads, allow_nan=False, allow_inf=False, nan=None, positive=None, negative=None,
                 small_mask=None, aggregate_hash=None):
        thread_count(threads)
        self.hashes = hash is not None and checked_algorithm(hash)
        if aggregate_hash not in (None, "auto", "none", "header", "footer", "both"):
            raise ValueError(
                f'unknown aggregate_hash policy "{aggregate_hash}"; '
                "expected one of: 'auto', 'none', 'header', 'footer', 'both'"
            )
        self.aggregate_hash = aggregate_hash or "auto"
        methods = {"nan": nan, "positive_infinity": positive, "negative_infinity": negative}
        for method in methods.values():
            if method is not None and method not in _MASK_METHODS:
                names = ", ".join(f'"{name}"' for name in _MASK_METHODS)
                raise ValueError(f'unknown mask method "{method}", expected one of: {names}')
        self.missing = {}
        if allow_nan or allow_inf:
            self.missing = {
                "allow_nan": bool(allow_nan),
                "allow_infinity": bool(allow_inf),
                "mask_method": {kind: method or "roaring" for kind, method in methods.items()},
            }
            if small_mask is not None:
                self.missing["small_mask_bytes"] = small_mask

    def of_message(self) -> dict:
        """Return the keywords of a message that is written as a whole."""
        place = "header" if self.aggregate_hash == "auto" else self.aggregate_hash
        return {"hashes": self.hashes, "hash_list": place if self.hashes else "none"}

    def of_stream(self) -> dict:
        """Return the keywords of a stream. Raise ValueError for lists in the header, which comes first."""
        if self.aggregate_hash in ("header", "both"):
            raise encoding_error(
                f"aggregate_hash='{self.aggregate_hash}' is not supported in streaming mode: the header is written "
                "before the objects; use 'footer'"
            )
        place = "none" if self.aggregate_hash == "none" or not self.hashes else "footer"
        return {"hashes": self.hashes, "hash_list": place}


def split_metadata(given: dict) -> tuple[list[dict], dict]:
    """Return the keys of each object and those of the whole message.

    Raises:
        TypeError: ``given`` is not a dict.
        ValueError: ``base`` is no list of dicts, or a key is one that the library writes.
    """
    if not isinstance(given, dict):
        raise TypeError(f"'{type(given).__name__}' object is not an instance of 'dict'")
    base = given.get("base", [])
    if not isinstance(base, list):
        raise ValueError("'base' must be a list of dicts")
    for keys in base:
        if not isinstance(keys, dict):
            raise ValueError("expected a dict")
        if RESERVED in keys:
            raise ValueError(f"base entries must not contain '{RESERVED}' key: the encoder writes it")
    name = "_extra_" if "_extra_" in given else "extra"
    extra = given.get(name, {})
    if not isinstance(extra, dict):
        alias = "" if name == "_extra_" else " when provided as a convenience alias for '_extra_'"
        raise ValueError(f"'{name}' must be a dict{alias}")
    if RESERVED in given:
        raise ValueError(f"'{RESERVED}' must not be set by client code: the encoder writes it")
    out = {key: value for key, value in given.items() if key not in ("base", "_extra_", "extra")}
    out.update(extra)
    return base, out


def checked_pair(item) -> tuple[dict, object]:
    """Return a pair of descriptor and data. Raise ValueError if it is none."""
    if not isinstance(item, tuple) or len(item) != 2:
        raise ValueError("each element must be a (descriptor_dict, data) tuple of length 2")
    if not isinstance(item[0], dict):
        raise ValueError("first element of each pair must be a descriptor dict")
    return item


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


def _check_type(d: DataObjectDescriptor) -> None:
    if not d.obj_type:
        raise metadata_error("obj_type must not be empty")
    if len(d._strides) != len(d._shape):
        raise metadata_error(f"strides.len() {len(d._strides)} does not match shape.len() {len(d._shape)}")


def _missing_element(d: DataObjectDescriptor, elements: np.ndarray, number: int) -> ValueError:
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


def keys_of(base: list[dict], j: int) -> dict:
    """Return the keys of object ``j``; none if the caller gives fewer."""
    return base[j] if j < len(base) else {}


def _check_counts(base: list[dict], objects: list) -> None:
    if len(base) > len(objects):
        raise metadata_error(
            f"metadata base has {len(base)} entries but only {len(objects)} descriptors provided; "
            "extra base entries would be discarded"
        )


def _checked_list(pairs) -> list:
    if not isinstance(pairs, list):
        raise TypeError(f"'{type(pairs).__name__}' object is not an instance of 'list'")
    return [checked_pair(item) for item in pairs]


@translates_errors
def encode(
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
) -> bytes:
    """Encode arrays as one message.

    Args:
        global_meta_dict: ``base``, a list with a dict of keys for each object; all other keys are those of the message.
        descriptors_and_data: a list of pairs: a dict that describes an object, and an array or bytes. A descriptor has
            ``type``, ``shape`` and ``dtype``; further ``byte_order``, ``encoding``, ``filter``, ``compression`` and
            their parameters. Arrays may have any strides and byte order; bytes are those that are stored.
        hash: ``"xxh3"``, or ``"none"`` or None for no hashes.
        threads: accepted and checked; encoding uses one thread.
        allow_nan, allow_inf: store NaN and infinities in masks. Without it they are an error.
        nan_mask_method, pos_inf_mask_method, neg_inf_mask_method: compression of the masks: ``"none"``, ``"rle"``,
            ``"roaring"`` (the default), ``"lz4"``, ``"zstd"`` or ``"blosc2"``.
        small_mask_threshold_bytes: masks up to this size are not compressed. Default: 128.
        aggregate_hash: where the list of hashes is: ``"auto"``, ``"none"``, ``"header"``, ``"footer"`` or ``"both"``.

    Raises:
        ValueError: descriptor, data and metadata do not fit each other or the format.
    """
    base, extra = split_metadata(global_meta_dict)
    pairs = _checked_list(descriptors_and_data)
    options = EncodeOptions(hash, threads, allow_nan, allow_inf, nan_mask_method, pos_inf_mask_method,
                            neg_inf_mask_method, small_mask_threshold_bytes, aggregate_hash)
    descriptors = [DataObjectDescriptor.from_dict(given) for given, _ in pairs]
    _check_counts(base, pairs)
    made = [new_object(d, data, keys_of(base, j), options) for j, (d, (_, data)) in enumerate(zip(descriptors, pairs))]
    try:
        return _core.encode([each for each, _ in made], extra, **options.of_message())
    except Error as error:
        if error.code == "non_finite" and error.object is not None:
            j = error.object
            raise _missing_element(descriptors[j], made[j][1], error.found) from None
        raise


@translates_errors
def encode_pre_encoded(global_meta_dict, descriptors_and_data, hash="xxh3", threads=0) -> bytes:
    """Write payloads that are encoded already as one message.

    Args:
        global_meta_dict, hash, threads: as for ``encode``.
        descriptors_and_data: a list of pairs: a descriptor with all parameters, and bytes as they are stored.
    """
    base, extra = split_metadata(global_meta_dict)
    pairs = _checked_list(descriptors_and_data)
    options = EncodeOptions(hash, threads)
    descriptors = [DataObjectDescriptor.from_dict(given) for given, _ in pairs]
    objects = [stored_object(d, data, keys_of(base, j)) for j, (d, (_, data)) in enumerate(zip(descriptors, pairs))]
    _check_counts(base, objects)
    return _core.encode(objects, extra, **options.of_message())


def compute_packing_params(values, bits_per_value, decimal_scale_factor) -> dict:
    """Return the parameters of simple_packing that encode would compute for float64 values of one dimension.

    >>> import numpy
    >>> compute_packing_params(numpy.array([1.0, 2.0, 4.0]), 8, 0)["sp_reference_value"]
    1.0
    """
    if not isinstance(values, np.ndarray) or values.dtype != np.float64 or values.ndim != 1:
        raise TypeError("values must be an array of float64 with one dimension")
    if not 0 <= bits_per_value <= 64:
        raise ValueError(f"bits_per_value {bits_per_value} exceeds maximum of 64")
    finite = np.isfinite(values)
    if not finite.all():
        first = int(np.argmin(finite))
        kind = "NaN value" if np.isnan(values[first]) else "infinite value"
        raise ValueError(f"{kind} encountered at index {first}")
    return _packing_params(values, bits_per_value, decimal_scale_factor)


@translates_errors
def _packing_params(values: np.ndarray, bits: int, decimal_scale: int) -> dict:
    found = _core.compute_packing(values, bits=bits, decimal_scale=decimal_scale)
    return {
        "sp_reference_value": found["reference"],
        "sp_binary_scale_factor": found["binary_scale"],
        "sp_decimal_scale_factor": found["decimal_scale"],
        "sp_bits_per_value": found["bits"],
    }
