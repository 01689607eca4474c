"""What `wellsourced doctor` looks at; a module for each area, and what every check returns."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class CheckResult:
    """`note` is something that could be better and need not be; `fix` is one line that corrects it."""

    area: str
    state: Literal["ok", "note", "problem"]
    message: str
    fix: str = ""

    def as_json(self) -> dict[str, str]:
        payload = {"area": self.area, "state": self.state, "message": self.message}
        return {**payload, "fix": self.fix} if self.fix else payload
