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

from . import _archive, _source
from ._core import _hash_payload, _hash_structure
from ._errors import Error
from ._origin import hash_ends, hash_places
from ._paths import printable

# Archives that pickles opened in this process, as long as something uses them.
_opened_archives: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


def _state_of(opened):
    if opened.origin is None:
        raise TypeError("only archives of tgmap.open can be pickled")
    return opened.origin.state(opened)


def _another(path) -> ValueError:
    return ValueError(f"'{printable(path)}' is not the archive that was pickled: its content is another one")


def _open(state):
    """Return the open archive of a pickle. Raises ValueError if the path now has another archive."""
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
    if hash_ends(opened, size) != ends:
        raise _another(path)
    if opened.origin.is_touched and hash_places(opened, size) != places:
        raise _another(path)
    return opened


def reduce_archive(archive):
    return _restore_archive, (_state_of(archive._opened),)


def _restore_archive(state):
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
