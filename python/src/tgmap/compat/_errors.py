# SPDX-License-Identifier: Apache-2.0
"""Exceptions as the reference package raises them."""

from __future__ import annotations

import functools

from .._errors import Error
from .._scalars import scalar


class IntegrityError(Exception):
    """The bytes of an object cannot be shown to be those that were written."""


class MissingHashError(IntegrityError):
    """An object has no hash to compare with. Attribute: object_index."""


class HashMismatchError(IntegrityError):
    """A stored hash is not that of the bytes. Attributes: object_index, expected, actual."""


def missing_hash(object_index: int) -> MissingHashError:
    """Return the exception for an object without a hash."""
    error = MissingHashError(
        f"MissingHash: object_index={object_index}; the message was written without hashes. "
        "Write it with hashes, or decode it without verify_hash=True"
    )
    error.object_index = object_index
    return error


def hash_mismatch(object_index: int, expected: int, actual: int) -> HashMismatchError:
    """Return the exception for an object whose bytes have another hash."""
    error = HashMismatchError(
        f"HashMismatch: object_index={object_index}, expected={expected:016x}, actual={actual:016x}"
    )
    error.object_index = object_index
    error.expected = f"{expected:016x}"
    error.actual = f"{actual:016x}"
    return error


_KINDS = {
    "FramingError": (
        "not_a_message unknown_version version_1 message_too_short message_exceeds_file missing_end_magic "
        "length_mismatch unterminated_stream damaged too_many_gaps not_a_frame frame_too_short frame_exceeds_message "
        "missing_frame_end frame_out_of_order orphan_preceder padding_too_long not_an_object bad_index "
        "index_count_mismatch bad_index_offset index_incomplete index_length_mismatch bad_descriptor_offset "
        "mask_out_of_range incomplete_message read_past_end file_shrank"
    ),
    "MetadataError": (
        "no_metadata bad_descriptor unknown_dtype shape_overflow too_many_dimensions base_count_mismatch bad_preceder "
        "duplicate_key bad_cbor cbor_too_deep wrong_kind value_out_of_range payload_size_mismatch metadata_limit "
        "object_limit bad_parameter invalid_strides reserved_key bad_key"
    ),
    "CompressionError": "codec_absent codec_forbidden codec_failed too_large",
    "ObjectError": "out_of_range",
}
_KIND_OF = {code: kind for kind, codes in _KINDS.items() for code in codes.split()}


def translated(error: Error) -> ValueError:
    """Return an error of this package as the reference package words it: the kind of error comes first."""
    return ValueError(f"{_KIND_OF.get(error.code, 'EncodingError')}: {error}")


def translates_errors(function):
    """Make a function raise ValueError, as the reference package does, in place of Error."""

    @functools.wraps(function)
    def call(*args, **kwargs):
        try:
            return function(*args, **kwargs)
        except Error as error:
            raise translated(error) from error

    return call


def unsigned(number) -> int:
    """Return an index that is not negative. Raise TypeError or OverflowError for others."""
    given, number = number, scalar(number)
    if not isinstance(number, int):
        raise TypeError(f"'{type(given).__name__}' object cannot be interpreted as an integer")
    if number < 0:
        raise OverflowError("can't convert negative int to unsigned")
    return int(number)
