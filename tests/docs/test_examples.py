"""What the documentation shows runs, against the loopback internet: Python marked runnable, and commands."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.docs.test_blocks import command_of, commands
from tests.loopback.run import Internet
from tests.warm.process import run

ROOT = Path(__file__).resolve().parent.parent.parent
PAGES = ("README.md", "docs/python.md")
RECIPE = "harbour"
STRANGER = re.compile(r"https://example\.org/\S+")
RUNNABLE = re.compile(r"^```python run\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def examples() -> list[tuple[str, int, str]]:
    blocks = []
    for page in PAGES:
        text = (ROOT / page).read_text("utf-8")
        blocks += [(page, text.count("\n", 0, match.start()) + 1, match[1]) for match in RUNNABLE.finditer(text)]
    return blocks


def test_there_are_examples() -> None:
    assert len(examples()) >= 5


@pytest.mark.parametrize(("page", "line", "code"), examples(), ids=lambda value: str(value)[:20].split("\n")[0])
def test_an_example_runs(environment: dict[str, str], page: str, line: int, code: str) -> None:
    environment |= {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "PYTHONIOENCODING": "utf-8"}
    command = [sys.executable, "-W", "error::RuntimeWarning", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=60, env=environment)
    assert ran.returncode == 0, f"{page}:{line}\n{ran.stderr}"
    assert ran.stdout, f"{page}:{line} prints nothing"


# The others have tests of their own: the demo, serving, the audit log, a session that exists, the recipes.
RUN_HERE = ("search", "read", "doctor", "lenses", "cite", "completion")


@pytest.mark.parametrize("line", [line for _, line in commands() if line.split()[1] in RUN_HERE and RECIPE not in line])
def test_a_command_does_what_it_says(
    environment: dict[str, str], internet: Internet, tmp_path: Path, line: str
) -> None:
    (tmp_path / "thesis.bib").write_text("@book{mole, title={Of quays}, author={Mole, Ada}, year={1999}}", "utf-8")
    if "--section" in line:
        body = "<title>Filing</title><article><h2>Item 1A. Risk factors</h2><p>The sea may rise.</p></article>"
        internet.control("/site/alpha", status=200, body=body, headers={"content-type": "text/html"})
    there = STRANGER.sub(f"{internet.base}/site/alpha/tides", line)
    words = [sys.executable, "-m", "wellsourced", *command_of(there)]
    environment |= {"ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled", "HOME": str(tmp_path)}
    ran = run(words, environment, timeout=60, cwd=tmp_path)
    if "--lens" in line:  # none of its domains is on the loopback internet
        assert (ran.returncode, ran.stdout) == (3, "") and "Nothing was found" in ran.stderr
    else:
        assert ran.returncode == 0 and ran.stdout.strip(), ran.stderr
