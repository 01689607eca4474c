"""Whether an audit log is as it was written: the chain through all its files, and the head that was kept beside it.

What this proves: no line was changed, removed, added or moved, and none is missing at the end, unless whoever did it
also had the encryption key. What it cannot prove is said in `HeadFile`; without a key, only that log and head agree.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, suppress
from dataclasses import dataclass, field
from io import BufferedReader
from pathlib import Path
from typing import Any, Literal, TypeAlias

from wellsourced.storage.audit.chain import (
    LONGEST_LINE,
    START,
    AuditLine,
    ChainHead,
    HeadFile,
    HeadUnreadable,
    read_line,
)
from wellsourced.storage.audit.file import rotated_files
from wellsourced.storage.locked_file import hold_lock
from wellsourced.storage.sealer import Sealer

Problem: TypeAlias = Literal["edited", "missing", "moved", "replaced", "unreadable", "torn", "beginning", "end", "head"]

MOST_FINDINGS = 1000


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """`line` counts from 1 in its file; 0 where the finding is about no single line."""

    problem: Problem
    file: str
    line: int
    message: str

    @property
    def place(self) -> str:
        return f"{self.file}:{self.line}" if self.line else self.file


@dataclass(slots=True)
class AuditReport:
    """`lines` counts those that were read; `noted` holds what the log says of itself, such as a torn line set aside."""

    is_sealed: bool
    lines: int = 0
    first: int = 0
    last: int = 0
    files: list[str] = field(default_factory=list)
    findings: list[AuditFinding] = field(default_factory=list)
    further: int = 0
    noted: list[str] = field(default_factory=list)

    @property
    def is_whole(self) -> bool:
        return not self.findings

    def add(self, finding: AuditFinding) -> None:
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)
        else:
            self.further += 1

    def add_note(self, note: str) -> None:
        if len(self.noted) < MOST_FINDINGS:
            self.noted.append(note)

    def as_json(self) -> dict[str, Any]:
        return {
            "whole": self.is_whole,
            "lines": self.lines,
            "firstSeq": self.first,
            "lastSeq": self.last,
            "headSealed": self.is_sealed,
            "files": self.files,
            "findings": [
                {"problem": each.problem, "file": each.file, "line": each.line or None, "message": each.message}
                for each in self.findings
            ],
            "furtherFindings": self.further,
            "noted": self.noted,
        }


def verify_audit_log(log: Path, sealer: Sealer | None) -> AuditReport:
    """Read everything once. An OSError means that there is no such log or that it cannot be read."""
    head_file = HeadFile(log, sealer)
    report = AuditReport(is_sealed=sealer is not None)
    with ExitStack() as opened:
        with _pause_writers(log):
            head = _read_head(head_file, report)
            files = rotated_files(log)
            current = opened.enter_context(log.open("rb")) if log.exists() or not files else None
            size = current.seek(0, 2) if current else 0
        check = ChainCheck(report, head)
        for path in files:
            with path.open("rb") as file:
                check.read(path.name, file, path.stat().st_size)
        if current:
            current.seek(0)
            check.read(log.name, current, size)
    check.finish()
    return report


def _pause_writers(log: Path) -> ExitStack:
    """Holds a server that is writing for the moment in which files and head are looked up, where that is allowed."""
    held = ExitStack()
    lock = log.with_name(f"{log.name}.lock")
    with suppress(OSError):
        if lock.exists():
            held.enter_context(hold_lock(lock))
    return held


def _read_head(head_file: HeadFile, report: AuditReport) -> ChainHead | None:
    name = head_file.path.name
    try:
        head = head_file.read()
    except HeadUnreadable as problem:
        head, why = None, problem.sentence
    else:
        why = f"{name} is missing."
    if head is None:
        report.add(AuditFinding("head", name, 0, f"{why} Lines cut off the end could not be seen."))
    return head


class ChainCheck:
    """Follows the chain line by line. After a break it goes on from where the log goes on, to find the next."""

    def __init__(self, report: AuditReport, head: ChainHead | None) -> None:
        self._report = report
        self._head = head
        self._last: ChainHead | None = None
        self._hash_at_head = ""
        self._beginning: tuple[AuditLine, tuple[str, int]] | None = None
        self._deleted_through = 0
        self._place = ("", 0)

    def read(self, name: str, file: BufferedReader, size: int) -> None:
        self._report.files.append(name)
        for number, raw in enumerate(_lines(file, size), 1):
            self._place = (name, number)
            self._report.lines += 1
            if not raw.endswith(b"\n"):
                self._add("torn", "this line is not complete.")
            elif (line := read_line(raw[:-1])) is None:
                self._add("unreadable", "this is no line of an audit log.")
            else:
                self._note(line)
                self._follow(line)

    def finish(self) -> None:
        if self._beginning:
            self._check_beginning(*self._beginning)
        if self._head is None:
            return
        last = self._last.seq if self._last else 0
        if last < self._head.seq:
            self._add("end", f"{_range(last + 1, self._head.seq)} missing after this, at the end.")
        elif self._head.seq and self._hash_at_head != self._head.hash:
            self._add("head", f"line {self._head.seq} is not the one that was written: the log was made anew.")

    def _check_beginning(self, line: AuditLine, place: tuple[str, int]) -> None:
        before = line.seq - 1
        if before > self._deleted_through:
            message = f"{_range(1, before)} missing, and the log does not say that their time was over."
            self._report.add(AuditFinding("beginning", *place, message))
        elif before == 0 and line.prev_hash != START:
            self._report.add(AuditFinding("replaced", *place, "line 1 names a line before it: it was replaced."))

    def _follow(self, line: AuditLine) -> None:
        if not line.is_sound:
            self._add("edited", f"line {line.seq} was changed after it was written.")
        before = self._last
        if before is None:
            self._report.first = line.seq
            self._beginning = line, self._place
        elif line.seq <= before.seq:
            self._add("moved", f"line {line.seq} stands after line {before.seq}: it was moved or repeated.")
            return
        elif line.seq > before.seq + 1:
            self._add("missing", f"{_range(before.seq + 1, line.seq - 1)} missing before this one, or moved.")
        elif line.prev_hash != before.hash:
            self._add("replaced", f"line {line.seq} does not follow from the one before: one of them was replaced.")
        self._last = line.head
        self._report.last = line.seq

    def _note(self, line: AuditLine) -> None:
        kind, metadata = str(line.event.get("event_type")), line.event.get("metadata")
        if self._head and line.seq == self._head.seq:
            self._hash_at_head = line.hash
        if not kind.startswith("audit.") or not line.is_sound:
            return
        through = metadata.get("through_seq") if isinstance(metadata, dict) else None
        if kind == "audit.files_deleted" and isinstance(through, int):
            self._deleted_through = max(self._deleted_through, through)
        self._report.add_note(f"{self._place[0]}:{self._place[1]}: {kind} {metadata or ''}".rstrip())

    def _add(self, problem: Problem, message: str) -> None:
        self._report.add(AuditFinding(problem, *self._place, message))


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
