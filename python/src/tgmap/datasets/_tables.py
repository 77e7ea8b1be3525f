# SPDX-License-Identifier: Apache-2.0
"""Tables of the keys of archives, for the rules of cubes."""

from __future__ import annotations

import json
import re
import warnings
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._archive import Archive
from .._core import xxh3
from .._errors import KeyWarning
from .._paths import printable
from .._warnings import stacklevel_of_caller
from ..cubes import Column, CubeWarning, Options, Rows, used_keys
from ..cubes._grids import AXIS_KEYS, COORDINATE_KEYS, coordinate_names, coordinate_names_of
from ._sources import Places, Source, dtype_of, elements

_SAMPLES = 32
_MAX_KEYS = 500
_NAME = re.compile(r"[^@.\[\]:\x00-\x1f][^.\[\]:\x00-\x1f]*")  # others may mean another path
# A table gives properties of the archive for these where the metadata does not have them.
_HIDDEN = frozenset(
    "message object dtype encoding filter compression byte_order shape strides ndim hash version".split()
)
_ALWAYS = ("@dtype", "@shape", "dim_names")


def read_rows(source: Source, where: Any, options: Options) -> tuple[Rows, Places]:
    """Return the keys of the objects that a selection matches, and where they are. Reads no payload.

    Raises:
        Error: the selection is wrong, or a message cannot be read.
    """
    keys, lists = _keys(source)
    lists.update(AXIS_KEYS)  # messages without lists may have been looked at only
    keys = list(dict.fromkeys((*_ALWAYS, *used_keys(options), *keys)))
    parts: dict[str, list[Column]] = {key: [] for key in keys}
    archives, messages, objects = [], [], []
    for number in range(source.count):
        found = _columns(source.archive(number), keys, where, source.count > 1)
        _warn_of_tail(source.archive(number))
        count = len(found[1])
        if not count:
            continue
        archives.append(np.full(count, number, dtype=np.int64))
        messages.append(found[1])
        objects.append(found[2])
        for key in keys:
            parts[key].append(found[0][key])
    columns = {key: joined(each) for key, each in parts.items()}
    columns = {key: _lists(each) if key in lists else each for key, each in columns.items()}
    dtypes, shapes = columns.pop("@dtype"), _lists(columns.pop("@shape"))
    dim_names = _lists(columns.pop("dim_names"))
    where_they_are = (_concatenated(archives), _concatenated(messages), _concatenated(objects))
    places = Places(source, *where_they_are, dtypes.codes, tuple(map(dtype_of, dtypes.values)))
    rows = Rows(
        {key: each for key, each in columns.items() if len(each.values)},
        dtypes,
        shapes,
        dim_names,
        Column.absent(len(dtypes)),
        _message_numbers(places),
        places.objects,
        places.address,
    )
    return _with_digests(rows, places), places


def _warn_of_tail(archive: Archive) -> None:
    """Warn of a message that was not written or copied as a whole: its objects are in no cube."""
    if archive.tail is not None:
        name = printable(archive.path) or "the archive"
        text = "ends in an incomplete message, which is not in the cube; is it still written, or copied in part?"
        warnings.warn(f"{name} {text}", CubeWarning, stacklevel_of_caller())


