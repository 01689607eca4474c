"""What is installed is pinned with hashes, and the files say the same as constraints.txt and pyproject.toml."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

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


def test_make_and_the_image_install_nothing_without_a_hash() -> None:
    commands = [
        *(ROOT / "Makefile").read_text().splitlines(),
        *(ROOT / "deploy" / "Dockerfile").read_text().splitlines(),
    ]
    installs = [line for line in commands if "pip install" in line or "$(PIP)" in line or "$(LOCKED)" in line]
    unchecked = [line for line in installs if not re.search(r"--require-hashes|--no-deps|LOCKED|^PIP :=|atheris", line)]
    assert installs and unchecked == []
