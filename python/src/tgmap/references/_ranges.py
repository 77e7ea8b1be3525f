# SPDX-License-Identifier: Apache-2.0
"""Where the bytes of objects are in their files. Does not need Zarr."""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from .._archive import Archive
from .._errors import ChangedFileError, Error
from .._gathering.places import check_state
from .._paths import printable
from ..datasets._sources import Places
from ._frames import FRAME_HEADER_BYTES, frame_length
from ._pipelines import Pipeline, pipeline_of

_FRAME_VERSION = 3
_BEGIN_BYTES = 16


@dataclass(frozen=True)
class StoredRange:
    """Where one object is: offsets in its file, and sizes.

    Attributes:
        message: of its message.
        object: its number there.
        frame: of the object; None in a message of an older wire format.
        payload, pipeline: of the object, and how others decode it; None if they cannot.
    """

    url: str
    message: tuple[int, int]
    object: int
    frame: tuple[int, int] | None
    payload: tuple[int, int] | None
    pipeline: Pipeline | None


@dataclass
class Ranges:
    """Finds the bytes of objects. Each message is looked at once.

    Args:
        urls: the addresses of archives that others read them by; default: those of their paths.
    """

    places: Places
    urls: list[str] | None = None
    _found: dict[int, StoredRange] = field(default_factory=dict)
    _files: dict[int, tuple[str, int, int]] = field(default_factory=dict)

    def of(self, rows: Iterable[int]) -> dict[int, StoredRange]:
        """Return the ranges of rows.

        Raises:
            ValueError: an archive has no path, or one that no URL has.
            ChangedFileError: the file of an archive is another one than when it was opened.
            Error: a message cannot be read.
        """
        wanted = [row for row in dict.fromkeys(rows) if row not in self._found]
        messages: dict[tuple[int, int], list[int]] = {}
        for row in wanted:
            messages.setdefault((int(self.places.archives[row]), int(self.places.messages[row])), []).append(row)
        for (number, message), members in messages.items():
            self._read(number, message, members)
        return self._found

    def _read(self, number: int, message_number: int, rows: list[int]) -> None:
        archive = self.places.source.archive(number)
        if number not in self._files:
            self._files[number] = self._file(number)
        url, start, size = self._files[number]
        message = archive[message_number]
        begin, end = message.offset, message.offset + message.length
        has_frames = message.version == _FRAME_VERSION
        if start + end > size:
            raise Error(f"{self.places.address(rows[0])}: the file has become shorter; open it again")
        for row in rows:
            found = message[int(self.places.objects[row])]
            frame = payload = pipeline = None
            if has_frames:
                offset, at, size_of_region = found.frame_offset, found.payload_offset, found.stored_nbytes
                frame = start + offset, frame_length(archive._read(offset, FRAME_HEADER_BYTES), end - offset)
                first = archive._read(at, min(_BEGIN_BYTES, size_of_region))
                pipeline = pipeline_of(found.descriptor.to_dict(), size_of_region, first)
                payload = None if pipeline is None else (start + at, size_of_region)
            self._found[row] = StoredRange(url, (start + begin, end - begin), found.index, frame, payload, pipeline)

    def _file(self, number: int) -> tuple[str, int, int]:
        """Return the address of an archive, its first byte in the file, and the size of the file."""
        archive = self.places.source.archive(number)
        if self.urls is not None:
            return self.urls[number], 0, archive.nbytes
        path = path_of(archive)
        if not path:
            raise ValueError("an archive in memory has no address for references; write it to a file")
        if archive.is_replaced:
            text = f"'{printable(path)}' leads to another file than the one that was opened; open it again"
            error = ChangedFileError(text)
            error.code = "archive_changed"
            raise error
        state = self.places.source.state(number)
        if state is not None:
            check_state(path, *state)
        return url_of(path), _start_of(archive), os.stat(path).st_size


def path_of(archive: Archive) -> str:
    """Return the absolute path of an archive, wherever this process works now; empty text without one."""
    origin = archive._opened.origin  # type: ignore[attr-defined]
    return "" if origin is None or not origin.path else os.path.abspath(origin.path)


def url_of(path: str) -> str:
    """Return the URL of a file, in which readers find the path again.

    Raises:
        ValueError: readers would take a part of the path for something else, and read another file.
    """
    url = f"file://{path}"
    is_text = not any("\ud800" <= letter <= "\udfff" for letter in path)
    if urllib.parse.urlparse(url).path != path or "%" in path or "\\" in path or not is_text:
        raise ValueError(
            f"{printable(path)}: the path has '#', '?', '%', a line break or bytes that are no text, for which readers "
            "of references would read another file; rename it"
        )
    return url


def _start_of(archive: Archive) -> int:
    """Return the offset of an archive that is a part of a file."""
    origin = archive._opened.origin  # type: ignore[attr-defined]
    return 0 if origin is None else int(origin.options["offset"])


def present(cells: NDArray[np.int64]) -> list[int]:
    """Return the rows of cells that have an object."""
    flat = cells.reshape(-1)
    rows: list[int] = flat[flat >= 0].tolist()
    return rows
