# SPDX-License-Identifier: Apache-2.0
"""Archives that a cube is made of, and the places of its objects in them."""

from __future__ import annotations

import dataclasses
import functools
import glob
import os
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .._archive import Archive
from .._archive import open as open_archive
from .._collection import Collection, open_many
from .._collection import read_objects as read_collection
from .._gathering.places import Places as ObjectPlaces
from .._gathering.places import message_offsets, of_opened
from .._paths import printable
from .._tables.table import Table, read_objects, read_together
from ._addresses import short_names
from ._rows import RowReader


class Source:
    """One archive or many, by number. It can be pickled if they can."""

    def __init__(self, archives: Collection | list[Archive]):
        self._archives = archives

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("paths", "_names")}  # found again

    @property
    def count(self) -> int:
        """Number of archives."""
        return self._archives.archive_count if isinstance(self._archives, Collection) else len(self._archives)

    def archive(self, number: int) -> Archive:
        """Return an archive, which is opened if it is not open."""
        return self._archives.archive(number) if isinstance(self._archives, Collection) else self._archives[number]

    def address(self, archive: int, message: int, object: int) -> str:
        """Return the text that names an object: ``forecast.tgm:3:0``, or ``00/forecast.tgm:3:0`` if another file has the
        same name."""
        path = printable(self._names.get(self.paths[archive], ""))
        return f"{path}:{message}:{object}" if path else f"{message}:{object}"

    @functools.cached_property
    def paths(self) -> list[str]:
        """The path of each archive, empty for those in memory. Opens none."""
        if isinstance(self._archives, Collection):
            return [path for path, _, _ in self._archives.places]
        return [each.path for each in self._archives]

    @functools.cached_property
    def _names(self) -> dict[str, str]:
        return short_names(path for path in self.paths if path)

    @property
    def keeps_open(self) -> bool:
        """Whether all archives are open; those of a Collection are opened and closed as they are needed."""
        return not isinstance(self._archives, Collection)

    def table(self, keys: Sequence[str], where: Any, others: Any = False) -> tuple[Table, list[str]]:
        """Return one table of the objects of all archives, and the paths of those that end in an incomplete message.

        Args:
            others: the last names of keys that are left out of the further keys of objects; False for no further keys.
        """
        if isinstance(self._archives, Collection) and self.count != 1:
            return read_collection(self._archives, keys, where, others)
        opened = [self.archive(number) for number in range(self.count)]
        cores = [each._opened for each in opened]
        one = len(cores) == 1
        found = read_objects(cores[0], keys, where, others) if one else read_together(cores, keys, where, others)
        return found, [each.path for each in opened if each.tail is not None]  # known after they were scanned

    def state(self, number: int) -> tuple[int, int] | None:
        """Return the size and the time of change that the file of an archive had when it was opened; None without one."""
        found: tuple[int, int] | None = self.archive(number)._opened.file_state  # type: ignore[attr-defined]
        return found

    @property
    def path(self) -> str:
        """The path, if it is one archive that has one."""
        return self.archive(0).path if self.count == 1 else ""


def open_source(given: Any, **options: Any) -> Source:
    """Return the archives of a path, bytes, an Archive, a Collection, a glob of paths, or a list of paths or archives.

    Raises:
        FileNotFoundError: there is no such file, or none that a glob matches.
        TypeError: options were given for archives that are open already.
    """
    if isinstance(given, (Archive, Collection)):
        _refuse_options(options)
        return Source([given] if isinstance(given, Archive) else given)
    many = {"damage": "stop", **options}  # an archive of which a part is missing is an error, as if it were one
    if isinstance(given, (list, tuple)):
        if not given:
            raise FileNotFoundError("the list of archives is empty")
        if all(isinstance(each, (str, os.PathLike)) for each in given):
            return Source(open_many([_existing(each) for each in given], **many))
        return Source([each if isinstance(each, Archive) else open_archive(each, **options) for each in given])
    if isinstance(given, (str, os.PathLike)):
        text = os.fsdecode(given)
        if glob.has_magic(text) and not os.path.exists(text):
            paths = sorted(glob.glob(text, recursive=True))
            if not paths:
                raise FileNotFoundError(f"no file matches '{text}'")
            return Source(open_many(paths, **many))
    return Source([open_archive(given, **options)])


def _refuse_options(options: dict[str, Any]) -> None:
    if options:
        raise TypeError(f"the archive is open; pass {', '.join(options)} to tgmap.open or tgmap.open_many")


def _existing(path: str | os.PathLike[str]) -> str | os.PathLike[str]:
    os.stat(path)  # open_many would only warn
    return path


@dataclass(frozen=True)
class Places:
    """Where objects are: a row for each.

    Attributes:
        source: the archives.
        archives, messages, objects: numbers.
        kinds: for each the number of its dtype in `dtypes`; objects that are read at once have the same.
    """

    source: Source
    archives: NDArray[np.int64]
    messages: NDArray[np.int64]
    objects: NDArray[np.int64]
    kinds: NDArray[np.int64]
    dtypes: tuple[np.dtype[Any], ...]

    def address(self, row: int) -> str:
        return self.source.address(int(self.archives[row]), int(self.messages[row]), int(self.objects[row]))

    def location(self, row: int) -> tuple[str, int, int]:
        """Return the path, the message and the object of a row."""
        return self.source.paths[int(self.archives[row])], int(self.messages[row]), int(self.objects[row])

    @functools.cached_property
    def by_offset(self) -> ObjectPlaces:
        """The same objects by the offsets of their messages, which other processes read without a scan."""
        offsets = np.zeros_like(self.messages)
        used = np.unique(self.archives)
        archives = []
        for number in used.tolist():
            archive = self.source.archive(number)
            archives.append(of_opened(archive, self.source.keeps_open))
            where = np.flatnonzero(self.archives == number) if len(used) > 1 else slice(None)
            offsets[where] = message_offsets(archive, self.messages[where])
        numbers = np.searchsorted(used, self.archives)
        return ObjectPlaces(archives, numbers, offsets, self.objects)

    @functools.cached_property
    def _reader(self) -> RowReader:
        return RowReader(self.by_offset, self.kinds, self.dtypes)

    def __getstate__(self) -> dict[str, Any]:
        return {each.name: getattr(self, each.name) for each in dataclasses.fields(self)}

    def read(self, rows: NDArray[np.int64], slab: tuple[Any, ...], out: NDArray[Any]) -> None:
        """Read a part of each object into `out`. Rows of -1 leave it as it is."""
        self._reader.read(rows, slab, out)

    def read_points(self, rows: NDArray[np.int64], points: tuple[NDArray[np.int64], ...], out: NDArray[Any]) -> None:
        """Read elements of each object into `out`; see RowReader.read_points."""
        self._reader.read_points(rows, points, out)

    def token(self) -> Any:
        """Return what is another one for objects of other archives, or of files that had changed before."""
        return self.by_offset.token()


def dtype_of(name: str) -> np.dtype[Any]:
    """Return the dtype of arrays of a dtype of the format."""
    if name == "bitmask":
        return np.dtype(bool)
    if name == "bfloat16":
        try:
            import ml_dtypes
        except ImportError:
            return np.dtype("V2")
        found: np.dtype[Any] = np.dtype(ml_dtypes.bfloat16)
        return found
    return np.dtype(name)


def elements(places: Places, row: int) -> NDArray[Any]:
    """Return the elements of one object, in the byte order of the machine."""
    archive = places.source.archive(int(places.archives[row]))
    return archive[int(places.messages[row])][int(places.objects[row])].decode()
