# SPDX-License-Identifier: Apache-2.0
"""What the codecs ``tgmap`` of Zarr v3 and of numcodecs are configured by. Does not need Zarr."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ._frames import decode_frame, decode_message

_DTYPES = frozenset(
    "bool int8 int16 int32 int64 uint8 uint16 uint32 uint64 float16 float32 float64 complex64 complex128".split()
)
_MAX_BYTES = 1 << 40


@dataclass(frozen=True)
class Configuration:
    """What all chunks of an array have in common.

    Attributes:
        dtype: of the elements, as Zarr names it.
        shape: of each object.
        part: ``"frame"``: a chunk is the frame of an object, of wire format 3; ``"message"``: a whole message of any.
        object: the number of the object in messages.
    """

    dtype: str
    shape: tuple[int, ...]
    part: str = "frame"
    object: int = 0

    def __post_init__(self) -> None:
        if self.dtype not in _DTYPES:
            raise ValueError(f"the codec 'tgmap' has no dtype {self.dtype!r}")
        object.__setattr__(self, "shape", _sizes(self.shape))
        size = np.dtype(self.dtype).itemsize
        for extent in self.shape:
            size *= extent
        if size > _MAX_BYTES:
            raise ValueError(f"the codec 'tgmap' has objects of the shape {self.shape}, which are too large")
        if self.part not in ("frame", "message"):
            raise ValueError(f"the codec 'tgmap' has chunks of 'frame' or 'message', not {self.part!r}")
        if isinstance(self.object, bool) or not isinstance(self.object, int) or self.object < 0:
            raise ValueError(f"the codec 'tgmap' has numbers of objects, not {self.object!r}")

    @classmethod
    def from_dict(cls, data: Any) -> Configuration:
        """Return the configuration of a document. Raises ValueError if it is wrong."""
        if not isinstance(data, dict) or not {"dtype", "shape"} <= set(data) <= {"dtype", "shape", "part", "object"}:
            names = "dtype, shape, part and object"
            raise ValueError(f"the codec 'tgmap' is configured by {names}; another version wrote this")
        return cls(**data)

    def to_dict(self) -> dict[str, Any]:
        """Return the configuration as JSON has it."""
        out: dict[str, Any] = {"dtype": self.dtype, "shape": list(self.shape), "part": self.part}
        return out if self.part == "frame" else {**out, "object": self.object}

    def decode(self, content: Any) -> NDArray[Any]:
        """Return the elements of a chunk, little endian.

        Raises:
            Error: the bytes are no such object.
        """
        dtype = np.dtype(self.dtype).newbyteorder("<")
        if self.part == "frame":
            return decode_frame(content, dtype, self.shape)
        return decode_message(content, self.object, dtype, self.shape)


def _sizes(shape: Any) -> tuple[int, ...]:
    if isinstance(shape, (list, tuple)) and len(shape) <= 64:
        if all(isinstance(size, int) and not isinstance(size, bool) and 0 <= size < 2**63 for size in shape):
            return tuple(shape)
    raise ValueError(f"the codec 'tgmap' has a shape that is none: {shape!r:.80}")
