# SPDX-License-Identifier: Apache-2.0
"""The objects of archives as rows: their keys, dtypes, shapes and places."""

from __future__ import annotations

import json
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._archive import Archive
from .._collection import Found
from .._core import _shown
from .._errors import KeyWarning
from .._gathering.places import Places
from .._lists import check_masks
from .._paths import printable
from .._tables.codes import Codes
from .._warnings import stacklevel_of_caller, warn_of_key
from ..cubes import Column
from ..cubes._columns import ByteText
from ..cubes._keys import is_noise
from ..datasets._sources import Source, open_source
from ._cells import SampleWarning

Numbers = NDArray[np.int64]


@dataclass(frozen=True)
class ObjectRows:
    """Objects, one row each.

    Attributes:
        source: the archives.
        columns: the keys that were asked for.
        dtypes, shapes: of the objects.
        archives, messages, objects: numbers.
        offsets: of the messages in their archives.
    """

    source: Source
    columns: Mapping[str, Column]
    dtypes: Column
    shapes: Column
    archives: Numbers
    messages: Numbers
    objects: Numbers
    offsets: Numbers

    def __len__(self) -> int:
        return len(self.offsets)

    def address(self, row: int) -> str:
        """Return the text that names an object: ``forecast.tgm:3:0``."""
        return _shown(self.source.address(int(self.archives[row]), int(self.messages[row]), int(self.objects[row])))

    def places(self) -> Places:
        """Return where the objects are. Archives are opened one after another, since each keeps a file open."""
        archives: Any = (self.source.archive(number) for number in range(self.source.count))
        return Places(archives, self.archives, self.offsets, self.objects)

    def different_keys(self, one: int, other: int | None) -> list[str]:
        """Return the keys whose values differ between two objects, or all of one, without hashes and statistics."""
        first = self._keys(one)
        second = {} if other is None else self._keys(other)
        names = dict.fromkeys((*first, *second))
        return [key for key in names if first.get(key) != second.get(key) and not is_noise(key)]

    def _keys(self, row: int) -> dict[str, Any]:
        archive = self.source.archive(int(self.archives[row]))
        out: dict[str, Any] = {}
        _flatten(archive[int(self.messages[row])][int(self.objects[row])].metadata.to_dict(), "", out)
        return out

    def take(self, rows: Numbers) -> ObjectRows:
        """Return some of the rows, in this order."""
        return ObjectRows(
            self.source,
            {key: column.take(rows) for key, column in self.columns.items()},
            self.dtypes.take(rows),
            self.shapes.take(rows),
            self.archives[rows],
            self.messages[rows],
            self.objects[rows],
            self.offsets[rows],
        )


def read_objects(given: Any, keys: Sequence[str], where: Any, rows: Any, options: dict[str, Any]) -> ObjectRows:
    """Return the objects of archives with some of their keys. Reads no payload.

    Args:
        given: a path, bytes, an archive, a collection, a glob, a list, or what ``Collection.find_objects`` returns.
        where: a selection.
        rows: a table, whose rows are the objects to take, in this order.

    Raises:
        TypeError: `rows` has no addresses.
        IndexError: there is no object of an address.
        Error: the selection is wrong, or a message cannot be read.
    """
    if isinstance(given, Found):
        if rows is not None or given.addresses.shape[1] != 3:
            raise TypeError("samples are made of objects: pass what find_objects returns, without rows=")
        rows = dict(zip(("archive", "message", "object"), given.addresses.T))
        given = given._of
    source = open_source(given, **options)
    parts = [_of_archive(source, number, keys, where) for number in range(source.count)]
    if where is not None and source.count > 1:
        _warn_of_unknown_keys(source, where, parts)
    found = _joined(source, keys, parts)
    return found if rows is None else found.take(_chosen(found, rows))


def _of_archive(source: Source, number: int, keys: Sequence[str], where: Any) -> ObjectRows:
    archive = source.archive(number)
    names = [*keys, *(each for each in ("@offset", "@dtype", "@shape") if each not in keys)]
    with warnings.catch_warnings():
        if source.count > 1:
            warnings.simplefilter("ignore", KeyWarning)  # another archive may have the key
        table = archive.table(names, where=where)
    _warn_of_damage(archive)
    columns = {name: _column(table.codes(name)) for name in names}
    count = len(table)
    return ObjectRows(
        source,
        {key: columns[key] for key in keys},
        columns["@dtype"],
        columns["@shape"].map(lambda text: tuple(json.loads(text))),
        np.full(count, number, dtype=np.int64),
        np.asarray(table["message"], dtype=np.int64),
        np.asarray(table["object"], dtype=np.int64),
        np.asarray(table["@offset"], dtype=np.int64),
    )


def _warn_of_damage(archive: Archive) -> None:
    """Warn of bytes whose messages are in no sample: damage, and a message that is still written or was copied in part."""
    name = printable(archive.path) or "the archive"
    if archive.tail is not None:
        text = "ends in an incomplete message, which is in no sample; is it still written, or copied in part?"
        warnings.warn(f"{name} {text}", SampleWarning, stacklevel_of_caller())
    if archive.gaps:
        bytes_lost = sum(each.end - each.begin for each in archive.gaps)
        text = f"has {bytes_lost} damaged bytes, and their messages are in no sample"
        warnings.warn(f"{name} {text}", SampleWarning, stacklevel_of_caller())


