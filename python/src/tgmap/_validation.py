# SPDX-License-Identifier: Apache-2.0
"""Checks of whole archives."""

from __future__ import annotations

from typing import Any, NamedTuple

from . import _core
from ._archive import Archive, open


class Finding(NamedTuple):
    """One fact about an archive that is wrong, unusual or unchecked.

    Attributes:
        code: name of the subject, such as ``"hash_mismatch"``.
        severity: ``"error"``: the archive is not sound; ``"warning"``: unusual, but sound; ``"note"``: not checked.
        level: the check: ``"structure"``, ``"metadata"``, ``"integrity"`` or ``"fidelity"``.
        offset: where in the archive, in bytes.
        length: bytes of a gap or of an incomplete message at the end; else 0.
        message: number of the message, or None for bytes that belong to no message.
        object: number of the object in its message, or None.
        text: one line for people. Offsets in it count from the message.
    """

    code: str
    severity: str
    level: str
    offset: int
    length: int
    message: int | None
    object: int | None
    text: str


class CheckedMessage(NamedTuple):
    """What a validation says about one message.

    Attributes:
        index: number of the message.
        offset, length: its place in the archive, in bytes.
        objects: number of objects.
        hash_verified: every object has a hash that matches, and there is no error.
        objects_not_decoded: objects whose values could not be checked.
    """

    index: int
    offset: int
    length: int
    objects: int
    hash_verified: bool
    objects_not_decoded: int


class Validation(NamedTuple):
    """Result of :func:`tgmap.validate`. True if the archive is sound.

    Attributes:
        is_sound: there is no error.
        errors, warnings: their numbers; gaps and an incomplete message at the end are errors.
        findings: all that was found, gaps first, then by message.
        messages: one entry for each message.
        objects: number of objects.
        messages_verified: number of messages whose hashes all match.
        objects_not_decoded: objects whose values ``"full"`` could not check.
        unclaimed_ranges: number of ranges of bytes that belong to no message.
        checked_bytes: bytes that were checked.
    """

    is_sound: bool
    errors: int
    warnings: int
    findings: list[Finding]
    messages: list[CheckedMessage]
    objects: int
    messages_verified: int
    objects_not_decoded: int
    unclaimed_ranges: int
    checked_bytes: int

    def __bool__(self) -> bool:
        return self.is_sound

    def __repr__(self) -> str:
        state = "sound" if self.is_sound else f"{self.errors} error{'' if self.errors == 1 else 's'}"
        return f"<Validation: {state}, {len(self.messages)} messages, {self.objects} objects>"

    def __str__(self) -> str:
        return "\n".join([repr(self), *(f"{_place(f)}: {f.severity}: {f.text}" for f in self.findings)])


def _place(finding: Finding) -> str:
    if finding.message is None:
        return f"bytes [{finding.offset}, {finding.offset + finding.length})"
    return f"message {finding.message}" + ("" if finding.object is None else f", object {finding.object}")


def validate(
    source: Any,
    level: str = "standard",
    *,
    check_canonical: bool = False,
    threads: int = 0,
    max_findings: int = 10_000,
) -> Validation:
    """Check everything in an archive, and trust nothing in it. The lock of the interpreter is released meanwhile.

    Args:
        source: an open archive, or anything that :func:`tgmap.open` takes. All bytes are read, also if the archive was
            opened by an index file. An archive that is opened for the purpose is checked beyond damaged bytes.
        level: ``"quick"``: lengths and order of frames; ``"standard"``: also metadata, indexes and hashes;
            ``"checksum"``: hashes alone; ``"full"``: standard, and every object is decoded.
        check_canonical: also warn of CBOR that is not in its one deterministic form.
        threads: number of threads; 0: one for each processor.
        max_findings: findings of one message that are kept; further ones are counted.

    Raises:
        OSError: the file cannot be read. Damage is a finding and raises nothing.

    >>> import tgmap
    >>> tgmap.validate("forecast.tgm")
    <Validation: sound, 4 messages, 8 objects>
    """
    if isinstance(source, _core.Archive):
        return _core._validate(source._opened, level, check_canonical, threads, max_findings)
    with open(source, damage="skip", index="none") as archive:
        return _core._validate(archive._opened, level, check_canonical, threads, max_findings)
