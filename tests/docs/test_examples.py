"""The examples in the documentation that are marked runnable (```python run) run, against the loopback internet."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ("README.md", "docs/python.md")
RUNNABLE = re.compile(r"^```python run\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, int, str]]:
    found = []
    for page in PAGES:
        text = (ROOT / page).read_text("utf-8")
        found += [(page, text.count("\n", 0, match.start()) + 1, match[1]) for match in RUNNABLE.finditer(text)]
    return found


def test_there_are_examples() -> None:
    assert len(examples()) >= 5


@pytest.mark.parametrize(("page", "line", "code"), examples(), ids=lambda value: str(value)[:20].split("\n")[0])
def test_an_example_runs(environment: dict[str, str], page: str, line: int, code: str) -> None:
    environment |= {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert ran.returncode == 0, f"{page}:{line}\n{ran.stderr}"
    assert ran.stdout, f"{page}:{line} prints nothing"
