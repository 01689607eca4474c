"""The audit log on the disk: appended in batches, rotated, and cleared of what is older than it may be.

Several processes may share one log; each batch is written under a lock and continues the chain where the last one
ended. What is found amiss on the way becomes a line itself: audit.torn_line (a crash left half a line; it is kept in a
file of its own), audit.unreadable_end (the last line is none of the chain's; the file was rotated away),
audit.after_crash (lines newer than the kept head), audit.lines_missing (lines that the head knows of are gone),
audit.head_missing, audit.head_unreadable, and audit.files_deleted (the time to keep them was over).
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path

from wellsourced.storage.audit.chain import (
    LONGEST_LINE,
    AuditLine,
    ChainHead,
    HeadFile,
    HeadUnreadable,
    chain_events,
    read_line,
)
from wellsourced.storage.audit.event import AuditEvent, audit_event, format_timestamp
from wellsourced.storage.key_file import sync_folder
from wellsourced.storage.locked_file import hold_lock, open_private, write_whole
from wellsourced.storage.sealer import Sealer

DAY = 86400.0
LONGEST_SPAN = 30 * DAY
EXPIRY_CHECK_SECONDS = 3600.0
STAMP = "%Y%m%dT%H%M%S.%fZ"
STAMPED = re.compile(r"\.(?P<torn>torn\.)?(?P<stamp>\d{8}T\d{6}\.\d{6}Z)")
TAIL = 2 * LONGEST_LINE


class AuditFile:
    """`max_bytes` 0 never rotates for size. A file is also rotated after a month, or a quiet log would be kept for
    ever."""

    def __init__(
        self,
        path: Path,
        *,
        max_bytes: int = 0,
        keep_days: float = 180,
        sealer: Sealer | None = None,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self.path = path
        self.rotations = 0
        self._max_bytes = max_bytes
        self._keep_seconds = keep_days * DAY
        self._head_file = HeadFile(path, sealer)
        self._clock = clock
        self._head = ChainHead()
        self._last_state: tuple[int, int, int] | None = None
        self._began = 0.0
        self._next_expiry_check = 0.0

    def append(self, events: Sequence[AuditEvent]) -> list[bytes]:
        """The lines as they were written. An OSError or CannotUseKey means that none of them was."""
        self._head_file.check_key()
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with hold_lock(self.path.with_name(f"{self.path.name}.lock")):
            notes = self._resume() if self._last_state is None or self._last_state != self._state() else []
            old = self._expired()
            if old:
                notes.append(self._note("audit.files_deleted", files=[p.name for p in old], through_seq=_last_seq(old)))
            lines, head = chain_events([*notes, *events], self._head)
            size = self._write(b"".join(lines))
            self._head = head
            self._last_state = self._state()
            with suppress(OSError):  # the lines are there; a head that lags behind is noted at the next start
                self._head_file.write(head)
            for path in old:
                with suppress(OSError):
                    path.unlink(missing_ok=True)
            if self._is_full(size):
                self._rotate()
        return lines

    def sync(self) -> None:
        """Force what was written to the disk."""
        with suppress(FileNotFoundError):
            _sync(self.path)
            _sync(self._head_file.path)
            sync_folder(self.path.parent)

    def _write(self, batch: bytes) -> int:
        """The size afterwards. A batch that does not fit on the disk leaves nothing behind."""
        with open_private(self.path, "a") as file:
            before = os.fstat(file.fileno()).st_size
            if before == 0:
                self._began = self._clock()
            try:
                write_whole(file, batch)
            except OSError:
                os.ftruncate(file.fileno(), before)
                raise
            return before + len(batch)

    def _state(self) -> tuple[int, int, int] | None:
        """What changes when another process has written or rotated; None where there is no file."""
        try:
            found = self.path.stat()
        except FileNotFoundError:
            return None
        return found.st_ino, found.st_size, found.st_mtime_ns

    def _size(self) -> int:
        found = self._state()
        return found[1] if found else 0

    def _resume(self) -> list[AuditEvent]:
        """Find the end of the chain, put right what a crash left, and say what was found."""
        notes: list[AuditEvent] = []
        written = self._read_end(notes)
        try:
            kept = self._head_file.read()
        except HeadUnreadable as problem:
            notes.append(self._note("audit.head_unreadable", problem=problem.sentence))
            self._head = written
            return notes
        self._head = _later(written, kept)
        if kept is None and written.seq:
            notes.append(self._note("audit.head_missing"))
        elif kept and kept.seq > written.seq:
            notes.append(self._note("audit.lines_missing", first=written.seq + 1, last=kept.seq))
        elif kept and kept.seq < written.seq:
            notes.append(self._note("audit.after_crash", first=kept.seq + 1, last=written.seq))
        return notes

    def _read_end(self, notes: list[AuditEvent]) -> ChainHead:
        """The head that the files themselves show."""
        line, torn = read_last_line(self.path) if self._size() else (None, b"")
        if torn:
            notes.append(self._move_torn_line(torn))
        if not self._size():
            return _last_head(rotated_files(self.path))
        if line is None:
            self._rotate()
            notes.append(self._note("audit.unreadable_end"))
            return ChainHead()
        self._began = _moment(read_first_line(self.path)) or self._clock()
        return line.head

    def _move_torn_line(self, torn: bytes) -> AuditEvent:
        aside = timestamped_name(self.path, self._clock(), "torn.")
        with open_private(aside, "x") as file:
            write_whole(file, torn)
        os.truncate(self.path, self._size() - len(torn))
        return self._note("audit.torn_line", bytes=len(torn), file=aside.name)

    def _expired(self) -> list[Path]:
        now = self._clock()
        if now < self._next_expiry_check:
            return []
        self._next_expiry_check = now + EXPIRY_CHECK_SECONDS
        return expired_files(self.path, now - self._keep_seconds)

    def _is_full(self, size: int) -> bool:
        return 0 < self._max_bytes <= size or self._clock() - self._began > LONGEST_SPAN

    def _rotate(self) -> None:
        """Where the file cannot be renamed it goes on growing: better than losing lines."""
        with suppress(OSError):
            _sync(self.path)
            self.path.rename(timestamped_name(self.path, self._clock()))
            sync_folder(self.path.parent)
            self.rotations += 1
            self._last_state = None
            self._next_expiry_check = 0.0

    def _note(self, event_type: str, **metadata: object) -> AuditEvent:
        event = audit_event(event_type, success=event_type == "audit.files_deleted", metadata=metadata)
        return {"format_timestamp": format_timestamp(self._clock()), **event}


def _later(written: ChainHead, kept: ChainHead | None) -> ChainHead:
    """The kept head where both name the same line: it is the one that cannot be forged."""
    return kept if kept and kept.seq >= written.seq else written


def _last_head(files: Sequence[Path]) -> ChainHead:
    line = read_last_line(files[-1])[0] if files else None
    return line.head if line else ChainHead()


def _last_seq(files: Sequence[Path]) -> int:
    return max((_last_head([path]).seq for path in files), default=0)


def _moment(line: AuditLine | None) -> float | None:
    try:
        return datetime.fromisoformat(str(line.event.get("format_timestamp"))).timestamp() if line else None
    except (ValueError, OverflowError):
        return None


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def timestamped_name(log: Path, moment: float, kind: str = "") -> Path:
    """`audit.jsonl.20260506T070809.123456Z`; with a kind, `audit.jsonl.torn.2026…`. Never a name that is taken."""
    while (path := log.with_name(f"{log.name}.{kind}{datetime.fromtimestamp(moment, UTC).strftime(STAMP)}")).exists():
        moment += 1e-6
    return path


def rotated_files(log: Path) -> list[Path]:
    """The rotated files in the order of their lines; that of their names is the clock's, which may have been set."""
    found = [path for path, torn, _ in _stamped(log) if not torn]
    return sorted(found, key=lambda path: (_first_seq(path), path.name))


