# SPDX-License-Identifier: Apache-2.0
"""Tensors: their dtypes, the memory that they own, and the same memory as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.utils.data import get_worker_info

_NAMES = (
    "bool uint8 int8 uint16 int16 uint32 int32 uint64 int64 float16 bfloat16 float32 float64 complex64 complex128"
).split()
_SAME_SIZE = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}


def torch_dtype(dtype: np.dtype[Any]) -> torch.dtype:
    """Return the dtype of tensors of the elements of arrays.

    bfloat16 is that of ``ml_dtypes``, or ``V2``, as arrays have it without that package. Byte order has no meaning.

    Raises:
        TypeError: tensors do not have such elements.
    """
    name = "bfloat16" if dtype == np.dtype("V2") else dtype.name
    found = getattr(torch, name, None) if name in _NAMES else None
    if not isinstance(found, torch.dtype):
        raise TypeError(f"PyTorch {torch.__version__} has no tensors of {dtype}; cast arrays of tgmap.samples")
    return found


def numpy_dtype(dtype: torch.dtype) -> np.dtype[Any]:
    """Return the dtype of arrays of the elements of tensors. Raises TypeError if they have none, as bfloat16."""
    name = str(dtype).removeprefix("torch.")
    if name not in _NAMES or name == "bfloat16":
        raise TypeError(f"arrays have no elements of {dtype}")
    return np.dtype(name)


def require_cast(stored: torch.dtype, wanted: torch.dtype) -> None:
    """Raise TypeError if elements of a dtype would have another meaning in another one: fractions, signs, large ones.

    Floating numbers may lose digits, and become infinite in a smaller dtype.
    """
    is_safe = torch.can_cast(stored, wanted)
    if is_safe and not (wanted.is_floating_point or wanted.is_complex or stored == torch.bool):
        own, other = torch.iinfo(stored), torch.iinfo(wanted)
        is_safe = other.min <= own.min and own.max <= other.max
    if not is_safe:
        raise TypeError(f"elements of {stored} cannot be cast to {wanted} without a change; use a transform")


def empty(shape: Sequence[int], dtype: torch.dtype, pin: bool | None) -> torch.Tensor:
    """Return a tensor of memory that nothing else uses: shared memory in workers, so that batches are not copied there.

    Args:
        pin: in the main process, whether the memory is pinned. None: if CUDA is in use.
    """
    if get_worker_info() is not None:
        return _shared(shape, dtype)
    is_pinned = _uses_cuda() if pin is None else pin
    return torch.empty(tuple(shape), dtype=dtype, pin_memory=is_pinned)


def _uses_cuda() -> bool:
    """Return whether this process has used CUDA. Asking for pinned memory would begin to."""
    return bool(torch.cuda.is_initialized())  # type: ignore[no-untyped-call]


def _shared(shape: Sequence[int], dtype: torch.dtype) -> torch.Tensor:
    if math.prod(shape) == 0:
        return torch.empty(tuple(shape), dtype=dtype)
    # As the DataLoader's own collate does: share_memory_() would copy.
    storage = torch.UntypedStorage._new_shared(math.prod(shape) * dtype.itemsize)  # type: ignore[no-untyped-call]
    flat: torch.Tensor = torch.empty(0, dtype=dtype).set_(storage)
    return flat.view(tuple(shape))


def as_array(tensor: torch.Tensor, dtype: np.dtype[Any]) -> NDArray[Any]:
    """Return the memory of a dense tensor on the CPU as an array of a dtype of equal size."""
    if tensor.dtype == torch.bfloat16 or tensor.dtype in (torch.uint16, torch.uint32, torch.uint64):
        tensor = tensor.view(_SAME_SIZE[dtype.itemsize])
    found: NDArray[Any] = tensor.numpy()
    return found if found.dtype == dtype else found.view(dtype)
