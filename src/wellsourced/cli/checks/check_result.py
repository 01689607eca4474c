"""One thing that the doctor looked at."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Finding:
    """`note` is something that could be better and need not be; `fix` is one line that mends it."""

    area: str
    state: Literal["ok", "note", "problem"]
    told: str
    fix: str = ""

    def as_json(self) -> dict[str, str]:
        told = {"area": self.area, "state": self.state, "told": self.told}
        return {**told, "fix": self.fix} if self.fix else told
