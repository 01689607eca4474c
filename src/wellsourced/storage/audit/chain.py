"""The chain through the audit lines: each carries the hash of the one before it.

A line is compact JSON with sorted keys, and last of all its `hash`: SHA-256 over the hash of the line before (64
hexadecimal digits, zeros before the first) and the bytes of the line without that last member. `seq` counts the lines.
Checking works on the bytes as they stand, so nothing can be slipped in that a JSON parser would overlook.
"""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from wellsourced.storage.audit.event import canonical

START = "0" * 64
LONGEST_LINE = 131_072
HASH = re.compile(rb',"hash":"([0-9a-f]{64})"\}\Z')
HASH_MEMBER = 75


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
        body = canonical({**event, "seq": head.seq + 1, "prev_hash": head.hash})
        digest = _digest(head.hash, body)
        lines.append(body[:-1] + b',"hash":"' + digest.encode() + b'"}\n')
        head = ChainHead(head.seq + 1, digest)
    return lines, head


def read_line(raw: bytes) -> AuditLine | None:
    """None when the bytes, without their line break, are no line of such a chain."""
    found = HASH.search(raw[-HASH_MEMBER:]) if len(raw) <= LONGEST_LINE else None
    if found is None:
        return None
    try:
        event = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    seq, previous = event.get("seq"), event.get("prev_hash")
    if type(seq) is not int or not isinstance(previous, str):
        return None
    stated = found.group(1).decode()
    return AuditLine(seq, previous, stated, _digest(previous, raw[:-HASH_MEMBER] + b"}") == stated, event)


def _digest(previous: str, body: bytes) -> str:
    return hashlib.sha256(previous.encode("utf-8", "surrogatepass") + body).hexdigest()
