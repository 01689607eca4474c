"""The command's table: help that stays light and true, and completion."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import click
import pytest

from tests.cli.running import run
from wellsourced.cli.main import COMMANDS, cli

HEAVY = ("mcp", "pydantic", "asyncio", "rich", "wellsourced.cli.search", "wellsourced.app", "wellsourced.upstreams")


def test_help_imports_no_command(quiet_environment: Mapping[str, str]) -> None:
    code = "from wellsourced.cli.main import run; run(['--help']); import sys; print(*sys.modules, file=sys.stderr)"
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(quiet_environment))
    assert set(ran.stderr.split()).isdisjoint(HEAVY)
    assert all(f"  {name} " in ran.stdout for name in (*COMMANDS, "serve"))


def test_help_lines_are_those_of_the_commands() -> None:
    context = click.Context(cli)
    for name, line in COMMANDS.items():
        command = cli.get_command(context, name)
        assert command is not None
        assert command.get_short_help_str(200) == line


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_completion_scripts(quiet_environment: Mapping[str, str], shell: str) -> None:
    ran = run(quiet_environment, "completion", shell)
    assert ran.status == 0
    assert f"_WELLSOURCED_COMPLETE={shell}_complete" in ran.out


@pytest.mark.parametrize(
    ("words", "offers"),
    [("wellsourced se", {"search", "serve", "session"}), ("wellsourced search --lens acad", {"academic"})],
)
def test_completion_completes(quiet_environment: Mapping[str, str], words: str, offers: set[str]) -> None:
    asked = {"_WELLSOURCED_COMPLETE": "bash_complete", "COMP_WORDS": words, "COMP_CWORD": str(words.count(" "))}
    ran = run({**quiet_environment, **asked})
    assert offers <= {line.partition(",")[2] for line in ran.out.splitlines()}


def test_tools_that_are_not_there_are_told(quiet_environment: Mapping[str, str]) -> None:
    code = (
        "from wellsourced.tool import registry; registry.names = lambda: {'web_search'}\n"
        "from wellsourced.cli.main import run; raise SystemExit(run(['verify', '10.1000/1']))"
    )
    ran = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=dict(quiet_environment))
    assert (ran.returncode, ran.stdout) == (1, "")
    assert "does not have verify_citation" in ran.stderr
