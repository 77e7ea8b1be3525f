# SPDX-License-Identifier: Apache-2.0
"""Places: where objects are in archives, so that other processes read them without a scan."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, NamedTuple, Union

import numpy as np

from .._core import Archive, _message_offsets, xxh3
from .._errors import ChangedFileError
from .._lists import check_masks
from .._paths import as_text, printable
from .._tables.table import to_addresses

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

_LARGEST_PICKLED = 16 << 20
_PART = ("offset", "length", "max_decoded")


class _File(NamedTuple):
    """An archive in a file, and the state of the file in which the places are right.

    Attributes:
        path: absolute.
        size, changed_at: of the file: bytes, and nanoseconds since 1970.
        offset, length: the part of the file that is the archive; None: up to its end.
        max_decoded: bytes of memory that one decoded object may take.
    """

    path: str
    size: int
    changed_at: int
    offset: int = 0
    length: int | None = None
    max_decoded: int = 4 << 30

    @property
    def name(self) -> str:
        return printable(self.path)

    def _opening(self) -> Any:
        """Return what the extension module opens, or takes out of its cache of open archives."""
        return tuple(self)


class _Opened(NamedTuple):
    """An archive that is open, and its file. It reads that file, also after another one took its path.

    A pickle has the file alone.
    """

    file: _File
    archive: Archive

    @property
    def path(self) -> str:
        return self.file.path

    @property
    def name(self) -> str:
        return self.file.name

    def _opening(self) -> Any:
        return self.archive._opened, self.file.size, self.file.changed_at

    def __reduce__(self) -> Any:
        return _File, tuple(_by_path(self.file, self.archive))  # type: ignore[arg-type]


class _Memory(NamedTuple):
    """An archive without a path. Only small ones in memory are pickled, by their bytes."""

    archive: Archive
    name: str = "archive in memory"

    def _opening(self) -> Any:
        return self.archive._opened

    def __reduce__(self) -> Any:
        if self.archive.nbytes > _LARGEST_PICKLED:
            size = f"{self.archive.nbytes} bytes, of which at most {_LARGEST_PICKLED} are pickled"
            raise TypeError(f"an archive without a path has {size}; write it to a file, which other processes open")
        return _Memory, (self.archive,)


_Entry = Union[_File, _Opened, _Memory]


def state_of(path: str) -> tuple[int, int]:
    """Return the size of a file and the time of its last change in nanoseconds."""
    status = os.stat(path)
    return status.st_size, status.st_mtime_ns


def check_state(path: str, size: int, changed_at: int) -> None:
    """Raise ChangedFileError if a file has another size or time of change now."""
    now = state_of(path)
    if now == (size, changed_at):
        return
    if now[0] != size:
        expected, found, text = size, now[0], f"{now[0]} bytes instead of {size}"
    else:
        expected, found, text = changed_at, now[1], f"its time of change is {now[1]} instead of {changed_at}"
    error = ChangedFileError(f"'{printable(path)}': the file has changed since its objects were found: {text}")
    error.code, error.expected, error.found = "archive_changed", expected, found
    raise error


def of_opened(archive: Archive, keeps_open: bool) -> _Entry:
    """Return an open archive for places. `keeps_open`: it is read through its open file, else by its path."""
    entry = _of_archive(archive)
    return _Opened(entry, archive) if isinstance(entry, _File) and keeps_open else _by_path(entry, archive)


def _entry(given: Any) -> _Entry:
    """Return an archive of places: of a path, a path with size and time of change, or an open archive."""
    if isinstance(given, (_File, _Opened, _Memory)):
        return given
    if isinstance(given, tuple):
        path, size, changed_at = given
        if not 0 <= size < 2**63 or not -(2**63) <= changed_at < 2**63:
            raise ValueError("the size and the time of change of a file must be numbers of 64 bits")
        return _File(os.path.abspath(as_text(path)), int(size), int(changed_at))
    if isinstance(given, Archive):
        return _by_path(_of_archive(given), given)
    path = os.path.abspath(as_text(given))
    return _File(path, *state_of(path))


def _of_archive(archive: Archive) -> _File | _Memory:
    """Return the file of an open archive in the state that it had when it was opened: what was found is of that state."""
    opened: Any = archive._opened
    origin = opened.origin
    if origin is None or origin.path is None:
        return _Memory(archive)
    part = {name: origin.options[name] for name in _PART}
    return _File(origin.path, *(opened.file_state or state_of(origin.path)), **part)


def _by_path(entry: _File | _Memory, archive: Archive) -> _File | _Memory:
    """Return an archive that is read by its path. Raises ChangedFileError if the path leads to another file."""
    if isinstance(entry, _File) and archive._opened.is_replaced():  # type: ignore[attr-defined]
        raise _replaced(entry.path, entry.size, state_of(entry.path)[0])
    return entry


def _replaced(path: str, expected: int, found: int) -> ChangedFileError:
    error = ChangedFileError(f"'{printable(path)}' leads to another file than the one that was opened; open it again")
    error.code, error.expected, error.found = "archive_changed", expected, found
    return error


class Places:
    """Where objects are: for each an archive, the offset of its message in it, and its number in the message.

    Places are read by :func:`tgmap.gather`. They can be pickled, compact: in the order of the
    archives less than 0.1 byte for each object if messages have equal sizes, and about two otherwise; up to two more
    in an order without a pattern. A process that loads them opens files when it reads, and scans nothing.

    >>> import tgmap
    >>> archive = tgmap.open("forecast.tgm")
    >>> places = archive.places([(0, 0), (1, 0)])
    >>> tgmap.gather(places).shape
    (2, 3, 4)

    Args:
        archives: each a path, an :class:`Archive`, or a path with the size and the time of change in nanoseconds that
            the file had when its messages were found; without them those of now.
        archive_of_each: for each object the number of its archive in `archives`; -1 is a hole, which has no object.
        offsets: for each object the offset of its message in the archive.
        objects: for each object its number in the message.

    Raises:
        ValueError: the arrays have different lengths, or a number is out of range.
        ChangedFileError: the path of an archive leads to another file now.
    """

    __slots__ = ("_archives", "_numbers", "_offsets", "_objects")

    def __init__(
        self,
        archives: Iterable[Any],
        archive_of_each: ArrayLike,
        offsets: ArrayLike,
        objects: ArrayLike,
    ):
        if isinstance(archives, (str, bytes, os.PathLike, Archive)):
            raise TypeError("archives is a list of paths or archives; put it into brackets")
        self._archives = tuple(_entry(each) for each in archives)
        self._numbers = _column(archive_of_each, "archive_of_each")
        self._offsets = _column(offsets, "offsets")
        self._objects = _column(objects, "objects")
        if not len(self._numbers) == len(self._offsets) == len(self._objects):
            sizes = f"{len(self._numbers)}, {len(self._offsets)} and {len(self._objects)}"
            raise ValueError(f"archive_of_each, offsets and objects must have one length, not {sizes}")
        _check(len(self._archives), self._numbers, self._offsets, self._objects)

    @classmethod
    def of(cls, given: Iterable[tuple[Any, int, int] | None]) -> Places:
        """Return places of a list of (path or archive, offset of the message, number of the object); None is a hole."""
        numbers: dict[Any, int] = {}
        archives: list[Any] = []
        rows: list[tuple[int, int, int]] = []
        for each in given:
            if each is None:
                rows.append((-1, 0, 0))
                continue
            archive, offset, object = each
            key = id(archive) if isinstance(archive, Archive) else archive
            if key not in numbers:
                numbers[key] = len(archives)
                archives.append(archive)
            rows.append((numbers[key], offset, object))
        columns = list(zip(*rows)) or [(), (), ()]
        return cls(archives, *columns)

    @property
    def paths(self) -> list[str]:
        """Path of each archive; empty for archives without one."""
        return ["" if isinstance(each, _Memory) else each.path for each in self._archives]

    @property
    def archive_of_each(self) -> NDArray[np.int64]:
        """For each object the number of its archive; -1 in holes."""
        return _read_only(self._numbers)

    @property
    def offsets(self) -> NDArray[np.int64]:
        """For each object the offset of its message in the archive."""
        return _read_only(self._offsets)

    @property
    def objects(self) -> NDArray[np.int64]:
        """For each object its number in the message."""
        return _read_only(self._objects)

    @property
    def holes(self) -> NDArray[np.bool_]:
        """For each object whether there is none."""
        return self._numbers < 0

    def __len__(self) -> int:
        return len(self._numbers)

    def __getitem__(self, rows: Any) -> Places:
        """Return the places of a slice, or of an array of numbers or of bools, with the archives that they need."""
        if not isinstance(rows, slice):
            rows = np.asarray(rows)
            if rows.ndim != 1:
                raise TypeError("places are selected by a slice or by an array of one dimension")
            if rows.size == 0:
                rows = rows.astype(np.int64)
        return self._of(self._numbers[rows], self._offsets[rows], self._objects[rows])

    def take(self, rows: ArrayLike) -> Places:
        """Return the places of an array of numbers, in which -1 becomes a hole."""
        wanted = _column(rows, "rows", any_shape=True)
        least = int(wanted.min()) if len(wanted) else 0
        if least < -1 or (len(wanted) and wanted.max() >= len(self)):
            raise IndexError(f"rows must be numbers from -1 to {len(self) - 1}")
        if least >= 0:
            return self._of(self._numbers[wanted], self._offsets[wanted], self._objects[wanted])
        if not len(self):
            return _restore((), wanted, wanted * 0, wanted * 0)
        hole = wanted < 0
        numbers = np.where(hole, -1, self._numbers[wanted])
        return self._of(numbers, np.where(hole, 0, self._offsets[wanted]), np.where(hole, 0, self._objects[wanted]))

    def _of(self, numbers: NDArray[np.int64], offsets: NDArray[np.int64], objects: NDArray[np.int64]) -> Places:
        if len(self._archives) == 1 and len(numbers) and numbers.max() == 0:
            return _restore(self._archives, numbers, offsets, objects)
        used = np.unique(numbers[numbers >= 0])
        if len(used) < len(self._archives):
            lookup = np.full(len(self._archives) + 1, -1, dtype=np.int64)  # the last one is that of holes
            lookup[used] = np.arange(len(used))
            numbers = lookup[numbers]
        return _restore(tuple(self._archives[i] for i in used), numbers, offsets, objects)

    def address(self, row: int) -> str:
        """Return the text that names an object: ``object 0 at byte 1024 of forecast.tgm``."""
        number = int(self._numbers[row])
        if number < 0:
            return "no object"
        name = os.path.basename(self._archives[number].name)
        return f"object {int(self._objects[row])} at byte {int(self._offsets[row])} of {name}"

    def token(self) -> tuple[Any, ...]:
        """Return what is another one for other places, and after a file has changed and its places were found again."""
        archives = [
            xxh3(each.archive._read(0, each.archive.nbytes))
            if isinstance(each, _Memory)
            else (each.file if isinstance(each, _Opened) else each)[:5]
            for each in self._archives
        ]
        columns = (self._numbers, self._offsets, self._objects)
        return (*archives, *(xxh3(np.ascontiguousarray(each).tobytes()) for each in columns), len(self))

    def __dask_tokenize__(self) -> Any:
        return type(self).__name__, self.token()

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Places):
            return NotImplemented
        return (
            list(map(_file_of, self._archives)) == list(map(_file_of, other._archives))
            and np.array_equal(self._numbers, other._numbers)
            and np.array_equal(self._offsets, other._offsets)
            and np.array_equal(self._objects, other._objects)
        )

    __hash__ = None  # type: ignore[assignment]

    def __reduce__(self) -> Any:
        from . import coded as _coded

        return _decode, (self._archives, _coded.encode(self._numbers, self._offsets, self._objects))

    def __repr__(self) -> str:
        holes = int(self.holes.sum())
        text = f"{len(self)} objects in {len(self._archives)} archives"
        return f"<Places: {text}{f', {holes} holes' if holes else ''}>"


def of_addresses(archive: Archive, addresses: Any) -> Places:
    """Return the places of objects of an archive; see Archive.places."""
    found = to_addresses(archive, addresses)
    if isinstance(found, list):
        if any(each._opened is not archive._opened for each in found):
            raise TypeError("an object is of another archive; give places of both to Places.of")
        offsets = np.array([each.message.offset for each in found], dtype=np.int64)
        objects = np.array([each.index for each in found], dtype=np.int64)
    else:
        messages, objects = found[:, 0], np.ascontiguousarray(found[:, 1])
        if len(messages) and messages.min() < 0:
            messages = np.where(messages < 0, messages + len(archive), messages)
        if len(messages) and (messages.min() < 0 or objects.min() < 0):
            wrong = found[(messages < 0) | (objects < 0)][0]
            raise IndexError(f"there is no object {wrong[0]}:{wrong[1]}; places have no negative numbers of objects")
        offsets = message_offsets(archive, messages)
    return Places([archive], np.zeros(len(offsets), dtype=np.int64), offsets, objects)


def message_offsets(archive: Archive, messages: NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the offsets of messages, whose numbers must not be negative."""
    found: NDArray[np.int64] = _message_offsets(archive._opened, np.ascontiguousarray(messages, dtype=np.int64))
    return found


