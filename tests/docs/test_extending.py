"""The provider that docs/extending.md walks through: its three files, put into a copy of the project, work."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent.parent
NAMED_BLOCK = re.compile(r"^```python (\S+\.py)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
SECONDS = 90


def files() -> dict[str, str]:
    return dict(NAMED_BLOCK.findall((ROOT / "docs" / "extending.md").read_text("utf-8")))


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("project")
    shutil.copytree(ROOT / "src", copy / "src")
    shutil.copytree(ROOT / "tests", copy / "tests")
    shutil.copy2(ROOT / "pyproject.toml", copy)
    for name, text in files().items():
        assert not (copy / name).exists(), f"{name} is not a new file"
        (copy / name).write_text(text, "utf-8")
    return copy


def run(project: Path, environment: dict[str, str], *command: str) -> subprocess.CompletedProcess[str]:
    environment = environment | {"PYTHONPATH": f"{project / 'src'}:{project}"}
    return subprocess.run(
        [sys.executable, *command], cwd=project, env=environment, capture_output=True, text=True, timeout=SECONDS
    )


def test_there_are_three_files() -> None:
    assert [Path(name).parent.as_posix() for name in files()] == [
        "src/wellsourced/providers",
        "tests/providers",
        "tests/loopback/upstreams",
    ]


def test_they_keep_to_the_house_style(project: Path, quiet_environment: dict[str, str]) -> None:
    for command in (["check"], ["format", "--check"]):
        checked = run(project, dict(quiet_environment), "-m", "ruff", *command, "--no-cache", *files())
        assert checked.returncode == 0, checked.stdout


def test_the_providers_own_test_passes(project: Path, quiet_environment: dict[str, str]) -> None:
    command = ("-m", "pytest", "-p", "no:cacheprovider", "tests/providers/test_harbourlog.py")
    ran = run(project, dict(quiet_environment), *command)
    assert ran.returncode == 0, ran.stdout
    assert "10 passed" in ran.stdout


SEARCH = """
import json, os, subprocess, sys
from tests.loopback.run import Internet, keys
with Internet() as internet:
    environment = {**os.environ, **internet.environment(), "HARBOURLOG_API_KEY": keys()["HARBOURLOG_API_KEY"]}
    command = [sys.executable, "-m", "wellsourced", "search", "spring tides", "--engine", "harbourlog", "--json"]
    ran = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=60)
    print(json.dumps([ran.returncode, ran.stdout, ran.stderr, internet.requests("/harbourlog")]))
"""


def test_the_whole_process_finds_something_with_it(project: Path, quiet_environment: dict[str, str]) -> None:
    ran = run(project, dict(quiet_environment), "-c", SEARCH)
    assert ran.returncode == 0, ran.stderr
    status, answer, told, requests = json.loads(ran.stdout)
    assert status == 0, told
    assert requests == 1
    results = json.loads(answer)["results"]
    assert results
    assert all("/site/" in result["url"] for result in results)
