# SPDX-License-Identifier: Apache-2.0
"""Short names of files that tell them apart."""

from __future__ import annotations

from collections.abc import Iterable


def short_names(paths: Iterable[str]) -> dict[str, str]:
    """Return for each path its last part, with as many folders before it as no other path has.

    Complexity: linear in the length of all paths, times the folders that are needed.

    >>> sorted(short_names(["/run/00/t.tgm", "/run/12/t.tgm", "/run/12/u.tgm"]).values())
    ['00/t.tgm', '12/t.tgm', 'u.tgm']
    """
    out = {}
    left = {path: path.split("/") for path in paths}
    size = 1
    while left:
        tails: dict[tuple[str, ...], list[str]] = {}
        for path, parts in left.items():
            tails.setdefault(tuple(parts[-size:]), []).append(path)
        for tail, found in tails.items():
            is_whole = size >= max(len(left[path]) for path in found)
            for path in found:
                if len(found) == 1 or is_whole or size >= len(left[path]):
                    out[path] = "/".join(tail)
                    del left[path]
        size += 1
    return out
