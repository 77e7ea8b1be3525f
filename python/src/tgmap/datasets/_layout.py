# SPDX-License-Identifier: Apache-2.0
"""The messages of a dataset as plain data, which tasks on other machines write. Nothing here needs xarray."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._core import NewObject
from ._labels import Label, put


@dataclass(frozen=True)
class Field:
    """The objects of a variable.

    Attributes:
        name: the variable.
        metadata: keys that all of them have.
        options: how they are encoded.
        dtype, shape: of each, as the format names it.
        labels: that only this variable has.
    """

    name: str
    metadata: Mapping[str, Any]
    options: Mapping[str, Any]
    dtype: str
    shape: tuple[int, ...]
    labels: Sequence[Label] = ()

    def object(self, labels: Mapping[str, Any], elements: NDArray[Any]) -> NewObject:
        """Return the object of a cell."""
        metadata = _copied(self.metadata)
        for key, value in labels.items():
            put(metadata, key, value)
        return NewObject(elements, metadata, **self.options)


@dataclass(frozen=True)
class MessageSet:
    """Messages of variables with the same dimensions between objects: one for each combination of labels.

    Attributes:
        dims, sizes: the dimensions between objects; the last one varies fastest.
        fields: the variables.
        coordinates: elements and keys of the objects that each message begins with.
        labels: all labels of the dataset.
    """

    dims: tuple[str, ...]
    sizes: tuple[int, ...]
    fields: Sequence[Field]
    coordinates: Sequence[tuple[NDArray[Any], Mapping[str, Any]]]
    labels: Sequence[Label]

    @property
    def names(self) -> list[str]:
        """The variables."""
        return [each.name for each in self.fields]

    def messages(
        self,
        elements: Callable[[int, tuple[int, ...]], NDArray[Any]],
        start: tuple[int, ...] | None = None,
        shape: tuple[int, ...] | None = None,
    ) -> Iterator[list[NewObject]]:
        """Return the objects of each message, in order.

        Args:
            elements: returns the elements of the field of a number at a position, which counts from `start`.
            start, shape: the block of messages. Default: all.
        """
        start = start or (0,) * len(self.dims)
        shared = [NewObject(values, dict(metadata)) for values, metadata in self.coordinates]
        for index in itertools.product(*map(range, self.sizes if shape is None else shape)):
            position = {dim: first + i for dim, first, i in zip(self.dims, start, index)}
            labels: dict[str, Any] = {}
            for each in self.labels:
                labels.update(each.keys(position))
            fields = []
            for n, field in enumerate(self.fields):
                own = {key: value for each in field.labels for key, value in each.keys(position).items()}
                fields.append(field.object({**labels, **own}, elements(n, index)))
            yield [*shared, *fields]

    def numbers(self, start: tuple[int, ...], shape: tuple[int, ...]) -> NDArray[np.int64]:
        """Return the numbers of the messages of a block in the whole set."""
        if not self.dims:
            return np.zeros(1, dtype=np.int64)
        axes = np.ix_(*(np.arange(first, first + size) for first, size in zip(start, shape)))
        return np.asarray(np.ravel_multi_index(axes, self.sizes), dtype=np.int64).reshape(-1)


def _copied(metadata: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _copied(value) if isinstance(value, dict) else value for key, value in metadata.items()}
