"""Whether an audit log is as it was written: the chain through all its files, and the head that was kept beside it.

What this proves: no line was changed, removed, added or moved, and none is missing at the end, unless whoever did it
also had the house key. What it cannot prove is said in `audit_head.py`; without a key, only that log and head agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from io import BufferedReader
from pathlib import Path

from wellsourced.storage.audit.chain import LONGEST_LINE, START, AuditLine, ChainHead, read_line
from wellsourced.storage.audit.head import HeadFile, HeadUnreadable
from wellsourced.storage.audit.open_file import locked
from wellsourced.storage.audit.rotated import rotated
from wellsourced.storage.audit.verdict import AuditFinding, AuditReport, Problem
from wellsourced.storage.sealer import Sealer


def verify(log: Path, sealer: Sealer | None) -> AuditReport:
    """Read everything once. An OSError means that there is no such log or that it cannot be read."""
    head_file = HeadFile(log, sealer)
    verdict = AuditReport(is_sealed=sealer is not None)
    with ExitStack() as opened:
        with _unchanging(log):
            kept = _kept_head(head_file, verdict)
            files = rotated(log)
            current = opened.enter_context(log.open("rb")) if log.exists() or not files else None
            size = current.seek(0, 2) if current else 0
        check = ChainCheck(verdict, kept)
        for path in files:
            with path.open("rb") as file:
                check.read(path.name, file, path.stat().st_size)
        if current:
            current.seek(0)
            check.read(log.name, current, size)
    check.finish()
    return verdict


def _unchanging(log: Path) -> ExitStack:
    """Holds a server that is writing for the moment in which files and head are looked up, where that is allowed."""
    held = ExitStack()
    lock = log.with_name(f"{log.name}.lock")
    with suppress(OSError):
        if lock.exists():
            held.enter_context(locked(lock))
    return held


def _kept_head(head_file: HeadFile, verdict: AuditReport) -> ChainHead | None:
    name = head_file.path.name
    try:
        kept = head_file.read()
    except HeadUnreadable as problem:
        kept, why = None, problem.sentence
    else:
        why = f"{name} is missing."
    if kept is None:
        verdict.find(AuditFinding("head", name, 0, f"{why} Lines cut off the end could not be seen."))
    return kept


class ChainCheck:
    """Follows the chain line by line. After a break it goes on from where the log goes on, to find the next."""

    def __init__(self, verdict: AuditReport, kept: ChainHead | None) -> None:
        self._verdict = verdict
        self._kept = kept
        self._at: ChainHead | None = None
        self._hash_at_kept = ""
        self._beginning: tuple[AuditLine, tuple[str, int]] | None = None
        self._deleted_through = 0
        self._place = ("", 0)

    def read(self, name: str, file: BufferedReader, size: int) -> None:
        self._verdict.files.append(name)
        for number, raw in enumerate(_lines(file, size), 1):
            self._place = (name, number)
            self._verdict.lines += 1
            if not raw.endswith(b"\n"):
                self._find("torn", "this line is not complete.")
            elif (line := read_line(raw[:-1])) is None:
                self._find("unreadable", "this is no line of an audit log.")
            else:
                self._note(line)
                self._follow(line)

    def finish(self) -> None:
        if self._beginning:
            self._check_beginning(*self._beginning)
        if self._kept is None:
            return
        last = self._at.seq if self._at else 0
        if last < self._kept.seq:
            self._find("end", f"{_range(last + 1, self._kept.seq)} missing after this, at the end.")
        elif self._kept.seq and self._hash_at_kept != self._kept.hash:
            self._find("head", f"line {self._kept.seq} is not the one that was written: the log was made anew.")

    def _check_beginning(self, line: AuditLine, place: tuple[str, int]) -> None:
        before = line.seq - 1
        if before > self._deleted_through:
            told = f"{_range(1, before)} missing, and the log does not say that their time was over."
            self._verdict.find(AuditFinding("beginning", *place, told))
        elif before == 0 and line.prev_hash != START:
            self._verdict.find(AuditFinding("replaced", *place, "line 1 names a line before it: it was replaced."))

    def _follow(self, line: AuditLine) -> None:
        if not line.is_sound:
            self._find("edited", f"line {line.seq} was changed after it was written.")
        before = self._at
        if before is None:
            self._verdict.first = line.seq
            self._beginning = line, self._place
        elif line.seq <= before.seq:
            self._find("moved", f"line {line.seq} stands after line {before.seq}: it was moved or repeated.")
            return
        elif line.seq > before.seq + 1:
            self._find("missing", f"{_range(before.seq + 1, line.seq - 1)} missing before this one, or moved.")
        elif line.prev_hash != before.hash:
            self._find("replaced", f"line {line.seq} does not follow from the one before: one of them was replaced.")
        self._at = line.head
        self._verdict.last = line.seq

    def _note(self, line: AuditLine) -> None:
        kind, metadata = str(line.event.get("event_type")), line.event.get("metadata")
        if self._kept and line.seq == self._kept.seq:
            self._hash_at_kept = line.hash
        if not kind.startswith("audit.") or not line.is_sound:
            return
        through = metadata.get("through_seq") if isinstance(metadata, dict) else None
        if kind == "audit.files_deleted" and isinstance(through, int):
            self._deleted_through = max(self._deleted_through, through)
        self._verdict.note(f"{self._place[0]}:{self._place[1]}: {kind} {metadata or ''}".rstrip())

    def _find(self, problem: Problem, told: str) -> None:
        self._verdict.find(AuditFinding(problem, *self._place, told))


def _lines(file: BufferedReader, size: int) -> Iterator[bytes]:
    """Each line with its break, up to a size; of one that is too long to be ours only a line break is left."""
    left = size
    while left > 0 and (raw := file.readline(min(left, LONGEST_LINE + 1))):
        left -= len(raw)
        is_too_long = left > 0 and not raw.endswith(b"\n")
        while left > 0 and not raw.endswith(b"\n") and (raw := file.readline(min(left, LONGEST_LINE + 1))):
            left -= len(raw)
        yield b"\n" if is_too_long else raw


def _range(first: int, last: int) -> str:
    return f"line {first} is" if first == last else f"lines {first} to {last} are"