def _check(
    archives: int, numbers: NDArray[np.int64], offsets: NDArray[np.int64], objects: NDArray[np.int64]
) -> None:
    if len(numbers) and not -1 <= numbers.min() <= numbers.max() < archives:
        raise ValueError(f"archive_of_each must have numbers from -1 to {archives - 1}")
    known = numbers >= 0
    if (offsets[known] < 0).any() or (objects[known] < 0).any():
        raise ValueError("offsets and objects must not be negative")


def _file_of(entry: _Entry) -> Any:
    return entry.file if isinstance(entry, _Opened) else entry


def by_path(places: Places) -> Places:
    """Return the same places, whose files are opened by their paths, as another process does it."""
    archives = (_by_path(each.file, each.archive) if isinstance(each, _Opened) else each for each in places._archives)
    return _restore(tuple(archives), places._numbers, places._offsets, places._objects)


def _read_only(column: NDArray[np.int64]) -> NDArray[np.int64]:
    out = column.view()
    out.flags.writeable = False
    return out


def _column(given: ArrayLike, name: str, any_shape: bool = False) -> NDArray[np.int64]:
    check_masks(given, f"{name} must not be masked")
    array = np.asarray(given)
    if any_shape:
        array = array.reshape(-1)
    if array.size == 0:
        array = array.astype(np.int64)
    if array.ndim != 1 or array.dtype.kind not in "iu":
        raise TypeError(f"{name} must be integers{'' if any_shape else ' in one dimension'}")
    if array.dtype.kind == "u" and array.size and array.max() >= 2**63:
        raise ValueError(f"{name} must be below 2**63")
    return np.array(array, dtype=np.int64)


def _restore(
    archives: tuple[_Entry, ...],
    numbers: NDArray[np.int64],
    offsets: NDArray[np.int64],
    objects: NDArray[np.int64],
) -> Places:
    out = Places.__new__(Places)
    out._archives = archives
    out._numbers, out._offsets, out._objects = map(np.ascontiguousarray, (numbers, offsets, objects))
    return out


def _decode(archives: tuple[_Entry, ...], coded: Any) -> Places:
    from . import coded as _coded

    columns = _coded.decode(coded)
    _check(len(archives), *columns)
    return _restore(archives, *columns)