def expired_files(log: Path, before: float) -> list[Path]:
    """What was rotated away or set aside before a moment."""
    return sorted(path for path, _, moment in _stamped(log) if moment < before)


def read_first_line(path: Path) -> AuditLine | None:
    with path.open("rb") as file:
        return read_line(file.readline(LONGEST_LINE + 1).rstrip(b"\n"))


def read_last_line(path: Path) -> tuple[AuditLine | None, bytes]:
    """The last line that has its line break, None if it is no line of a chain; and what stands after it."""
    with path.open("rb") as file:
        size = file.seek(0, 2)
        file.seek(max(0, size - TAIL))
        whole, _, torn = file.read().rpartition(b"\n")
    return read_line(whole.rpartition(b"\n")[2]), torn


def _first_seq(path: Path) -> int:
    try:
        line = read_first_line(path)
    except OSError:
        return 0
    return line.seq if line else 0


def _stamped(log: Path) -> Iterator[tuple[Path, bool, float]]:
    for path in log.parent.iterdir():
        found = STAMPED.fullmatch(path.name.removeprefix(log.name)) if path.name.startswith(log.name) else None
        moment = _stamp_time(found["stamp"]) if found else None
        if found and moment is not None:
            yield path, found["torn"] is not None, moment


def _stamp_time(stamp: str) -> float | None:
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC).timestamp()
    except ValueError:
        return None
