"""The command's first moments: what it loads, and what it says to a person."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Mapping

import pytest

from wellsourced import __version__

HEAVY = ("mcp", "pydantic", "json", "re", "asyncio", "starlette", "wreq", "httpx2", "typing", "pathlib", "dataclasses")


def loaded_after(statement: str, environment: Mapping[str, str]) -> set[str]:
    code = f"{statement}\nimport sys\nprint(*sys.modules, file=sys.stderr)"
    command = [sys.executable, "-I", "-c", code]
    ran = subprocess.run(command, capture_output=True, text=True, timeout=30, env=dict(environment))
    return set(ran.stderr.split())


def test_the_handshake_needs_none_of_the_heavy_libraries(quiet_environment: Mapping[str, str]) -> None:
    loaded = loaded_after(
        "import os, wellsourced.mcp.stdio as s\n"
        "read, write = os.pipe()\n"
        'os.write(write, b\'{"jsonrpc":"2.0","id":1,"method":"tools/list"}\\n\')\n'
        "os.close(write)\n"
        "s.StdioServer(s.StdinLines(read), s.StdoutLines(os.open(os.devnull, os.O_WRONLY))).run()",
        quiet_environment,
    )
    assert "wellsourced.mcp.stdio" in loaded
    assert loaded.isdisjoint(HEAVY)


QUIET_TWICE = """
import os, wellsourced.mcp.stdio as s
class Input(s.StdinLines):
    quiet = [True, True, False]
    def is_quiet(self, seconds):
        return not seconds and self.quiet.pop(0)
read, write = os.pipe()
os.write(write, b'{"jsonrpc":"2.0","id":1,"method":"METHOD"}\\n')
os.close(write)
s.StdioServer(Input(read), s.StdoutLines(os.open(os.devnull, os.O_WRONLY))).run()
"""


@pytest.mark.parametrize(("method", "ahead"), [("tools/list", {"typing", "inspect"}), ("ping", set())])
def test_what_a_first_call_needs_is_loaded_after_the_list_while_nothing_comes(
    quiet_environment: Mapping[str, str], method: str, ahead: set[str]
) -> None:
    loaded = loaded_after(QUIET_TWICE.replace("METHOD", method), quiet_environment)
    assert loaded & {"typing", "inspect", "logging", "socket", "asyncio"} == ahead


@pytest.mark.parametrize(("argument", "says"), [("--version", __version__), ("--help", "serve")])
def test_help_and_version_answer_without_the_sdk(
    quiet_environment: Mapping[str, str], argument: str, says: str
) -> None:
    code = f"from wellsourced.cli.main import run; run([{argument!r}])"
    ran = subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, timeout=30, env=dict(quiet_environment)
    )
    assert says in ran.stdout
    assert loaded_after(code, quiet_environment).isdisjoint({"mcp", "pydantic", "asyncio", "starlette"})


def test_an_unknown_command_is_an_error_of_the_caller(quiet_environment: Mapping[str, str]) -> None:
    ran = subprocess.run(
        [sys.executable, "-m", "wellsourced", "serch"], capture_output=True, text=True, env=dict(quiet_environment)
    )
    assert ran.returncode == 2
    assert "Traceback" not in ran.stderr


def test_a_closed_input_is_told_in_a_sentence(quiet_environment: Mapping[str, str]) -> None:
    command = ["sh", "-c", 'exec "$0" -m wellsourced <&-', sys.executable]
    ran = subprocess.run(command, capture_output=True, text=True, env=dict(quiet_environment), check=False)
    assert (ran.returncode, ran.stdout) == (2, "")
    assert ran.stderr == "wellsourced: stdin or stdout is closed; an MCP client speaks through them.\n"
