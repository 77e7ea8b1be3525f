# SPDX-License-Identifier: Apache-2.0
"""Tables: the values of metadata keys in many messages or objects."""

from __future__ import annotations

from typing import Any

import numpy as np

from .._lists import check_masks
from .._scalars import scalar
from .codes import Codes, codes_of_integers, read_only

_MAX_EXACT = 2**53  # up to here a float64 holds every integer
_SHOWN_ROWS = 10


class Table:
    """The values of several keys, one row for each message or object. See :meth:`Archive.table`.

    Columns are read-only arrays: int64, uint64, float64, bool, or object for text. Rows without a value have None in
    text and bool, and NaN in numbers; integers that float64 cannot hold become object with None.

    Attributes:
        names: of the columns: ``"message"``, ``"object"`` if rows are objects, and the keys.
        unread: messages that were left out, with the reason: ``[(number, text), ...]``.
        omitted: keys that few rows have, and that ``all_keys`` leaves out because a column of each would take too much.
        omits_more: there are more than 16,384 other keys.
    """

    def __init__(self, data: Any) -> None:
        self._data = data
        self._keys = tuple(data.keys)
        self._numbers = {key: number for number, key in enumerate(self._keys)}
        self._arrays = {}
        self.omitted = tuple(data.omitted)
        self.omits_more = data.omits_more
        self.names = ("message", *(("object",) if data.has_objects else ()), *self._keys)

    @property
    def rows(self) -> int:
        """Number of rows."""
        return len(self._data)

    @property
    def addresses(self) -> np.ndarray:
        """Numbers of the message and of the object of each row, for :meth:`Archive.gather`: shape (rows, 2)."""
        return self._data.addresses

    @property
    def archives(self) -> np.ndarray:
        """The number of the archive of each row, in a table of several; else zeros."""
        found = self._data.archives
        return found if len(found) == len(self) else np.zeros(len(self), dtype=np.int64)

    @property
    def unread(self) -> list:
        return self._data.unread

    def __len__(self) -> int:
        return len(self._data)

    def __contains__(self, name) -> bool:
        return name in self.names

    def __iter__(self):
        return iter(self.names)

    def keys(self):
        """Return the names, so that ``dict(table)`` has all columns."""
        return self.names

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self._arrays:
            if name not in self.names:
                raise KeyError(name)
            array = self._column(name)
            array.flags.writeable = False
            self._arrays[name] = array
        return self._arrays[name]

    def _column(self, name):
        if name == "message":
            return self._data.messages
        if name == "object" and self._data.has_objects:
            return self._data.objects
        values, present, texts = self._data.column(self._numbers[name])
        if values is None:
            return np.full(len(self), None, dtype=object)
        if texts is not None:
            return _text_array(values, present, texts)
        return values if present is None else _array_with_missing(values, present)

    def codes(self, name: str) -> Codes:
        """Return the different values of a column with their types, and which one each row has.

        >>> import tgmap
        >>> codes = tgmap.open("forecast.tgm").table("mars.step").codes("mars.step")
        >>> codes.codes.tolist(), codes.values, codes.kinds[0]
        ([0, 0, 1, 1, 2, 2, 3, 3], [0, 6, 12, 18], 'integer')
        """
        if name not in self.names:
            raise KeyError(name)
        if name not in self._numbers:  # numbers of messages or objects
            return codes_of_integers(self[name])
        codes, values, kinds = self._data.codes(self._numbers[name])
        return Codes(codes, values, kinds)

    def present(self, name: str) -> np.ndarray:
        """Return which rows have a value."""
        if name not in self.names:
            raise KeyError(name)
        found = self._data.present(self._numbers[name]) if name in self._numbers else None
        return read_only(np.ones(len(self), dtype=bool)) if found is None else found

    def types(self, name: str) -> tuple[str, ...]:
        """Return the kinds of values that occur in a column, such as ``("integer", "text")``. See :class:`Codes`."""
        return self.codes(name).types

    def to_pandas(self):
        """Return a DataFrame with these columns. Needs pandas."""
        import pandas

        return pandas.DataFrame({name: self[name] for name in self.names})

    def __arrow_c_stream__(self, requested_schema=None):
        """Return an Arrow stream of one batch: ``pyarrow.table(t)``, ``polars.from_arrow(t)``. Text is a dictionary."""
        return self._data.__arrow_c_stream__()

    def __repr__(self) -> str:
        lines = [_padded(row) for row in zip(*map(_aligned, self._shown_columns()))]
        return "\n".join([*lines, f"[{len(self)} rows x {len(self.names)} columns]"])

    def _repr_html_(self) -> str:
        import html

        header, *body = zip(*self._shown_columns())
        rows = ["<tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in header) + "</tr>"]
        rows += ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in body]
        return f"<table>{''.join(rows)}</table><p>{len(self)} rows x {len(self.names)} columns</p>"

    def _shown_columns(self):
        """Return the first and the last rows as text, under the name of each column."""
        half = _SHOWN_ROWS // 2
        columns = []
        for name in self.names:
            array = self[name]
            if len(self) <= _SHOWN_ROWS:
                cells = list(map(_cell, array))
            else:
                cells = [*map(_cell, array[:half]), "...", *map(_cell, array[-half:])]
            columns.append([_cell(name), *cells])
        return columns


