# SPDX-License-Identifier: Apache-2.0
"""Archives: opening them, and what Python adds to those of the extension module."""

from __future__ import annotations

import os
from typing import Any

from . import _core, _pickling


class Archive(_core.Archive):
    """A sequence of messages in a file or in memory. Use :func:`tgmap.open`.

    Messages are found when they are asked for; ``len`` finds all. Arrays are views of the mapped file. They, messages
    and objects stay valid after ``close``.
    """

    def __reduce__(self):
        return _pickling.reduce_archive(self)

    def __repr__(self) -> str:
        if self.is_closed:
            return "<Archive: closed>"
        name = self.path or "in memory"
        return f"<Archive {name}: {self.nbytes} bytes>"


def open(
    source: str | os.PathLike[str] | int | Any,
    *,
    mode: str = "auto",
    damage: str = "stop",
    index: str = "use",
    index_cache: bool = False,
    index_path: str | os.PathLike[str] | None = None,
    offset: int = 0,
    length: int | None = None,
) -> Archive:
    """Open an archive.

    Args:
        source: a path, a file descriptor, a file object, or any object with a buffer, such as bytes.
        mode: ``"map"``, ``"read"`` (positioned reads), or ``"auto"``: mapped unless the file system is a remote one.
        damage: what happens after bytes that belong to no message. ``"stop"``: messages behind them are an error.
            ``"skip"``: numbering goes on behind them; see ``Archive.gaps``.
        index: ``"use"`` the file ``NAME.tgx`` beside the archive if it fits; ``"none"``; ``"checked"``: compare all of
            it first; ``"create"``: write it if there is none.
        index_cache: look for the index in the cache folder of the user, too.
        index_path: path of the index.
        offset, length: the part of the file that is the archive.

    Raises:
        FileNotFoundError, PermissionError, IsADirectoryError: as ``open`` of Python does.
        Error: the index at ``index_path`` does not fit.
    """
    if hasattr(source, "__fspath__"):
        source = os.fsdecode(source)
    elif hasattr(source, "fileno"):
        source = _source_of_file(source)
    options = {"mode": mode, "damage": damage, "index": index, "index_cache": index_cache, "offset": offset, "length": length}
    if index_path is not None:
        options["index_path"] = os.fsdecode(index_path)
    return Archive(source, **options)


def _source_of_file(file):
    """Return the descriptor of a file object, or its bytes if it has none, as io.BytesIO."""
    try:
        return file.fileno()
    except OSError:
        return file.getbuffer() if hasattr(file, "getbuffer") else file.read()
