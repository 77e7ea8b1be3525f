# SPDX-License-Identifier: Apache-2.0
"""Messages that are written object by object."""

from __future__ import annotations

import io

from .._errors import Error
from .._writing import StreamWriter
from ._descriptor import DataObjectDescriptor
from ._errors import translates_errors
from ._metadata import copied
from ._objects import missing_element, new_object, stored_object
from ._options import EncodeOptions, keys_of, split_metadata


class StreamingEncoder:
    """Writes one message into memory, object by object.

    Arguments: those of ``encode``, without the objects. ``finish`` gives the message with an open length, as a stream
    has it; ``finish_backfilled`` fills the length in.
    """

    @translates_errors
    def __init__(
        self,
        global_meta_dict,
        hash="xxh3",
        threads=0,
        allow_nan=False,
        allow_inf=False,
        nan_mask_method=None,
        pos_inf_mask_method=None,
        neg_inf_mask_method=None,
        small_mask_threshold_bytes=None,
        aggregate_hash=None,
    ):
        base, extra = split_metadata(global_meta_dict)
        self._base, self._extra = copied(base), copied(extra)
        self._options = EncodeOptions(
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
        self._begin()

    def _begin(self) -> None:
        self._memory = io.BytesIO()
        self._count = 0
        self._writer = StreamWriter(self._memory, self._extra, **self._options.of_stream())

    def _open(self) -> StreamWriter:
        if self._writer is None:
            raise RuntimeError("StreamingEncoder already finished")
        return self._writer

    @translates_errors
    def write_object(self, descriptor, data) -> None:
        """Encode and write one object; arguments as the pairs of ``encode``."""
        parsed = DataObjectDescriptor.from_dict(_checked(descriptor))
        writer = self._open()
        made, elements = new_object(parsed, data, keys_of(self._base, self._count), self._options)
        try:
            writer.write(made)
        except Error as error:
            if error.code == "non_finite":
                raise missing_element(parsed, elements, error.found) from None
            raise
        self._count += 1

    @translates_errors
    def write_object_pre_encoded(self, descriptor, data) -> None:
        """Write one object whose data is encoded already."""
        parsed = DataObjectDescriptor.from_dict(_checked(descriptor))
        self._open().write(stored_object(parsed, data, keys_of(self._base, self._count)))
        self._count += 1

    @translates_errors
    def _finish(self, backfill: bool) -> bytes:
        self._open().finish(backfill=backfill)
        self._writer = None
        return self._memory.getvalue()

    def finish(self) -> bytes:
        """Return the message; its length stays open. Nothing can be written afterwards."""
        return self._finish(backfill=False)

    def finish_backfilled(self) -> bytes:
        """Return the message with its length. Nothing can be written afterwards."""
        return self._finish(backfill=True)

    def finish_and_reset(self) -> bytes:
        """Return the message; its length stays open. Begins the next message with the same metadata."""
        message = self._finish(backfill=False)
        self._begin()
        return message

    def finish_and_reset_backfilled(self) -> bytes:
        """Return the message with its length. Begins the next message with the same metadata."""
        message = self._finish(backfill=True)
        self._begin()
        return message


def _checked(descriptor) -> dict:
    if not isinstance(descriptor, dict):
        raise TypeError(f"'{type(descriptor).__name__}' object is not an instance of 'dict'")
    return descriptor
