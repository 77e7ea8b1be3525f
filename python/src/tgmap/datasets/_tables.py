# SPDX-License-Identifier: Apache-2.0
"""Tables of the keys of archives, for the rules of cubes."""

from __future__ import annotations

import json
import re
import warnings
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .. import _core
from .._archive import Archive
from .._core import xxh3
from .._errors import KeyWarning
from .._paths import printable
from .._tables.codes import Codes
from .._tables.table import Table
from .._warnings import stacklevel_of_caller
from ..cubes import Column, CubeWarning, Options, Rows, used_keys
from ..cubes._columns import ByteText
from ..cubes._grids import COORDINATE_KEYS, coordinate_names, coordinate_names_of
from ..cubes._keys import NOISE
from ._sources import Places, Source, dtype_of, elements

_NAME = re.compile(r"[^@\[\]:\x00-\x1f][^\[\]:\x00-\x1f]*")  # others may mean another path
_ALWAYS = ("@dtype", "@shape", "dim_names")


def read_rows(source: Source, where: Any, options: Options) -> tuple[Rows, Places]:
    """Return the keys of the objects that a selection matches, and where they are. Reads no payload.

    All keys that any of the objects has are known, but hashes and statistics of each. An index answers for keys that it
    has columns of; with current indexes that know all keys, no message is read.

    Raises:
        Error: the selection is wrong, or a message cannot be read.

    Warns:
        CubeWarning: an archive ends in an incomplete message, or has so many keys that some are left out.
    """
    wanted = list(dict.fromkeys((*_ALWAYS, *used_keys(options))))
    table, tails = source.table(wanted, where, NOISE)
    for path in tails:
        _warn_of_tail(path)
    chosen = np.arange(len(table))
    if where is not None:
        beside = _coordinates_beside(source, table)
        if beside is not None:
            (table, _), chosen = source.table(wanted, None, NOISE), beside
    _warn_of_omitted_keys(table)
    names = [key for key in table.names[2:] if key in wanted or _NAME.fullmatch(key)]
    zeros = np.zeros(len(table), dtype=np.int64)
    columns = {key: column_of(table.codes(key), zeros) for key in names}
    if len(chosen) < len(table):
        columns = {key: each.take(chosen) for key, each in columns.items()}
    dtypes, shapes, dim_names = (columns.pop(key) for key in _ALWAYS)
    archives, messages, objects = (each[chosen] for each in _addresses(table))
    places = Places(source, archives, messages, objects, dtypes.codes, tuple(map(dtype_of, dtypes.values)))
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


def _warn_of_tail(path: str) -> None:
    """Warn of a message that was not written or copied as a whole: its objects are in no cube."""
    name = printable(path) or "the archive"
    text = "ends in an incomplete message, which is not in the cube; is it still written, or copied in part?"
    warnings.warn(f"{name} {text}", CubeWarning, stacklevel_of_caller())


def _warn_of_omitted_keys(table: Table) -> None:
    if not table.omitted and not table.omits_more:
        return
    shown = _core._shown(", ".join(table.omitted[:5]) + (", ..." if len(table.omitted) > 5 else ""))
    count = f"{len(table.omitted)} keys that few objects have" if table.omitted else "keys beyond the first 16,384"
    text = f"{count} are no attributes, because there are too many{': ' + shown if shown else ''}"
    warnings.warn(f"{text}; variable_key=, dims= and where= still find them", CubeWarning, stacklevel_of_caller())


def _addresses(table: Table) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Return the numbers of archive, message and object of each row."""
    return table.archives, table["message"], table["object"]


def _coordinates_beside(source: Source, selected: Table) -> NDArray[np.int64] | None:
    """Return the rows of a table of everything that were selected, and those of the latitudes and longitudes in their
    messages; None if there are none of these.

    A selection is one of fields: the coordinates of their message belong to them.
    """
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", KeyWarning)
        table, _ = source.table(COORDINATE_KEYS, None)
    kinds = coordinate_names_of({key: column_of(table.codes(key)) for key in COORDINATE_KEYS}, len(table))
    if not len(kinds.values):
        return None
    everything = np.stack(_addresses(table))
    width, height = (int(each.max()) + 1 for each in everything[1:])
    of_all = everything[0] * width + everything[1]
    archives, messages, objects = _addresses(selected)
    of_selected = archives * width + messages
    is_selected = np.isin(of_all * height + everything[2], of_selected * height + objects)
    return np.flatnonzero(is_selected | (kinds.present & np.isin(of_all, of_selected)))


def column_of(codes: Codes, zeros: NDArray[np.int64] | None = None) -> Column:
    """Return a column of a table as the rules read it: lists and maps are tuples, bytes are text such as ``h'0612'``, NaN
    is absent, and numbers of one value are one. Columns of one value in all rows share `zeros`, one for each row."""
    if zeros is not None and len(codes.values) == 1 and not codes.codes.any():
        column = Column(zeros, codes.values, True)
    else:
        column = Column(codes.codes.astype(np.int64), codes.values)
    if not {"floating", "bytes", "array", "map"} & set(codes.kinds):
        return column
    plain = [_plain(*each) for each in zip(codes.values, codes.kinds)]
    return Column(column.codes, plain).map(lambda value: value)


def _plain(value: Any, kind: str) -> Any:
    if kind == "bytes":
        return ByteText.of(value)
    if kind not in ("array", "map"):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _message_numbers(places: Places) -> NDArray[np.int64]:
    """Return a number for each message, another one in each archive."""
    width = int(places.messages.max()) + 1 if len(places.messages) else 1
    return places.archives * width + places.messages


def _with_digests(rows: Rows, places: Places) -> Rows:
    """Add digests of the objects that are coordinates: the stored hash, or that of the elements.

    Stored hashes are not compared with the bytes, which would read all coordinates of all messages: ``tgmap validate``
    does that. Of objects with equal hashes, dtypes and shapes, the elements of one are taken for all.
    """
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
