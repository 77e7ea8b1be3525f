# SPDX-License-Identifier: Apache-2.0
"""The keys of archives: where each occurs, and which values it has."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from .. import _core

_SHOWN = 60
_HEADER = ("key", "messages", "values", "kinds")


class KeySummary(NamedTuple):
    """Where a key occurs, and which values it has.

    Attributes:
        messages: number of messages that have it, or an object that has it.
        values: number of different values, without null.
        has_more_values: there may be more: an index has not counted nearly unique and long values and maps, and of a
            file at most 65,536 of a key are counted.
        kinds: the kinds of values that occur, such as ``("integer", "text")``; see :class:`Codes`. ``"null"`` and,
            where a value is a map with keys of its own, ``"map"`` may be among them.
    """

    messages: int
    values: int
    has_more_values: bool
    kinds: tuple[str, ...]


class KeyList(Mapping[str, KeySummary]):
    """The keys of archives by their names, in order. ``print`` it. See :meth:`Archive.keys`.

    Attributes:
        unread: messages that were left out: ``[(archive, message, reason), ...]``.
        is_by_index: indexes have told it, and no message was read.
        omits_more: there are more than 16,384 keys; the others are left out.
    """

    def __init__(self, found: tuple[Any, ...]):
        keys, self.unread, self.is_by_index, self.omits_more = found
        self._keys: dict[str, KeySummary] = {name: KeySummary(*more) for name, *more in keys}

    def __getitem__(self, key: str) -> KeySummary:
        return self._keys[key]

    def __iter__(self) -> Iterator[str]:
        return iter(self._keys)

    def __len__(self) -> int:
        return len(self._keys)

    def __repr__(self) -> str:
        rows = self._shown_rows()
        widths = [max(len(row[i]) for row in rows) for i in range(len(_HEADER))]
        lines = [
            f"{key:<{widths[0]}}  {messages:>{widths[1]}}  {values:>{widths[2]}}  {kinds}"
            for key, messages, values, kinds in rows
        ]
        return "\n".join([*lines, self._count()])

    def _repr_html_(self) -> str:
        import html

        header, *body = self._shown_rows()
        rows = ["<tr>" + "".join(f"<th>{html.escape(name)}</th>" for name in header) + "</tr>"]
        rows += ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in body]
        return f"<table>{''.join(rows)}</table><p>{self._count()}</p>"

    def _shown_rows(self) -> list[tuple[str, str, str, str]]:
        rows = [_HEADER]
        names = list(self._keys)
        shown = names if len(names) <= _SHOWN else [*names[: _SHOWN // 2], None, *names[-_SHOWN // 2 :]]
        for name in shown:
            if name is None:
                rows.append(("...", "...", "...", "..."))
                continue
            each = self._keys[name]
            values = f"{each.values}+" if each.has_more_values else str(each.values)
            rows.append((_core._shown(name), str(each.messages), values, ", ".join(each.kinds)))
        return rows

    def _count(self) -> str:
        more = " and more" if self.omits_more else ""
        return f"[{len(self)} {'key' if len(self) == 1 else 'keys'}{more}]"
