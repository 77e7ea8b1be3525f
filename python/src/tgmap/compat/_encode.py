# SPDX-License-Identifier: Apache-2.0
"""Encoding messages."""

from __future__ import annotations

from .. import _core
from .._errors import Error
from ._descriptor import DataObjectDescriptor
from ._errors import translates_errors
from ._objects import missing_element, new_object, stored_object
from ._options import EncodeOptions, check_counts, keys_of, split_metadata


def _checked_pair(item) -> tuple[dict, object]:
    """Return a pair of descriptor and data. Raise ValueError if it is none."""
    if not isinstance(item, tuple) or len(item) != 2:
        raise ValueError("each element must be a (descriptor_dict, data) tuple of length 2")
    if not isinstance(item[0], dict):
        raise ValueError("first element of each pair must be a descriptor dict")
    return item


def _checked_list(pairs) -> list:
    if not isinstance(pairs, list):
        raise TypeError(f"'{type(pairs).__name__}' object is not an instance of 'list'")
    return [_checked_pair(item) for item in pairs]


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
    options = EncodeOptions(
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
    descriptors = [DataObjectDescriptor.from_dict(given) for given, _ in pairs]
    check_counts(base, pairs)
    made = [new_object(d, data, keys_of(base, j), options) for j, (d, (_, data)) in enumerate(zip(descriptors, pairs))]
    try:
        return _core.encode([each for each, _ in made], extra, **options.of_message())
    except Error as error:
        if error.code == "non_finite" and error.object is not None:
            j = error.object
            raise missing_element(descriptors[j], made[j][1], error.found) from None
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
    check_counts(base, objects)
    return _core.encode(objects, extra, **options.of_message())
