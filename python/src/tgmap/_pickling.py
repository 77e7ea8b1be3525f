# SPDX-License-Identifier: Apache-2.0
"""Pickling: archives by their path, messages and objects by their place in it. Nothing here scans an archive.

A pickle has a fingerprint of what it stands for, since the path may lead to another file when it is loaded. Of the file
it is the size and the time of change, of a message or an object a hash of its metadata and descriptors. If the file has
another time, such as a copy, hashes of payloads are compared, too: the stored ones, or those of the bytes. Device and
number of a file are compared in the process that pickles only, because they differ from node to node.
"""

from __future__ import annotations

import os
import weakref

from ._core import _hash_payload, _hash_structure, xxh3
from ._paths import printable

_COMPARED_BYTES = 4096
_COMPARED_PLACES = 64

# Archives that pickles opened in this process, as long as something uses them.
_opened_archives: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


class Origin:
    """How an archive was opened, so that it can be opened again.

    Attributes:
        path: the absolute path, or None.
        is_memory: it is in memory, and has no path.
        options: those of ``tgmap.open``.
        first_message: number of its first message in the archive that it is a part of.
        is_prefix: it ends where that of a pickle ends, although the file has grown; `options` do not say so.
        is_touched: the file has another time than it had for a pickle, so that payloads are compared.
    """

    __slots__ = ("path", "is_memory", "options", "first_message", "is_prefix", "is_touched", "_state")

    def __init__(self, path, is_memory, options, first_message=0):
        self.path = path
        self.is_memory = is_memory
        self.options = options
        self.first_message = first_message
        self.is_prefix = self.is_touched = False
        self._state = None

    def copy(self) -> Origin:
        """Return the origin of the same archive with another size."""
        return Origin(self.path, self.is_memory, self.options, self.first_message)

    def state(self, opened):
        """Return what a pickle holds. Handles of one archive share it, so that a pickle of many has it once."""
        if self.is_memory:
            options = {**self.options, "offset": 0, "length": None}
            return opened.read(0, opened.nbytes), options, self.first_message
        if self.path is None:
            raise TypeError("an archive of a file descriptor or a pipe cannot be pickled; open it by its path")
        check_path(opened)
        time = os.stat(self.path).st_mtime_ns
        if self._state is None or self._state[3][1] != time:
            options = dict(self.options)
            if options["index"] in ("create", "checked"):
                options["index"] = "use"
            self._state = (self.path, options, self.first_message, _fingerprint(opened, time))
        return self._state


def check_path(opened) -> None:
    """Raise ValueError if the path of an archive leads to another file now."""
    if opened.is_replaced():
        path = printable(opened.origin.path)
        raise ValueError(f"'{path}' was replaced by another file since the archive was opened; refresh() opens that one")


def _fingerprint(opened, time):
    """Return the size, the time, a hash of both ends, and one of many places."""
    size = opened.nbytes
    return size, time, _hash_places(opened, size, 2), _hash_places(opened, size, _COMPARED_PLACES)


def _hash_places(opened, size, count) -> int:
    """Return a hash of bytes at places of equal distance, from the first bytes to the last ones; of all in small files."""
    if size <= count * _COMPARED_BYTES:
        return xxh3(opened.read(0, size))
    step = (size - _COMPARED_BYTES) // (count - 1)
    places = [i * step for i in range(count - 1)] + [size - _COMPARED_BYTES]
    return xxh3(b"".join(opened.read(place, _COMPARED_BYTES) for place in places))


def _state_of(opened):
    if opened.origin is None:
        raise TypeError("only archives of tgmap.open can be pickled")
    return opened.origin.state(opened)


def _another(path) -> ValueError:
    return ValueError(f"'{printable(path)}' is not the archive that was pickled: its content is another one")


def _open(state):
    """Return the open archive of a pickle. Raises ValueError if the path now has another archive."""
    from . import _archive, _source

    if not isinstance(state[0], str):
        source, options, first_message = state
        return _archive.open_source(_source.of_memory(source), options, first_message)._opened
    path, options, first_message, fingerprint = state
    key = (path, tuple(sorted(options.items(), key=lambda item: item[0])), first_message, fingerprint)
    opened = _opened_archives.get(key)
    if opened is None:
        opened = _opened_archives[key] = _open_path(path, options, first_message, fingerprint)
    return opened


def _open_path(path, options, first_message, fingerprint):
    from . import _archive, _source

    size, time, ends, places = fingerprint
    opened = _archive.open_source(_source.of_path(path), options, first_message)._opened
    if opened.nbytes < size:
        raise _another(path)
    if opened.nbytes > size:  # the file has grown, and the archive that was pickled has not seen it
        prefix = _archive.open_source(_source.of_path(path), {**options, "length": size}, first_message)._opened
        prefix.origin.options = options
        prefix.origin.is_prefix = True
        opened = prefix
    opened.origin.is_touched = opened.is_replaced() or os.stat(path).st_mtime_ns != time
    if _hash_places(opened, size, 2) != ends:
        raise _another(path)
    if opened.origin.is_touched and _hash_places(opened, size, _COMPARED_PLACES) != places:
        raise _another(path)
    return opened


def check_part(part, whole, begin):
    """Raise ValueError if a part that was opened again does not have the bytes of the whole archive."""
    count = min(part.nbytes, _COMPARED_BYTES)
    for offset in (0, part.nbytes - count):
        if part.read(offset, count) != whole.read(begin + offset, count):
            raise ValueError("the archive was replaced by another one since it was opened")


def reduce_archive(archive):
    return _restore_archive, (_state_of(archive._opened),)


def _restore_archive(state):
    from . import _archive

    return _archive.Archive(_open(state))


def _hashes(handle):
    return _hash_structure(handle), _hash_payload(handle, False)


def _checked(handle, structure, payload):
    """Return a message or an object that is the pickled one. Raises ValueError if it is another one."""
    if structure is None:  # its archive is in the pickle
        return handle
    origin = handle._opened.origin
    if _hash_structure(handle) != structure or (origin.is_touched and _hash_payload(handle, True) != payload):
        raise _another(origin.path)
    return handle


def _place(message):
    """Return the state of the archive of a message, and the offset of the message in it."""
    opened = message._opened
    origin = opened.origin
    if origin is not None and origin.is_memory:  # the rest of the archive is not needed
        return (bytes(message.bytes), {**origin.options, "offset": 0, "length": None}, 0), 0
    return _state_of(opened), message.offset


def reduce_message(message):
    state, offset = _place(message)
    return _restore_message, (state, offset, *(_hashes(message) if isinstance(state[0], str) else (None, None)))


def _restore_message(state, offset, structure, payload):
    return _checked(_message(state, offset), structure, payload)


def _message(state, offset):
    from ._errors import Error

    try:
        return _open(state).at_offset(offset)
    except (Error, IndexError):
        if not isinstance(state[0], str):
            raise
        raise _another(state[0]) from None


def reduce_object(o):
    state, offset = _place(o.message)
    return _restore_object, (state, offset, o.index, *(_hashes(o) if isinstance(state[0], str) else (None, None)))


def _restore_object(state, offset, number, structure, payload):
    message = _message(state, offset)
    if structure is not None and not number < len(message):
        raise _another(state[0])
    return _checked(message[number], structure, payload)
