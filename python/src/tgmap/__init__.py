# SPDX-License-Identifier: Apache-2.0
"""Tensogram archives as arrays of NumPy: views of the mapped file, with nothing copied.

>>> import tgmap
>>> archive = tgmap.open("forecast.tgm")  # doctest: +SKIP
>>> archive[0][0].array                   # doctest: +SKIP
"""

from collections.abc import Mapping

from ._archive import Archive, open
from ._core import (
    Descriptor,
    Message,
    Metadata,
    NewObject,
    Object,
    StoredObject,
    doctor,
    has_guard,
    install_guard,
)
from ._errors import Error
from ._table import Table
from ._writing import Writer, create, encode

Mapping.register(Metadata)

__all__ = [
    "Archive",
    "Descriptor",
    "Error",
    "Message",
    "Metadata",
    "NewObject",
    "Object",
    "StoredObject",
    "Table",
    "Writer",
    "create",
    "doctor",
    "encode",
    "has_guard",
    "install_guard",
    "open",
]