def _text_array(codes, present, texts):
    lookup = np.empty(len(texts) + 1, dtype=object)  # the last one is None
    lookup[:-1] = texts
    if present is not None:
        codes = np.where(present, codes, len(texts))
    return lookup[codes]


def _array_with_missing(values, present):
    known = values[present]
    is_integer = values.dtype.kind in "iu"
    is_exact = not is_integer or (known.max() <= _MAX_EXACT and known.min() >= -_MAX_EXACT)
    if values.dtype.kind == "b" or not is_exact:
        out = values.astype(object)
        out[~present] = None
        return out
    out = values.astype(np.float64)
    out[~present] = np.nan
    return out


def _cell(value) -> str:
    from .. import _core

    return _core._shown(str(value))


def _aligned(cells):
    width = max(map(len, cells))
    return [cell.rjust(width) for cell in cells]


def _padded(cells):
    return "  ".join(cells)


def read(opened, keys, objects, where, skip_unread, threads, all_keys=False) -> Table:
    """Return the table of an open archive."""
    from .. import _core

    keys = (keys,) if isinstance(keys, str) else tuple(keys)
    for i, key in enumerate(keys):
        if not isinstance(key, str):
            raise TypeError(f"keys must be text, not {type(key).__name__}")
        if key in keys[:i]:
            raise ValueError(f"the key '{_core._shown(key)}' is given twice")
        if key == "message" or (key == "object" and objects):
            raise ValueError(f"the table has a column '{key}' of its own; use '@{key}'")
    others = all_keys if isinstance(all_keys, (list, tuple)) else bool(scalar(all_keys))  # lists are those of cubes
    return Table(_core._read_table(opened, keys, objects, where, skip_unread, threads, others))


def read_together(opened, keys, where, others) -> Table:
    """Return one table of the objects of several open archives; see read_objects()."""
    from .. import _core

    return Table(_core._read_tables(list(opened), keys, True, where, False, 0, others))


def read_objects(opened, keys, where, others) -> Table:
    """Return the table of the objects of an open archive, for cubes.

    Args:
        others: the last names of keys that are left out of the further keys of objects, or False for no further keys.
    """
    return read(opened, keys, True, where, False, 0, others)


def to_addresses(archive, wanted) -> np.ndarray | list:
    """Return pairs of a message and an object as an array of int64; numbers of messages stand for their object 0.

    If there are objects or messages among them, returns a list of objects.
    """
    from .. import _core

    if isinstance(wanted, Table):
        return wanted.addresses
    if isinstance(wanted, (_core.Object, _core.Message)):
        wanted = [wanted] if isinstance(wanted, _core.Object) else list(wanted)
    if not isinstance(wanted, np.ndarray):
        wanted = list(wanted)
        if any(isinstance(each, (_core.Object, _core.Message)) for each in wanted):
            return [_object_at(archive, each) for each in wanted]
    check_masks(wanted, "addresses must not be masked; pass array.compressed() or array.filled(0)")
    array = np.asarray(wanted)
    if array.size == 0:
        return np.empty((0, 2), dtype=np.int64)
    if array.dtype.kind not in "iu":
        array = _integers(wanted, array)
    if array.ndim == 1:
        array = np.stack([array, np.zeros_like(array)], axis=1)
    if array.ndim != 2 or array.shape[1] != 2:
        raise ValueError(f"addresses must have the shape (n, 2) or (n,), not {array.shape}")
    if array.dtype.kind != "i":
        _require_int64(array)
    return np.ascontiguousarray(array, dtype=np.int64)


def _integers(wanted, array):
    """Return numbers of a list that NumPy does not take for integers: Decimal, Fraction, and those beyond 64 bits."""
    if array.dtype.kind == "O" or (array.dtype.kind == "f" and not isinstance(wanted, np.ndarray)):
        array = np.asarray(wanted, dtype=object)
        plain = [scalar(each) for each in array.ravel().tolist()]
        if all(type(each) is int for each in plain):
            out = np.empty(array.size, dtype=object)
            out[:] = plain
            return out.reshape(array.shape)
    raise TypeError("addresses must be a table, objects, pairs of integers, or numbers of messages")


def _require_int64(array) -> None:
    limit = 2**63
    for message, object in array[((array >= limit) | (array < -limit)).any(axis=1)].tolist():
        raise IndexError(f"there is no object {_short(message)}:{_short(object)}")


def _short(number: int) -> str:
    return str(number) if abs(number) < 10**40 else hex(number)[:40] + "..."


def plain_slab(slab):
    """Return a slab whose integers are those of Python, whatever numbers they were."""
    if isinstance(slab, tuple):
        return tuple(map(_plain_index, slab))
    return _plain_index(slab)


def _plain_index(key):
    if isinstance(key, slice):
        return slice(*(scalar(each) for each in (key.start, key.stop, key.step)))
    number = scalar(key)
    return number if type(number) is int else key


def _object_at(archive, address):
    """Return the object of an address: itself, the first one of a message, or that of numbers."""
    from .. import _core

    if isinstance(address, _core.Object):
        return address
    if isinstance(address, _core.Message):
        return address[0]
    ((message, object),) = to_addresses(archive, [address])
    return archive[int(message)][int(object)]
