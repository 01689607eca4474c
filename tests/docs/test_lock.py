"""What is installed is pinned with hashes, and the files say the same as constraints.txt and pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parent.parent.parent
BASED = ("run.txt", "server.txt", "dev.txt")
ALONE = ("docs.txt", "dist.txt")
RELOCK = "run: make locks"
ENTRY = re.compile(
    r"^(?P<name>[a-z0-9-]+)==(?P<version>\S+)(?: ; [^\\\n]+?)?(?: \\\n    --hash=sha256:[0-9a-f]{64})+$", re.MULTILINE
)


def locked(file: str) -> dict[str, str]:
    text = (ROOT / "requirements" / file).read_text()
    rest = ENTRY.sub("", text)
    left = [line for line in rest.splitlines() if line and not line.startswith(("#", "-r "))]
    assert left == [], "every entry has a version and hashes, and no file names an index"
    return {entry["name"]: entry["version"] for entry in ENTRY.finditer(text)}


def test_every_package_is_pinned_with_hashes_in_the_version_of_the_constraints() -> None:
    lines = [line.split("==") for line in (ROOT / "constraints.txt").read_text().splitlines() if line]
    pinned = {canonicalize_name(name): version for name, version in lines}
    every = {name: version for file in (*BASED, *ALONE) for name, version in locked(file).items()}
    assert every == pinned, RELOCK


def test_what_the_project_asks_for_is_in_the_file_that_is_installed_for_it() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    extras = project["project"]["optional-dependencies"]
    wanted = {
        "run.txt": [*project["build-system"]["requires"], *project["project"]["dependencies"]],
        "server.txt": [*extras["redis"], *extras["postgres"]],
        "dev.txt": extras["dev"],
        "docs.txt": extras["docs"],
        "dist.txt": [*project["build-system"]["requires"], *extras["dist"]],
    }
    installed: dict[str, str] = {}
    for file in (*BASED, *ALONE):
        installed = locked(file) if file in ALONE else installed | locked(file)
        for requirement in map(Requirement, wanted[file]):
            version = installed.get(canonicalize_name(requirement.name))
            assert version is not None and requirement.specifier.contains(version), f"{requirement}; {RELOCK}"


@pytest.mark.parametrize("file", [BASED[-1], *ALONE])
def test_nothing_that_is_needed_here_is_left_out(file: str) -> None:
    """pip refuses the whole file where one package needs another that is not in it, or not for this system."""
    lines = [line for each in (BASED if file in BASED else [file]) for line in requirement_lines(each)]
    here = [each for each in map(Requirement, lines) if each.marker is None or each.marker.evaluate()]
    names = {canonicalize_name(each.name) for each in here}
    missing = {needed for name in names for needed in needs_of(name) if needed not in names}
    assert missing == set(), RELOCK


def requirement_lines(file: str) -> list[str]:
    text = (ROOT / "requirements" / file).read_text()
    return [line.removesuffix(" \\") for line in text.splitlines() if re.match(r"[a-z0-9]", line)]


def needs_of(name: str) -> list[str]:
    try:
        asked = map(Requirement, metadata.requires(name) or [])
    except metadata.PackageNotFoundError:
        return []
    return [canonicalize_name(each.name) for each in asked if not each.marker or each.marker.evaluate({"extra": ""})]


def test_make_and_the_image_install_nothing_without_a_hash() -> None:
    commands = [
        *(ROOT / "Makefile").read_text().splitlines(),
        *(ROOT / "deploy" / "Dockerfile").read_text().splitlines(),
    ]
    installs = [line for line in commands if "pip install" in line or "$(PIP)" in line or "$(LOCKED)" in line]
    unchecked = [line for line in installs if not re.search(r"--require-hashes|--no-deps|LOCKED|^PIP :=|atheris", line)]
    assert installs and unchecked == []
