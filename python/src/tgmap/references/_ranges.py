# SPDX-License-Identifier: Apache-2.0
"""Where the bytes of objects are in their files. Does not need Zarr."""

from __future__ import annotations

import os
import urllib.parse
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._archive import Archive
from .._paths import printable
from ..datasets._sources import Places
from ._frames import object_frames
from ._pipelines import Pipeline, pipeline_of

_FRAME_VERSION = 3
_FRAME_HEADER_BYTES = 16
_FRAME_TAIL_BYTES = 20
_CBOR_AFTER_PAYLOAD = 1


@dataclass(frozen=True)
class StoredRange:
    """Where one object is: offsets in its file, and sizes.

    Attributes:
        frame, payload: of the object; None in a message of an older wire format, or if they cannot be told.
        message: of its message.
        pipeline: how others decode the payload, or None.
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

    def of(self, rows: Iterable[int]) -> dict[int, StoredRange]:
        """Return the ranges of rows.

        Raises:
            ValueError: an archive has no path, or one that no URL has.
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
        url, start, size = self._file(number)
        message = archive[message_number]
        begin, end = message.offset, message.offset + message.length
        frames: list[tuple[int, int, int]] = []
        if message.version == _FRAME_VERSION:
            frames = list(object_frames(archive._read, begin, end))
        if len(frames) != len(message) or start + end > size:
            frames = []  # another layout of frames: the message is read as a whole
        for row in rows:
            object_number = int(self.places.objects[row])
            frame = payload = pipeline = None
            if frames:
                offset, length, flags = frames[object_number]
                found = message[object_number]
                at = _payload_offset(offset, length, flags, found)
                frame = start + offset, length
                if at is not None:
                    payload_bytes = found.payload.nbytes
                    payload = start + at, payload_bytes
                    begin_bytes = archive._read(at, min(16, payload_bytes))
                    pipeline = pipeline_of(found.descriptor.to_dict(), payload_bytes, begin_bytes)
            self._found[row] = StoredRange(
                url, (start + begin, end - begin), object_number, frame, payload, pipeline
            )

    def _file(self, number: int) -> tuple[str, int, int]:
        """Return the address of an archive, its first byte in the file, and the size of the file."""
        archive = self.places.source.archive(number)
        if self.urls is not None:
            return self.urls[number], 0, archive.nbytes
        if not archive.path:
            raise ValueError("an archive in memory has no address for references; write it to a file")
        start = _start_of(archive)
        return url_of(archive.path), start, os.stat(archive.path).st_size


def url_of(path: str) -> str:
    """Return the URL of a file, in which readers find the path again.

    Raises:
        ValueError: readers would take a part of the path for something else, and read another file.
    """
    full = os.path.abspath(path)
    url = f"file://{full}"
    parsed = urllib.parse.urlparse(url)
    is_text = not any("\ud800" <= letter <= "\udfff" for letter in full)
    if parsed.path != full or urllib.parse.unquote(full) != full or not is_text or "\\" in full:
        raise ValueError(
            f"{printable(path)}: the path has '#', '?', '%', a line break or bytes that are no text, for which readers "
            "of references would read another file; rename it"
        )
    return url


def _start_of(archive: Archive) -> int:
    """Return the offset of an archive that is a part of a file."""
    origin = archive._opened.origin  # type: ignore[attr-defined]
    return 0 if origin is None else int(origin.options["offset"])


def _payload_offset(offset: int, length: int, flags: int, found: Any) -> int | None:
    """Return the offset of a payload; None if masks and a description in front of it leave it open."""
    if flags & _CBOR_AFTER_PAYLOAD:
        return offset + _FRAME_HEADER_BYTES
    if found.descriptor.to_dict().get("masks"):
        return None
    return offset + length - _FRAME_TAIL_BYTES - int(found.payload.nbytes)


def present(cells: NDArray[np.int64]) -> list[int]:
    """Return the rows of cells that have an object."""
    flat = cells.reshape(-1)
    return flat[flat >= 0].tolist()
