"""What the check of an audit log found, for people and for programs."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Literal, TypeAlias

Problem: TypeAlias = Literal["edited", "missing", "moved", "replaced", "unreadable", "torn", "beginning", "end", "head"]

MOST_FINDINGS = 1000


@dataclass(frozen=True, slots=True)
class AuditFinding:
    """`line` counts from 1 in its file; 0 where the finding is about no single line."""

    problem: Problem
    file: str
    line: int
    told: str

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

    def find(self, finding: AuditFinding) -> None:
        if len(self.findings) < MOST_FINDINGS:
            self.findings.append(finding)
        else:
            self.further += 1

    def note(self, told: str) -> None:
        if len(self.noted) < MOST_FINDINGS:
            self.noted.append(told)

    def as_json(self) -> dict[str, Any]:
        return {
            "whole": self.is_whole,
            "lines": self.lines,
            "firstSeq": self.first,
            "lastSeq": self.last,
            "headSealed": self.is_sealed,
            "files": self.files,
            "findings": [
                {"problem": found.problem, "file": found.file, "line": found.line or None, "told": found.told}
                for found in self.findings
            ],
            "furtherFindings": self.further,
            "noted": self.noted,
        }
