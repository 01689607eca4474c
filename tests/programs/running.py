"""Runs one of the programs as a process and reads what it says."""

from __future__ import annotations

import json
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.secret_scan import scan_later
from tests.warm import process

ROOT = Path(__file__).resolve().parents[2]
LIMIT = 120


@dataclass(frozen=True)
class Ran:
    status: int
    stdout: str
    stderr: str

    @property
    def answer(self) -> dict[str, Any]:
        """The one JSON line on stdout."""
        assert self.stdout.endswith("\n") and self.stdout.count("\n") == 1, self.stdout[-500:] + self.stderr[-2000:]
        decoded: dict[str, Any] = json.loads(self.stdout)
        return decoded

    @property
    def success(self) -> dict[str, Any]:
        assert self.status == 0 and self.answer["success"] is True, self.stdout + self.stderr
        return self.answer

    @property
    def failure(self) -> dict[str, Any]:
        assert self.status != 0 and self.answer["success"] is False, self.stdout
        assert "Traceback" not in self.stderr, self.stderr
        return self.answer


def line_of(program: str) -> list[str]:
    """The console script's own call, without the need to have it installed."""
    return [sys.executable, "-c", f"import sys; from wellsourced.programs.{program} import main; sys.exit(main())"]


def run(program: str, request: object, environment: Mapping[str, str], *arguments: str) -> Ran:
    sent = request if isinstance(request, bytes) else json.dumps(request).encode()
    done = process.run([*line_of(program), *arguments], environment, timeout=LIMIT, stdin=sent)
    scan_later("what a program wrote to stderr", done.stderr, environment)
    return Ran(done.returncode, done.stdout, done.stderr)
