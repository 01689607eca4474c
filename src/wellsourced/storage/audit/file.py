"""The audit log on the disk: appended in batches, rotated, and cleared of what is older than it may be.

Several processes may share one log; each batch is written under a lock and continues the chain where the last one
ended. What is found amiss on the way becomes a line itself: audit.torn_line (a crash left half a line; it is kept in a
file of its own), audit.unreadable_end (the last line is none of the chain's; the file was rotated away),
audit.after_crash (lines newer than the kept head), audit.lines_missing (lines that the head knows of are gone),
audit.head_missing, audit.head_unreadable, and audit.files_deleted (the time to keep them was over).
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import datetime
from pathlib import Path

from wellsourced.storage.audit.chain import AuditLine, ChainHead, chain_events
from wellsourced.storage.audit.event import AuditEvent, audit_event, timestamp
from wellsourced.storage.audit.head import HeadFile, HeadUnreadable
from wellsourced.storage.audit.open_file import locked, open_private, write_whole
from wellsourced.storage.audit.rotated import expired, first_line, last_line, rotated, stamped_name
from wellsourced.storage.key_file import sync_folder
from wellsourced.storage.sealer import Sealer

DAY = 86400.0
LONGEST_SPAN = 30 * DAY
LOOK_FOR_EXPIRED = 3600.0


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
        self._left: tuple[int, int, int] | None = None
        self._began = 0.0
        self._next_look = 0.0

    def append(self, events: Sequence[AuditEvent]) -> list[bytes]:
        """The lines as they were written. An OSError means that none of them was."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with locked(self.path.with_name(f"{self.path.name}.lock")):
            notes = self._resumed() if self._left is None or self._left != self._state() else []
            old = self._expired()
            if old:
                notes.append(self._note("audit.files_deleted", files=[p.name for p in old], through_seq=_end(old)))
            lines, head = chain_events([*notes, *events], self._head)
            size = self._write(b"".join(lines))
            self._head = head
            self._left = self._state()
            with suppress(OSError):  # the lines are there; a head that lags behind is told at the next start
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

    def _resumed(self) -> list[AuditEvent]:
        """Find the end of the chain, put right what a crash left, and say what was found."""
        notes: list[AuditEvent] = []
        written = self._end_of_file(notes)
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

    def _end_of_file(self, notes: list[AuditEvent]) -> ChainHead:
        """The head that the files themselves show."""
        line, torn = last_line(self.path) if self._size() else (None, b"")
        if torn:
            notes.append(self._set_aside(torn))
        if not self._size():
            return _last_head(rotated(self.path))
        if line is None:
            self._rotate()
            notes.append(self._note("audit.unreadable_end"))
            return ChainHead()
        self._began = _moment(first_line(self.path)) or self._clock()
        return line.head

    def _set_aside(self, torn: bytes) -> AuditEvent:
        aside = stamped_name(self.path, self._clock(), "torn.")
        with open_private(aside, "x") as file:
            write_whole(file, torn)
        os.truncate(self.path, self._size() - len(torn))
        return self._note("audit.torn_line", bytes=len(torn), file=aside.name)

    def _expired(self) -> list[Path]:
        now = self._clock()
        if now < self._next_look:
            return []
        self._next_look = now + LOOK_FOR_EXPIRED
        return expired(self.path, now - self._keep_seconds)

    def _is_full(self, size: int) -> bool:
        return 0 < self._max_bytes <= size or self._clock() - self._began > LONGEST_SPAN

    def _rotate(self) -> None:
        """Where the file cannot be renamed it goes on growing: better than losing lines."""
        with suppress(OSError):
            _sync(self.path)
            self.path.rename(stamped_name(self.path, self._clock()))
            sync_folder(self.path.parent)
            self.rotations += 1
            self._left = None
            self._next_look = 0.0

    def _note(self, event_type: str, **metadata: object) -> AuditEvent:
        event = audit_event(event_type, success=event_type == "audit.files_deleted", metadata=metadata)
        return {"timestamp": timestamp(self._clock()), **event}


def _later(written: ChainHead, kept: ChainHead | None) -> ChainHead:
    """The kept head where both name the same line: it is the one that cannot be forged."""
    return kept if kept and kept.seq >= written.seq else written


def _last_head(files: Sequence[Path]) -> ChainHead:
    line = last_line(files[-1])[0] if files else None
    return line.head if line else ChainHead()


def _end(files: Sequence[Path]) -> int:
    return max((_last_head([path]).seq for path in files), default=0)


def _moment(line: AuditLine | None) -> float | None:
    try:
        return datetime.fromisoformat(str(line.event.get("timestamp"))).timestamp() if line else None
    except (ValueError, OverflowError):
        return None


def _sync(path: Path) -> None:
    descriptor = os.open(path, os.O_RDWR)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
