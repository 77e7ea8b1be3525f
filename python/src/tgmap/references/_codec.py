# SPDX-License-Identifier: Apache-2.0
"""The codec ``tgmap`` of Zarr v3: chunks that are objects of archives as they are stored."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
from zarr.abc.codec import BytesBytesCodec
from zarr.core.array_spec import ArraySpec
from zarr.core.buffer import Buffer
from zarr.registry import register_codec

from ._configuration import Configuration

_SMALL = 1 << 16


@dataclass(frozen=True)
class TgmapCodec(BytesBytesCodec):
    """Decodes an object of an archive from its bytes: any encoding, filter, compression, and masks.

    Zarr finds it by its name ``tgmap`` where this package is installed. The stored hash of the object is compared. The
    elements that it gives are little endian, in C order. It encodes nothing.

    Attributes:
        configuration: what the objects have in common: see :class:`Configuration`.
    """

    configuration: Configuration

    is_fixed_size = False

    @classmethod
    def from_dict(cls, data: dict[str, Any]) -> TgmapCodec:
        """Return the codec of a document. Raises ValueError if its configuration is wrong."""
        if data.get("name") != "tgmap":
            raise ValueError(f"the codec is {data.get('name')!r}, not 'tgmap'")
        return cls(Configuration.from_dict(data.get("configuration")))

    def to_dict(self) -> dict[str, Any]:
        """Return the document of the codec."""
        return {"name": "tgmap", "configuration": self.configuration.to_dict()}

    def get_config(self) -> dict[str, Any]:
        """Return the configuration of the codec in Zarr v2, which VirtualiZarr writes into references of kerchunk."""
        return {"id": "tgmap", **self.configuration.to_dict()}

    async def decode(self, chunks_and_specs: Iterable[tuple[Buffer | None, ArraySpec]]) -> Iterable[Buffer | None]:
        """Return the elements of chunks. Small ones need no task each, which takes longer than decoding them."""
        batch = list(chunks_and_specs)
        if any(chunk is not None and len(chunk) >= _SMALL for chunk, _ in batch):
            return await super().decode(batch)
        return [None if chunk is None else self._decode_sync(chunk, spec) for chunk, spec in batch]

    async def _decode_single(self, chunk_data: Buffer, chunk_spec: ArraySpec) -> Buffer:
        return await asyncio.to_thread(self._decode_sync, chunk_data, chunk_spec)

    def _decode_sync(self, chunk_data: Buffer, chunk_spec: ArraySpec) -> Buffer:
        found = np.ascontiguousarray(self.configuration.decode(chunk_data.as_numpy_array()))
        return chunk_spec.prototype.buffer.from_array_like(found.reshape(-1).view(np.uint8))

    async def _encode_single(self, chunk_data: Buffer, chunk_spec: ArraySpec) -> Buffer | None:
        raise ValueError(
            "the codec 'tgmap' reads references to archives and writes nothing; choose other codecs, such as by "
            "dataset.drop_encoding()"
        )

    def compute_encoded_size(self, input_byte_length: int, chunk_spec: ArraySpec) -> int:
        """Raise NotImplementedError: sizes of stored objects differ."""
        raise NotImplementedError


register_codec("tgmap", TgmapCodec)
