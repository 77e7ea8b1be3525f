# SPDX-License-Identifier: Apache-2.0
"""Many archives as one sequence of messages."""

from __future__ import annotations

import os
import warnings
import weakref
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from . import _core, _errors, _origin
from ._archive import Archive
from ._paths import as_text, printable
from ._scalars import integer, scalar
from ._sequence import Messages
from ._tables import table as _table
from ._tables.codes import CollectionTable
from ._tables.key_list import KeyList
from ._warnings import stacklevel_of_caller

_AT_ONCE = 64  # archives of a table


class Collection(Sequence):
    """Messages of many archives, in order. Use :func:`tgmap.open_many`.

    Archives are opened when they are needed, and at most ``max_open`` stay open. Messages, objects and arrays stay valid
    when their archive is closed.
    """

    def __init__(self, places, options):
        self._places = places
        self._options = options
        self._core = _core._Collection(places, **options)
        self._opened: weakref.WeakValueDictionary[int, Any] = weakref.WeakValueDictionary()
        self._warned: set[int] = set()

    @property
    def places(self) -> list[tuple[str, int, int | None]]:
        """Path, offset and length of each archive."""
        return list(self._places)

    @property
    def archive_count(self) -> int:
        return len(self._places)

    @property
    def open_count(self) -> int:
        """Number of archives that are kept open now."""
        return self._open_core.open_count

    @property
    def failures(self) -> list[tuple[str, str]]:
        """Path and reason of each archive that cannot be opened or scanned, or is damaged, as far as that is known."""
        return [(path, reason) for _, path, reason, _ in self._open_core.failures()]

    @property
    def is_closed(self) -> bool:
        return self._core is None

    def archive(self, number: int) -> Archive:
        """Return the archive with this number; negative ones count from the end."""
        return Archive(self._open(_position(number, self.archive_count, "archive")))

    def __len__(self) -> int:
        count = self._open_core.size()
        self._warn(self._open_core.failures())
        return count

    def __bool__(self) -> bool:
        return not self.is_closed

    def __getitem__(self, number):
        if isinstance(number, slice):
            return Messages(self, number)
        wanted = integer(number, "the number of a message")
        if wanted < 0:
            wanted = _position(wanted, len(self), "message")
        return self._at(self._open_core.address_of(wanted))

    def __iter__(self):
        core, n = self._open_core, 0
        for n in range(self.archive_count):
            count = core.size_of(n)
            for i in range(count):
                yield self._at((n, i))
        self._warn(core.failures())

    def find(self, where=None, *, sort=(), limit=None) -> Found:
        """Return the messages that a selection matches, over all archives, as a sequence.

        Args:
            where: as in :meth:`Archive.find`.
            sort: a key or several to sort by; ``"mars.step:desc"`` for the largest first. What has no value comes last.
            limit: the most messages.

        Warns:
            CollectionWarning: an archive or a message cannot be read. The others are found.
        """
        return self._find(where, False, sort, limit)

    def find_objects(self, where=None, *, sort=(), limit=None) -> Found:
        """Return the objects that a selection matches, as :meth:`find` does."""
        return self._find(where, True, sort, limit)

    def facets(self, keys, where=None, *, objects=True) -> dict[str, dict[str | None, int]]:
        """Return how often each value of some keys occurs: ``{"mars.param": {"2t": 4, "10u": 4}}``.

        Values are text, in the order of numbers, then text. None counts what has no value. With indexes that know the keys,
        no message is read.
        """
        names = _names(keys)
        found, failures = self._open_core.facets(names, where, scalar(objects))
        self._warn(failures)
        return dict(zip(names, found))

    def group(self, keys, where=None, *, objects=True, sort=(), limit=None) -> dict[Any, Found]:
        """Return the messages or objects by the values of a key, or of several as tuples.

        Values are text, or None for what has none.
        """
        is_one = isinstance(keys, str)
        of_objects = bool(scalar(objects))
        found, failures = self._open_core.group(_names(keys), where, of_objects, _sort_columns(sort), _limit(limit))
        self._warn(failures)
        return {values[0] if is_one else values: Found(self, addresses) for values, addresses in found}

    def table(
        self, keys=(), *, objects=True, where=None, skip_unread=True, threads=0, all_keys=False
    ) -> CollectionTable:
        """Return the values of keys in all objects or messages as columns, which pandas takes: ``DataFrame(table)``.

        The columns ``"archive"``, ``"message"`` and, of objects, ``"object"`` are the addresses. Columns are joined as
        ``numpy.concatenate`` does it. ``codes(name)``, ``present(name)`` and ``types(name)`` have the values with their
        types, as those of :class:`Table`.
        """
        names = _names(keys)
        parts, tables = [], []
        for n in range(self.archive_count):
            try:
                opened = self._open(n)
                with warnings.catch_warnings():
                    warnings.simplefilter("ignore", _errors.KeyWarning)  # another archive may have the key
                    table = _table.read(opened, names, objects, where, skip_unread, threads, all_keys)
            except (OSError, _errors.Error) as error:
                self._warn([(n, self._places[n][0], str(error), 1)])
                continue
            if len(table):
                parts.append(np.full(len(table), n, dtype=np.int64))
                tables.append(table)
        address = ("message", "object") if scalar(objects) else ("message",)
        out = {"archive": np.concatenate(parts) if parts else np.empty(0, dtype=np.int64)}
        if scalar(all_keys):
            names += sorted({name for each in tables for name in each.names} - {*names, "message", "object"})
        for name in (*address, *names):
            columns = [each[name] if name in each else np.full(len(each), None, dtype=object) for each in tables]
            out[name] = np.concatenate(columns) if columns else np.empty(0, dtype=np.int64 if name in address else object)
        return CollectionTable(out, tables, sorted({name for each in tables for name in each.omitted}))

    def keys(self) -> KeyList:
        """Return the keys of all archives, as :meth:`Archive.keys` does of one.

        Messages that cannot be read are left out.
        """
        found, failures = self._open_core.keys(True)
        self._warn(failures)
        return KeyList(found)

    def address(self, item) -> tuple[int, ...]:
        """Return the address of a message by its number, or of a message or object by its text: (archive, message) or
        (archive, message, object)."""
        return self._open_core.parse_address(item) if isinstance(item, str) else self._open_core.address_of(item)

    def address_text(self, address) -> str:
        """Return an address as text that the command takes: ``forecast.tgm:3:0``."""
        archive, message, *of_object = (int(each) for each in address)
        return self._open_core.text_of(archive, message, of_object[0] if of_object else None)

    def number(self, address) -> int:
        """Return the number of the message of an address in the collection."""
        return self._open_core.number_of(int(address[0]), int(address[1]))

    def at(self, address):
        """Return the message or the object at an address, or at its text."""
        return self._at(self.address(address) if isinstance(address, str) else address)

    def close(self) -> None:
        """Close all archives. Messages, objects and arrays stay valid."""
        self._core = None

    def __enter__(self) -> Collection:
        return self

    def __exit__(self, *_) -> None:
        self.close()

    def __reduce__(self):
        return Collection, (self._places, self._options)

    def __repr__(self) -> str:
        return "<Collection: closed>" if self.is_closed else f"<Collection of {self.archive_count} archives>"

    @property
    def _open_core(self):
        if self._core is None:
            raise ValueError("the collection is closed")
        return self._core

    def _open(self, number):
        core = self._open_core
        opened = self._opened.get(number)
        if opened is None:
            opened = core.open(number)
            path, offset, length = self._places[number]
            options = {**self._options, "offset": offset, "length": length}
            del options["max_open"]
            if not options["trust_index_of"]:
                del options["trust_index_of"]
            opened.origin = _origin.Origin(path, False, options)
            self._opened[number] = opened
        return opened

    def _at(self, address):
        archive, message, *of_object = (int(each) for each in address)
        found = Archive(self._open(archive))[message]
        return found[of_object[0]] if of_object else found

    def _find(self, where, of_objects, sort, limit):
        addresses, failures = self._open_core.find(where, of_objects, _sort_columns(sort), _limit(limit))
        self._warn(failures)
        return Found(self, addresses)

    def _warn(self, failures):
        """Warn of each archive once."""
        for number, path, reason, count in failures:
            if number in self._warned:
                continue
            self._warned.add(number)
            more = f", and {count - 1} more problems" if count > 1 else ""
            text = f"{printable(path)}: {reason}{more}"
            warnings.warn(text, _errors.CollectionWarning, stacklevel=stacklevel_of_caller())


