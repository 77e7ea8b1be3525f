# SPDX-License-Identifier: Apache-2.0
"""The exception and the warnings of this package."""

from __future__ import annotations


class Error(ValueError):
    """An archive, a message or an object cannot be read or written.

    Missing files, wrong indexes and wrong types raise what Python raises for them; all else is this.

    Attributes:
        code: name of the reason, such as ``"hash_mismatch"``; docs/errors.md lists all.
        offset: where in the archive, in bytes.
        message: number of the message, or None.
        object: number of the object in its message, or None.
        expected, found: the two numbers that disagree.
    """

    code: str = ""
    offset: int = 0
    message: int | None = None
    object: int | None = None
    expected: int = 0
    found: int = 0

    def __reduce__(self):
        return _restore, (type(self), self.args, self.__dict__)


class ChangedFileError(Error):
    """A file is another one than when its objects were found: it has another size or time of change, or was replaced.

    ``code`` is ``"archive_changed"``; ``expected`` and ``found`` are the sizes, or the times in nanoseconds.
    """


class OutOfRangeError(ValueError, OverflowError):
    """A number does not fit. It is a ValueError as other wrong values are, and an OverflowError as Python has it."""


class CollectionWarning(UserWarning):
    """An archive of a collection cannot be opened or scanned, is damaged, or has messages that cannot be read."""


class IndexWarning(UserWarning):
    """The index of an archive is not used, so that everything is read: the archive has changed, or the text says why."""


class KeyWarning(UserWarning):
    """No message has a key of a selection, so the key is probably misspelled. The text names a similar key."""


class ReplacedWarning(UserWarning):
    """The path of an archive leads to another file now. ``refresh`` has opened that one."""


def _restore(kind, args, state):
    error = kind(*args)
    error.__dict__.update(state)
    return error
