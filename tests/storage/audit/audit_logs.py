"""Audit logs for tests: made in a folder, written to, read back."""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

from wellsourced.storage.audit.event import audit_event, format_timestamp
from wellsourced.storage.audit.file import AuditFile
from wellsourced.storage.audit.log import AuditLog
from wellsourced.storage.audit.overflow_file import OverflowFile
from wellsourced.storage.sealer import Sealer
from wellsourced.text.masker import Masker

KEY = bytes(range(32))


def make_log(path: Path, *, secrets: Iterable[str] = (), swap_bytes: int = 50_000_000, **options: Any) -> AuditLog:
    of_file = {name: options.pop(name) for name in ("max_bytes", "keep_days") if name in options}
    file = AuditFile(path, sealer=Sealer(KEY), **of_file)
    return AuditLog(file, OverflowFile(path, swap_bytes), Masker(secrets), **options)


def write(path: Path, numbers: Iterable[int], **options: Any) -> AuditLog:
    """A log that was opened, given one event for each number, and closed."""
    log = make_log(path, **options)
    for number in numbers:
        log.write(numbered(number))
    log.close()
    return log


def numbered(number: int) -> dict[str, Any]:
    return audit_event("tool_call", tool_name="probe", metadata={"number": number})


def stamped(number: int) -> dict[str, Any]:
    return {"format_timestamp": format_timestamp(1e9 + number), **numbered(number)}


def events(*paths: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for path in paths for line in path.read_bytes().splitlines()]


def numbers(*paths: Path) -> list[int]:
    """The numbers of the events, in the order of the lines; what the log notes of itself is passed over."""
    return [event["metadata"]["number"] for event in events(*paths) if event["event_type"] == "tool_call"]


def types(*paths: Path) -> list[str]:
    return [event["event_type"] for event in events(*paths)]
