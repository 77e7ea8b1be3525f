# SPDX-License-Identifier: Apache-2.0
"""Tensogram archives as arrays of NumPy: views of the mapped file, with nothing copied.

>>> import tgmap
>>> archive = tgmap.open("forecast.tgm")
>>> archive[0][0].array
array([[273.5 , 274.  , 271.25, 270.  ],
       [272.5 , 273.  , 275.  , 276.5 ],
       [280.  , 281.5 , 279.25, 278.  ]], dtype=float32)
"""

import sys
from collections.abc import Mapping

# The extension module is loaded once in a process. It stays in `sys` if somebody removes the package from sys.modules.
if hasattr(sys, "_tgmap_core"):
    sys.modules[__name__ + "._core"] = getattr(sys, "_tgmap_core")

from . import _core
from ._archive import Archive, open
from ._collection import Collection, open_many
from ._core import (
    Descriptor,
    Message,
    Metadata,
    NewObject,
    Object,
    StoredObject,
    __version__,
    compute_packing,
    doctor,
    has_guard,
    install_guard,
    xxh3,
)
from ._dataset import explain_cube, to_dataset, to_datatree
from ._errors import ChangedFileError, CollectionWarning, Error, IndexWarning, KeyWarning, ReplacedWarning
from ._gathering.gather import close_files, gather
from ._gathering.places import Places
from ._printing.show import show
from ._selection import quote
from ._tables.codes import Codes, CollectionTable
from ._tables.key_list import KeyList, KeySummary
from ._tables.table import Table
from ._validation import CheckedMessage, Finding, Validation, validate
from ._writing import Appender, StreamWriter, Writer, append, create, encode, stream

setattr(sys, "_tgmap_core", _core)
Mapping.register(Metadata)

__all__ = [
    "Appender",
    "Archive",
    "ChangedFileError",
    "CheckedMessage",
    "Codes",
    "Collection",
    "CollectionTable",
    "CollectionWarning",
    "Descriptor",
    "Error",
    "Finding",
    "IndexWarning",
    "KeyList",
    "KeySummary",
    "KeyWarning",
    "Message",
    "Metadata",
    "NewObject",
    "Object",
    "Places",
    "ReplacedWarning",
    "StoredObject",
    "StreamWriter",
    "Table",
    "Validation",
    "Writer",
    "append",
    "close_files",
    "compute_packing",
    "create",
    "doctor",
    "encode",
    "explain_cube",
    "gather",
    "has_guard",
    "install_guard",
    "open",
    "open_many",
    "quote",
    "show",
    "stream",
    "to_dataset",
    "to_datatree",
    "validate",
    "xxh3",
]
