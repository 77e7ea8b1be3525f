# SPDX-License-Identifier: Apache-2.0
"""Archives: opening them, and what Python adds to those of the extension module."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any

from . import _core, _errors, _origin, _source
from ._paths import as_text, printable
from ._scalars import integer, scalar
from ._tables import table as _table
from ._tables.key_list import KeyList

if TYPE_CHECKING:
    from ._gathering.places import Places


class Archive(_core.Archive):
    """A sequence of messages in a file or in memory. Use :func:`tgmap.open`.

    Messages are found when they are asked for; ``len`` finds all. Arrays are views of the mapped file. They, messages
    and objects stay valid after ``close``.
    """

    _has_warned = False  # of an index that is not used

    @property
    def first_message(self) -> int:
        """Number of the first message in the archive that this one is a part of; 0 if it is no part."""
        origin = self._opened.origin
        return 0 if origin is None else origin.first_message

    def table(
        self, keys=(), *, objects=True, where=None, skip_unread=False, threads=0, all_keys=False
    ) -> _table.Table:
        """Return the values of metadata keys in all objects or messages, as columns. Reads no payload.

        Args:
            keys: a key or several: paths such as ``"mars.param"`` or properties such as ``"shape"`` and ``"@offset"``.
            objects: rows are objects; else messages.
            where: a selection, such as ``"mars.param=2t and mars.step<24"`` or ``{"mars.param": "2t"}``: only these
                rows.
            skip_unread: leave out messages whose keys cannot be read, and list them in ``Table.unread``.
            threads: 0 for one on each processor.
            all_keys: add a column for each other key that a row has, by their names. Keys below maps are paths.

        Raises:
            Error: a key or the selection is wrong, or a message cannot be read.

        Warns:
            KeyWarning: no message has a key of the selection.
        """
        return _table.read(self._opened, keys, objects, where, skip_unread, threads, all_keys)

    def keys(self, *, skip_unread=False) -> KeyList:
        """Return the keys of all messages and objects: in how many messages each occurs, how many different values it
        has, and of which kinds they are. Reads no payload; with a current index, no message.

        Keys below maps are paths. Those that a table with ``all_keys`` has are listed.

        Args:
            skip_unread: leave out messages whose keys cannot be read, and list them in ``KeyList.unread``.

        Raises:
            Error: a message cannot be read.
        """
        return KeyList(_core._list_keys(self._opened, scalar(skip_unread)))

    def to_pandas(self, keys, **options):
        """Return :meth:`table` as a DataFrame. Needs pandas."""
        return self.table(keys, **options).to_pandas()

    def gather(self, addresses, slab=None, out=None, *, threads=0):
        """Return the elements of many objects as one array, whose first dimension counts the objects.

        Args:
            addresses: a table, objects, pairs of a message and an object, or numbers of messages for their first
                objects; messages stand for their first objects, too. Objects may be of other archives.
            slab: a part of each object, as in ``object[slab]``: integers, slices and an ellipsis.
            out: an array for the result. Its elements must not overlap in memory.
            threads: 0 for one on each processor.

        Raises:
            IndexError: there is no such object.
            ValueError: an object has another dtype or shape than the first, or elements of `out` overlap.
        """
        if out is not None:
            from ._gathering.overlap import refuse_overlap

            refuse_overlap(out)
        found = _table.to_addresses(self, addresses)
        gather = _core._gather if isinstance(found, list) else _core._gather_addresses
        return gather(self._opened, found, _table.plain_slab(slab), out, threads)

    def places(self, addresses) -> Places:
        """Return the places of objects, by which other processes read them without a scan: see :func:`tgmap.gather`.

        Args:
            addresses: as for :meth:`gather`, of objects of this archive.

        Raises:
            IndexError: there is no such message, or a number of an object is negative.
            TypeError: an object is of another archive.
        """
        from ._gathering.places import of_addresses

        return of_addresses(self, addresses)

    def partition(self, count) -> list[Archive]:
        """Divide the archive into at most `count` archives of about as many bytes, in order.

        Each has the messages ``first_message`` to ``first_message + len(part)`` of this one, and can be pickled.
        """
        opened = self._opened
        origin = opened.origin
        if origin is None or not (origin.is_memory or origin.path):
            raise TypeError("an archive of a file descriptor or a pipe cannot be divided; open it by its path")
        source = _source.of_memory(opened.buffer) if origin.is_memory else _source.of_path(origin.path)
        _origin.check_path(opened)
        parts = []
        for begin, end, first, _ in self._parts(count):
            options = {**origin.options, "offset": origin.options["offset"] + begin, "length": end - begin}
            options.pop("index_path", None)  # an index of the whole archive
            if options["index"] == "create":
                options["index"] = "use"
            part = open_source(source, options, origin.first_message + first)
            _origin.check_part(part._opened, opened, begin)
            parts.append(part)
        return parts

    def refresh(self) -> None:
        """See also messages that were appended since. Arrays, messages and objects stay as they are.

        If the path leads to another file now, as after ``tgmap.create``, that one is opened. Numbers of messages, and
        addresses of tables, then mean the messages of the new file; so do slices such as ``archive[1:3]``, which look up
        their messages when they are used.

        Warns:
            ReplacedWarning: another file was opened.
        """
        opened = self._opened
        origin = opened.origin
        is_replaced = origin is not None and opened.is_replaced()
        if is_replaced or (origin is not None and origin.is_prefix):
            fresh = open_source(_source.of_path(origin.path), origin.options, origin.first_message)
            self._share(fresh)
        else:
            super().refresh()
            if origin is not None:
                self._opened.origin = origin.copy()
        if is_replaced:
            text = f"{printable(self.path)} leads to another file now, which was opened; numbers of messages are its own"
            warnings.warn(text, _errors.ReplacedWarning, stacklevel=2)
        _warn_of_index(self)

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Archive: closed>"
        name = printable(self.path) or "in memory"
        return f"<Archive {name}: {self.nbytes} bytes>"


def open(
    source: str | bytes | os.PathLike[str] | os.PathLike[bytes] | int | Any,
    *,
    mode: str = "auto",
    damage: str = "stop",
    index: str = "use",
    index_cache: bool = False,
    index_path: str | bytes | os.PathLike[str] | os.PathLike[bytes] | None = None,
    trust_index_of: str = "",
    offset: int = 0,
    length: int | None = None,
    max_decoded: int = 4 << 30,
) -> Archive:
    """Open an archive.

    Args:
        source: a path, a file descriptor, a file object, or any object with a buffer, such as bytes. Short bytes
            without a message and without a NUL are a path; ``memoryview(b)`` is always content. Plain files of
            ``open(..., "rb")`` are flushed, and mapped as a whole, whatever their position. Other objects with
            ``read``, such as those of ``gzip``, are read into memory: from their beginning if they can seek. Pipes are
            read to their end.
        mode: ``"map"``, ``"read"`` (positioned reads), or ``"auto"``: mapped unless the file system is a remote one.
        damage: what happens after bytes that belong to no message. ``"stop"``: messages behind them are an error.
            ``"skip"``: numbering goes on behind them; see ``Archive.gaps``.
        index: ``"use"`` the file ``NAME.tgx`` beside the archive if it fits; ``"none"``; ``"checked"``: compare all of
            it first; ``"create"``: write it if there is none. An index that is not current, because the archive has
            changed or was copied, or that cannot be used gives an :class:`IndexWarning`, and everything is read.
        index_cache: look for the index in the cache folder of the user, too.
        index_path: path of the index.
        trust_index_of: users whose indexes are used besides those of the archive's owner, of root and your own: names, or
            ``group:NAME``, with commas between them. The variable ``TGMAP_TRUST_INDEX_OF`` has the same form.
        offset, length: the part of the file that is the archive.
        max_decoded: bytes of memory that one decoded object may take; more is an :class:`Error`, since a few bytes of a
            file can ask for any number. Views of elements in place take none.

    Raises:
        FileNotFoundError, PermissionError, IsADirectoryError: as ``open`` of Python does.
        TypeError: the source is none of these, or a file that gives text.
        ValueError: the file is closed or write-only, a path has a NUL, or an integer is no descriptor.
        Error: the index at ``index_path`` does not fit.
    """
    options: dict[str, Any] = {"mode": mode, "damage": damage, "index": index, "index_cache": scalar(index_cache)}
    options["offset"] = integer(offset, "offset")
    options["length"] = None if length is None else integer(length, "length")
    options["max_decoded"] = integer(max_decoded, "max_decoded")
    for name in ("offset", "length", "max_decoded"):
        if not 0 <= (options[name] or 0) < 2**64:
            raise TypeError(f"{name} must be an integer from 0 to 2**64 - 1")
    if index_path is not None:
        text = as_text(index_path)
        options["index_path"] = os.path.abspath(text) if text else text  # a pickle is loaded in any folder
    if trust_index_of:
        options["trust_index_of"] = trust_index_of
    archive = open_source(_source.resolve(source), options)
    _warn_of_index(archive)
    return archive


def _warn_of_index(archive):
    is_unused = not archive.index_is_current and (archive.uses_index or archive.index_problem)
    if not is_unused or archive._has_warned:
        return
    archive._has_warned = True
    problem, verb = archive.index_problem, "create"
    if not problem:
        problem, verb = "it is not current: the archive has changed, or was copied", "update"
    path = printable(archive.path)
    text = f"{path}: the index is not used: {problem}; everything is read. Run: tgmap index {verb} {path}"
    warnings.warn(text, _errors.IndexWarning, stacklevel=3)


def open_source(source: _source.Source, options, first_message=0) -> Archive:
    """Open a source, and note how, so that the archive can be pickled and divided."""
    if source.name is None:
        archive = Archive(source.opened, **options)
    else:
        try:
            archive = Archive(source.opened, **options, stream_name=source.name)
        finally:
            if source.is_own:
                source.opened.close()
    archive._opened.origin = _origin.Origin(source.path, source.is_memory, options, first_message)
    return archive
