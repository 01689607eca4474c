"""`--schema`: the contract's text to the letter, and quickly."""

from __future__ import annotations

import json
import os
import re
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from tests.programs.running import ROOT, line_of, run

PROGRAMS = {"brave": "web_search_brave", "google": "web_search_google", "fetch": "web_fetch"}


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_is_what_the_contract_prints(program: str, surroundings: dict[str, str], shared: Path) -> None:
    contract = (shared / "spec" / "command-line-tools.txt").read_text(encoding="utf-8")
    printed = re.findall(r"### Schema Output.*?```json\n(.*?)\n```", contract, re.S)
    ran = run(program, b"", surroundings, "--schema")
    assert (ran.status, ran.stderr) == (0, "")
    assert ran.stdout == printed[list(PROGRAMS).index(program)] + "\n"


@pytest.mark.parametrize(("program", "name"), PROGRAMS.items())
def test_it_is_valid_and_small(program: str, name: str, surroundings: dict[str, str]) -> None:
    ran = run(program, b"", surroundings, "--schema")
    schema = json.loads(ran.stdout)
    assert schema["name"] == name and schema["parameters"]["required"]
    assert len(ran.stdout.encode()) < 8192


@pytest.mark.parametrize("program", PROGRAMS)
def test_it_loads_next_to_nothing(program: str, surroundings: dict[str, str]) -> None:
    script = (
        "import sys; before = set(sys.modules); sys.argv = ['x', '--schema']; "
        f"from wellsourced.programs.{program} import main; main(); "
        "print(sorted(set(sys.modules) - before), file=sys.stderr)"
    )
    environment = {**surroundings, "PYTHONPATH": str(ROOT / "src")}
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, env=environment, check=True)
    loaded = eval(done.stderr)
    assert len(loaded) <= 6, loaded
    assert all(name == "__future__" or name.startswith("wellsourced") for name in loaded), loaded


def cpu_seconds() -> float:
    """What ended children have used; how long they took is the machine's affair."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def test_it_takes_at_most_twice_a_bare_interpreter(surroundings: dict[str, str]) -> None:
    environment = {**surroundings, "PYTHONPATH": str(ROOT / "src")}
    environment.pop("PYTHONDONTWRITEBYTECODE", None)

    def seconds(line: list[str]) -> float:
        begin = cpu_seconds()
        subprocess.run(line, capture_output=True, env=environment, check=True, input=b"")
        return cpu_seconds() - begin

    pairs = [(seconds([sys.executable, "-c", "pass"]), seconds([*line_of("brave"), "--schema"])) for _ in range(9)]
    bare, schema = (min(side) for side in zip(*pairs, strict=True))
    assert schema < 2 * bare + 0.01, (bare, schema)


def test_a_reader_that_leaves_is_no_traceback(surroundings: dict[str, str]) -> None:
    environment = {**surroundings, "PYTHONPATH": str(ROOT / "src")}
    for arguments in (["--schema"], []):
        reading, writing = os.pipe()
        os.close(reading)
        line = [*line_of("fetch"), *arguments]
        done = subprocess.run(line, input=b"{}", stdout=writing, stderr=subprocess.PIPE, env=environment)
        os.close(writing)
        assert (done.returncode, done.stderr) == (1, b"")


@pytest.mark.parametrize("program", PROGRAMS)
def test_other_arguments(program: str, surroundings: dict[str, str]) -> None:
    assert "--schema" in run(program, b"", surroundings, "--help").stdout
    ran = run(program, b"", surroundings, "--version")
    assert (ran.status, ran.stdout) == (2, "") and "--schema" in ran.stderr
