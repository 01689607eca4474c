"""The chain through the audit lines: each carries the hash of the one before it.

A line is compact JSON with sorted keys, and last of all its `hash`: SHA-256 over the hash of the line before (64
hexadecimal digits, zeros before the first) and the bytes of the line without that last member. `seq` counts the lines.
Checking works on the bytes as they stand, so nothing can be slipped in that a JSON parser would overlook.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from wellsourced.errors import WellsourcedError
from wellsourced.storage.audit.event import canonical_json
from wellsourced.storage.locked_file import open_private
from wellsourced.storage.sealer import CannotOpen, Sealer

START = "0" * 64
LONGEST_LINE = 131_072
HASH = re.compile(rb',"hash":"([0-9a-f]{64})"\}\Z')
HASH_MEMBER = 75
LONGEST_HEAD = 4096
HEAD_IDENTITY = "audit head"
DIGEST = re.compile(r"[0-9a-f]{64}")


@dataclass(frozen=True, slots=True)
class ChainHead:
    """The last line of a chain; before the first there is none."""

    seq: int = 0
    hash: str = START


@dataclass(frozen=True, slots=True)
class AuditLine:
    """A line as it stands. `is_sound` says that its hash fits it and the `prev_hash` it names."""

    seq: int
    prev_hash: str
    hash: str
    is_sound: bool
    event: dict[str, Any]

    @property
    def head(self) -> ChainHead:
        return ChainHead(self.seq, self.hash)


def chain_events(events: Iterable[Mapping[str, object]], head: ChainHead) -> tuple[list[bytes], ChainHead]:
    """The events as lines that follow `head`, and the new head."""
    lines = []
    for event in events:
        body = canonical_json({**event, "seq": head.seq + 1, "prev_hash": head.hash})
        digest = _digest(head.hash, body)
        lines.append(body[:-1] + b',"hash":"' + digest.encode() + b'"}\n')
        head = ChainHead(head.seq + 1, digest)
    return lines, head


def read_line(raw: bytes) -> AuditLine | None:
    """None when the bytes, without their line break, are no line of such a chain."""
    stated = HASH.search(raw[-HASH_MEMBER:]) if len(raw) <= LONGEST_LINE else None
    if stated is None:
        return None
    try:
        event = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    seq, previous = event.get("seq"), event.get("prev_hash")
    if type(seq) is not int or not isinstance(previous, str):
        return None
    digest = stated.group(1).decode()
    return AuditLine(seq, previous, digest, _digest(previous, raw[:-HASH_MEMBER] + b"}") == digest, event)


def _digest(previous: str, body: bytes) -> str:
    return hashlib.sha256(previous.encode("utf-8", "surrogatepass") + body).hexdigest()


class HeadUnreadable(WellsourcedError):
    """There is a head, and it cannot be believed."""


class HeadFile:
    """The head of the chain, kept beside the log: without it nobody could see that lines were cut off the end.

    It is sealed where there is an encryption key, so that whoever can write the files but has no key cannot make a head
    for a log they changed. Two things it cannot show: that an older head was put back together with the log of that
    time, and lines added by hand after the last head before a crash. The copies that AUDIT_WEBHOOK_URL sends show both.
    """

    def __init__(self, log: Path, sealer: Sealer | None) -> None:
        self.path = log.with_name(f"{log.name}.head")
        self._sealer = sealer

    def check_key(self) -> None:
        """Raises CannotUseKey where there should be a key and cannot be used: no line is written without its head."""
        if self._sealer is not None:
            self._sealer.check_key()

    def read(self) -> ChainHead | None:
        """None when there is none."""
        try:
            with self.path.open("rb") as file:
                return self._open(json.loads(file.read(LONGEST_HEAD)))
        except FileNotFoundError:
            return None
        except (ValueError, KeyError, TypeError, RecursionError) as problem:
            raise HeadUnreadable(f"{self.path} is damaged.") from problem

    def write(self, head: ChainHead) -> None:
        """Whole or not at all: written beside, then given the name."""
        plain = {"seq": head.seq, "hash": head.hash}
        content = plain if self._sealer is None else {"sealed": self._seal(canonical_json(plain))}
        draft = self.path.with_name(f"{self.path.name}.new")
        with open_private(draft, "w") as file:
            file.write(canonical_json(content) + b"\n")
        draft.replace(self.path)

    @property
    def is_sealed(self) -> bool:
        return self._sealer is not None

    def _seal(self, plain: bytes) -> str:
        assert self._sealer is not None
        return base64.b64encode(self._sealer.seal(plain, HEAD_IDENTITY)).decode()

    def _open(self, fields: dict[str, object]) -> ChainHead:
        if self._sealer is None and "sealed" in fields:
            raise HeadUnreadable(f"{self.path} is sealed, and the encryption key is not at hand.")
        if self._sealer is not None:
            if "sealed" not in fields:
                raise HeadUnreadable(f"{self.path} is not sealed, though there is a key: it was not made with it.")
            fields = json.loads(self._unseal(str(fields["sealed"])))
        return _parse_head(fields)

    def _unseal(self, sealed: str) -> bytes:
        assert self._sealer is not None
        try:
            return self._sealer.open(base64.b64decode(sealed, validate=True), HEAD_IDENTITY).plain
        except CannotOpen:
            raise HeadUnreadable(f"{self.path} does not open with the encryption key.") from None


def _parse_head(fields: dict[str, object]) -> ChainHead:
    seq, digest = fields["seq"], fields["hash"]
    if type(seq) is not int or seq < 0 or not isinstance(digest, str) or not DIGEST.fullmatch(digest):
        raise ValueError(fields)
    return ChainHead(seq, digest)