class Found(Sequence):
    """Messages or objects of a collection by their addresses, read when they are used."""

    __slots__ = ("_of", "addresses")

    def __init__(self, of: Collection, addresses: np.ndarray):
        self._of = of
        self.addresses = addresses
        """Archive, message and, of objects, object of each: shape (rows, 2) or (rows, 3)."""

    def __len__(self) -> int:
        return len(self.addresses)

    def __getitem__(self, number):
        wanted = self.addresses[number]
        return Found(self._of, wanted) if wanted.ndim == 2 else self._of._at(wanted)

    def __iter__(self):
        return map(self._of._at, self.addresses)

    def __repr__(self) -> str:
        kind = "objects" if self.addresses.shape[1] == 3 else "messages"
        return f"<{len(self)} {kind} of {self._of!r}>"


def open_many(
    places: Iterable[Any],
    *,
    mode: str = "auto",
    damage: str = "skip",
    index: str = "use",
    index_cache: bool = False,
    trust_index_of: str = "",
    max_decoded: int = 4 << 30,
    max_open: int = 256,
) -> Collection:
    """Open many archives as one sequence of messages. Opens nothing before it is needed.

    Args:
        places: paths, or tuples ``(path, offset, length)`` of archives inside of files, as ``fdb list`` gives them.
        max_open: the most archives that stay open; those that were used least recently are closed. At most a quarter of
            the files that the process may open, since without a descriptor an archive cannot be read.
        mode, damage, index, index_cache, trust_index_of, max_decoded: as in :func:`tgmap.open`.

    Raises:
        TypeError: a place is neither.

    Warns:
        CollectionWarning: an archive cannot be read, or is damaged: once for each, when it is noticed.
    """
    if isinstance(places, (str, bytes, os.PathLike)):
        raise TypeError("open_many takes several places; for one archive use tgmap.open")
    options: dict[str, Any] = {"mode": mode, "damage": damage, "index": index, "index_cache": scalar(index_cache)}
    options["trust_index_of"] = trust_index_of
    options["max_decoded"] = integer(max_decoded, "max_decoded")
    options["max_open"] = min(integer(max_open, "max_open"), _most_open())
    return Collection([_place(each) for each in places], options)


