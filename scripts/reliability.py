"""The page on reliability, from what the fault drills saw when they were last kept (`make reliability`)."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT))

from tests.drills.catalogue import CATALOGUE  # noqa: E402 - the drills are not part of the package

OUTCOMES = ROOT / "tests" / "drills" / "outcomes.json"
HEAD = """# Reliability

What happens when something breaks. Every row is a drill in `tests/drills/`: the fault is made for real, a call is made
through the server, and the test fails when the user is shown something else or more is lost than it says here. Errors
are shown with their kind in brackets. `make reliability` runs all drills and writes this page.

`make fuzz` feeds hostile input to the parsers, guided by coverage; `make soak` runs the server under mixed load for
half an hour and fails when memory, processes, open files or tasks grow. `make kill-rounds` kills the server two hundred
times while it writes, over stdio and HTTP, and fails when a research step, a memory or a page that it acknowledged is
missing afterwards.

| drill | fault | what the user sees | what was lost |
|---|---|---|---|
"""


def reliability_page() -> str:
    outcomes: dict[str, dict[str, str]] = json.loads(OUTCOMES.read_text("utf-8"))
    if missing := [drill for drill in CATALOGUE if drill not in outcomes]:
        raise SystemExit(f"no outcome is kept of {', '.join(missing)}: run `make reliability`")
    return HEAD + "".join(row(drill, fault, outcomes[drill]) for drill, fault in CATALOGUE.items())


def row(drill: str, fault: str, outcome: dict[str, str]) -> str:
    cells = (f"`{drill}`", fault, outcome["sees"], outcome["lost"])
    return f"| {' | '.join(cell.replace('|', '&#124;') for cell in cells)} |\n"
