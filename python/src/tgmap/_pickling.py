# SPDX-License-Identifier: Apache-2.0
"""Pickling: archives by their path, messages and objects by their place in it. Nothing here scans an archive."""

from __future__ import annotations

import os
import weakref

_COMPARED_BYTES = 4096

# Archives that pickles opened in this process, as long as something uses them.
_opened_archives: weakref.WeakValueDictionary = weakref.WeakValueDictionary()


class Origin:
    """How an archive was opened, so that it can be opened again."""

    __slots__ = ("path", "is_memory", "options", "first_message", "_state")

    def __init__(self, source, options, first_message=0):
        self.path = os.path.abspath(source) if isinstance(source, str) else None
        self.is_memory = not isinstance(source, (str, int))
        self.options = options
        self.first_message = first_message
        self._state = None

    def state(self, opened):
        """Return what a pickle holds. Handles of one archive share it, so that a pickle of many has it once."""
        if self.is_memory:
            options = {**self.options, "offset": 0, "length": None}
            return opened.read(0, opened.nbytes), options, self.first_message
        if self.path is None:
            raise TypeError("an archive that was opened by a file descriptor cannot be pickled; open it by its path")
        if self._state is None:
            options = dict(self.options)
            if options["index"] in ("create", "checked"):
                options["index"] = "use"
            self._state = (self.path, options, self.first_message, _fingerprint(opened, opened.nbytes))
        return self._state


def _fingerprint(opened, size):
    """Return the size, and digests of the first and of the last bytes."""
    from hashlib import blake2b

    count = min(size, _COMPARED_BYTES)
    first, last = opened.read(0, count), opened.read(size - count, count)
    return size, blake2b(first, digest_size=16).digest(), blake2b(last, digest_size=16).digest()


def _state_of(opened):
    if opened.origin is None:
        raise TypeError("only archives of tgmap.open can be pickled")
    return opened.origin.state(opened)


def _open(state):
    """Return the open archive of a pickle. Raises ValueError if the path now has another archive."""
    from . import _archive

    if not isinstance(state[0], str):
        source, options, first_message = state
        return _archive.open_source(source, options, first_message)._opened
    path, options, first_message, fingerprint = state
    key = (path, tuple(sorted(options.items(), key=lambda item: item[0])), first_message, fingerprint)
    opened = _opened_archives.get(key)
    if opened is None:
        opened = _archive.open_source(path, options, first_message)._opened
        if opened.nbytes < fingerprint[0] or _fingerprint(opened, fingerprint[0]) != fingerprint:
            raise ValueError(f"'{path}' is not the archive that was pickled: its content is another one")
        _opened_archives[key] = opened
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


def reduce_message(message):
    opened = message._opened
    if opened.origin is not None and opened.origin.is_memory:  # the rest of the archive is not needed
        return _restore_message, ((bytes(message.bytes), {**opened.origin.options, "offset": 0, "length": None}, 0), 0)
    return _restore_message, (_state_of(opened), message.offset)


def _restore_message(state, offset):
    return _open(state).at_offset(offset)


def reduce_object(o):
    restore, args = reduce_message(o.message)
    return _restore_object, (restore, args, o.index)


def _restore_object(restore, args, number):
    return restore(*args)[number]