def read_objects(collection: Collection, keys, where, others) -> tuple[_table.Table, list[str]]:
    """Return one table of the objects of all archives, and the paths of those that end in an incomplete message.

    Archives are opened a few at a time, beside those that the collection keeps open.

    Args:
        others: as for _tables.table.read_objects().

    Raises:
        Error, OSError: an archive cannot be read.
    """
    at_once = min(_AT_ONCE, collection._options["max_open"])
    found, failures, tails = collection._open_core.table(keys, True, where, False, 0, others, at_once)
    for number, path, reason, _ in failures:
        _table.read_objects(collection._open(number), keys, where, others)  # raises the error with its type
        raise OSError(f"{printable(path)}: {reason}")  # it has gone meanwhile
    return _table.Table(found), [collection._places[number][0] for number in tails]


def _most_open() -> int:
    """Return how many archives may be open so that the program, and gather, have descriptors, too."""
    try:
        import resource
    except ImportError:
        return 2**31
    limit: int = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    return 2**31 if limit == resource.RLIM_INFINITY else max(1, limit // 4)


def _place(given) -> tuple[str, int, int | None]:
    path, offset, length = given, 0, None
    if isinstance(given, tuple):
        if not 1 <= len(given) <= 3:
            raise TypeError("a place is a path, or a tuple of path, offset and length")
        path = given[0]
        offset = integer(given[1], "offset") if len(given) > 1 else 0
        length = integer(given[2], "length") if len(given) > 2 and given[2] is not None else None
    if not isinstance(path, (str, bytes, os.PathLike)):
        raise TypeError(f"a place is a path, or a tuple of path, offset and length, not {type(given).__name__}")
    if not (0 <= offset < 2**64 and 0 <= (length or 0) < 2**64):
        raise TypeError("offset and length must be integers from 0 to 2**64 - 1")
    return os.path.abspath(as_text(path)), offset, length


def _names(keys) -> list[str]:
    return [keys] if isinstance(keys, str) else list(keys)


def _sort_columns(sort) -> list[tuple[str, bool]]:
    """Read keys with ":asc" or ":desc" behind them."""
    out = []
    for each in [sort] if isinstance(sort, str) else sort:
        key, _, order = each.rpartition(":")
        out.append((key, order == "desc") if order in ("asc", "desc") else (each, False))
    return out


def _limit(limit):
    return None if limit is None else integer(limit, "limit")


def _position(number, count, what) -> int:
    wanted = integer(number, f"the number of an {what}" if what == "archive" else f"the number of a {what}")
    if not -count <= wanted < count:
        raise IndexError(f"no {what} {wanted}; there are {count}")
    return wanted + count if wanted < 0 else wanted