def _column(codes: Codes) -> Column:
    """Return a column of a table. Values keep their types, whatever the others are: 167 beside "2t" stays a number.

    Numbers of one value are one, byte strings are text such as ``h'0612'``, and lists are their JSON.
    """
    column = Column(codes.codes.astype(np.int64), codes.values)
    if not {"floating", "bytes"} & set(codes.kinds):
        return column
    kinds = zip(codes.values, codes.kinds)
    plain = [ByteText.of(value) if kind == "bytes" else value for value, kind in kinds]
    return Column(column.codes, plain).map(lambda value: value)


def _joined(source: Source, keys: Sequence[str], parts: Sequence[ObjectRows]) -> ObjectRows:
    if len(parts) == 1:
        return parts[0]
    empty = np.empty(0, dtype=np.int64)
    numbers = [
        np.concatenate([empty, *(getattr(part, name) for part in parts)])
        for name in ("archives", "messages", "objects", "offsets")
    ]
    return ObjectRows(
        source,
        {key: joined([part.columns[key] for part in parts]) for key in keys},
        joined([part.dtypes for part in parts]),
        joined([part.shapes for part in parts]),
        *numbers,
    )


def joined(columns: Sequence[Column]) -> Column:
    """Return one column of several, one after another."""
    found = Column.of([value for each in columns for value in each.values])
    codes, first = [np.empty(0, dtype=np.int64)], 0
    for each in columns:
        lookup = np.append(found.codes[first : first + len(each.values)], -1)  # the last one for absent values
        codes.append(lookup[each.codes])
        first += len(each.values)
    return Column(np.concatenate(codes), found.values)


def _warn_of_unknown_keys(source: Source, where: Any, parts: Sequence[ObjectRows]) -> None:
    """Warn of a key of a selection that no archive has, as one archive does. Only what selects nothing is looked at."""
    texts = []
    for number, part in enumerate(parts):
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always", KeyWarning)
            if not len(part):
                source.archive(number).table((), where=where)
        if not caught:
            return
        texts.append(str(caught[0].message))
    if texts:
        warn_of_key(texts[0])


def _chosen(found: ObjectRows, rows: Any) -> Numbers:
    """Return the numbers of the rows that a table names by the addresses of its objects."""
    try:
        columns = {name: rows[name] for name in ("message", "object")}
        if "archive" in rows:
            columns["archive"] = rows["archive"]
    except (KeyError, TypeError, ValueError, IndexError):
        text = "rows must be a table of objects, or a DataFrame of one: with the columns 'message' and 'object'"
        raise TypeError(text) from None
    numbers = {name: _integers(column, name) for name, column in columns.items()}
    messages, objects, has_archives = numbers["message"], numbers["object"], "archive" in numbers
    if len({len(each) for each in numbers.values()}) > 1:
        raise ValueError("the columns of rows must have one length")
    if has_archives:
        archives = numbers["archive"]
    elif found.source.count == 1:
        archives = np.zeros_like(messages)
    else:
        raise TypeError("rows of several archives need the column 'archive', as the table of a collection has it")
    width, depth = (int(max(each.max(initial=0), 0)) + 1 for each in (found.messages, found.objects))
    known = (found.archives * width + found.messages) * depth + found.objects
    wanted = (archives * width + messages) * depth + objects
    order = np.argsort(known, kind="stable")
    places = np.searchsorted(known[order], wanted)
    is_inside = (messages < width) & (objects < depth) & (archives >= 0) & (messages >= 0) & (objects >= 0)
    is_known = is_inside & (places < len(known))
    is_known[is_known] = known[order][places[is_known]] == wanted[is_known]
    if not is_known.all():
        i = int(np.flatnonzero(~is_known)[0])
        text = f"{archives[i]}:" * has_archives + f"{messages[i]}:{objects[i]}"
        raise IndexError(f"rows names the object {text}, which is not there, or not selected by where")
    return order[places].astype(np.int64)


def _integers(column: Any, name: str) -> Numbers:
    """Return a column of rows as integers; floating numbers are taken if they are whole, as DataFrames make them."""
    check_masks(column, f"the column '{name}' of rows must not be masked")
    given = np.asarray(column).reshape(-1)
    try:
        with np.errstate(invalid="ignore"):  # NaN and infinity, which then differ
            found = given.astype(np.int64)
    except (TypeError, ValueError, OverflowError):
        found = None
    if found is None or given.dtype.kind not in "iufO" or not np.array_equal(found, given):
        raise TypeError(f"the column '{name}' of rows must have numbers of objects, which are integers")
    return found


def _flatten(mapping: Mapping[str, Any], prefix: str, out: dict[str, Any]) -> None:
    for key, value in mapping.items():
        if isinstance(value, dict):
            _flatten(value, f"{prefix}{key}.", out)
        else:
            out[f"{prefix}{key}"] = value


def refuse_others(rows: ObjectRows, is_cast: bool) -> None:
    """Raise ValueError if the objects differ in shape, or in dtype without a cast: one array cannot hold them."""
    for name, column in (("dtype", rows.dtypes), ("shape", rows.shapes)):
        if len(column.values) > 1 and not (is_cast and name == "dtype"):
            first = int(np.argmax(column.codes != column.codes[0]))
            one, other = (f"{rows.address(row)} has the {name} {column.at(row)}" for row in (0, first))
            advice = f"select it, as by where='@{name}={_text(column.at(0))}'"
            if name == "dtype":
                advice += ", or pass dtype=, which all are cast to"
            raise ValueError(f"{one}, and {other}; samples are of one {name}: {advice}")


def _text(value: Any) -> str:
    return json.dumps(list(value), separators=(",", ":")) if isinstance(value, tuple) else str(value)
