# SPDX-License-Identifier: Apache-2.0
"""Objects in the form that they are stored in."""

from __future__ import annotations

import numpy as np

from .. import _core
from .._archive import open as open_archive


def _address(buffer) -> int:
    return np.frombuffer(buffer, np.uint8).ctypes.data


def stored_form(made: _core.NewObject, keys: dict, changes: dict) -> _core.StoredObject:
    """Encode an object, and return it with other entries of its descriptor."""
    message = open_archive(_core.encode(made), index="none").at_offset(0)
    item = message[0]
    whole = message.bytes
    begin = _address(item.payload) - _address(whole) if len(item.payload) else 0
    region = bytes(whole[begin : begin + item.stored_nbytes])
    return _core.StoredObject({**item.descriptor.to_dict(), **changes}, region, keys)
