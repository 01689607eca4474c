"""Finds Node and the conformance suite, runs them, and reads what they found.

The suite needs Node 22 or newer and speaks HTTP only. Each scenario leaves a `checks.json`; scenarios that a
revision does not require are named at the end of the printed summary.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import pytest

TOOLS = Path(__file__).resolve().parents[2] / ".tools" / "node_modules"
PACKAGES = TOOLS / "@modelcontextprotocol"
SUITE_VERSION = "0.2.0-alpha.12"
OLDEST_NODE = 22
TIME_LIMIT = 250

RESULT_FOLDER = re.compile(r"^server-(.+)-\d{4}-\d\d-\d\dT[\d-]+Z$")
UNSCORED = re.compile(r"^  [✓✗] (\S+) \([a-z-]+\)$", re.MULTILINE)

# Scenarios that need no fixtures, so that they say something about a production server.
FIXTURE_FREE: Mapping[str, tuple[str, ...]] = {
    "2025-11-25": (
        "server-initialize",
        "ping",
        "tools-list",
        "resources-list",
        "prompts-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
        "server-session-lifecycle",
    ),
    "2026-07-28": (
        "tools-list",
        "resources-list",
        "prompts-list",
        "server-sse-multiple-streams",
        "dns-rebinding-protection",
        "sep-2164-resource-not-found",
        "caching",
        "http-header-validation",
        "input-required-result-unsupported-methods",
    ),
}


@dataclass(frozen=True)
class Outcome:
    """One scenario: how many checks passed, and what each failed check said, by its id."""

    passed: int
    failures: Mapping[str, str]

    @property
    def was_tried(self) -> bool:
        """False when the suite found nothing to look at, which it counts as a pass."""
        return self.passed > 0 or bool(self.failures)


@dataclass(frozen=True)
class RequirementRun:
    """A whole requirement set: what the revision requires, and what was only tried."""

    required: Mapping[str, Outcome]
    unscored: Mapping[str, Outcome]


def failing(outcomes: Mapping[str, Outcome]) -> dict[str, Mapping[str, str]]:
    return {name: outcome.failures for name, outcome in outcomes.items() if outcome.failures}


def untried(outcomes: Mapping[str, Outcome]) -> set[str]:
    return {name for name, outcome in outcomes.items() if not outcome.was_tried}


@cache
def find_node() -> Path | None:
    """The Node of `.tools`, or the system's if it is new enough."""
    candidates = [*TOOLS.glob("node-*/bin/node"), *TOOLS.glob("node-*/bin/node.exe")]
    system = shutil.which("node")
    return next((node for node in [*candidates, *([Path(system)] if system else [])] if node_is_new(node)), None)


def node_is_new(node: Path) -> bool:
    said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=20, check=False).stdout
    major = said.removeprefix("v").partition(".")[0]
    return major.isdecimal() and int(major) >= OLDEST_NODE


def installed_version(package: str) -> str:
    described = PACKAGES / package / "package.json"
    return str(json.loads(described.read_text("utf-8"))["version"]) if described.is_file() else ""


def command() -> list[str]:
    """How the suite is started. Without it the test skips, loudly; a build that must run it fails."""
    node = find_node()
    missing = [f"Node {OLDEST_NODE} or newer"] if node is None else []
    if installed_version("conformance") != SUITE_VERSION:
        missing.append(f"@modelcontextprotocol/conformance {SUITE_VERSION}")
    if missing:
        sentence = f"MCP conformance was NOT checked: {' and '.join(missing)} missing; run tests/conformance/install.sh"
        if os.environ.get("CI", "").lower() == "true":
            pytest.fail(sentence, pytrace=False)
        pytest.skip(sentence)
    return [str(node), str(PACKAGES / "conformance" / "dist" / "index.js")]


def run_requirements(url: str, revision: str) -> RequirementRun:
    """Run everything a revision requires of a server."""
    with tempfile.TemporaryDirectory() as folder:
        said = _run(url, ["--requirements", revision], folder)
        outcomes = _outcomes(Path(folder))
    unscored = set(UNSCORED.findall(said))
    return RequirementRun(
        required={name: outcome for name, outcome in outcomes.items() if name not in unscored},
        unscored={name: outcome for name, outcome in outcomes.items() if name in unscored},
    )


def run_without_fixtures(url: str, revision: str) -> dict[str, Outcome]:
    """How a production server does in the scenarios that need no fixtures; one that left no result counts as failed."""
    run = run_requirements(url, revision)
    outcomes = {**run.required, **run.unscored}
    return {name: outcomes.get(name, Outcome(0, {"no-result": ""})) for name in FIXTURE_FREE[revision]}


def _run(url: str, choice: list[str], folder: str) -> str:
    line = [*command(), "server", "--url", url, *choice, "-o", folder]
    ended = subprocess.run(line, capture_output=True, text=True, encoding="utf-8", timeout=TIME_LIMIT, check=False)
    return ended.stdout + ended.stderr


def _outcomes(folder: Path) -> dict[str, Outcome]:
    found = {}
    for checks in sorted(folder.glob("*/checks.json")):
        named = RESULT_FOLDER.match(checks.parent.name)
        assert named is not None, f"the suite names its results differently now: {checks.parent.name}"
        found[named[1]] = _outcome(json.loads(checks.read_text("utf-8")))
    return found


def _outcome(checks: list[dict[str, object]]) -> Outcome:
    passed = sum(check["status"] == "SUCCESS" for check in checks)
    failures = {str(check["id"]): str(check.get("errorMessage")) for check in checks if check["status"] == "FAILURE"}
    return Outcome(passed, failures)
