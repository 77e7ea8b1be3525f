# SPDX-License-Identifier: Apache-2.0
"""Hidden folders beside an archive, in which its parts are written."""

from __future__ import annotations

import contextlib
import fcntl
import os
import re
import shutil
import stat
import time
import uuid
from collections.abc import Iterator

_OWNER = "owner"


def folder_beside(path: str) -> str:
    """Return a new name of a folder for an archive: ``.NAME.XXXX.parts``."""
    target = os.path.realpath(path)
    return os.path.join(os.path.dirname(target), f".{_short_name(target)}.{uuid.uuid4().hex[:12]}.parts")


def make_folder(folder: str) -> str:
    """Make a folder of no owner, which tasks of several processes share, and return it."""
    with contextlib.suppress(FileExistsError):  # a delayed that is computed again
        os.mkdir(folder, mode=0o700)
    return folder


@contextlib.contextmanager
def own_folder(path: str, folder: str | None = None) -> Iterator[str]:
    """Make the folder of an archive, and remove it at the end. Folders that processes left when they died are removed.

    This process locks the file ``owner`` in it: the system unlocks the file when the process ends, however it does.

    Args:
        path: the archive.
        folder: its name, of folder_beside(). Default: a new one.
    """
    remove_stale_folders(path)
    made = make_folder(folder or folder_beside(path))
    lock = None
    try:
        lock = _lock(made)
        yield made
    finally:
        remove_folder(made)
        if lock is not None:
            os.close(lock)


def remove_folder(folder: str) -> None:
    """Remove a folder, in which other tasks may still write."""
    for _ in range(20):
        shutil.rmtree(folder, ignore_errors=True)
        if not os.path.exists(folder):
            return
        time.sleep(0.05)


def remove_stale_folders(path: str) -> None:
    """Remove the folders of an archive whose owners have died.

    Those that have no owner stay: tasks of a ``Delayed`` may write into them, on any machine. So do those on file systems
    without locks.
    """
    target = os.path.realpath(path)
    parent = os.path.dirname(target)
    pattern = re.compile(rf"\.{re.escape(_short_name(target))}\.[0-9a-f]{{12}}\.parts")
    with contextlib.suppress(OSError):
        for name in os.listdir(parent):
            if pattern.fullmatch(name):
                _remove_if_stale(os.path.join(parent, name))


def _remove_if_stale(folder: str) -> None:
    with contextlib.suppress(OSError):  # no owner, or of another user; or another process has just removed it
        if not stat.S_ISDIR(os.lstat(folder).st_mode):
            return
        descriptor = os.open(os.path.join(folder, _OWNER), os.O_RDWR | os.O_NOFOLLOW | os.O_CLOEXEC)
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)  # an error: its owner lives, or there are no locks
            shutil.rmtree(folder, ignore_errors=True)
        finally:
            os.close(descriptor)


def _lock(folder: str) -> int | None:
    """Lock the owner file of a folder, or return None if the file system has no locks."""
    owner = os.path.join(folder, _OWNER)
    descriptor = os.open(f"{owner}.new", os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
        os.rename(f"{owner}.new", owner)  # locked before others find it
        return descriptor
    except OSError:
        os.close(descriptor)
        return None


def _short_name(target: str) -> str:
    return os.path.basename(target)[:40]  # a name has at most 255 bytes
