# SPDX-License-Identifier: Apache-2.0
"""Archives as map-style datasets."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import torch
import torch.utils.data
from numpy.typing import ArrayLike

from ..samples import Samples
from ._collate import Batch, batch_of, collate
from ._tensors import as_array, empty, numpy_dtype, require_cast, torch_dtype


class Dataset(torch.utils.data.Dataset[Any]):
    """Samples of archives as tensors, in any order: a map-style dataset.

    A batch is read by one :func:`tgmap.gather` into one tensor: pass ``collate_fn=tgmap.torch.collate`` to the
    ``DataLoader``, and nothing is copied after that. In workers it is shared memory, in the main process pinned memory
    if CUDA is in use. Tensors own their memory and can be written. Workers, however they are started, open files by the
    places of objects and scan nothing. Samplers, ``Subset``, ``random_split`` and ``DistributedSampler`` work as usual.

    Args:
        source: :class:`tgmap.samples.Samples`, or what that is made of: a path, an archive, a collection, a list.
        transform: is called with the tensor of each sample, and returns what the sample is.
        dtype: the dtype of tensors. Default: that of the objects; a bitmask becomes bool. Floating elements may be cast
            to any floating dtype, integers to what holds all of theirs.
        indices: samples are pairs of a tensor and the number of the sample. Its labels are in ``samples.labels``.
        pin_memory: whether batches of the main process are in pinned memory. Default: if CUDA is in use.
        threads: of the library, 0 for one on each processor. Default: 0, and 1 in workers.
        options: those of :class:`tgmap.samples.Samples`, such as `sample`, `channel`, `times` and `where`.

    Attributes:
        samples: the samples as arrays, with their labels, channels and places.

    Raises:
        SampleError, ValueError, Error: as :class:`tgmap.samples.Samples` does.
        TypeError: tensors do not have such elements, or cannot be cast so without another meaning.
    """

    def __init__(
        self,
        source: Any,
        *,
        transform: Callable[[torch.Tensor], Any] | None = None,
        dtype: torch.dtype | None = None,
        indices: bool = False,
        pin_memory: bool | None = None,
        threads: int | None = None,
        **options: Any,
    ):
        if isinstance(source, Samples) and options:
            raise TypeError(f"the samples are made; pass {', '.join(options)} to Samples")
        if dtype is not None and dtype != torch.bfloat16:  # which NumPy does not have
            options["dtype"] = numpy_dtype(dtype)
        self.samples = source if isinstance(source, Samples) else Samples(source, **options)
        self.transform = transform
        self._dtype = dtype
        self._indices, self._pin_memory, self._threads = bool(indices), pin_memory, threads
        self._stored_dtype = torch_dtype(self.samples.dtype)
        if dtype is not None:
            require_cast(self._stored_dtype, dtype)

    @property
    def shape(self) -> torch.Size:
        """Shape of one sample, before the transform."""
        return torch.Size(self.samples.shape)

    @property
    def dtype(self) -> torch.dtype:
        """The dtype of tensors, before the transform."""
        return self._stored_dtype if self._dtype is None else self._dtype

    def read(self, numbers: ArrayLike, out: torch.Tensor | None = None) -> torch.Tensor:
        """Return samples by their numbers as one tensor, without the transform.

        Args:
            numbers: in any order, also several times; negative ones count from the end.
            out: a dense tensor on the CPU for the result, such as one in pinned memory that is used again and again.

        Raises:
            IndexError: there is no such sample.
            ChangedFileError: a file is another one than when the dataset was made.
            Error: an object cannot be read.
        """
        shape = (np.size(np.asarray(numbers)), *self.samples.shape)
        if out is None:
            out = empty(shape, self.dtype, self._pin_memory)
        else:
            _require(out, shape, self.dtype)
        threads = self._threads
        if threads is None:  # workers are several, each with one thread as PyTorch has them
            threads = 0 if torch.utils.data.get_worker_info() is None else 1
        is_direct = out.dtype == self._stored_dtype and out.is_contiguous() and not out.is_neg()
        read = out.detach() if is_direct else torch.empty(shape, dtype=self._stored_dtype)
        self.samples.read(numbers, as_array(read, self.samples.dtype), threads=threads)
        if not is_direct:
            out.copy_(read)  # refuses a tensor whose elements share memory
        elif not out.is_inference():
            torch.autograd.graph.increment_version(out)  # as operations of PyTorch that write do
        return out

    def __len__(self) -> int:
        return len(self.samples)

    def __getitem__(self, number: Any) -> Any:
        """Return a sample; or a batch, of a slice or a list of numbers."""
        if isinstance(number, slice):
            number = range(len(self))[number]
        elif not np.ndim(number):
            return self.__getitems__([number])[0]
        return collate(self.__getitems__(number))

    def __getitems__(self, numbers: Sequence[int]) -> Batch:
        """Return the samples of a batch, which the ``DataLoader`` passes to its ``collate_fn``."""
        whole = self.read(numbers)
        samples = list(whole.unbind())
        results = samples if self.transform is None else [self.transform(each) for each in samples]
        if not self._indices:
            return batch_of(samples, results, whole)
        index = torch.as_tensor(np.arange(len(self))[np.asarray(numbers, dtype=np.int64)])
        batch = batch_of(samples, results, [whole, index])
        batch[:] = zip(results, index.tolist())
        return batch

    def __repr__(self) -> str:
        return f"<Dataset of {len(self)} samples of {self.dtype} {tuple(self.shape)}>"


def _require(out: Any, shape: tuple[int, ...], dtype: torch.dtype) -> None:
    """Raise TypeError or ValueError if samples cannot be read into `out`."""
    if not isinstance(out, torch.Tensor):
        raise TypeError(f"out must be a tensor, not {type(out).__name__}")
    if tuple(out.shape) != shape or out.dtype != dtype or out.device.type != "cpu":
        what = f"{tuple(out.shape)} {out.dtype} on {out.device}"
        raise ValueError(f"out must have the shape {shape} and the dtype {dtype}, on the CPU, not {what}")
    if out.requires_grad and torch.is_grad_enabled():
        raise ValueError(
            "out requires gradients, which reading does not have; pass out.detach(), or use torch.no_grad()"
        )
    if out.is_conj() or out.layout != torch.strided:
        raise ValueError("out must be a dense tensor, and not a conjugate view")
