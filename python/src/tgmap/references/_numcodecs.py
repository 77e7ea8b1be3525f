# SPDX-License-Identifier: Apache-2.0
"""The codec ``tgmap`` of numcodecs, which readers of Zarr v2 use, such as those of references of kerchunk."""

from __future__ import annotations

from typing import Any

import numpy as np
from numcodecs.abc import Codec  # type: ignore[import-untyped]
from numcodecs.compat import ndarray_copy  # type: ignore[import-untyped]
from numcodecs.registry import register_codec  # type: ignore[import-untyped]

from ._configuration import Configuration


class TgmapNumcodec(Codec):  # type: ignore[misc]
    """Decodes an object of an archive from its bytes. See :class:`tgmap.references.TgmapCodec`."""

    codec_id = "tgmap"

    def __init__(self, **configuration: Any):
        self._configuration = Configuration.from_dict(configuration)

    def get_config(self) -> dict[str, Any]:
        """Return the configuration, as documents have it."""
        return {"id": self.codec_id, **self._configuration.to_dict()}

    @classmethod
    def from_config(cls, config: dict[str, Any]) -> TgmapNumcodec:
        """Return the codec of a document. Raises ValueError if its configuration is wrong."""
        return cls(**config)

    def decode(self, buf: Any, out: Any = None) -> Any:
        """Return the bytes of the elements of a chunk."""
        found = np.ascontiguousarray(self._configuration.decode(buf)).reshape(-1).view(np.uint8)
        return found if out is None else ndarray_copy(found, out)

    def encode(self, buf: Any) -> Any:
        """Raise ValueError: the codec writes nothing."""
        raise ValueError("the codec 'tgmap' reads references to archives and writes nothing; choose another one")


register_codec(TgmapNumcodec)