def _keys(source: Source) -> tuple[list[str], set[str]]:
    """Return the keys of some messages of each archive, and those whose values are lists or maps."""
    keys: dict[str, None] = {}
    lists: set[str] = set()
    samples = max(1, _SAMPLES // max(1, source.count))
    for number in range(source.count):
        archive = source.archive(number)
        count = len(archive)
        for i in sorted({round(i * (count - 1) / samples) for i in range(samples + 1)} if count else ()):
            for each in archive[i]:
                _flatten(each.metadata.to_dict(), "", keys, lists)
    return list(keys)[:_MAX_KEYS], lists


def _flatten(mapping: Any, prefix: str, keys: dict[str, None], lists: set[str]) -> None:
    for key, value in mapping.items():
        path = f"{prefix}{key}"
        if not isinstance(key, str) or key == "_reserved_" or not _NAME.fullmatch(key):
            continue
        if not prefix and key in _HIDDEN:
            continue
        if isinstance(value, dict) and path != "dim_names":
            _flatten(value, f"{path}.", keys, lists)
            continue
        if isinstance(value, (list, dict)):
            lists.add(path)
        keys[path] = None


def _columns(
    archive: Archive, keys: Sequence[str], where: Any, is_one_of_many: bool
) -> tuple[dict[str, Column], NDArray[np.int64], NDArray[np.int64]]:
    """Return the columns of one archive, with the numbers of messages and objects."""
    with warnings.catch_warnings():
        if is_one_of_many:
            warnings.simplefilter("ignore", KeyWarning)  # another archive may have the key
        table = archive.table(keys, where=where)
    chosen = np.arange(len(table))
    if where is not None:
        added = _coordinates_beside(archive, table)
        if added:
            selected = {*zip(table["message"].tolist(), table["object"].tolist())} | added
            table = archive.table(keys)
            everything = zip(table["message"].tolist(), table["object"].tolist())
            chosen = np.array([i for i, each in enumerate(everything) if each in selected], dtype=np.int64)
    out = {}
    for i, key in enumerate(keys):
        values, present, texts = table._data.column(i)
        if values is None:
            out[key] = Column.absent(len(chosen))
            continue
        codes = np.asarray(values)
        if texts is not None:
            column = Column(codes.astype(np.int64), list(texts))
        elif codes.dtype.kind in "iu":
            column = Column.of(codes)
        else:
            column = Column.of(codes.tolist())
        if present is not None:
            column = Column(np.where(present, column.codes, -1), column.values)
        out[key] = column.take(chosen)
    messages, objects = (np.asarray(table[name], dtype=np.int64)[chosen] for name in ("message", "object"))
    return out, messages, objects


def _coordinates_beside(archive: Archive, selected: Any) -> set[tuple[int, int]]:
    """Return the latitudes and longitudes in the messages of objects that were selected.

    A selection is one of fields: the coordinates of their message belong to them.
    """
    messages = set(selected["message"].tolist())
    if not messages:
        return set()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeyWarning)
        table = archive.table(COORDINATE_KEYS)
    names = {key: Column.of(table[key].tolist()) for key in COORDINATE_KEYS}
    kinds = coordinate_names_of(names, len(table))
    found = zip(table["message"].tolist(), table["object"].tolist(), kinds.present.tolist())
    return {(message, object) for message, object, is_one in found if is_one and message in messages}


def joined(columns: Sequence[Column]) -> Column:
    """Return one column of several, one after another."""
    if len(columns) == 1:
        return columns[0]
    values: list[Any] = []
    numbers: dict[Any, int] = {}
    codes = []
    for each in columns:
        lookup = np.full(len(each.values) + 1, -1, dtype=np.int64)
        for code, value in enumerate(each.values):
            key = (type(value) is bool, value)
            if key not in numbers:
                numbers[key] = len(values)
                values.append(value)
            lookup[code] = numbers[key]
        codes.append(lookup[each.codes])
    return Column(_concatenated(codes), values)


def _concatenated(parts: Sequence[NDArray[np.int64]]) -> NDArray[np.int64]:
    return np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)


def _lists(column: Column) -> Column:
    """Return a column whose lists and maps, which a table has as JSON, are tuples."""

    def parsed(value: Any) -> Any:
        if isinstance(value, str) and value[:1] in ("[", "{"):
            try:
                return json.loads(value)
            except ValueError:
                return value
        return value

    return column.map(parsed)


def _message_numbers(places: Places) -> NDArray[np.int64]:
    """Return a number for each message, another one in each archive."""
    width = int(places.messages.max()) + 1 if len(places.messages) else 1
    return places.archives * width + places.messages


def _with_digests(rows: Rows, places: Places) -> Rows:
    """Add digests of the objects that are coordinates: the stored hash, or that of the elements."""
    wanted = np.flatnonzero(coordinate_names(rows).present)
    if not len(wanted):
        return rows
    digests: list[Any] = [None] * len(rows)
    stored: dict[int, dict[tuple[int, int], str]] = {}
    for row in wanted.tolist():
        archive = int(places.archives[row])
        if archive not in stored:
            stored[archive] = _stored_hashes(places.source.archive(archive))
        found = stored[archive].get((int(places.messages[row]), int(places.objects[row])))
        digests[row] = found or _digest(places, row)
    return Rows(
        rows.columns,
        rows.dtypes,
        rows.shapes,
        rows.dim_names,
        Column.of(digests),
        rows.messages,
        rows.objects,
        rows.address,
    )


def _stored_hashes(archive: Archive) -> dict[tuple[int, int], str]:
    """Return the stored hashes of objects. They cover the elements and how these are encoded, but no keys."""
    table = archive.table("@hash")
    found = zip(table["message"].tolist(), table["object"].tolist(), table["@hash"].tolist())
    return {(message, object): text for message, object, text in found if text}


def _digest(places: Places, row: int) -> str:
    return f"{xxh3(np.ascontiguousarray(elements(places, row))):016x}"
