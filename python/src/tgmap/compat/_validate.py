# SPDX-License-Identifier: Apache-2.0
"""Validation, with reports in the form of the reference package."""

from __future__ import annotations

import os

from .._archive import open as open_archive
from .._core import _shown
from .._errors import Error
from .._paths import as_text
from .._validation import Finding, Validation
from .._validation import validate as validate_archive
from ._decode import checked_bytes

_LEVELS = {"quick": "quick", "default": "standard", "checksum": "checksum", "full": "full"}

# Codes whose findings are about no place in the message.
_WITHOUT_OFFSET = frozenset(
    "buffer_too_short no_metadata_frame preamble_parse_failed no_hash_available unknown_hash_algorithm".split()
)

# Codes for a buffer that does not begin with a whole message, by the reason that it cannot be opened.
_CODE_OF_FAILURE = {
    "message_too_short": "buffer_too_short",
    "not_a_message": "invalid_magic",
    "unknown_version": "preamble_parse_failed",
    "version_1": "preamble_parse_failed",
    "message_exceeds_file": "total_length_exceeds_buffer",
    "missing_end_magic": "postamble_invalid",
    "length_mismatch": "postamble_invalid",
    "unterminated_stream": "postamble_invalid",
}
_SHORTEST_MESSAGE = 48  # preamble and postamble


def _level(name) -> str:
    if not isinstance(name, str):
        raise TypeError(f"'{type(name).__name__}' object is not an instance of 'str'")
    if name not in _LEVELS:
        raise ValueError(f"unknown validation level: '{_shown(name)}', expected one of: quick, default, checksum, full")
    return _LEVELS[name]


def _issue(finding: Finding, begin: int) -> dict:
    out = {"code": finding.code, "level": finding.level, "severity": finding.severity}
    if finding.object is not None:
        out["object_index"] = finding.object
    if finding.code not in _WITHOUT_OFFSET:
        out["byte_offset"] = finding.offset - begin
    out["description"] = finding.text
    return out


def _reports(found: Validation) -> list[dict]:
    """Return a report for each message. Notes are no issues."""
    issues: dict[int, list[Finding]] = {}
    for each in found.findings:
        if each.message is not None and each.severity != "note":
            issues.setdefault(each.message, []).append(each)
    return [
        {
            "issues": [_issue(each, message.offset) for each in issues.get(message.index, ())],
            "object_count": message.objects,
            "hash_verified": message.hash_verified,
        }
        for message in found.messages
    ]


def _not_a_message(code: str, text: str) -> dict:
    severity = {"code": code, "level": "structure", "severity": "error", "description": text}
    return {"issues": [severity], "object_count": 0, "hash_verified": False}


def validate(buf, level="default", check_canonical=False) -> dict:
    """Check the message at the beginning of a buffer.

    Args:
        buf: bytes or a bytearray.
        level: ``"quick"`` (structure), ``"default"`` (also metadata and hashes), ``"checksum"`` (hashes alone) or
            ``"full"`` (default, and every object is decoded).
        check_canonical: also report CBOR that is not in its deterministic form.

    Returns:
        A dict of ``issues``, ``object_count`` and ``hash_verified``. An issue is a dict of ``code``, ``level``,
        ``severity``, ``description``, and where they apply ``object_index`` and ``byte_offset``.
    """
    level = _level(level)
    if len(checked_bytes(buf)) < _SHORTEST_MESSAGE:
        return _not_a_message("buffer_too_short", f"{len(buf)} bytes are less than the shortest message has")
    try:
        message = open_archive(memoryview(buf), index="none").at_offset(0)
    except Error as error:
        return _not_a_message(_CODE_OF_FAILURE.get(error.code, "invalid_frame_header"), str(error))
    if message.is_incomplete:
        return _not_a_message("postamble_invalid", "the message has no end")
    found = validate_archive(memoryview(buf)[: message.length], level, check_canonical=bool(check_canonical))
    return _reports(found)[0]


def validate_file(path, level="default", check_canonical=False) -> dict:
    """Check all messages of a file.

    Returns:
        A dict of ``file_issues`` and ``messages``, which has a report as of ``validate`` for each message. A file issue
        is a dict of ``byte_offset``, ``length`` and ``description``: bytes that belong to no message.

    Raises:
        OSError: the file cannot be read.
    """
    level = _level(level)
    found = validate_archive(as_text(os.fspath(path)), level, check_canonical=bool(check_canonical))
    unclaimed = [
        {"byte_offset": each.offset, "length": each.length, "description": each.text}
        for each in found.findings
        if each.message is None
    ]
    return {"file_issues": unclaimed, "messages": _reports(found)}
