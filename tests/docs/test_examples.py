"""What the documentation shows runs, against the loopback internet: commands page by page, calls, and Python."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.docs.test_blocks import ASSIGNMENT, Block, blocks, command_of, commands
from tests.http.http_server import free_port
from tests.loopback.run import Internet
from tests.mcp.stdio_client import StdioServer
from tests.programs import running as programs
from tests.warm.process import run, start

ROOT = Path(__file__).resolve().parent.parent.parent
STRANGER = re.compile(r"https://example\.org/[\w./-]*")
FILING = "<title>Filing</title><article><h2>Item 1A. Risk factors</h2><p>The sea may rise.</p></article>"
SPEECH = "<title>Speech</title><article><p>I tell you that the tide will turn, said the captain at last.</p></article>"
WHOLE_PAPER = "<title>Tides</title><article>" + "<p>At spring tides the sea stood a metre higher.</p>" * 99
BOOK = "@book{mole, title={Of quays}, author={Mole, Ada}, year={1999}}"
STEP = {"searchStep": "Who measured it first?", "stepNumber": 1, "nextStepNeeded": True}
# Commands that other tests run: those of the recipes, one for a file that a server has written, the demo.
ELSEWHERE = {
    "harbour": "tests/docs/test_extending.py",
    "audit-log": "tests/cli/test_audit_log.py",
    "demo": "tests/demo/test_run.py",
    "tables": "tests/projects/test_worked_example.py",
}
# Programs that are not ours; what they are handed is checked by the tests that are named.
OTHERS = {
    "make": "Makefile",
    "git": "CONTRIBUTING.md",
    "python3": "scripts/dist.py",
    "python": "scripts/dist.py",
    ".": "scripts/dist.py",
    "claude": "tests/cli/test_client_setup.py",
    "codex": "tests/cli/test_client_setup.py",
    "docker": "tests/docs/test_deploy_files.py",
    "kubectl": "tests/docs/test_deploy_files.py",
    "cp": "tests/docs/test_deploy_files.py",
    "curl": "tests/http/sign_in/test_middleware.py",
}


def is_elsewhere(line: str) -> bool:
    return any(word in line for word in ELSEWHERE)


@pytest.fixture
def surroundings(environment: dict[str, str], tmp_path: Path) -> dict[str, str]:
    """A person with a file of references and one of notes, in an empty home folder."""
    (tmp_path / "thesis.bib").write_text(BOOK, "utf-8")
    (tmp_path / "notes.md").write_text("# Notes\n\nSpring tides come after new and full moon.", "utf-8")
    home = {"HOME": str(tmp_path), "XDG_CONFIG_HOME": str(tmp_path / ".config"), "PYTHONIOENCODING": "utf-8"}
    return {**environment, **home, "ALLOW_PRIVATE_IPS": "true", "CHROME_PATH": "disabled"}


def pages_with_commands() -> list[str]:
    return sorted({place.partition(":")[0] for place, line in commands() if not is_elsewhere(line)})


@pytest.mark.parametrize("page", pages_with_commands())
def test_the_commands_of_a_page_do_what_they_say(
    surroundings: dict[str, str], internet: Internet, tmp_path: Path, page: str
) -> None:
    """One after the other, as a reader would type them."""
    lines = [line for place, line in commands() if place.partition(":")[0] == page and not is_elsewhere(line)]
    if any("$id" in line for line in lines):
        surroundings["id"] = new_session(surroundings)
    for line in lines:
        if line.startswith("wellsourced serve"):
            serves(surroundings, line)
        else:
            does_what_it_says(surroundings, internet, tmp_path, line)


def does_what_it_says(surroundings: Mapping[str, str], internet: Internet, folder: Path, line: str) -> None:
    if "--section" in line or "--quote" in line:
        put_page(internet, FILING if "--section" in line else SPEECH)
    there = STRANGER.sub(f"{internet.base}/site/alpha/tides", line).replace("$id", surroundings.get("id", ""))
    ran = run([sys.executable, "-m", "wellsourced", *command_of(there)], surroundings, timeout=100, cwd=folder)
    if "--lens" in line:  # none of its domains is on the loopback internet
        assert (ran.returncode, ran.stdout) == (3, "") and "Nothing was found" in ran.stderr
    elif "--strict" in line:  # the book of the sample file is known to nobody
        assert ran.returncode in (1, 5) and "Of quays" in ran.stdout, ran.stderr
    else:
        assert ran.returncode == 0, f"{line}\n{ran.stderr}"
        assert (ran.stdout + ran.stderr).strip() or " -o " in line, line
    if " -o " in line:
        assert (folder / command_of(there)[-1]).stat().st_size > 0


def put_page(internet: Internet, body: str) -> None:
    internet.control("/site/alpha", status=200, body=body, headers={"content-type": "text/html"})


def serves(surroundings: Mapping[str, str], line: str) -> None:
    """It listens, says so, and ends in order when it is told to."""
    port = str(free_port())
    words = [word if word != "8765" else port for word in command_of(line)]
    server = start([sys.executable, "-m", "wellsourced", *words], env=dict(surroundings), stderr=subprocess.PIPE)
    try:
        assert server.stderr is not None
        assert any(port.encode() in each for each in iter(server.stderr.readline, b"")), "it did not say where"
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/health/live", timeout=60) as reply:
            assert reply.status == 200
        server.terminate()
        assert server.wait(60) == 0
    finally:
        server.kill()
        server.communicate()


def new_session(surroundings: Mapping[str, str]) -> str:
    with StdioServer(surroundings) as server:
        server.initialize()
        session = server.call("sequential_search", STEP)["result"]["structuredContent"]["sessionId"]
    return str(session)


CALLS = [block for block in blocks("json") if block.kind == "json call"]


@pytest.mark.parametrize("page", sorted({block.page for block in CALLS}))
def test_the_calls_of_a_page_are_answered(surroundings: dict[str, str], internet: Internet, page: str) -> None:
    lines = [line for block in blocks("sh") if block.page == page for line in block.text.splitlines()]
    surroundings |= {match[1]: match[2] for line in lines if (match := ASSIGNMENT.match(line))}
    with StdioServer(surroundings) as server:
        server.initialize()
        for block in (each for each in CALLS if each.page == page):
            call = json.loads(STRANGER.sub(f"{internet.base}/site/alpha/tides", block.text))
            if call["name"] == "paper_fulltext":
                put_page(internet, WHOLE_PAPER)
            answer = server.call(call["name"], call["arguments"])["result"]
            assert not answer.get("isError"), f"{block}: {answer['content'][0]['text'][:600]}"


def test_every_line_of_shell_is_run_or_known() -> None:
    shown = [line for block in blocks("sh") for line in block.text.splitlines() if line and not line.startswith(" ")]
    ours = {line for _, line in commands()}
    unknown = [
        line
        for line in shown
        if line not in ours and not ASSIGNMENT.match(line) and line.split()[0] not in OTHERS and line[0] != "#"
    ]
    assert unknown == [], "run it in this test, or say where it is"
    assert [file for file in (*OTHERS.values(), *ELSEWHERE.values()) if not (ROOT / file).is_file()] == []


@pytest.mark.parametrize("block", [block for block in blocks("python") if block.kind == "python run"], ids=str)
def test_an_example_runs(surroundings: dict[str, str], block: Block) -> None:
    strict = 'import warnings; warnings.simplefilter("error", RuntimeWarning)\n'
    ran = run([sys.executable, "-c", strict + block.text], surroundings, timeout=60)
    assert ran.returncode == 0, f"{block}\n{ran.stderr}"
    assert ran.stdout, f"{block} prints nothing"


PROGRAM = re.compile(r"^ {4}echo '(\{.*\})' \| (web-\S+-tool)$", re.MULTILINE)


@pytest.mark.parametrize(("request_line", "program"), PROGRAM.findall((ROOT / "docs/programs.md").read_text("utf-8")))
def test_a_program_answers(surroundings: dict[str, str], internet: Internet, request_line: str, program: str) -> None:
    module = program.removeprefix("web-").removeprefix("search-").removesuffix("-tool")
    asked = STRANGER.sub(f"{internet.base}/site/alpha/tides", request_line)
    assert programs.run(module, asked.encode(), {**surroundings, "BRAVE_API_KEY": "k" * 20}).success
