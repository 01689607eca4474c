"""The files of one audit log: the current one, those rotated away, what was set aside, and when each may go."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

from wellsourced.storage.audit.chain import LONGEST_LINE, AuditLine, read_line

STAMP = "%Y%m%dT%H%M%S.%fZ"
STAMPED = re.compile(r"\.(?P<torn>torn\.)?(?P<stamp>\d{8}T\d{6}\.\d{6}Z)")
TAIL = 2 * LONGEST_LINE


def stamped_name(log: Path, moment: float, kind: str = "") -> Path:
    """`audit.jsonl.20260506T070809.123456Z`; with a kind, `audit.jsonl.torn.2026…`. Never a name that is taken."""
    while (path := log.with_name(f"{log.name}.{kind}{datetime.fromtimestamp(moment, UTC).strftime(STAMP)}")).exists():
        moment += 1e-6
    return path


def rotated(log: Path) -> list[Path]:
    """The rotated files in the order of their lines; that of their names is the clock's, which may have been set."""
    found = [path for path, torn, _ in _stamped(log) if not torn]
    return sorted(found, key=lambda path: (_first_seq(path), path.name))


def expired(log: Path, before: float) -> list[Path]:
    """What was rotated away or set aside before a moment."""
    return sorted(path for path, _, moment in _stamped(log) if moment < before)


def first_line(path: Path) -> AuditLine | None:
    with path.open("rb") as file:
        return read_line(file.readline(LONGEST_LINE + 1).rstrip(b"\n"))


def last_line(path: Path) -> tuple[AuditLine | None, bytes]:
    """The last line that has its line break, None if it is no line of a chain; and what stands after it."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL))
        whole, _, torn = file.read().rpartition(b"\n")
    return read_line(whole.rpartition(b"\n")[2]), torn


def _first_seq(path: Path) -> int:
    try:
        line = first_line(path)
    except OSError:
        return 0
    return line.seq if line else 0


def _stamped(log: Path) -> Iterator[tuple[Path, bool, float]]:
    for path in log.parent.iterdir():
        found = STAMPED.fullmatch(path.name.removeprefix(log.name)) if path.name.startswith(log.name) else None
        moment = _moment(found["stamp"]) if found else None
        if found and moment is not None:
            yield path, found["torn"] is not None, moment


def _moment(stamp: str) -> float | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
